"""The summary of a run on a terminal.

It has a table of causes, details of the new ones, what was not tested, and the verdict. With -v it has each finding,
the known failures, and all counts. With -q the whole run is one line.
"""

from __future__ import annotations

from io import StringIO
from itertools import accumulate, count
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table
from rich.text import Text

from conformance.report.terminal.counts import all_counts, short_counts
from conformance.report.words import (
    RunVerdict,
    causes_text,
    counted,
    details,
    follower_line,
    headline,
    impact_text,
    impacts_text,
    listed,
    title_of,
    verdict_of,
)
from conformance.system.printable import printable
from conformance.system.terminal import new_console

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import ReportedCause, RunReport


INDENT = 4

MINIMUM_WIDTH = 40
"""The smallest width of lines, also on a narrower terminal."""

MAXIMUM_ERRORS = 3
MAXIMUM_NAMED, MAXIMUM_NAMED_VERBOSE = 2, 20
"""The number of fields and messages of a finding named, without -v and with it, and of findings in the line of -q."""

FAILED_STYLE, PASSED_STYLE, KNOWN_STYLE = "bold red", "bold green", "magenta"

HEADS = ("#", "impact", "rule", "cases", "versions", "example")
NUMBERS = {"#", "cases", "versions"}

MAXIMUM_CAUSES = 40
"""The number of causes shown in full; the table and the report have all of them."""


class TerminalForm(NamedTuple):
    """The form of a summary, with the width of the terminal. With `verbose` everything is shown."""

    width: int = 80
    color: bool = False
    verbose: bool = False

    @property
    def named(self) -> int:
        """The number of fields and messages named of a finding."""
        return MAXIMUM_NAMED_VERBOSE if self.verbose else MAXIMUM_NAMED


def run_summary(report: RunReport, form: TerminalForm) -> str:
    """Return the summary of a run without its verdict."""
    text = WrappedText(form.width, color=form.color)
    is_unknown = bool(report.faults or report.errors) and not report.all_causes
    found = "" if is_unknown else f": {causes_text(report)}"
    text.add(f"{title_of(report)}{found}", style="bold")
    _add_faults(text, report, form)
    if report.all_causes:
        _add_causes(text, report, form)
    for each in report.errors[:MAXIMUM_ERRORS]:
        text.add(f"error in {each.item}, not a finding:", style=FAILED_STYLE)
        for line in each.text.splitlines():
            text.add_whole(line)
    for line, style in all_counts(report) if form.verbose else short_counts(report):
        text.add(line, style=style)
    for remark in report.remarks:
        text.add(remark.text, style=FAILED_STYLE if remark.is_fault else "magenta")
    if report.causes:
        text.add_whole(f"next: kafka-conformance rules {report.causes[0].finding.rule}")
    return str(text)


def verdict_style(verdict: RunVerdict) -> str:
    """Return the style of a verdict."""
    return PASSED_STYLE if verdict.passes else FAILED_STYLE


def one_line(report: RunReport, word: str = "", seconds: float | None = None) -> str:
    """Return the single line of a run with -q, the verdict, the first causes of a failed run, and the cases."""
    verdict = verdict_of(report, word, seconds=seconds)
    rules = [f"{cause.finding.rule} ({cause.finding.outcome})" for cause in report.causes]
    faults = [f"the adapter itself seems to be at fault: {text}" for _, text, _ in report.faults]
    named = [
        listed(texts, MAXIMUM_NAMED) for texts in (rules, faults, [remark.text for remark in report.remarks]) if texts
    ]
    shared = [str(report.shared)] if report.shared.release else []
    return printable(f"{verdict.word}: {title_of(report)}: " + "; ".join([verdict.text, *named, *shared]))


def _add_faults(text: WrappedText, report: RunReport, form: TerminalForm) -> None:
    if report.faults:
        text.add("the adapter itself seems to be at fault; fix it before reading findings", style=FAILED_STYLE)
    for _, fault, times in report.faults:
        text.add(f"- {fault}" + (f" (and {times - 1} more like this)" if times > 1 else ""), style="red")
    if report.following:
        hint = "" if form.verbose else "; -v shows each"
        verb = "follows" if len(report.following) == 1 else "follow"
        text.add(f"{counted(len(report.following), 'finding')} {verb} from it{hint}", style="red")
    for finding in report.following if form.verbose else ():
        text.add(f"follows from the adapter: {headline(finding)}", style="red")
        _add_details(text, report, finding, form)


