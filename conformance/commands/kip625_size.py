"""`kafka-conformance kip625 size`: the document's own example, counted again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.console import Console
from rich.table import Table

from conformance.proposals.kip625_metadata import (
    BEST,
    NAMES,
    PARTITIONS,
    REST,
    TAGS,
    Reading,
    parts,
    released,
    schema_of,
    worst,
)
from conformance.proposals.kip625_search import DIFFERENCE, DOCUMENT_BEST, DOCUMENT_WORST, closest, tried

if TYPE_CHECKING:
    from conformance.proposals.kip625_search import Candidate


class Case(NamedTuple):
    """One of the three bodies, and what it comes to."""

    name: str
    document: int | None
    """What the document prints; it has no size of today's encoding."""
    parts: dict[str, int]

    @property
    def bytes(self) -> int:
        """Without the tag sections, as the document counts."""
        return self.whole - self.parts[TAGS]

    @property
    def whole(self) -> int:
        """As it would be on the wire."""
        return sum(self.parts.values())

    @property
    def difference(self) -> int | None:
        """How many bytes more than the document says."""
        return None if self.document is None else self.bytes - self.document


@click.command()
@click.option("--closest", "count", type=click.IntRange(1), default=3, show_default=True, help="Readings to show.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def size(count: int, *, in_json: bool) -> None:
    r"""Rebuild the sizes that the document prints: a MetadataResponse of one topic, 100 partitions and two brokers.

    The definition is the real one, with an encoding on each integer, entries of arrays included. The document does not
    say all that its sizes depend on: what is chosen here is shown, and which readings come closest to both of them.

    \b
    For example:
        kafka-conformance kip625 size --json
    """
    found, near = cases(Reading()), closest(count)
    if in_json:
        click.echo(json.dumps(_as_json(found, near), indent=2))
        return
    console = Console()
    console.print(_sizes(found))
    click.echo(_arithmetic(found))
    console.print(_readings(near))


def cases(reading: Reading) -> tuple[Case, ...]:
    """Today's encoding, the best and the worst case of a reading."""
    encoded = schema_of(reading)
    return (
        Case("fixed, today", None, parts(reading, released(reading), BEST)),
        Case(f"{reading.kind}, best case", DOCUMENT_BEST, parts(reading, encoded, BEST)),
        Case(f"{reading.kind}, worst case", DOCUMENT_WORST, parts(reading, encoded, worst(reading))),
    )


def _sizes(found: tuple[Case, ...]) -> Table:
    table = Table("bytes of", box=None, pad_edge=False)
    for case in found:
        table.add_column(case.name, justify="right")
    for part in found[0].parts:
        if part != TAGS:
            table.add_row(part, *(f"{case.parts[part]:,}" for case in found))
    table.add_row("all", *(f"{case.bytes:,}" for case in found), style="bold")
    table.add_row("the document", *("-" if case.document is None else f"{case.document:,}" for case in found))
    table.add_row("difference", *("-" if case.difference is None else f"{case.difference:+,}" for case in found))
    table.add_row("with tag sections", *(f"{case.whole:,}" for case in found))
    return table


def _arithmetic(found: tuple[Case, ...]) -> str:
    """Why the second size cannot be met along with the first."""
    _, best, most = found
    return TEXT.format(
        reading=Reading(),
        partitions=PARTITIONS,
        names=NAMES,
        best=best.bytes - best.parts[REST],
        best_rest=best.parts[REST],
        worst=most.bytes - most.parts[REST],
        worst_rest=most.parts[REST],
        left=DOCUMENT_WORST - (most.bytes - most.parts[REST]),
        apart=DIFFERENCE,
        tried=tried(),
    )


TEXT = """
The body of MetadataResponse v{reading.version}: {partitions} partitions, two replicas of each, both in sync.
Names of {names} letters in all: two hosts of 7, a cluster of 22, a topic of 5.
Best case: brokers 1 and 2, partitions from 0 on, error code and epoch 0.
Worst case: brokers, partitions and epoch from {reading.identifier:,} on, error code {reading.error_code}.
As in the document's formulas, tag sections are not counted.

In the best case partitions take {best:,} bytes, and the rest {best_rest}.
In the worst case they take {worst:,}, and the rest {worst_rest}: the document leaves {left} for it and its names.
The document's sizes are {apart:,} bytes apart, whatever the names; those of {tried:,} readings never are.
The closest, with as many letters as make the best case exact:
"""


def _readings(near: list[Candidate]) -> Table:
    table = Table("best", "worst", "difference", "letters", "unlike the plain reading", box=None, pad_edge=False)
    for each in near:
        changes = ", ".join(f"{name} {getattr(each.reading, name)}" for name in each.departures) or "nothing"
        table.add_row(f"{DOCUMENT_BEST:,}", f"{each.worst:,}", f"{each.miss:+,}", str(each.letters), changes)
    return table


def _as_json(found: tuple[Case, ...], near: list[Candidate]) -> dict[str, Any]:
    return {
        "reading": asdict(Reading()),
        "cases": [
            {
                "name": case.name,
                "document": case.document,
                "bytes": case.bytes,
                "difference": case.difference,
                "withTagSections": case.whole,
                "parts": case.parts,
            }
            for case in found
        ],
        "readings": tried(),
        "closest": [
            {
                "best": DOCUMENT_BEST,
                "worst": each.worst,
                "difference": each.miss,
                "letters": each.letters,
                "reading": asdict(each.reading),
            }
            for each in near
        ],
    }
