"""`kafka-conformance specs import`: import the definitions of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from conformance.commands.specs_parts import errors_shown, published
from conformance.definitions.importer import committed_releases, import_release
from conformance.definitions.sources import sources_at


@click.command("import")
@click.option("--release", required=True, help="The release, as 4.3.0.")
@click.option(
    "--from",
    "origin",
    type=click.Path(exists=True, path_type=Path),
    help="A jar, a folder of jars or of definitions, or a checkout of Kafka's sources (default: ask Maven).",
)
@click.option(
    "--to",
    "to",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder that gets a folder for the release. Default: the committed releases.",
)
def import_(release: str, origin: Path | None, to: Path | None) -> None:
    """Import the definitions of a release.

    Descriptions and comments are dropped. The same release gives the same files, byte for byte.
    """
    target = to or committed_releases()
    with errors_shown():
        sources = sources_at(origin) if origin else published(release)
        manifest = import_release(release, sources, target)
    click.echo(f"{release}: {summary(manifest)}")
    click.echo(f"written to {target / release}")


def summary(manifest: dict[str, Any]) -> str:
    """Return the counts of a release in one line."""
    counts = manifest["counts"]
    return (
        f"{counts['definitions']} definitions, {counts['withVersions']} of them with versions; "
        f"{counts['pairs']} (message, version) pairs, {counts['flexiblePairs']} of them flexible"
    )
