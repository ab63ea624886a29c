"""The page of each rule: text, sources, an example from the book, and who breaks it; and a list of all rules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from conformance.catalogue.explanation import Explanation, explain
from conformance.catalogue.rules import catalogue
from conformance.reports.areas import area_of, groups_of
from conformance.reports.pages.implementation import run_name
from conformance.reports.pages.rendering import render
from conformance.reports.states import rule_state
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.catalogue.rules import Rule
    from conformance.reports.shelf import Shelf

ROOT = "../"


def rule_name(rule: str) -> str:
    """Return the name of the page of a rule."""
    return f"rules/{rule}.html"


def rule_pages(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Yield name and text of the page of each rule that any of the runs is about, then of the list."""
    shown = list(rules_shown(shelf))
    for rule in shown:
        states = [(each, run_name(each), rule_state(each.run, rule)) for each in shelf.placed]
        yield rule_name(rule.id), render("rule.html", ROOT, rule=rule, explanation=_explanation(rule.id), states=states)
    yield "rules/index.html", render("rules.html", ROOT, rules=[(area_of(rule), rule) for rule in shown])


@cache
def _explanation(rule: str) -> Explanation:
    return explain(catalogue()[rule])


def rules_shown(shelf: Shelf) -> Iterator[Rule]:
    """Yield the rules that have a page: those that implementations are tested against, and any that findings name."""
    dialects = [RELEASED, *(release for release in shelf.releases if groups_of(release))]
    rules = {rule.id: rule for dialect in dialects for group in groups_of(dialect) for rule in group.rules}
    named = {finding.rule for each in shelf.placed for finding in each.run.all_findings}
    rules |= {rule: catalogue()[rule] for rule in sorted(named) if rule in catalogue()}
    yield from rules.values()
