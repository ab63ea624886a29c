"""The summary at the end of a run: a table of findings, details of the new ones, counts, and the verdict last.

With -v known failures are shown in full as well; with -q the whole run is one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.findings.report.counts import count_lines
from conformance.findings.report.details import Details, count_of, count_of_causes
from conformance.findings.report.findings_table import findings_table, rows
from conformance.findings.report.lines import Lines
from conformance.implementation.plain_values import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.findings.report.counts import Untested
    from conformance.findings.report.results import Results

MAXIMUM_ERRORS = 3
MAXIMUM_NAMED = 3
"""How many findings and remarks the single line of -q names."""

FAILED = "bold red"
"""The style of what fails a run."""

Remark = tuple[str, str]
"""What there is to say about the file of known failures, and its style."""


class Summary:
    """Renders the summary of one run.

    Attributes:
        impl: the adapter, as given to --impl.
        options: of commands, as the release if it is not the newest one.
        width, color: what the terminal can show.
        verbose: whether known failures are shown in full.
    """

    def __init__(self, *, impl: str, options: Sequence[str], width: int, color: bool, verbose: bool = False) -> None:
        self._lines = Lines(width, color=color)
        self._details = Details(self._lines, impl, options)
        self._verbose = verbose

    def render(self, results: Results, title: str, remarks: Iterable[Remark], parts: Sequence[Untested]) -> str:
        """Return the whole summary; `parts` is what the adapter does not offer."""
        self._lines.rule(title)
        self._faults(results.all_faults())
        self._findings(results)
        self._errors(results.errors)
        for text, style in count_lines(results, parts):
            self._lines.add(text, style=style)
        failed = False
        for text, style in remarks:
            self._lines.add(text, style=style)
            failed |= style == FAILED
        text, style = verdict(results)
        self._lines.add(text, style=FAILED if failed else style)
        return str(self._lines)

    def _faults(self, faults: dict[str, list[str]]) -> None:
        """Write what is wrong with the adapter first: every finding below may follow from it."""
        if faults:
            self._lines.add("the adapter itself seems to be at fault; fix it before reading findings", style="bold red")
        for texts in faults.values():
            more = f" (and {len(texts) - 1} more like this)" if len(texts) > 1 else ""
            self._lines.add(f"- {texts[0]}{more}", style="red")

    def _findings(self, results: Results) -> None:
        """Write the table, then what is new in full."""
        table_rows = rows(results)
        if not table_rows:
            return
        self._lines.table(findings_table(table_rows, self._lines.width))
        self._lines.add()
        if results.findings:
            self._details.new(results.causes)
        if self._verbose:
            self._details.known(results.seen())
        elif results.known:
            self._lines.add("-v shows each known failure: reason, bytes, and the command that replays it.")
        rule = table_rows[0].finding.rule
        self._lines.add_whole(f"A rule explained: kafka-conformance rules {rule}")
        self._lines.add()

    def _errors(self, errors: list[tuple[str, str]]) -> None:
        """Write errors that are no findings: of the suite, or of its set-up."""
        for item, text in errors[:MAXIMUM_ERRORS]:
            self._lines.add(f"error in {item}, not a finding:", style="bold red")
            for line in text.splitlines():
                self._lines.add_whole(line)


def verdict(results: Results) -> tuple[str, str]:
    """Return the last line of a summary, and its style: how much is new, and how much is known."""
    if results.errors:
        text = f"{count_of(len(results.errors), 'item')} ended in errors: what they would have found is unknown"
    elif results.all_faults() and not results.findings:
        return "no verdict on the implementation", FAILED
    else:
        text = count_of_causes(results.causes)
    known = len({str(entry) for entry, _ in results.seen()})
    failed = results.errors or results.findings
    return text + (f", {count_of(known, 'known failure')}" if known else ""), FAILED if failed else "bold green"


def one_line(results: Results, title: str, remarks: Iterable[Remark], seconds: float) -> str:
    """Return the single line of a run with -q: the verdict, the first causes if it failed, how much was tested."""
    findings = ", ".join(_named([cause.finding.key.kind for cause in results.causes]))
    faults = [f"the adapter itself seems to be at fault: {texts[0]}" for texts in results.all_faults().values()]
    causes = [*_named(faults), *_named([text for text, _ in remarks])]
    text = verdict(results)[0] + (f": {findings}" if findings else "")
    cases = f"{sum(results.tally.cases.values()):,} cases in {seconds:.0f} s"
    return printable(f"{title}: " + "; ".join([text, *causes, cases, *filter(None, [str(results.shared)])]))


def _named(texts: list[str]) -> list[str]:
    """Return the first texts, and how many more there are."""
    more = len(texts) - MAXIMUM_NAMED
    return texts[:MAXIMUM_NAMED] + ([f"and {more} more"] if more > 0 else [])
