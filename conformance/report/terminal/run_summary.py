"""The summary at the end of a run.

It has a table of findings, details of the new ones, counts, and the verdict. With -v it has details of known failures
as well. With -q the whole run is one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from conformance.codec.outcome import Kind
from conformance.definitions.allocations import allocation_of
from conformance.report.terminal.counts import count_lines
from conformance.report.terminal.finding_texts import (
    INDENT,
    Lines,
    common_line,
    comparison_lines,
    fields_line,
    headline,
    pairs_line,
    place_line,
    replay_line,
    rule_lines,
)
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import JustifyMethod

    from conformance.judge.findings.causes import Cause
    from conformance.judge.findings.finding import Finding
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.results import Results
    from conformance.report.terminal.counts import Untested

MAXIMUM_ERRORS = 3
MAXIMUM_NAMED = 3
"""The number of findings and of remarks named in the single line of -q."""

FAILED = "bold red"
"""The style of lines about a failed run."""

Remark = tuple[str, str]
"""A remark about the file of known failures, and its style."""

NEW, KNOWN = "new", "known"

HEADS = ("", "rule", "outcome", "cases", "versions", "example")
NUMBERS = {"cases", "versions"}

MINIMUM_PLACE = 16
"""The smallest width of the last column, in characters."""

STYLES = {NEW: "bold red", KNOWN: "cyan"}

MAXIMUM_CAUSES = 40
"""The number of causes shown in full; the table and the report have all of them."""


class RunSummary:
    """A renderer of the summary of one run.

    Args:
        impl: the value of --impl, for replay lines.
        options: the options of replay lines, like a release other than the newest one.
        width: the width of the terminal.
        color: whether it has colours.
        verbose: whether known failures are shown in full.
    """

    def __init__(self, *, impl: str, options: Sequence[str], width: int, color: bool, verbose: bool = False) -> None:
        self._lines = Lines(width, color=color)
        self._impl, self._options = impl, options
        self._verbose = verbose

    def render(self, results: Results, title: str, remarks: Iterable[Remark], parts: Sequence[Untested]) -> str:
        """Return the summary without the verdict.

        Args:
            results: the results of the run.
            title: the title of the run.
            remarks: the remarks about the file of known failures.
            parts: the parts of the suite not offered by the adapter.
        """
        self._lines.rule(title)
        self._faults(results.all_faults(), results.following)
        self._findings(results)
        self._errors(results.errors)
        for text, style in count_lines(results, parts, verbose=self._verbose):
            self._lines.add(text, style=style)
        for text, style in remarks:
            self._lines.add(text, style=style)
        return str(self._lines)

    def _faults(self, faults: Mapping[str, Sequence[str]], following: Sequence[Finding]) -> None:
        """Write the faults of the adapter, and the number of findings that follow from them."""
        if faults:
            self._lines.add("the adapter itself seems to be at fault; fix it before reading findings", style="bold red")
        for texts in faults.values():
            more = f" (and {len(texts) - 1} more like this)" if len(texts) > 1 else ""
            self._lines.add(f"- {texts[0]}{more}", style="red")
        if following:
            verb, them = ("follows", "it") if len(following) == 1 else ("follow", "them")
            hint = "" if self._verbose else f"; -v shows {them}"
            self._lines.add(f"{count_of(len(following), 'finding')} {verb} from it{hint}", style="red")

    def _findings(self, results: Results) -> None:
        """Write the table, then the new findings in full."""
        table_rows = rows(results)
        if self._verbose and results.following:
            Details(self._lines, self._impl, self._options, results.coverage.versions()).following(results.following)
        if not table_rows:
            return
        self._lines.table(findings_table(table_rows, self._lines.width))
        self._lines.add()
        details = Details(self._lines, self._impl, self._options, results.coverage.versions())
        if results.causes:
            details.new(results.causes)
        if self._verbose:
            details.known(results.seen())
        elif results.known:
            self._lines.add("-v shows each known failure: reason, bytes, and the command that replays it.")
        rule = table_rows[0].finding.rule
        self._lines.add_whole(f"A rule explained: kafka-conformance rules {rule}")
        self._lines.add()

    def _errors(self, errors: list[tuple[str, str]]) -> None:
        """Write the errors of the suite or of its set-up, which are no findings."""
        for item, text in errors[:MAXIMUM_ERRORS]:
            self._lines.add(f"error in {item}, not a finding:", style="bold red")
            for line in text.splitlines():
                self._lines.add_whole(line)


PASSED_WORD, FAILED_WORD = "PASSED", "FAILED"


UPDATED_WORD = "UPDATED"
"""The first word of a run that has written its new findings into the file of known failures."""


def verdict(results: Results) -> tuple[str, bool]:
    """Return the numbers of new and known findings as a text, and whether the run passes."""
    if results.errors:
        text = f"{count_of(len(results.errors), 'item')} ended in errors: what they would have found is unknown"
    elif results.all_faults() and not results.causes:
        return "no verdict on the implementation, the adapter itself is at fault", False
    else:
        text = count_of_causes(results.causes)
    known = len({str(entry) for entry, _ in results.seen()})
    text += f", {count_of(known, 'known failure')}" if known else ""
    return text, not (results.errors or results.findings or results.all_faults())


def verdict_line(results: Results, *, word: str = "", why: str = "", seconds: float | None = None) -> tuple[str, str]:
    """Return the last line of a run, and its style.

    The line has the verdict, the numbers of new and known findings, and the number of cases.

    Args:
        results: the results of the run.
        word: the first word, or "" for that of the verdict.
        why: a reason for a failed run other than findings, or "".
        seconds: the duration of the run.
    """
    text, passes = verdict(results)
    word = word or (PASSED_WORD if passes and not why else FAILED_WORD)
    if word == UPDATED_WORD:
        text += " written as known failures, whose reasons are to be given"
    texts = [*([why] if why else []), text, *_cases(results, seconds)]
    return f"{word}: {'; '.join(texts)}", "bold green" if word in {PASSED_WORD, UPDATED_WORD} else FAILED


def _cases(results: Results, seconds: float | None) -> list[str]:
    """Return the number of cases and the duration, or nothing if both are unknown, and the calls not made."""
    took = "" if seconds is None else f" in {seconds:.0f} s"
    cases = results.tally.cases.total()
    left_out = sum(count for (kind, _, _), count in results.tally.not_tested.items() if kind == Kind.NOT_RUN)
    counted = [f"{cases:,} case{'s' if cases != 1 else ''}{took}"] if cases or took else []
    return counted + ([f"{left_out:,} call{'s' if left_out != 1 else ''} not run"] if left_out else [])


def one_line(results: Results, title: str, remarks: Iterable[Remark], seconds: float, word: str = "") -> str:
    """Return the single line of a run with -q.

    It has the verdict, the first causes of a failed run, and the number of cases.
    """
    text, passes = verdict(results)
    findings = ", ".join(_named([cause.finding.key.kind for cause in results.causes]))
    faults = [f"the adapter itself seems to be at fault: {texts[0]}" for texts in results.all_faults().values()]
    causes = [*_named(faults), *_named([text for text, _ in remarks])]
    text += f": {findings}" if findings else ""
    shared = [str(results.shared)] if str(results.shared) else []
    word = word or (PASSED_WORD if passes else FAILED_WORD)
    return printable(f"{word}: {title}: " + "; ".join([text, *causes, *_cases(results, seconds), *shared]))


def _named(texts: list[str]) -> list[str]:
    """Return the first texts, and the number of others."""
    more = len(texts) - MAXIMUM_NAMED
    return texts[:MAXIMUM_NAMED] + ([f"and {more} more"] if more > 0 else [])


@dataclass(frozen=True)
class SummaryRow:
    """A row of the table, for one finding that is new or known."""

    status: str
    finding: Finding
    follows: bool = False
    """Whether it is a consequence of a finding above it."""

    def cells(self) -> Iterator[Text]:
        """Yield the status, rule, outcome, cases and message versions, and the message and version of the example.

        Known failures met by random search alone have no number of cases.
        """
        finding, example = self.finding, self.finding.example
        yield Text(self.status, style=STYLES[self.status])
        yield Text(f"  {finding.rule}" if self.follows else finding.rule)
        yield Text(finding.outcome)
        yield Text(f"{finding.count:,}" if finding.count else "random")
        yield Text(f"{len(finding.pairs):,}")
        yield Text(printable(f"{example.message} v{example.version}"))


def rows(results: Results) -> list[SummaryRow]:
    """Return the rows of a run.

    Known failures with the same rule, outcome and cluster are one row, for example entries for different messages.
    """
    return [
        SummaryRow(status, finding, follows=follows)
        for status, causes in ((NEW, results.causes), (KNOWN, results.known_causes))
        for cause in causes
        for finding, follows in ((cause.finding, False), *((link.finding, True) for link in cause.followers))
    ]


def findings_table(table_rows: Sequence[SummaryRow], width: int) -> Table:
    """Return the table of findings.

    Only the last column is wrapped. It is left out if less than `MINIMUM_PLACE` of the width is left for it.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    columns = _shown_columns(table_rows, width)
    for head, *_ in columns:
        is_last = head.plain == HEADS[-1]
        justify: JustifyMethod = "right" if head.plain in NUMBERS else "left"
        table.add_column(head, justify=justify, no_wrap=not is_last, overflow="fold" if is_last else "ellipsis")
    for cells in zip(*(cells for _, *cells in columns), strict=True):
        table.add_row(*cells)
    return table


