"""`kafka-conformance kip625`: what the encodings of KIP-625 would have saved."""

from __future__ import annotations

import json
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from conformance.campaign.kip625_advice import Advice, advise
from conformance.campaign.kip625_metadata import (
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
from conformance.campaign.spark.kip625_counts import is_generated, tally_on_spark
from conformance.campaign.spark.spark_session import spark_session
from conformance.campaign.spark.storage import Storage
from conformance.commands.common import PLACE, master_option, progress_bar, settings_option
from conformance.system.terminal import echo, new_console
from reference import load_release, proposals, releases

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH = 120
"""The width of the table without a terminal: paths are long."""

DOCUMENT_BEST = 1170
DOCUMENT_WORST = 4026


@click.group()
def kip625() -> None:
    """Measure KIP-625's encodings of integers: on the document's own example, and on a corpus."""


def _present(_context: click.Context, _parameter: click.Parameter, place: str) -> Storage:
    """Refuse a path at which there is nothing; of a URI, Spark says so."""
    corpus = Storage.named(place)
    if corpus.is_local and not Path(corpus.uri).exists():
        raise click.BadParameter(f"there is no {place}")
    return corpus


@kip625.command("advise")
@click.argument("message")
@click.option(
    "--corpus",
    required=True,
    metavar=PLACE.name,
    callback=_present,
    help="A folder that `corpus build` wrote, or other Parquet files with its columns release, message, version, wire. "
    "Spark's file systems read a URI.",
)
@click.option("--version", type=click.IntRange(0), help="Only rows of this version of the message.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
@master_option
@settings_option
def advise_command(  # noqa: PLR0913  # one argument for each option
    message: str,
    corpus: Storage,
    version: int | None,
    master: str | None,
    settings: Mapping[str, str],
    *,
    in_json: bool,
) -> None:
    r"""Find the smallest encoding for each integer field of MESSAGE; elements of arrays can have none.

    A job on Spark: every valid row of the corpus is decoded, and its numbers are counted by sign and length. An
    encoding that does not hold every number is not advised; the table has the counts of numbers with more than 16 or 32
    bits. Savings in the sizes of tagged structs are not counted.

    The advice is as good as the corpus: take bytes of real traffic. What `corpus build` writes is no traffic: its
    numbers are drawn from the whole range of each type.

    \b
    For example:
        kafka-conformance kip625 advise MetadataResponse --corpus corpus
    """
    _require_known(message)
    with progress_bar(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()) as progress:
        task = progress.add_task("starting Spark")
        with spark_session(master, settings) as session:
            progress.update(task, description=f"counting the numbers of {message}")
            counts = tally_on_spark(session, corpus, message, version)
            is_drawn = is_generated(session, corpus)
    advice = advise(message, counts)
    if in_json:
        echo(json.dumps(_advice_as_json(advice), indent=2))
        return
    new_console(width=None if sys.stdout.isatty() else WIDTH).print(_advice_table(advice))
    invalid = f"; {advice.unreadable:,} rows are not valid and were skipped" if advice.unreadable else ""
    echo(f"{advice.message}: {advice.rows:,} rows of {advice.bytes:,} bytes{invalid}")
    echo(f"saved by the smallest encodings: {advice.saving:,} bytes, {_share(advice):.1f} %")
    if is_drawn:
        echo("This corpus is generated, and no traffic: advice needs bytes of real messages.")


def _require_known(message: str) -> None:
    """Refuse a message that no release and no proposal has, before Spark is started."""
    names = {name for release in (*releases(), *proposals()) for name in load_release(release).messages}
    if message not in names:
        close = get_close_matches(message, names, n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise click.BadParameter(f"no release has a message {message!r}.{hint}", param_hint="MESSAGE")


def _share(advice: Advice) -> float:
    return 100 * advice.saving / advice.bytes if advice.bytes else 0.0


def _advice_table(advice: Advice) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("integer", overflow="fold")
    table.add_column("smallest")
    for title in ("values", "bytes", "then", "saved", "> 16 bits", "> 32 bits"):
        table.add_column(title, justify="right")
    for field in advice.fields:
        numbers = (field.values, field.today, field.today - field.saving, field.saving, *field.beyond.values())
        table.add_row(field.path, field.smallest, *(f"{number:,}" for number in numbers))
    return table


def _advice_as_json(advice: Advice) -> dict[str, Any]:
    return {
        "message": advice.message,
        "rows": advice.rows,
        "invalidRows": advice.unreadable,
        "bytes": advice.bytes,
        "saved": advice.saving,
        "savedPercent": round(_share(advice), 3),
        "fields": [
            {
                "path": field.path,
                "type": field.type,
                "values": field.values,
                "smallest": field.smallest,
                "saved": field.saving,
                "bytes": dict(field.sizes),
                "doNotFit": {str(bits): count for bits, count in field.beyond.items()},
            }
            for field in advice.fields
        ],
    }


class BodySizes(NamedTuple):
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


@kip625.command()
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
def size(*, in_json: bool) -> None:
    r"""Compare the sizes that the document prints with those of a real MetadataResponse.

    The response has one topic, 100 partitions and two brokers; every integer has an encoding, entries of arrays
    included. The document does not say all that its sizes depend on: what is chosen here is shown.

    \b
    For example:
        kafka-conformance kip625 size --json
    """
    bodies = (
        ("fixed, today", None, released(), BEST),
        ("upacked, best case", DOCUMENT_BEST, with_encodings(), BEST),
        ("upacked, worst case", DOCUMENT_WORST, with_encodings(), WORST),
    )
    with progress_bar() as progress:
        cases = tuple(
            BodySizes(name, document, parts(schema, body))
            for name, document, schema, body in progress.track(bodies, description="counting bytes")
        )
    if in_json:
        echo(json.dumps([_as_json(case) for case in cases], indent=2))
        return
    new_console().print(_table(cases))
    echo(_note(cases[-1]))


def _table(cases: tuple[BodySizes, ...]) -> Table:
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


def _note(worst: BodySizes) -> str:
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


def _as_json(case: BodySizes) -> dict[str, object]:
    sizes = {"document": case.document, "bytes": case.bytes, "difference": case.difference}
    return {"name": case.name, **sizes, "withTagSections": case.whole, "parts": case.parts}
