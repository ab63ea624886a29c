"""`kafka-conformance bench corpus`: Spark compared with plain processes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from conformance.commands.spark import pipeline_errors, release_option, seed_option, settings_option
from conformance.pipeline.plan import Parameters
from conformance.pipeline.session import require_spark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.benchmark.corpus import Side

SHOWN = 5
"""The processes of each side that are shown, the largest ones."""


@click.command("corpus")
@click.option("--total", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Rows.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Processes on either side.")
@release_option
@seed_option
@settings_option
def corpus_command(total: int, workers: int, release: str, seed: str, settings: Mapping[str, str]) -> None:
    """Build a corpus twice, with plain processes and on Spark; show time and memory of both.

    The exit status is 1 if the rows differ.
    """
    with pipeline_errors(), TemporaryDirectory(prefix="kafka-wire-conformance-") as folder:
        require_spark()
        from conformance.benchmark.corpus import compare  # noqa: PLC0415  # pyarrow is an extra

        sides = compare(Parameters(release, total, seed), Path(folder), workers, settings)
    _print(total, sides)
    if len({side.sha256 for side in sides}) > 1:
        raise click.ClickException("the rows differ")


def _print(total: int, sides: tuple[Side, Side]) -> None:
    table = Table("", "start, s", "work, s", "of processors, s", "rows/s", "largest processes, MiB", box=None)
    for side in sides:
        largest = ", ".join(f"{usage.name} {usage.peak_mib:,}" for usage in side.largest[:SHOWN])
        times = (f"{seconds:.1f}" for seconds in (side.start, side.work, side.processor))
        table.add_row(side.name, *times, f"{total / side.work:,.0f}", largest)
    plain, spark = sides
    table.add_row("ratio", "", f"{spark.work / plain.work:.2f}", f"{spark.processor / plain.processor:.2f}")
    Console().print(table)