def _shown_columns(table_rows: Sequence[SummaryRow], width: int) -> list[tuple[Text, ...]]:
    """Return the fitting columns, each with its head and its cells."""
    columns = list(zip((Text(head) for head in HEADS), *(row.cells() for row in table_rows), strict=True))
    taken = sum(1 + max(len(cell) for cell in column) for column in columns[:-1])
    return columns if width - taken >= MINIMUM_PLACE else columns[:-1]


@dataclass(frozen=True)
class Details:
    """A writer of findings in full.

    Attributes:
        lines: the output.
        impl: the value of --impl, for replay lines.
        options: the options of replay lines, like a release other than the newest one.
        tried: the tried versions of each message.
    """

    lines: Lines
    impl: str
    options: Sequence[str]
    tried: Mapping[str, Sequence[int]]

    def new(self, causes: Sequence[Cause]) -> None:
        """Write the causes of new findings, the most severe first, each with its consequences."""
        more = ", worst first" if len(causes) > 1 else ""
        self.lines.add(f"{count_of_causes(causes)}{more}", style="bold red")
        for number, cause in enumerate(causes[:MAXIMUM_CAUSES], start=1):
            self.lines.add()
            self.lines.add(f"{number}. {headline(cause.finding)}", style="bold")
            for line in rule_lines(cause.finding.example):
                self.lines.add(line, indent=INDENT)
            self._case(cause.finding)
            for link in cause.followers:
                self.lines.add(f"follows: {headline(link.finding)}; {link.why}", indent=INDENT, style="bold")
                self._case(link.finding, indent=2 * INDENT)
        if len(causes) > MAXIMUM_CAUSES:
            self.lines.add(f"… and {len(causes) - MAXIMUM_CAUSES} more: see --report")
        self.lines.add()

    def following(self, findings: Sequence[Finding]) -> None:
        """Write the findings that follow from a mistake of the adapter."""
        for finding in findings:
            self.lines.add(f"follows from the adapter: {headline(finding)}", style="red")
            self._case(finding)
        self.lines.add()

    def known(self, entries: Sequence[tuple[KnownFailure, Finding]]) -> None:
        """Write the known failures met in the run, with their reasons, in the order of their file."""
        for entry, finding in entries:
            self.lines.add(f"known: {headline(finding)}", style="cyan")
            self.lines.add(f"messages: {entry.shown_messages}", indent=INDENT)
            self.lines.add(f"reason: {entry.reason}", indent=INDENT)
            if entry.link:
                self.lines.add_whole(f"link: {entry.link}", indent=INDENT)
            self._case(finding)
            self.lines.add()

    def _case(self, finding: Finding, indent: int = INDENT) -> None:
        """Write the cluster, the fields and the example of a finding.

        The example has its place, its bytes and its replay line.
        """
        if finding.key.cluster:
            self.lines.add(f"cluster: {finding.key.cluster}", indent=indent)
        self.lines.add(fields_line(finding), indent=indent)
        if common := common_line(finding):
            self.lines.add(common, indent=indent)
        if finding.amplification is not None:
            beside = allocation_of(finding.rule) if finding.amplification.memory else None
            self.lines.add(f"amplification: {finding.amplification}" + (f". {beside}" if beside else ""), indent=indent)
        if len(finding.fields) > 1 or len(self.tried.get(finding.example.message, ())) > 1:
            self.lines.add(pairs_line(finding, self.tried), indent=indent)
        self.lines.add(place_line(finding.example), indent=indent)
        for line in comparison_lines(finding.example, self.lines.width - indent - INDENT):
            self.lines.add(line, indent=indent)
        self.lines.add_whole(replay_line(self.impl, self.options, finding.example), indent=indent, style="green")


def count_of_causes(causes: Sequence[Cause]) -> str:
    """Return the numbers of new causes and of their findings, like `8 new causes (19 findings)`."""
    findings = sum(1 + len(cause.followers) for cause in causes)
    return f"{count_of(len(causes), 'new cause')} ({count_of(findings, 'finding')})" if causes else "no new findings"


def count_of(count: int, noun: str) -> str:
    """Return a number with its noun, like `1 case` or `2,000 cases`.

    0 is written `no`.
    """
    return f"{count:,} {noun}{'s' if count != 1 else ''}" if count else f"no {noun}s"
