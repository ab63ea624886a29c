"""Pages of rules.

The first page of the site is the matrix of rules and implementations. Each rule has a page of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from conformance.definitions.catalogue import catalogue
from conformance.report.areas import RuleGroup, area_of, groups_of
from conformance.report.explain.explained_rules import RuleExplanation, explain_rule
from conformance.report.report_set import slug_of
from conformance.report.site.annotated import pieces_of
from conformance.report.site.campaign_pages import NAME
from conformance.report.site.run_pages import run_name
from conformance.report.site.templating import render
from conformance.report.states import RuleState, State, rule_state
from reference.definitions.model import RELEASED
from reference.proposals import PROPOSALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.definitions.catalogue import Rule
    from conformance.report.changes import Trend
    from conformance.report.report_set import PublishedRun, ReportSet
    from conformance.report.site.documentation import Documentation

UNSPECIFIED = frozenset((State.BOTH, State.ACCEPTS, State.REJECTS))
UNCOUNTED = frozenset((State.NOT_APPLICABLE, State.SHARED))
TESTED = frozenset((State.FINDING, State.KNOWN, State.KEPT, State.PART)) | UNSPECIFIED
INDEX = "index.html"
ROOT = "../"
"""The relative path from the page of a rule to the folder of the site."""


@dataclass(frozen=True)
class GroupSummary:
    """The state of a group of rules in one run.

    Attributes:
        state: the most severe state of its rules.
        new, known: the numbers of new and of known findings.
        tested, total: the numbers of tested and of applicable rules.
    """

    state: State
    new: int
    known: int
    tested: int
    total: int


@dataclass(frozen=True)
class RuleRow:
    """A rule and its state in each run."""

    rule: Rule
    cells: tuple[RuleState, ...]


@dataclass(frozen=True)
class MatrixBlock:
    """A group of rules and its state in each run."""

    group: RuleGroup
    summaries: tuple[GroupSummary, ...]
    rows: tuple[RuleRow, ...]


def matrix_name(shelf: ReportSet, release: str) -> str:
    """Return the name of the page of a release.

    The newest release has the first page of the site.
    """
    return INDEX if release == shelf.releases[0] else f"matrix-{slug_of(release)}.html"


def matrix_pages(shelf: ReportSet, trends: Sequence[Trend] = ()) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each release."""
    for release in shelf.releases:
        placed = shelf.against(release)
        blocks = [_block(group, placed) for group in _groups(release)]
        yield (
            matrix_name(shelf, release),
            render(
                "matrix.html",
                "",
                release=release,
                switch=[(each, matrix_name(shelf, each)) for each in shelf.releases],
                placed=placed,
                areas=[(area, list(each)) for area, each in groupby(blocks, key=lambda block: block.group.area)],
                elsewhere=shelf.elsewhere(release),
                campaigns=NAME if trends else "",
                totals=[_summary(cells) for cells in _columns(blocks, len(placed))],
            ),
        )


def _columns(blocks: Sequence[MatrixBlock], count: int) -> Iterator[list[RuleState]]:
    """Yield the states of all rules in each run."""
    for index in range(count):
        yield [row.cells[index] for block in blocks for row in block.rows]


def _groups(release: str) -> Sequence[RuleGroup]:
    return groups_of(release) if release in PROPOSALS else groups_of()


def _block(group: RuleGroup, placed: Sequence[PublishedRun]) -> MatrixBlock:
    rows = tuple(RuleRow(rule, tuple(rule_state(each.run, rule) for each in placed)) for rule in group.rules)
    return MatrixBlock(group, tuple(_summary([row.cells[index] for row in rows]) for index in range(len(placed))), rows)


def _summary(cells: Sequence[RuleState]) -> GroupSummary:
    states = [cell.state for cell in cells]
    applying = [state for state in states if state not in UNCOUNTED]
    tested = sum(state in TESTED for state in applying)
    return GroupSummary(
        _worst(states), sum(cell.new for cell in cells), sum(cell.known for cell in cells), tested, len(applying)
    )


def _worst(states: Sequence[State]) -> State:
    """Return the state of a group of rules.

    Findings come first, new before known. Without findings, it says whether all, some or none of the rules were tested.
    """
    present = set(states)
    for state in (State.FINDING, State.KNOWN):
        if state in present:
            return state
    tested = present & TESTED
    if not tested:
        return min(present, key=list(State).index)
    if tested <= UNSPECIFIED:
        return tested.pop() if len(tested) == 1 else State.BOTH
    return State.KEPT if present <= TESTED | UNCOUNTED else State.PART


def rule_pages(shelf: ReportSet, documentation: Documentation) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each rule, then of the list of rules."""
    shown = list(rules_shown(shelf))
    for rule in shown:
        states = [(each, run_name(each), rule_state(each.run, rule)) for each in shelf.placed]
        explanation = _explanation(rule.id)
        facts = {"rule": rule, "explanation": explanation, "states": states, "pieces_of": pieces_of}
        facts["documentation"] = documentation.seen_from(ROOT)
        yield f"rules/{rule.id}.html", render("rule.html", ROOT, **facts)
    yield "rules/index.html", render("rules.html", ROOT, rules=[(area_of(rule), rule) for rule in shown])


@cache
def _explanation(rule: str) -> RuleExplanation:
    return explain_rule(catalogue()[rule])


def rules_shown(shelf: ReportSet) -> Iterator[Rule]:
    """Yield the rules with a page of their own.

    These are the rules for implementations, and all rules of findings.
    """
    dialects = [RELEASED, *(release for release in shelf.releases if groups_of(release))]
    rules = {rule.id: rule for dialect in dialects for group in groups_of(dialect) for rule in group.rules}
    named = {finding.rule for each in shelf.placed for finding in each.run.all_findings}
    rules |= {rule: catalogue()[rule] for rule in sorted(named) if rule in catalogue()}
    yield from rules.values()
