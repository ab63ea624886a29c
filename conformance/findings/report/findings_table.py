"""The table at the head of the summary: a row for each finding, new ones first, what follows below its cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from conformance.implementation.plain_values import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import JustifyMethod

    from conformance.findings.finding import Finding
    from conformance.findings.report.results import Results

NEW, KNOWN = "new", "known"

HEADS = ("", "rule", "outcome", "cases", "pairs", "example")
NUMBERS = {"cases", "pairs"}

MINIMUM_PLACE = 16
"""How many characters the last column takes at least."""

STYLES = {NEW: "bold red", KNOWN: "cyan"}


@dataclass(frozen=True)
class Row:
    """One finding, and whether the file of known failures has it."""

    status: str
    finding: Finding
    follows: bool = False
    """Whether it follows from another one, which stands above it."""

    def cells(self) -> Iterator[Text]:
        """Yield status, rule, outcome, cases, pairs, and the message and version of its example.

        What random search alone met of a known failure is not counted.
        """
        finding, example = self.finding, self.finding.example
        yield Text(self.status, style=STYLES[self.status])
        yield Text(f"  {finding.rule}" if self.follows else finding.rule)
        yield Text(finding.outcome)
        yield Text(f"{finding.count:,}" if finding.count else "random")
        yield Text(f"{len(finding.pairs):,}")
        yield Text(printable(f"{example.message} v{example.version}"))


def rows(results: Results) -> list[Row]:
    """Return the rows of a run.

    Several entries of known failures with one rule, outcome and cluster, as for different messages, are one row.
    """
    return [
        row
        for status, causes in ((NEW, results.causes), (KNOWN, results.known_causes))
        for cause in causes
        for row in (Row(status, cause.finding), *(Row(status, link.finding, follows=True) for link in cause.followers))
    ]


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
