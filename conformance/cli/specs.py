"""`kafka-conformance specs`: the message definitions that are here, and importing those of another release."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import platformdirs
from rich.console import Console
from rich.progress import Progress

from conformance.importing import maven
from conformance.importing.errors import ImportFailedError
from conformance.importing.importer import MANIFEST, committed_releases, import_release, published_source
from conformance.importing.sources import Source, sources_at
from reference import releases
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Iterator

APPLICATION = "kafka-wire-conformance"


@click.group()
def specs() -> None:
    """The message definitions of Kafka's releases."""


@specs.command("list")
def list_releases() -> None:
    """Show the releases that are here."""
    for release in releases():
        manifest = json.loads((committed_releases() / release / MANIFEST).read_text(encoding="utf-8"))
        click.echo(f"{release}: {_summary(manifest)}")


@specs.command("import")
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
    help="The folder that gets a folder for the release. Without it, the definitions go where the suite finds them.",
)
def import_(release: str, origin: Path | None, to: Path | None) -> None:
    """Take over the definitions of a release.

    Only facts are kept: neither descriptions nor comments. The same release gives the same files, byte for byte.
    """
    target = to or committed_releases()
    with _errors_shown():
        sources = sources_at(origin) if origin else _published(release)
        manifest = import_release(release, sources, target)
    click.echo(f"{release}: {_summary(manifest)}")
    click.echo(f"written to {target / release}")


def _published(release: str) -> tuple[Source, ...]:
    """The jars of a release, fetched one after the other; the progress is shown on a terminal only."""
    cache = platformdirs.user_cache_path(APPLICATION) / "jars"
    console = Console(stderr=True)
    found: list[Source] = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for artifact in progress.track(maven.ARTIFACTS, description=f"Fetching {release}"):
            source = published_source(artifact, release, cache)
            if source is None:
                click.echo(f"left out: {maven.coordinates(artifact, release)} does not exist", err=True)
            else:
                found.append(source)
    return tuple(found)


def _summary(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    return (
        f"{counts['definitions']} definitions, {counts['withVersions']} of them with versions; "
        f"{counts['pairs']} (message, version) pairs, {counts['flexiblePairs']} of them flexible"
    )


@contextmanager
def _errors_shown() -> Iterator[None]:
    """Show what goes wrong as a message, with exit status 1."""
    try:
        yield
    except (ImportFailedError, DefinitionError, OSError) as error:
        raise click.ClickException(str(error)) from error
