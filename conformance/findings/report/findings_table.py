"""The table at the head of the summary: one row for each finding, new ones first, then the most severe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from conformance.findings.violations import Finding
from conformance.implementation.plain_values import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import JustifyMethod

    from conformance.findings.report.results import Results

NEW, KNOWN = "new", "known"

HEADS = ("", "rule", "outcome", "cases", "pairs", "smallest case")
NUMBERS = {"cases", "pairs"}

MINIMUM_PLACE = 16
"""How many characters the last column takes at least."""

STYLES = {NEW: "bold red", KNOWN: "cyan"}


@dataclass(frozen=True)
class Row:
    """One finding, and whether the file of known failures has it."""

    status: str
    finding: Finding

    def cells(self) -> Iterator[Text]:
        """Yield status, rule, outcome, cases, pairs, and the message and version of the smallest case.

        What random search alone met of a known failure is not counted.
        """
        finding, smallest = self.finding, self.finding.smallest
        yield Text(self.status, style=STYLES[self.status])
        yield Text(finding.rule)
        yield Text(finding.outcome)
        yield Text(f"{finding.count:,}" if finding.count else "random")
        yield Text(f"{len(finding.pairs):,}")
        yield Text(printable(f"{smallest.message} v{smallest.version}"))


def rows(results: Results) -> list[Row]:
    """Return the rows of a run.

    Several entries of known failures with one rule and outcome, as for different messages, are one row.
    """
    known = _merged(finding for _, finding in results.seen())
    return [
        *(Row(NEW, finding) for finding in results.findings.ordered()),
        *(Row(KNOWN, finding) for finding in sorted(known, key=lambda finding: finding.order)),
    ]


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """Put findings with the same rule and outcome together."""
    merged: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        smallest = finding.smallest
        total = merged.setdefault(smallest.key, Finding(*smallest.key, 0, set(), smallest))
        total.pairs |= finding.pairs
        total.add(smallest, finding.count)
    return list(merged.values())


def findings_table(table_rows: Sequence[Row], width: int) -> Table:
    """Return the table for rich to print.

    Only the last column is wrapped. It is left out where less than `MINIMUM_PLACE` of the width is left for it.
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


def _shown_columns(table_rows: Sequence[Row], width: int) -> list[tuple[Text, ...]]:
    """Return the columns that fit, each as its head and its cells."""
    columns = list(zip((Text(head) for head in HEADS), *(row.cells() for row in table_rows), strict=True))
    taken = sum(1 + max(len(cell) for cell in column) for column in columns[:-1])
    return columns if width - taken >= MINIMUM_PLACE else columns[:-1]
