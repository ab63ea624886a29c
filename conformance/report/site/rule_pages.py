"""Pages of rules, and for each release a matrix of all rules and implementations side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from conformance.definitions.book import statements
from conformance.definitions.catalogue import catalogue
from conformance.report.areas import RuleGroup, area_of, groups_of
from conformance.report.explain.explained_rules import RuleExplanation, explain_rule, level_text
from conformance.report.report_set import slug_of
from conformance.report.site.annotated import pieces_of
from conformance.report.site.documentation import BOOK_PAGE
from conformance.report.site.run_pages import run_name
from conformance.report.site.templating import render
from conformance.report.states import RuleState, State, rule_state
from reference.definitions.model import RELEASED
from reference.proposals import PROPOSALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.definitions.catalogue import Rule
    from conformance.report.report_set import ReportSet
    from conformance.report.site.documentation import Documentation

UNSPECIFIED = frozenset((State.BOTH, State.ACCEPTS, State.REJECTS))
UNCOUNTED = frozenset((State.NOT_APPLICABLE, State.SHARED))
TESTED = frozenset((State.BROKEN, State.BROKEN_SHOULD, State.KEPT, State.PART)) | UNSPECIFIED
ROOT = "../"
"""The relative path from the page of a rule to the folder of the site."""

SOURCES = {
    r"README: (.*)": "https://github.com/apache/kafka/blob/trunk/clients/src/main/resources/common/message/README.md#{}",
    r"(KAFKA-[0-9]+)": "https://issues.apache.org/jira/browse/{}",
    r"(KIP-[0-9]+)": "https://cwiki.apache.org/confluence/display/KAFKA/Kafka+Improvement+Proposals",
    r"RFC ([0-9]+)": "https://www.rfc-editor.org/rfc/rfc{}",
}
"""The addresses of sources of rules, by patterns of their names."""


@dataclass(frozen=True)
class GroupSummary:
    """The most severe state of a group of rules in one run, and the broken, the tested and all applicable ones."""

    state: State
    is_known: bool
    broken: int
    tested: int
    total: int


def matrix_name(release: str) -> str:
    """Return the name of the matrix of a release."""
    return f"matrix-{slug_of(release)}.html"


def matrix_pages(shelf: ReportSet) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the matrix of each release."""
    for release in shelf.releases:
        placed = shelf.against(release)
        groups = rule_groups(release)
        states = {rule.id: [rule_state(each.run, rule) for each in placed] for group in groups for rule in group.rules}
        blocks = [(group, _summaries(states[rule.id] for rule in group.rules)) for group in groups]
        yield (
            matrix_name(release),
            render(
                "matrix.html",
                "",
                release=release,
                switch=[(each, matrix_name(each)) for each in shelf.releases],
                placed=placed,
                areas=[(area, list(each)) for area, each in groupby(blocks, key=lambda block: block[0].area)],
                states=states,
                totals=_summaries(states.values()),
            ),
        )


def rule_groups(release: str) -> Sequence[RuleGroup]:
    """Return the rules of a release, or of a proposal, in groups."""
    return groups_of(release) if release in PROPOSALS else groups_of()


def _summaries(rows: Iterable[Sequence[RuleState]]) -> list[GroupSummary]:
    return [_summary(column) for column in zip(*rows, strict=True)]


def _summary(cells: Sequence[RuleState]) -> GroupSummary:
    states = [cell.state for cell in cells]
    broken = [cell for cell in cells if cell.state.is_broken]
    applying = [state for state in states if state not in UNCOUNTED]
    return GroupSummary(
        _worst(states),
        bool(broken) and all(cell.is_known for cell in broken),
        len(broken),
        sum(state in TESTED for state in applying),
        len(applying),
    )


def _worst(states: Sequence[State]) -> State:
    # Broken rules come first. Without them, the state says whether all, some or none of the rules were tested.
    present = set(states)
    worst = min(present, key=list(State).index)
    tested = present & TESTED
    if worst.is_broken or not tested:
        return worst
    if tested <= UNSPECIFIED:
        return tested.pop() if len(tested) == 1 else State.BOTH
    return State.KEPT if present <= TESTED | UNCOUNTED else State.PART


def rule_pages(shelf: ReportSet, documentation: Documentation) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each rule, then of the list of rules and of that of statements."""
    rows = []
    for rule in _rules_shown(shelf):
        states = [(each, run_name(each), rule_state(each.run, rule)) for each in shelf.placed]
        yield (
            f"rules/{rule.id}.html",
            render(
                "rule.html",
                ROOT,
                rule=rule,
                level=level_text(rule),
                sources=[(source, source_address(source)) for source in rule.sources],
                explanation=_explanation(rule.id),
                states=states,
                pieces_of=pieces_of,
                documentation=documentation.seen_from(ROOT),
            ),
        )
        tested = [cell.state for _, _, cell in states if cell.state in TESTED]
        rows.append((area_of(rule), rule, sum(state.is_broken for state in tested), len(tested)))
    yield "rules/index.html", render("rules.html", ROOT, rows=rows)
    shown = {rule.id for _, rule, _, _ in rows}
    yield BOOK_PAGE, render("book.html", ROOT, statements=list(statements().values()), shown=shown)


def source_address(source: str) -> str:
    """Return the address of a source of a rule, or "" for a source without a known one.

    >>> source_address("RFC 1952")
    'https://www.rfc-editor.org/rfc/rfc1952'
    """
    for pattern, address in SOURCES.items():
        if found := re.fullmatch(pattern, source):
            return address.format(found[1].lower().replace(" ", "-") if "README" in pattern else found[1])
    return ""


@cache
def _explanation(rule: str) -> RuleExplanation:
    return explain_rule(catalogue()[rule])


def _rules_shown(shelf: ReportSet) -> Iterator[Rule]:
    dialects = [RELEASED, *(release for release in shelf.releases if groups_of(release))]
    rules = {rule.id: rule for dialect in dialects for group in groups_of(dialect) for rule in group.rules}
    named = {finding.rule for each in shelf.placed for finding in each.run.all_findings}
    rules |= {rule: catalogue()[rule] for rule in sorted(named) if rule in catalogue()}
    yield from rules.values()
