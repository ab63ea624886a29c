"""GitHub's Markdown for the summary of a job, with verdicts, a table of causes, and the details of new ones, folded.

Texts from an implementation are written as code, since HTML and Markdown have no meaning there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.report.facts import rule_page
from conformance.report.words import (
    counted,
    details,
    extent_of,
    follower_line,
    headline,
    impact_text,
    release_title,
    verdict_of,
    versions_text,
)
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.report.facts import ReportedCause, RunReport

CAUSES = ("", "impact", "rule", "level", "cases", "where", "known")

MAXIMUM_PLACES = 2
"""The number of messages named in the table."""


def markdown(reports: Sequence[RunReport], site: str = "") -> str:
    """Return the text about some runs. Rules link to their pages of the published `site`, if there is one."""
    parts = ["# Conformance to the Kafka wire protocol"]
    for report in reports:
        parts += _of_run(report, site)
    return "\n\n".join(parts) + "\n"


def _of_run(report: RunReport, site: str) -> Iterator[str]:
    yield f"## {code(report.title)} against {code(release_title(report.release))}"
    verdict = verdict_of(report)
    yield f"**{verdict.word}**: {verdict.text}"
    if report.shared.release:
        yield code(str(report.shared))
    if extent_of(report):
        yield f"**Not a whole run:** {code(extent_of(report))}"
    faults = "\n".join(_faults(report))
    if faults:
        yield faults
    if report.all_causes:
        yield _table(CAUSES, _rows(report, site))
    yield from (_details(report, number, cause) for number, cause in enumerate(report.causes, start=1))
    yield from _untested(report)


def _faults(report: RunReport) -> Iterator[str]:
    for kind, text, count in report.faults:
        yield f"- the adapter, {code(kind)}: {code(text)} ({counted(count, 'time')})"
    yield from (f"- an error of the suite in {code(error.item)}" for error in report.errors)
    remarks = [f"- {code(remark.text)}" for remark in report.remarks]
    yield from remarks or (f"- a known failure that no longer fails: {code(entry)}" for entry in report.stale)


def _rows(report: RunReport, site: str) -> Iterator[list[str]]:
    for number, cause in enumerate(report.all_causes, start=1):
        finding = cause.finding
        rule = code(finding.rule)
        yield [
            str(number),
            impact_text(finding),
            f"[{rule}]({site.rstrip('/')}/{rule_page(finding.rule)})" if site else rule,
            finding.level,
            f"{finding.count:,}" if finding.count else "random",
            code(versions_text(finding.pairs, maximum=MAXIMUM_PLACES)),
            code(finding.reason) + (f" {code(finding.link)}" if finding.link else "") if cause.is_known else "",
        ]


def _details(report: RunReport, number: int, cause: ReportedCause) -> str:
    finding = cause.finding
    lines = [line.text for line in details(finding, report.tried_versions) if line.text != finding.replay]
    lines += [follower_line(each) for each in cause.followers]
    parts = [fenced("\n".join(lines)), *([fenced(printable(finding.replay), "sh")] if finding.replay else [])]
    return _folded(f"{number}. {headline(finding)}", "\n\n".join(parts))


def _untested(report: RunReport) -> Iterator[str]:
    calls: dict[str, int] = {}
    for each in report.untested:
        calls[each.kind] = calls.get(each.kind, 0) + each.count
    rows = [[code(what), code(why)] for what, why in report.parts]
    rows += [[kind, counted(count, "call")] for kind, count in sorted(calls.items())]
    if rows:
        yield _folded("Not tested", _table(("what", "why, or how often"), rows))


def _folded(summary: str, text: str) -> str:
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


def fenced(text: str, language: str = "text") -> str:
    """Return lines of text as a block of code."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
