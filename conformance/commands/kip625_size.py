"""`kafka-conformance kip625 size`: the sizes of the document's example, counted by the reference."""

from __future__ import annotations

import json
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table

from conformance.proposals.kip625_metadata import (
    BEST,
    LETTERS,
    PARTITIONS,
    REST,
    TAGS,
    VERSION,
    WORST,
    parts,
    released,
    with_encodings,
)

DOCUMENT_BEST = 1170
DOCUMENT_WORST = 4026


class Case(NamedTuple):
    """One of the three bodies and its sizes."""

    name: str
    document: int | None
    """The size that the document prints; it prints none for the released encoding."""
    parts: dict[str, int]

    @property
    def bytes(self) -> int:
        """Without the tag sections, which the document's formulas leave out."""
        return self.whole - self.parts[TAGS]

    @property
    def whole(self) -> int:
        """With the tag sections: all bytes of the body."""
        return sum(self.parts.values())

    @property
    def difference(self) -> int | None:
        """The bytes by which it is larger than the document says."""
        return None if self.document is None else self.bytes - self.document


@click.command()
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def size(*, in_json: bool) -> None:
    r"""Compare the sizes that the document prints with those of a real MetadataResponse.

    The response has one topic, 100 partitions and two brokers; every integer has an encoding, entries of arrays
    included. The document does not say all that its sizes depend on: what is chosen here is shown.

    \b
    For example:
        kafka-conformance kip625 size --json
    """
    cases = (
        Case("fixed, today", None, parts(released(), BEST)),
        Case("upacked, best case", DOCUMENT_BEST, parts(with_encodings(), BEST)),
        Case("upacked, worst case", DOCUMENT_WORST, parts(with_encodings(), WORST)),
    )
    if in_json:
        click.echo(json.dumps([_as_json(case) for case in cases], indent=2))
        return
    Console().print(_table(cases))
    click.echo(_note(cases[-1]))


def _table(cases: tuple[Case, ...]) -> Table:
    table = Table("bytes of", box=None, pad_edge=False)
    for case in cases:
        table.add_column(case.name, justify="right")
    for part in cases[0].parts:
        if part != TAGS:
            table.add_row(part, *(f"{case.parts[part]:,}" for case in cases))
    table.add_row("all", *(f"{case.bytes:,}" for case in cases), style="bold")
    table.add_row("the document", *("-" if case.document is None else f"{case.document:,}" for case in cases))
    table.add_row("difference", *("-" if case.difference is None else f"{case.difference:+,}" for case in cases))
    table.add_row("with tag sections", *(f"{case.whole:,}" for case in cases))
    return table


def _note(worst: Case) -> str:
    """Return why the size of the worst case cannot be that of the document."""
    partitions, difference = worst.bytes - worst.parts[REST], worst.bytes - DOCUMENT_BEST
    return f"""
The body of MetadataResponse v{VERSION}: {PARTITIONS} partitions, two replicas of each, both in sync.
Names of {LETTERS} letters in all.
Best case: brokers 1 and 2, partitions from 0 on, error code and epoch 0.
Worst case: brokers, partitions and epoch from {WORST.epoch:,} on, error code {WORST.error_code}.

The best case has the document's size with these names. The worst case has not: its partitions alone take {partitions:,}
bytes, which leaves {DOCUMENT_WORST - partitions} of the document's for the rest, which takes {worst.parts[REST]}.
With any names the document's sizes are {DOCUMENT_WORST - DOCUMENT_BEST:,} bytes apart, and these {difference:,}."""


def _as_json(case: Case) -> dict[str, object]:
    return {
        "name": case.name,
        "document": case.document,
        "bytes": case.bytes,
        "difference": case.difference,
        "withTagSections": case.whole,
        "parts": case.parts,
    }
