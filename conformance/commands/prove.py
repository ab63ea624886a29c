"""The commands `kafka-conformance prove` and `specs prove`, which compare the reference with Apache Kafka."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click
from rich.table import Table

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.adapters.harnesses.kafka_generator import KafkaGenerator
from conformance.campaign.proof.left_out import NOT_BODIES, UNSIGNED_ELEMENT, has_unsigned_elements, left_out
from conformance.campaign.proof.proof import ProofResult, compare_facts
from conformance.campaign.proof.proven_contents import compare_bodies, compare_framing
from conformance.campaign.proof.proven_definitions import (
    Agreement,
    compare_definitions,
    compare_generated,
    generated_definitions,
    given_definitions,
    schemas_of,
)
from conformance.campaign.proof.proven_records import compare_records
from conformance.campaign.proof.proven_vectors import compare_vectors
from conformance.codec.selection import parse_selection, select
from conformance.commands.common import (
    COUNT,
    FOLDER,
    counts_text,
    errors_shown,
    messages_option,
    progress_bar,
    release_named,
    release_option,
)
from conformance.system.terminal import echo, new_console
from conformance.vectors.tree.documents import INDEX
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import RECORDS, VectorGroup, chosen_groups, committed_vectors, groups_of
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from reference import MessageSchema, Release

VALUES = 5
"""The number of values for each message version of generated definitions."""


@click.command()
@release_option
@messages_option
@click.option(
    "--values",
    "count",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Generated values for each pair.",
)
@click.option("--edges/--no-edges", default=True, show_default=True, help="Every deterministic case as well.")
@click.option(
    "--vectors",
    "folder",
    type=FOLDER,
    default=committed_vectors,
    help="The folder of golden vectors to compare as well, if there are any.",
)
@click.option(
    "--records",
    type=click.IntRange(min=0),
    default=20_000,
    show_default=True,
    help="Generated fields of records; for each three damaged ones, for four a message set and a damaged one.",
)
def prove(  # noqa: PLR0913  # one for each option
    release_name: str | None, messages: tuple[str, ...], count: int, folder: Path, records: int, *, edges: bool
) -> None:
    """Compare the reference with Apache Kafka, run from its jars, over every message and version.

    Headers, frames, answers to ApiVersions, stored messages, single wire types, golden vectors and records are compared
    as well. Needs Java 17 and Maven; the jars are fetched once and kept in the user's cache.
    The exit status is 1 if the two differ anywhere.

    Of a folder of definitions, and of a proposal whose types Apache Kafka has, bodies are compared, with the classes
    that Apache Kafka's generator makes of the definitions.
    """
    release = release_named(release_name)
    if release.digest or release.proposed:
        raise SystemExit(0 if prove_definitions(release, messages, count, edges=edges) else 1)
    with errors_shown():
        schemas = select(list(release.schemas()), parse_selection(messages))
        vectors = _vectors(folder, messages, release.name)
        with ApacheKafkaJvm(release.name) as kafka, progress_bar() as progress:
            comparison = ProofResult()
            compared = compare_bodies(kafka, schemas, count, comparison, edges=edges)
            for _ in progress.track(compared, len(schemas), description=f"Apache Kafka {release.name}"):
                pass
            compare_facts(kafka, release.name, comparison)
            compare_framing(kafka, release, schemas, comparison)
            compare_vectors(kafka, vectors, comparison)
            task = progress.add_task("Records", total=records)
            for done in compare_records(kafka, release.name, records, comparison):
                progress.advance(task, done)
    _print_comparison(f"Apache Kafka {release.name}", comparison)
    raise SystemExit(1 if comparison.differences else 0)


def prove_definitions(release: Release, messages: tuple[str, ...], count: int, *, edges: bool) -> bool:
    """Compare the reference with classes generated from the definitions of a release, and return whether they agree.

    Raises:
        click.UsageError: Apache Kafka's generator does not know the dialect of the definitions.
        click.ClickException: no definition has classes.
    """
    if release.dialect != RELEASED:
        raise click.UsageError(f"Apache Kafka's generator knows no definitions of {release.title}: it never shipped")
    comparison = ProofResult()
    with errors_shown(), progress_bar() as progress:
        given = given_definitions(release, select(list(release.schemas()), parse_selection(messages)))
        for name, refusal in given.refused.items():
            echo(f"no classes of {name} ({refusal.stage}): {refusal.text}")
        if not given.schemas:
            raise click.ClickException(f"there are no classes of {release.title} to compare with")
        compared = compare_generated(given.texts, count, comparison, schemas=given.schemas, edges=edges)
        for _ in progress.track(compared, len(given.schemas), description=release.title):
            pass
    _print_left_out(given.schemas)
    echo(f"not compared: {NOT_BODIES.what}: {NOT_BODIES.reason}")
    _print_comparison(f"{release.title} and classes of Apache Kafka's generator", comparison)
    return not comparison.differences


def _vectors(folder: Path, messages: tuple[str, ...], release: str) -> list[VectorGroup]:
    if not (folder / INDEX).exists():
        echo(f"no golden vectors in {folder}: name their folder with --vectors", err=True)
        return []
    every = groups_of(read_tree(folder))
    own = (group for group in every if group.release == release or group.file.folder == RECORDS)
    return chosen_groups(own, messages)


def _print_comparison(subject: str, comparison: ProofResult) -> None:
    for difference in comparison.differences:
        echo(difference)
    counts = counts_text(comparison.cases)
    echo(f"{subject}: {comparison.pairs} message versions; {counts}; {len(comparison.differences)} differences")


@click.command("prove")
@click.option(
    "--count",
    type=COUNT,
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
    agreement, comparison = Agreement(), ProofResult()
    with errors_shown():
        with KafkaGenerator() as generator, progress_bar() as progress:
            task = progress.add_task(f"Generator {generator.release}", total=3 * count)
            for done in compare_definitions(generator, count, agreement):
                progress.advance(task, done)
        if compare:
            _compare(compare, comparison)
    _print(agreement, generator.release)
    _print_left_out(schemas_of(generated_definitions(compare)))
    _print_comparison(f"bytes of {compare} definitions", comparison)
    raise SystemExit(1 if agreement.differences or comparison.differences else 0)


def _compare(count: int, comparison: ProofResult) -> None:
    definitions = generated_definitions(count)
    total = sum(1 for _ in schemas_of(definitions))
    with progress_bar() as progress:
        for _ in progress.track(compare_generated(definitions, VALUES, comparison), total, description="Bytes"):
            pass


def _print(agreement: Agreement, release: str) -> None:
    for difference in agreement.differences:
        echo(difference)
    table = Table(
        "definitions", "", "what both say", title=f"The rules of section 6, and Apache Kafka's generator {release}"
    )
    for (kind, verdict), times in sorted(agreement.agreed.items()):
        table.add_row(kind, str(times), verdict)
    for departure, times in agreement.departures.items():
        who = "only Apache Kafka accepts" if departure.stage == "accepted" else "only the reference accepts"
        table.add_row(f"{who} ({departure.rule})", str(times), departure.why)
    new_console().print(table)
    asked = sum(agreement.asked.values())
    known = agreement.departures.total()
    echo(f"{asked:,} definitions: {known} known departures, {len(agreement.differences)} differences")


def _print_left_out(schemas: Iterable[MessageSchema]) -> None:
    schemas = list(schemas)
    for entry, count in Counter(filter(None, map(left_out, schemas))).items():
        echo(f"not compared, in {count} message versions: {entry.what}: {entry.reason}")
    if unsigned := sum(map(has_unsigned_elements, schemas)):
        echo(f"not compared, in {unsigned} message versions: {UNSIGNED_ELEMENT.what}: {UNSIGNED_ELEMENT.reason}")