def _add_causes(text: WrappedText, report: RunReport, form: TerminalForm) -> None:
    shown = report.all_causes if form.verbose else report.causes
    if shown:
        text.add()
        text.table(causes_table(shown, text.width, verbose=form.verbose))
        text.add()
    for number, cause in zip(count(1), shown[:MAXIMUM_CAUSES], strict=False):
        known = "known: " if cause.is_known else ""
        text.add(f"{number}. {known}{headline(cause.finding)}", style=KNOWN_STYLE if known else "bold")
        _add_details(text, report, cause.finding, form)
        _add_followers(text, report, cause, form)
        text.add()
    if len(shown) > MAXIMUM_CAUSES:
        text.add(f"and {len(shown) - MAXIMUM_CAUSES} more causes: see --report")
    if report.known and not form.verbose:
        known_causes = counted(len(report.known_causes), "cause")
        text.add(f"known: {known_causes}: {impacts_text(report.known_causes)}; -v shows each", style=KNOWN_STYLE)


def _add_followers(text: WrappedText, report: RunReport, cause: ReportedCause, form: TerminalForm) -> None:
    if cause.followers and not form.verbose:
        kinds = [finding.key.kind for finding in cause.followers]
        text.add(f"follow from it: {listed(kinds, MAXIMUM_NAMED, 'finding')}", indent=INDENT)
        return
    for finding in cause.followers:
        text.add(follower_line(finding), indent=INDENT, style="" if cause.is_known else "bold")
        _add_details(text, report, finding, form, 2 * INDENT)


def _add_details(
    text: WrappedText, report: RunReport, finding: FindingLine, form: TerminalForm, indent: int = INDENT
) -> None:
    for line in details(
        finding, report.tried_versions, text.width - indent - INDENT, form.named, is_brief=not form.verbose
    ):
        is_replay = line.text == finding.replay
        if line.is_whole:
            text.add_whole(line.text, indent=indent, style="bold" if is_replay else "")
        else:
            text.add(line.text, indent=indent)


def causes_table(causes: Sequence[ReportedCause], width: int, *, verbose: bool = False) -> Table:
    """Return the table of causes that fits the width, with `verbose` also of findings that follow from them."""
    rows = [list(_cells(finding, number)) for finding, number in _rows(causes, verbose=verbose)]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    columns = list(zip(HEADS, *rows, strict=True))
    widths = accumulate(1 + max(map(len, column)) for column in columns)
    shown = [column for column, taken in zip(columns, widths, strict=True) if taken <= width + 1]
    for head, *_ in shown:
        table.add_column(head, justify="right" if head in NUMBERS else "left", no_wrap=True)
    for row in zip(*(cells for _, *cells in shown), strict=True):
        table.add_row(*map(Text, row))
    return table


def _rows(causes: Sequence[ReportedCause], *, verbose: bool) -> Iterator[tuple[FindingLine, str]]:
    for number, cause in enumerate(causes, start=1):
        yield cause.finding, str(number)
        yield from ((finding, "") for finding in cause.followers if verbose)


def _cells(finding: FindingLine, number: str) -> Iterator[str]:
    known = " (known)" if finding.entry else ""
    level = "" if finding.level == "must" else f" ({finding.level})"
    yield number
    yield f"{impact_text(finding)}{known}"
    yield f"{'' if number else '  '}{finding.rule}{level}"
    # Known failures met by random search alone have no number of cases.
    yield f"{finding.count:,}" if finding.count else "random"
    yield f"{len(finding.pairs):,}"
    yield printable(f"{finding.example.message} v{finding.example.version}")


class WrappedText:
    """Text for a terminal, gathered line by line."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = max(width, MINIMUM_WIDTH)
        self._file = StringIO()
        self._console = new_console(
            file=self._file,
            width=self.width,
            force_terminal=color,
            no_color=not color,
            highlight=False,
            legacy_windows=False,
        )

    def rule(self, title: str) -> None:
        """Add a title, between lines to both sides."""
        self._console.rule(Text(printable(title), style="bold"), characters="=")

    def add(self, text: str = "", *, indent: int = 0, style: str = "") -> None:
        """Add one line, wrapped with a deeper indentation if it is too long."""
        for line in self._wrapped(printable(text), indent) or [""]:
            self._print(line, style)

    def add_whole(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add one line without wrapping, as commands must stay whole to be copied, and bytes stand above their mark."""
        self._print(" " * indent + printable(text), style)

    def table(self, table: Table) -> None:
        """Add a table of rich."""
        self._console.print(table)

    def _wrapped(self, text: str, indent: int) -> list[str]:
        first, below = " " * indent, " " * (indent + INDENT)
        return wrap(text, self.width, initial_indent=first, subsequent_indent=below, break_on_hyphens=False)

    def _print(self, line: str, style: str) -> None:
        self._console.print(Text(line, style=style), soft_wrap=True)

    def __str__(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self._file.getvalue().splitlines())
