"""`kafka-conformance specs prove`: the rules about definitions against Apache Kafka's own generator."""

from __future__ import annotations

from collections import Counter

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from conformance.differential.comparison import Comparison
from conformance.differential.definitions import Agreement, compare_definitions
from conformance.differential.generated import compare_generated, generated_definitions, left_out, schemas_of
from conformance.harnesses.kafka_generator import KafkaGenerator

VALUES = 5
"""The number of values for each pair of message and version."""


@click.command("prove")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="The number of sound definitions, of broken ones, and of randomly changed ones.",
)
@click.option(
    "--compare",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="The number of sound definitions whose classes are compared with the reference, byte for byte.",
)
def prove_specs(count: int, compare: int) -> None:
    """Compare the rules about definitions, and the bytes of generated messages, with Apache Kafka's generator.

    Definitions are generated, always the same ones, and checked by both; the code that Apache Kafka generates is
    compiled. Then some of the classes are compared with the reference on values and mutated bytes, as `prove` compares
    those of a release. Needs Java 17 and Maven; the generator is fetched once. The exit status is 1 if there is a
    difference that is not known; known ones are shown.
    """
    agreement, comparison = Agreement(), Comparison()
    try:
        with KafkaGenerator() as generator, Progress(transient=True, console=Console(stderr=True)) as progress:
            task = progress.add_task(f"Generator {generator.release}", total=3 * count)
            for done in compare_definitions(generator, count, agreement):
                progress.advance(task, done)
        if compare:
            with Progress(transient=True, console=Console(stderr=True)) as progress:
                _compare(compare, comparison, progress)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    _print(agreement, generator.release)
    _print_compared(compare, comparison)
    raise SystemExit(1 if agreement.differences or comparison.differences else 0)


def _compare(count: int, comparison: Comparison, progress: Progress) -> None:
    definitions = generated_definitions(count)
    task = progress.add_task("Bytes", total=sum(1 for _ in schemas_of(definitions)))
    for _ in compare_generated(definitions, VALUES, comparison):
        progress.advance(task)


def _print(agreement: Agreement, release: str) -> None:
    for difference in agreement.differences:
        click.echo(difference)
    table = Table(
        "definitions", "", "what both say", title=f"The rules of section 6, and Apache Kafka's generator {release}"
    )
    for (kind, verdict), times in sorted(agreement.said.items()):
        table.add_row(kind, str(times), verdict)
    for departure, times in agreement.departures.items():
        who = "only Apache Kafka accepts" if departure.stage == "accepted" else "only the reference accepts"
        table.add_row(f"{who} ({departure.rule})", str(times), departure.why)
    Console().print(table)
    asked = sum(agreement.asked.values())
    known = agreement.departures.total()
    click.echo(f"{asked:,} definitions: {known} known departures, {len(agreement.differences)} differences")


def _print_compared(count: int, comparison: Comparison) -> None:
    for difference in comparison.differences:
        click.echo(difference)
    left = Counter(left_out(schema) for schema in schemas_of(generated_definitions(count)))
    for reason in filter(None, left):
        click.echo(f"{left[reason]} pairs of message and version not compared: {reason}")
    cases = ", ".join(f"{times:,} {kind}" for kind, times in sorted(comparison.cases.items()))
    click.echo(
        f"bytes of {count} definitions: {comparison.pairs} pairs; {cases}; {len(comparison.differences)} differences"
    )
