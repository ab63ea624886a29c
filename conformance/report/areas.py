"""The rules in the order in which reports show them: by area of the protocol, and by family in each.

The area of a rule follows from the chapters of the book whose statements it covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from conformance.definitions.catalogue import catalogue, rules_of
from conformance.definitions.requirements import requirements
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.catalogue import Rule

MESSAGES, AROUND, RECORDS, CONNECTIONS = (
    "Messages",
    "Headers, frames, stored messages",
    "Record batches",
    "Connections",
)

_BY_CHAPTERS: dict[tuple[str, ...], str] = {("5",): AROUND, ("16",): RECORDS, ("17",): CONNECTIONS}

_BODIES = ("writing", "reading")
_FRAMES = ("writing frames", "reading frames")
_PREFIXED = ("writing prefixed messages", "reading prefixed messages")
_METADATA = ("writing metadata records", "reading metadata records")
_BATCHES = ("writing record batches", "reading record batches")

_NEEDS = {
    "header.request-version": ("header versions",),
    "header.response-version": ("header versions",),
    "frame.size": _FRAMES,
    "header.client-id": _FRAMES,
    "header.correlation-id": _FRAMES,
    "prefix.type": _PREFIXED,
    "prefix.unknown": _PREFIXED,
    "prefix.version": _PREFIXED,
    "record.frame-version": _METADATA,
    "record.negative-varint": _METADATA,
    "record.trailing-bytes": _METADATA,
    "record.type": _METADATA,
    "record.unknown-version": _METADATA,
    "record.version": _METADATA,
    "default.value": ("partial values",),
    "value.complete": ("partial values",),
    "ignorable.dropped": ("absent fields",),
    "ignorable.refused": ("absent fields",),
    "tag.not-flexible": ("unknown tags kept",),
    "tag.unknown-kept": ("unknown tags kept",),
    "tag.unknown-writable": ("unknown tags kept",),
    "codec.size": ("sizes",),
}
"""The parts of the suite that try a rule, where any of them is enough; those of a run say which it lacks."""


@dataclass(frozen=True)
class Group:
    """Rules of one family in one area.

    Attributes:
        area: as `Record batches`; of a proposal its name.
        family: what their ids begin with.
    """

    area: str
    family: str
    rules: tuple[Rule, ...]


@cache
def groups_of(dialect: str = RELEASED) -> tuple[Group, ...]:
    """Return the groups of rules that implementations are tested against; rules of definitions are none of them."""
    found: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules_of(dialect).values():
        if rule.side != "definition":
            found.setdefault((area_of(rule), rule.id.partition(".")[0]), []).append(rule)
    groups = [Group(area, family, tuple(rules)) for (area, family), rules in found.items()]
    order = (MESSAGES, AROUND, RECORDS, CONNECTIONS)
    return tuple(sorted(groups, key=lambda group: order.index(group.area) if group.area in order else len(order)))


def area_of(rule: Rule) -> str:
    """Return the area of a rule; of a proposal's its name."""
    if rule.dialect != RELEASED:
        return rule.dialect
    return _BY_CHAPTERS.get(tuple(_chapters(rule)), MESSAGES)


def _chapters(rule: Rule) -> Iterator[str]:
    yield from sorted({statement.number.partition(".")[0] for statement in requirements().about(rule.id)})


@cache
def parts_for(rule_id: str) -> tuple[str, ...]:
    """Return the parts of the suite that try a rule, where any of them is enough; empty: no part of its own does."""
    if rule_id in _NEEDS or rule_id not in catalogue():
        return _NEEDS.get(rule_id, ())
    return {RECORDS: _BATCHES, MESSAGES: _BODIES}.get(area_of(catalogue()[rule_id]), ())
