"""The command `kafka-conformance bench`, for the operations per second of codecs, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import parse_selection, select
from conformance.codec.session import Session
from conformance.commands import common
from conformance.commands.bench_codecs import (
    HostileSpeed,
    Speed,
    codec_speed,
    corpus,
    hostile_speed,
    records_speeds,
    reference_speed,
    shared,
)
from conformance.commands.bench_harness import measure_harness
from conformance.commands.group import CommandGroup
from conformance.system.terminal import echo, new_console
from conformance.targets import RecordsField
from conformance.targets.outcome import Kind
from reference import load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.commands.bench_harness import Throughput

_IMPL = common.impl_option(default="conformance.adapters.kio")


@click.group(cls=CommandGroup, invoke_without_command=True)
@_IMPL
@click.option(
    "--values", "count", type=common.COUNT, default=10, show_default=True, help="Generated values for each pair."
)
@click.pass_context
def bench(context: click.Context, impl: str, count: int) -> None:
    """Measure the reference on a mixed corpus of generated values, and another codec in the same run."""
    if context.invoked_subcommand is None:
        _compare_codecs(impl, count)


def _compare_codecs(impl: str, count: int) -> None:
    release = load_release(newest_release())
    samples, session = corpus(list(release.schemas()), count), Session(load_codec(impl), release)
    samples_of_both = shared(session, samples)
    table = Table("codec", "corpus", "encodes/s", "decodes/s", box=None)
    _row(table, "reference", "all messages", reference_speed(samples))
    if samples_of_both:
        ours, theirs = reference_speed(samples_of_both), codec_speed(session, samples_of_both)
        _row(table, "reference", "shared", ours)
        _row(table, session.claims.name, "shared", theirs)
        ratio = f"{ours.encodes / theirs.encodes:.2f}", f"{ours.decodes / theirs.decodes:.2f}"
        table.add_row("ratio", "shared", *ratio)
    new_console().print(table)


def _row(table: Table, name: str, which: str, speed: Speed) -> None:
    table.add_row(name, f"{which}, {speed.samples:,} values", f"{speed.encodes:,.0f}", f"{speed.decodes:,.0f}")


@bench.command(short_help="Decode hostile bytes in a child process.")
@_IMPL
@common.release_option
@common.messages_option
def hostile(impl: str, release_name: str | None, messages: tuple[str, ...]) -> None:
    """Decode every hostile case in a child process, and judge every outcome."""
    release = common.release_named(release_name)
    done = hostile_speed(impl, release, select(list(release.schemas()), parse_selection(messages)))
    if not done.all_cases.cases:
        raise click.ClickException(f"{impl} reads none of the chosen messages")
    _print_hostile(done)


def _print_hostile(done: HostileSpeed) -> None:
    every, sound, not_run = done.all_cases, done.undisturbed, done.outcomes[Kind.NOT_RUN]
    echo(f"{every.cases:,} hostile cases in {every.seconds:.1f} s")
    echo(f"decodes: {common.counts_text(done.outcomes)}")
    echo(f"{every.per_second:,.0f} cases/s; {done.deaths} deaths of the child, {not_run} cases not run")
    echo(f"{sound.per_second:,.0f} cases/s over the {sound.cases:,} of messages in which no child died")
    per_case = 1e6 * done.cpu_seconds / every.cases
    echo(f"{done.cpu_seconds:.1f} s of CPU time, starts of children included: {per_case:.0f} µs a case")
    echo(f"{done.violations:,} violations")


@bench.command("harness", short_help="Measure harnesses, many requests in flight.")
@common.impl_option(multiple=True)
@common.release_option
def harness_command(impls: tuple[str, ...], release_name: str | None) -> None:
    """Send a harness values, many in flight, and the reference the same values in this process.

    Each rate is measured once it is steady. Several harnesses are measured one after another, and shown in one table at
    the end.
    """
    release = common.release_named(release_name)
    measured = []
    for impl in impls:
        with common.errors_shown():
            measured.append(measure_harness(impl, release))
        _print_harness(measured[-1])
    _print_table(measured)


def _print_harness(done: Throughput) -> None:
    rates = {"encodes": done.encodes, "decodes": done.decodes}
    warmings = (
        f"{name} {rate.warming:.1f} s" + ("" if rate.is_steady else " (not steady)") for name, rate in rates.items()
    )
    echo(f"{done.name}: warmed up for: {', '.join(warmings)}")


def _print_table(measured: Sequence[Throughput]) -> None:
    table = Table("codec", "values", "encodes/s", "decodes/s", box=None)
    for done in measured:
        values = f"{done.samples[0]:,} and {done.samples[1]:,}"
        table.add_row("reference", values, f"{done.reference.encodes:,.0f}", f"{done.reference.decodes:,.0f}")
        rates = (f"{rate.per_second:,.0f}" if rate.per_second else "none" for rate in (done.encodes, done.decodes))
        table.add_row(done.name, values, *rates)
    new_console().print(table)


@bench.command("records", short_help="Measure codecs of record batches.")
@common.impl_option(default="conformance.adapters.kafka_python")
def records_command(impl: str) -> None:
    """Measure the reference and the adapter of another codec on the same batches of 100 records of 100 bytes."""
    session = Session(load_codec(impl), load_release(newest_release()))
    if not all(session.offers(RecordsField(), way) for way in DIRECTIONS):
        raise click.ClickException(f"{impl} does not both write and read record batches")
    table = Table("codec", "compression", "encodes/s", "decodes/s", box=None)
    for row in records_speeds(session):
        table.add_row(row.name, row.compression, f"{row.encodes:,.0f}", f"{row.decodes:,.0f}")
    new_console().print(table)
