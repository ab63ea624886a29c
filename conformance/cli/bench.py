"""`kafka-conformance bench`: operations in a second, side by side."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from conformance.adapter import AdapterError
from conformance.adapter_loading import load_adapter
from conformance.benchmark import Speed, adapter_speed, corpus, reference_speed, shared
from conformance.checks.implementation import Implementation
from reference import load_release, newest_release


@click.command()
@click.option("--impl", default="conformance.adapters.kio", show_default=True, help="What to compare with.")
@click.option(
    "--values",
    "count",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Generated values for each pair.",
)
def bench(impl: str, count: int) -> None:
    """Measure the reference on a mixed corpus of generated values, and another codec in the same run."""
    samples = corpus(list(load_release(newest_release()).schemas()), count)
    try:
        implementation = Implementation(load_adapter(impl))
    except AdapterError as error:
        raise click.ClickException(str(error)) from error
    common = shared(implementation, samples)
    table = Table("codec", "corpus", "encodes/s", "decodes/s", box=None)
    _row(table, "reference", "all pairs", reference_speed(samples))
    if common:
        ours, theirs = reference_speed(common), adapter_speed(implementation, common)
        _row(table, "reference", "shared", ours)
        _row(table, implementation.name, "shared", theirs)
        ratio = f"{ours.encodes / theirs.encodes:.2f}", f"{ours.decodes / theirs.decodes:.2f}"
        table.add_row("ratio", "shared", *ratio)
    Console().print(table)


def _row(table: Table, name: str, which: str, speed: Speed) -> None:
    table.add_row(name, f"{which}, {speed.samples:,} values", f"{speed.encodes:,.0f}", f"{speed.decodes:,.0f}")
