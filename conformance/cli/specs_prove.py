"""`kafka-conformance specs prove`: the rules about definitions against Apache Kafka's own generator."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from conformance.bridge.json_lines import HarnessError
from conformance.harnesses.building import HarnessUnavailableError
from conformance.harnesses.kafka_generator import KafkaGenerator
from conformance.proof.definitions import Agreement, prove_definitions


@click.command("prove")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="How many definitions that are sound, broken in one way, and changed at random.",
)
def prove_specs(count: int) -> None:
    """Compare the rules about definitions with Apache Kafka's own generator.

    Definitions are generated, the same ones every time, and given to both; what Apache Kafka makes of those it accepts
    is compiled. Needs Java 17 and Maven; the generator is fetched once. The exit status is 1 if the two disagree on
    any definition, other than in one of the known ways, which are shown.
    """
    agreement = Agreement()
    try:
        with KafkaGenerator() as generator, Progress(transient=True, console=Console(stderr=True)) as progress:
            task = progress.add_task(f"Generator {generator.release}", total=3 * count)
            for done in prove_definitions(generator, count, agreement):
                progress.advance(task, done)
    except (HarnessUnavailableError, HarnessError, OSError) as error:
        raise click.ClickException(str(error)) from error
    _print(agreement, generator.release)
    raise SystemExit(1 if agreement.differences else 0)


def _print(agreement: Agreement, release: str) -> None:
    for difference in agreement.differences:
        click.echo(difference)
    table = Table(
        "definitions", "", "what both say", title=f"The rules of section 6, and Apache Kafka's generator {release}"
    )
    for (sort, said), times in sorted(agreement.said.items()):
        table.add_row(sort, str(times), said)
    for departure, times in agreement.departures.items():
        who = "only Apache Kafka accepts" if departure.stage == "accepted" else "only the reference accepts"
        table.add_row(f"{who} ({departure.rule})", str(times), departure.why)
    Console().print(table)
    asked = sum(agreement.asked.values())
    known = agreement.departures.total()
    click.echo(f"{asked:,} definitions: {known} known departures, {len(agreement.differences)} differences")
