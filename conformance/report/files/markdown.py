"""GitHub's Markdown, for the summary of a job.

It has an overview of the runs, a matrix for each release, and the findings. Texts from an implementation are written as
code, since HTML and Markdown have no meaning there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from conformance.report.areas import RuleGroup, groups_of
from conformance.report.files.words import counted, details, extent_of, headline, title_of, totals
from conformance.report.states import State, rule_state
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.report.facts import RunReport

OVERVIEW = ("implementation", "Kafka", "messages and versions", "cases", "new findings", "known findings")


def markdown(reports: Sequence[RunReport]) -> str:
    """Return the text about some runs.

    New findings come before known ones.
    """
    releases = dict.fromkeys(report.release for report in reports)
    parts = ["# Conformance to the Kafka wire protocol", _table(OVERVIEW, (_overview(each) for each in reports))]
    parts += [f"{code(title_of(report))}: {code(str(report.shared))}" for report in reports if report.shared.release]
    parts += [
        f"**Not a whole run:** {code(title_of(each))} is {code(extent_of(each))}" for each in reports if extent_of(each)
    ]
    for report in reports:
        parts += _new(report)
    for release in releases:
        parts += _matrix(release, [report for report in reports if report.release == release])
    for report in reports:
        parts += _known(report)
        parts += _untested(report)
    return "\n\n".join(parts) + "\n"


def _overview(report: RunReport) -> list[str]:
    new, known = totals(report)
    pairs = "not said" if report.pairs is None else f"{report.pairs:,}"
    return [code(report.title), code(report.release), pairs, f"{sum(report.cases.values()):,}", str(new), str(known)]


def _new(report: RunReport) -> Iterator[str]:
    """Yield the reasons of a failed run.

    They are faults of the adapter, errors of the suite, stale known failures, and new findings.
    """
    faults = [f"- the adapter, {code(kind)}: {code(text)} ({count} times)" for kind, text, count in report.faults]
    faults += [f"- an error of the suite in {code(item)}" for item in report.errors]
    faults += [f"- a known failure that no longer fails: {code(entry)}" for entry in report.stale]
    if faults or report.findings:
        yield f"## New: {code(title_of(report))}"
    if faults:
        yield "\n".join(faults)
    for finding in report.findings:
        yield f"**{code(headline(finding))}**"
        yield fenced("\n".join(details(finding)))


def _matrix(release: str, reports: list[RunReport]) -> Iterator[str]:
    """Yield the states of the rules of each implementation against one release, in groups."""
    yield f"## Rules of Kafka {code(release)}"
    rows = [[f"{group.area}: {group.family}", *(_cell(report, group) for report in reports)] for group in groups_of()]
    yield _table(("rules", *(code(report.title) for report in reports)), rows)


def _cell(report: RunReport, group: RuleGroup) -> str:
    """Return the number of rules of a group in each state, the most severe state first."""
    counts = Counter(rule_state(report, rule).state for rule in group.rules)
    shown = [f"{counts[state]} {state}" for state in State if counts[state]]
    text = ", ".join(shown)
    return f"**{text}**" if counts[State.FINDING] else text


def _known(report: RunReport) -> Iterator[str]:
    if not report.known:
        return
    counts: Counter[tuple[str, str, str, str, str]] = Counter()
    for finding in report.known:
        counts[finding.rule, finding.level, finding.outcome, finding.reason, finding.link] += finding.count
    rows = (_known_row(facts, count) for facts, count in counts.items())
    table = _table(("rule", "level", "outcome", "cases", "reason"), rows)
    yield _folded(f"Known findings: {title_of(report)}", table)


def _known_row(facts: tuple[str, str, str, str, str], count: int) -> list[str]:
    rule, level, outcome, reason, link = facts
    return [code(rule), level, code(outcome), f"{count:,}", code(reason) + (f" {code(link)}" if link else "")]


def _untested(report: RunReport) -> Iterator[str]:
    rows = [[code(what), code(why), ""] for what, why in report.parts]
    counts: Counter[tuple[str, str]] = Counter()
    for each in report.untested:
        counts[each.kind, each.message] += each.calls
    rows += [[code(message), kind, counted(count, "call")] for (kind, message), count in sorted(counts.items())]
    if rows:
        yield _folded(f"Not tested: {title_of(report)}", _table(("what", "why", "how often"), rows))


def _folded(summary: str, text: str) -> str:
    """Return a text folded under a summary."""
    plain = summary.replace("&", "&amp;").replace("<", "&lt;")
    return f"<details><summary>{plain}</summary>\n\n{text}\n\n</details>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def code(text: str) -> str:
    """Return a text as code on one line.

    >>> code("a `b`")
    '`` a `b` ``'
    """
    text = printable(text) or " "  # two fences without a text between them are no code
    fence = "`" * (_longest_run(text) + 1)
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def fenced(text: str) -> str:
    """Return lines of text as a block of code."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
