"""The rules in the order in which reports show them: by area of the protocol, and by family in each.

The area of a rule follows from the first chapter of the book with a statement that it covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from conformance.definitions.book import statements
from conformance.definitions.catalogue import catalogue, rules_of
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from conformance.definitions.catalogue import Rule

MESSAGES, AROUND, RECORDS, CONNECTIONS = (
    "Messages",
    "Headers, frames, stored messages",
    "Record batches",
    "Connections",
)

_BY_CHAPTER = {"5": AROUND, "16": RECORDS, "17": CONNECTIONS}

_BY_TARGET = {
    "body": "",
    "primitive": "",
    "frame": " frames",
    "prefixed": " prefixed messages",
    "record": " metadata records",
    "records": " record batches",
}
"""What the parts of the suite write and read that try a rule, by the target of its example."""


@dataclass(frozen=True)
class RuleGroup:
    """Rules of one family in one area.

    Attributes:
        area: as `Record batches`; of a proposal its name.
        family: what their ids begin with.
    """

    area: str
    family: str
    rules: tuple[Rule, ...]


@cache
def groups_of(dialect: str = RELEASED) -> tuple[RuleGroup, ...]:
    """Return the groups of rules that implementations are tested against; rules of definitions are none of them."""
    found: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules_of(dialect).values():
        if rule.side != "definition":
            found.setdefault((area_of(rule), rule.id.partition(".")[0]), []).append(rule)
    groups = [RuleGroup(area, family, tuple(rules)) for (area, family), rules in found.items()]
    order = (MESSAGES, AROUND, RECORDS, CONNECTIONS)
    return tuple(sorted(groups, key=lambda group: order.index(group.area) if group.area in order else len(order)))


def area_of(rule: Rule) -> str:
    """Return the area of a rule; of a proposal's its name."""
    if rule.dialect != RELEASED:
        return rule.dialect
    return _BY_CHAPTER.get(_first_chapter(rule.id), MESSAGES)


@cache
def _first_chapter(rule_id: str) -> str:
    """Return the number of the first chapter of the book that names a rule; empty if none does."""
    first = next((number for number, statement in statements().items() if rule_id in statement.rules), "")
    return first.partition(".")[0]


@cache
def parts_for(rule_id: str) -> tuple[str, ...]:
    """Return the parts of the suite that try a rule, where any of them is enough; empty: no part of its own does."""
    rule = catalogue().get(rule_id)
    if rule is None or rule.side == "connection":
        return ()
    target = _BY_TARGET[rule.example.target]
    return (rule.part,) if rule.part else (f"writing{target}", f"reading{target}")
