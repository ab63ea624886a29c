"""`kafka-conformance specs show`: one version of a message on one screen."""

from __future__ import annotations

import re

import click
from rich.console import Console
from rich.syntax import Syntax

from conformance.commands.specs_parts import errors_shown
from reference import Release, declaration, load_release, newest_release

_WITH_VERSION = re.compile(r"(?P<message>\w+)-v(?P<version>[0-9]+)")
THEME = "ansi_dark"
"""Colours of the terminal's own palette, so that they can be read on any background."""


@click.command()
@click.argument("message")
@click.argument("version", type=int, required=False)
@click.option("--release", "release_name", metavar="NAME", help="Release or proposal (default: the newest release).")
def show(message: str, version: int | None, release_name: str | None) -> None:
    """Print a version of MESSAGE as a declaration in construct's syntax.

    The version may also be part of the name, as in MetadataRequest-v12. Without one it is the newest version. The text
    is Python: with the names of reference.vocabulary it evaluates to a construct that reads and writes the message.
    """
    match = _WITH_VERSION.fullmatch(message)
    if match is not None and version is not None:
        raise click.UsageError(f"{message} has a version already: leave out {version}")
    if match is not None:
        message, version = match["message"], int(match["version"])
    with errors_shown():
        release = load_release(release_name or newest_release())
        _print(declaration(release.schema(message, _newest(release, message) if version is None else version)))


def _newest(release: Release, message: str) -> int:
    versions = release.definition(message).valid_versions
    if versions.empty:
        raise click.ClickException(f"{message} has no versions any more in {release.title}")
    return versions.highest


def _print(text: str) -> None:
    console = Console()
    if console.is_terminal:
        console.print(Syntax(text, "python", theme=THEME, background_color="default", word_wrap=True))
    else:
        click.echo(text)
