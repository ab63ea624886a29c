"""Parts of the commands about definitions: fetching a published release, and showing errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import platformdirs
from rich.console import Console
from rich.progress import Progress

from conformance.definitions import maven
from conformance.definitions.importer import published_source
from conformance.definitions.sets import definition_set
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conformance.definitions.sources import Source
    from reference.evolution import DefinitionSet

APPLICATION = "kafka-wire-conformance"


def cache() -> Path:
    """Return the user's folder for fetched files."""
    return platformdirs.user_cache_path(APPLICATION)


def published(release: str) -> tuple[Source, ...]:
    """Fetch the jars of a release; the progress is shown on a terminal only."""
    console = Console(stderr=True)
    sources: list[Source] = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for artifact in progress.track(maven.ARTIFACTS, description=f"Fetching {release}"):
            source = published_source(artifact, release, cache() / "jars")
            if source is None:
                click.echo(f"skipped: {maven.coordinates(artifact, release)} does not exist", err=True)
            elif source.files:
                sources.append(source)
    return tuple(sources)


def definitions(name_or_path: str) -> DefinitionSet:
    """Return the definitions of a release, fetched if need be, or of a file or folder.

    Raises:
        DefinitionError: a definition breaks a rule.
        ImportFailedError: there is no such release, file or folder.
    """
    return definition_set(name_or_path, cache(), published)


class NotDoneError(click.ClickException):
    """The definitions could not be read: exit status 2, because 1 is a result."""

    exit_code = 2


@contextmanager
def errors_shown(shown_as: type[click.ClickException] = click.ClickException) -> Iterator[None]:
    """Show what goes wrong as a message, and end with the exit status of that error: 1, unless said otherwise."""
    try:
        yield
    except (ConformanceError, OSError) as error:
        raise shown_as(str(error)) from error
