"""The rules in the order of reports, by family, and by area, as of the first chapter of the book with the rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from conformance.definitions.book import statements
from conformance.definitions.catalogue import catalogue, family_of, rules_of
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
"""The last words of the names of the suite's parts for a rule, by the target of its example."""


@dataclass(frozen=True)
class RuleGroup:
    """Rules of one family, the first part of their ids, in one area, like `Record batches`, or one proposal."""

    area: str
    family: str
    rules: tuple[Rule, ...]


@cache
def groups_of(dialect: str = RELEASED) -> tuple[RuleGroup, ...]:
    """Return the groups of rules for implementations. None of them can break those for definitions."""
    found: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules_of(dialect).values():
        if rule.side != "definition":
            found.setdefault((area_of(rule), family_of(rule.id)), []).append(rule)
    groups = [RuleGroup(area, family, tuple(rules)) for (area, family), rules in found.items()]
    order = (MESSAGES, AROUND, RECORDS, CONNECTIONS)
    return tuple(sorted(groups, key=lambda group: order.index(group.area) if group.area in order else len(order)))


def area_of(rule: Rule) -> str:
    """Return the area of a rule, or the name of its proposal."""
    if rule.dialect != RELEASED:
        return rule.dialect
    return _BY_CHAPTER.get(_first_chapter(rule.id), MESSAGES)


@cache
def _first_chapter(rule_id: str) -> str:
    first = next((number for number, statement in statements().items() if rule_id in statement.rules), "")
    return first.partition(".")[0]


@cache
def parts_for(rule_id: str) -> tuple[str, ...]:
    """Return the parts of the suite that each try a rule, none for a rule of connections or an unknown one."""
    rule = catalogue().get(rule_id)
    if rule is None or rule.side == "connection":
        return ()
    target = _BY_TARGET[rule.example.target]
    return (rule.part,) if rule.part else (f"writing{target}", f"reading{target}")
