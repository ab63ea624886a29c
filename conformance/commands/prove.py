"""`kafka-conformance prove`: compare the reference with Apache Kafka itself."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from conformance.differential.bodies import compare_bodies
from conformance.differential.comparison import Comparison
from conformance.differential.frames import compare_framing
from conformance.differential.vectors import compare_vectors
from conformance.golden.tree.documents import INDEX
from conformance.golden.tree.files import read_tree
from conformance.golden.tree.paths import Group, chosen_groups, committed_vectors, groups_of
from conformance.harnesses.apache_kafka import ApacheKafka
from conformance.implementation.selection import parse_selection, select
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
    help="The folder of golden vectors to compare as well, if there are any.",
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
            comparison = Comparison()
            for _ in compare_bodies(kafka, schemas, count, comparison, edges=edges):
                progress.advance(task)
            compare_framing(kafka, release, schemas, comparison)
            compare_vectors(kafka, vectors, comparison)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    _print(comparison, release.name)
    raise SystemExit(1 if comparison.differences else 0)


def _vectors(folder: Path, messages: tuple[str, ...], release: str) -> list[Group]:
    """Return the golden vectors of the release and the selected messages; warn if there are no vectors at all."""
    if not (folder / INDEX).exists():
        click.echo(f"no golden vectors in {folder}: name their folder with --vectors", err=True)
        return []
    own = (group for group in groups_of(read_tree(folder)) if group.release == release)
    return chosen_groups(own, messages)


def _print(comparison: Comparison, release: str) -> None:
    counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(comparison.cases.items()))
    for difference in comparison.differences:
        click.echo(difference)
    click.echo(f"Apache Kafka {release}: {comparison.pairs} pairs; {counts}; {len(comparison.differences)} differences")
