"""`kafka-conformance bench`: operations in a second, side by side."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from conformance.benchmark.codecs import Speed, adapter_speed, corpus, reference_speed, shared
from conformance.benchmark.hangs import chosen_inputs, timed_run
from conformance.benchmark.hostile import Hostile
from conformance.benchmark.hostile import measure as measure_hostile
from conformance.benchmark.judging import Judged, judge_many
from conformance.benchmark.records import records_speeds
from conformance.bridge.isolation import Limits
from conformance.bridge.loading import load_adapter
from conformance.bridge.memory import MEBIBYTE
from conformance.commands import common
from conformance.commands.bench_harness import harness_command
from conformance.implementation.driver import Implementation
from conformance.implementation.selection import parse_selection, select
from conformance.pipeline.plan import Parameters
from conformance.pipeline.session import require_spark
from reference import load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.benchmark.corpus import Side
    from conformance.campaign import benchmark as campaign_sides

_IMPL = click.option("--impl", default="conformance.adapters.kio", show_default=True, help="What to measure.")


@click.group(invoke_without_command=True)
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
    samples = corpus(list(load_release(newest_release()).schemas()), count)
    implementation = Implementation(load_adapter(impl))
    samples_of_both = shared(implementation, samples)
    table = Table("codec", "corpus", "encodes/s", "decodes/s", box=None)
    _row(table, "reference", "all pairs", reference_speed(samples))
    if samples_of_both:
        ours, theirs = reference_speed(samples_of_both), adapter_speed(implementation, samples_of_both)
        _row(table, "reference", "shared", ours)
        _row(table, implementation.name, "shared", theirs)
        ratio = f"{ours.encodes / theirs.encodes:.2f}", f"{ours.decodes / theirs.decodes:.2f}"
        table.add_row("ratio", "shared", *ratio)
    Console().print(table)


def _row(table: Table, name: str, which: str, speed: Speed) -> None:
    table.add_row(name, f"{which}, {speed.samples:,} values", f"{speed.encodes:,.0f}", f"{speed.decodes:,.0f}")


@bench.command()
@click.option("--count", type=common.COUNT, default=100_000, show_default=True, help="Byte strings.")
@common.release_option
@common.workers_option
def judge(count: int, release_name: str | None, workers: int) -> None:
    """Have the oracle judge byte strings of every message and version: tampered, mutated and random ones.

    The exit status is 1 if any verdict raised an exception or hung.
    """
    release = common.release_named(release_name).name
    total, start = Judged(), time.perf_counter()
    with common.progress_bar() as progress:
        task = progress.add_task("judged", total=count)
        for judged in judge_many(release, count, workers):
            total.add(judged)
            progress.update(task, completed=sum(total.kinds.values()))
    seconds = time.perf_counter() - start
    click.echo(f"{sum(total.kinds.values()):,} byte strings: {common.counts_text(total.kinds)}")
    click.echo(f"results: {common.counts_text(total.results)}; written again: {total.rewritten:,}")
    click.echo(f"exceptions and hangs: {len(total.failures)}")
    click.echo(f"slowest: {total.slowest.seconds:.3f} s, {total.slowest.where} {total.slowest.wire[:200]}")
    peaks = ", ".join(f"{peak // MEBIBYTE} MiB" for peak in total.peaks.values())
    click.echo(f"memory at most, by process: {peaks}; {seconds:.1f} s, {total.cpu_seconds:.1f} s of CPU time")
    for failure in total.failures:
        click.echo(failure)
    raise SystemExit(1 if total.failures else 0)


@bench.command()
@_IMPL
@common.release_option
@common.messages_option
@common.workers_option
def hostile(impl: str, release_name: str | None, messages: tuple[str, ...], workers: int) -> None:
    """Decode every hostile case in child processes, and judge every outcome."""
    release = common.release_named(release_name)
    schemas = select(list(release.schemas()), parse_selection(messages))
    done = measure_hostile(impl, release.name, schemas, workers)
    if not done.all_cases.cases:
        raise click.ClickException(f"{impl} reads none of the chosen messages")
    _print_hostile(done, workers)


def _print_hostile(done: Hostile, workers: int) -> None:
    every, sound = done.all_cases, done.undisturbed
    click.echo(f"{every.cases:,} hostile cases in {every.seconds:.1f} s, {workers} at a time")
    click.echo(f"decodes: {common.counts_text(done.outcomes)}")
    click.echo(f"{every.per_second:,.0f} cases/s; {done.deaths} deaths of the child, {done.not_run} cases not run")
    click.echo(f"{sound.per_second:,.0f} cases/s over the {sound.cases:,} of messages in which no child died")
    per_case = 1e6 * done.cpu_seconds / every.cases
    click.echo(f"{done.cpu_seconds:.1f} s of CPU time, starts of children included: {per_case:.0f} µs a case")
    click.echo(f"{done.violations:,} violations")


bench.add_command(harness_command)


@bench.command("hangs")
@click.option("--inputs", "count", type=common.COUNT, default=71, show_default=True, help="On how many it hangs.")
@common.messages_option
@common.workers_option
@common.release_option
def hangs_command(count: int, messages: tuple[str, ...], workers: int, release_name: str | None) -> None:
    """Run the suite on an implementation that hangs on some hostile inputs, and on the same without them."""
    release = common.release_named(release_name)
    options = [f"--release={release.name}", f"-n={workers}", *(f"--messages={each}" for each in messages)]
    with common.errors_shown():
        schemas = select(list(release.schemas()), parse_selection(messages))
        inputs = list(chosen_inputs(release, schemas, count))
        with_them, without = timed_run(inputs, options), timed_run([], options)
    for name, run in ((f"with {len(inputs)} inputs that hang", with_them), ("without them", without)):
        click.echo(f"{name}: {run.seconds:.1f} s; {run.hangs} timed out, {run.not_run} not run")
    click.echo(f"apart: {with_them.seconds - without.seconds:.1f} s")
    click.echo(f"load average: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")


@bench.command("records")
@click.option("--impl", default="conformance.adapters.kafka_python", show_default=True, help="What to measure.")
def records_command(impl: str) -> None:
    """Measure the reference and the adapter of another codec on the same batches of 100 records of 100 bytes."""
    implementation = Implementation(load_adapter(impl))
    if implementation.adapter.encode_records is None or implementation.adapter.decode_records is None:
        raise click.ClickException(f"{impl} does not both write and read record batches")
    table = Table("codec", "compression", "encodes/s", "decodes/s", box=None)
    for row in records_speeds(implementation):
        table.add_row(row.name, row.compression, f"{row.encodes:,.0f}", f"{row.decodes:,.0f}")
    Console().print(table)


SHOWN = 5
"""The processes of each side that are shown, the largest ones."""


@bench.command("corpus")
@click.option("--total", type=common.COUNT, default=1_000_000, show_default=True, help="Rows.")
@click.option("--workers", type=common.COUNT, default=2, show_default=True, help="Processes on either side.")
@common.release_option
@common.seed_option
@common.settings_option
def corpus_command(total: int, workers: int, release_name: str | None, seed: str, settings: Mapping[str, str]) -> None:
    """Build a corpus twice, with plain processes and on Spark; show time and memory of both.

    The exit status is 1 if the rows differ.
    """
    release = common.release_named(release_name)
    with common.errors_shown(), TemporaryDirectory(prefix="kafka-wire-conformance-") as folder:
        require_spark()
        from conformance.benchmark.corpus import compare  # noqa: PLC0415  # pyarrow is an extra

        sides = compare(
            Parameters(release.name, total, seed, definitions=release.digest), Path(folder), workers, settings
        )
    _print(total, sides)
    if len({side.sha256 for side in sides}) > 1:
        raise click.ClickException("the rows differ")


@bench.command("campaign")
@click.option("--impl", "impls", required=True, multiple=True, help="What to measure; repeatable.")
@click.option("--cases", type=common.COUNT, default=20_000, show_default=True, help="Generated cases.")
@click.option("--workers", type=common.COUNT, default=2, show_default=True, help="Processes on either side.")
@common.release_option
@common.messages_option
@common.seed_option
@common.settings_option
def campaign_command(  # noqa: PLR0913, PLR0917  # one argument for each option
    impls: tuple[str, ...],
    cases: int,
    workers: int,
    release_name: str | None,
    messages: tuple[str, ...],
    seed: str,
    settings: Mapping[str, str],
) -> None:
    """Run a campaign twice, with plain processes and on Spark; show the cases per second of both.

    The exit status is 1 if the outcomes differ.
    """
    release = common.release_named(release_name)
    with common.errors_shown(), TemporaryDirectory(prefix="kafka-wire-conformance-") as folder:
        require_spark()
        from conformance.campaign.benchmark import compare, differing  # noqa: PLC0415  # pyarrow is an extra
        from conformance.campaign.preparation import Wanted, prepared  # noqa: PLC0415

        wanted = Wanted(impls, release, cases, seed, None, fixed=False, messages=messages, limits=Limits())
        sides = compare(prepared(wanted), Path(folder), workers, settings)
    print_campaign(*sides)
    if differing(*sides):
        why = "of one that hangs, those after its first hangs depend on the load of the machine"
        raise click.ClickException(f"the outcomes of {', '.join(differing(*sides))} differ; {why}")


def print_campaign(plain: campaign_sides.Side, spark: campaign_sides.Side) -> None:
    """Print a line for each implementation and one for all."""
    table = Table("implementation", "cases", "processes, cases/s", "Spark, cases/s", "ratio", box=None)
    for name, (count, seconds) in plain.cases.items():
        on_spark = spark.cases[name][1]
        rates = f"{count / seconds:,.0f}", f"{count / on_spark:,.0f}"
        table.add_row(name, f"{count:,}", *rates, f"{seconds / on_spark:.2f}")
    total = sum(count for count, _ in plain.cases.values())
    rates = f"{total / plain.seconds:,.0f}", f"{total / spark.seconds:,.0f}"
    table.add_row("all, with starts", f"{total:,}", *rates, f"{plain.seconds / spark.seconds:.2f}")
    Console().print(table)
    click.echo(f"load average: {plain.load:.1f} after the processes, {spark.load:.1f} after Spark")


def _print(total: int, sides: tuple[Side, Side]) -> None:
    table = Table("", "start, s", "work, s", "of processors, s", "rows/s", "largest processes, MiB", box=None)
    for side in sides:
        largest = ", ".join(f"{usage.name} {usage.peak_mib:,}" for usage in side.largest[:SHOWN])
        times = (f"{seconds:.1f}" for seconds in (side.start, side.work, side.processor))
        table.add_row(side.name, *times, f"{total / side.work:,.0f}", largest)
    plain, spark = sides
    table.add_row("ratio", "", f"{spark.work / plain.work:.2f}", f"{spark.processor / plain.processor:.2f}")
    Console().print(table)
