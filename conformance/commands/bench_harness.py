"""`bench harness`: operations per second through harnesses, many requests in flight."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from conformance.benchmark.costs import SLOW
from conformance.benchmark.harness import measure_harness
from conformance.benchmark.rates import FEWER, IN_FLIGHT
from conformance.commands import common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.benchmark.harness import Throughput


@click.command("harness")
@click.option("--impl", "impls", required=True, multiple=True, help="An implementation behind a harness; repeatable.")
@common.release_option
def harness_command(impls: tuple[str, ...], release_name: str | None) -> None:
    """Send a harness values and hostile bytes, many in flight, and the reference the same values in this process.

    Each rate is measured once it is steady. Hostile inputs that take more than 10 ms, or too much memory, are counted
    by themselves. Several harnesses are measured one after another, and shown in one table at the end.
    """
    release = common.release_named(release_name)
    measured = []
    for impl in impls:
        with common.errors_shown():
            measured.append(measure_harness(impl, release.name))
        _print(measured[-1])
    if len(measured) > 1:
        _print_table(measured)


def _print(done: Throughput) -> None:
    _print_table([done])
    rates = done.encodes, done.decodes, done.hostile
    if not all(rate.per_second for rate in rates):
        click.echo(f"none: nothing of the sort is offered, or the harness ended in every call of {FEWER[-1]} requests")
    names = "encodes", "decodes", "hostile inputs"
    for name, rate in zip(names, rates, strict=True):
        if rate.per_second and (rate.left_out or rate.in_flight < IN_FLIGHT):
            calls = f"{rate.left_out:.0%} of the calls, in which the harness ended, are left out"
            click.echo(f"{name}: {rate.in_flight:,} in a call; {calls}")
    warmings = (
        f"{name} {rate.warming:.1f} s" + ("" if rate.is_steady else " (not steady)")
        for name, rate in zip(names, rates, strict=True)
    )
    click.echo(f"warmed up for: {', '.join(warmings)}")
    costs = done.costs
    click.echo(f"{costs.count:,} hostile inputs, of which {len(costs.ordinary):,} were sent many at a time")
    click.echo(f"{len(costs.slow):,} took more than {1000 * SLOW:.0f} ms each, {sum(costs.slow):.1f} s together")
    click.echo(f"{len(costs.greedy):,} took too much memory, {sum(costs.greedy):.1f} s together")
    click.echo(
        f"{costs.ended.total():,} ended the harness or had no answer; {costs.left_out:,} like them were not sent"
    )
    click.echo(f"load average: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")


def _print_table(measured: Sequence[Throughput]) -> None:
    """Print the rates of harnesses, each below those of the reference on the same values."""
    table = Table("codec", "values", "encodes/s", "decodes/s", "hostile inputs/s", box=None)
    for done in measured:
        values = f"{done.samples[0]:,} and {done.samples[1]:,}"
        table.add_row("reference", values, f"{done.reference.encodes:,.0f}", f"{done.reference.decodes:,.0f}", "")
        rates = done.encodes, done.decodes, done.hostile
        table.add_row(done.name, values, *(f"{rate.per_second:,.0f}" if rate.per_second else "none" for rate in rates))
    Console().print(table)
