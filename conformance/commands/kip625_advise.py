"""`kafka-conformance kip625 advise`: the smallest encodings for the integers of a message, measured on a corpus."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from conformance.commands.spark import master_option, settings_option
from conformance.pipeline.kip625 import tally_on_spark
from conformance.pipeline.session import spark_session
from conformance.proposals.kip625_advice import Advice, advise

if TYPE_CHECKING:
    from collections.abc import Mapping


WIDTH = 120
"""The width of the table without a terminal: paths are long."""


@click.command("advise")
@click.argument("message")
@click.option(
    "--corpus",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="A folder that `corpus build` wrote, or other Parquet files with its columns release, message, version, wire.",
)
@click.option("--version", type=click.IntRange(0), help="Only rows of this version of the message.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON.")
@master_option
@settings_option
def advise_command(  # noqa: PLR0913  # one argument for each option
    message: str, corpus: Path, version: int | None, master: str, settings: Mapping[str, str], *, in_json: bool
) -> None:
    r"""Find the smallest encoding for each integer of MESSAGE, entries of arrays included.

    A job on Spark: every valid row of the corpus is decoded, and its numbers are counted by sign and length. An
    encoding that does not hold every number is not advised; the table has the counts of numbers with more than 16 or 32
    bits. Savings in the sizes of tagged structs are not counted.

    \b
    For example:
        kafka-conformance kip625 advise MetadataResponse --corpus corpus
    """
    with spark_session(master, settings) as session:
        counts = tally_on_spark(session, corpus, message, version)
    advice = advise(message, counts)
    if in_json:
        click.echo(json.dumps(_as_json(advice), indent=2))
        return
    Console(width=None if sys.stdout.isatty() else WIDTH).print(_table(advice))
    click.echo(summary(advice))


def summary(advice: Advice) -> str:
    """Return what the whole message would save."""
    invalid = f"; {advice.unreadable:,} rows are not valid and were skipped" if advice.unreadable else ""
    return (
        f"{advice.message}: {advice.rows:,} rows of {advice.bytes:,} bytes{invalid}\n"
        f"saved by the smallest encodings: {advice.saving:,} bytes, {_share(advice):.1f} %"
    )


def _share(advice: Advice) -> float:
    return 100 * advice.saving / advice.bytes if advice.bytes else 0.0


def _table(advice: Advice) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("integer", overflow="fold")
    table.add_column("smallest")
    for title in ("values", "bytes", "then", "saved", "> 16 bits", "> 32 bits"):
        table.add_column(title, justify="right")
    for field in advice.fields:
        numbers = (field.values, field.today, field.today - field.saving, field.saving, *field.beyond.values())
        table.add_row(field.path, field.smallest, *(f"{number:,}" for number in numbers))
    return table


def _as_json(advice: Advice) -> dict[str, Any]:
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
