"""`kafka-conformance prove`: the reference against Apache Kafka itself."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from conformance.differential.framing import prove_framing
from conformance.differential.pairs import Proof
from conformance.differential.pairs import prove as prove_pairs
from conformance.differential.vectors import prove_vectors
from conformance.golden.files import read_tree
from conformance.golden.index import INDEX
from conformance.golden.location import committed_vectors
from conformance.golden.parts import Part, chosen_parts, parts_of
from conformance.harnesses.apache_kafka import ApacheKafka
from conformance.suite.selection import parse_selection, select
from reference import load_release, newest_release


@click.command()
@click.option("--release", "release_name", metavar="NAME", help="Kafka release (default: the newest committed one).")
@click.option("--messages", multiple=True, metavar="GLOBS", help="As in pytest's --messages.")
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
    type=click.Path(file_okay=False, path_type=Path),
    default=committed_vectors,
    help="Golden vectors that are proven as well, if there are any.",
)
def prove(release_name: str | None, messages: tuple[str, ...], count: int, folder: Path, *, edges: bool) -> None:
    """Compare the reference with Apache Kafka, run from its jars, over every message and version.

    Headers, frames, stored messages, single wire types and golden vectors are compared as well. Needs Java 17 and
    Maven; the jars are fetched once and kept in the user's cache. The exit status is 1 if the two differ anywhere.
    """
    try:
        release = load_release(release_name or newest_release())
        schemas = select(list(release.schemas()), parse_selection(messages))
        vectors = _vectors(folder, messages, release.name)
        with ApacheKafka(release.name) as kafka, Progress(transient=True, console=Console(stderr=True)) as progress:
            task = progress.add_task(f"Apache Kafka {release.name}", total=len(schemas))
            proof = Proof()
            for _ in prove_pairs(kafka, schemas, count, proof, edges=edges):
                progress.advance(task)
            prove_framing(kafka, release, schemas, proof)
            prove_vectors(kafka, vectors, proof)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    _print(proof, release.name)
    raise SystemExit(1 if proof.differences else 0)


def _vectors(folder: Path, messages: tuple[str, ...], release: str) -> list[Part]:
    """The golden vectors of those messages that are the release's own; says so if there are no vectors at all."""
    if not (folder / INDEX).exists():
        click.echo(f"no golden vectors in {folder}: name their folder with --vectors", err=True)
        return []
    own = (each for each in parts_of(read_tree(folder)) if each.release == release)
    return chosen_parts(own, messages)


def _print(proof: Proof, release: str) -> None:
    counts = ", ".join(f"{count:,} {sort}" for sort, count in sorted(proof.cases.items()))
    for each in proof.differences:
        click.echo(each)
    click.echo(f"Apache Kafka {release}: {proof.pairs} pairs; {counts}; {len(proof.differences)} differences")
