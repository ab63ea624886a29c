"""`kafka-conformance bridge`: what helps to write a harness for an implementation in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console

from conformance.bridge.harness_check import Subject, try_hello, try_manners
from reference import UnknownRelease, load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.bridge.transcript import Complaint

MAXIMUM_SHOWN = 5
"""Complaints about one manner: the first ones tell most."""

SECONDS = 10.0


@click.group()
def bridge() -> None:
    """Help to write a harness, through which an implementation in any language is tested."""


@bridge.command()
@click.option("--release", "release_name", help="The release whose definitions it is handed (default: the newest).")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="How long one reply may take, once the harness is running.",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def check(release_name: str | None, seconds: float, command: tuple[str, ...]) -> None:
    """Try out the manners of the harness that COMMAND starts, and say what is wrong and how to mend it.

    Write -- before it: kafka-conformance bridge check -- java -jar harness.jar. The exit status is 0 if all is well.
    """
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    try:
        subject = Subject(command, load_release(release_name or newest_release()), seconds)
        hello, complaints = try_hello(subject)
    except UnknownRelease as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{command[0]} cannot be run: {error.strerror}") from error
    count = _tell(console, "says hello", complaints)
    if not hello:
        console.print("\nnothing further can be tried without a proper answer to hello")
    for name, found in try_manners(subject, hello) if hello and not complaints else ():
        count += _tell(console, name, found)
    for note in hello.get("notes", ()):
        console.print(f"note  {note['message']} {note.get('path', '')}: {note['note']}")
    if hello and not count:
        console.print(f"\n{hello['implementation']} {hello['version']} can be tested with --impl='stdio:COMMAND ARGS'")
    raise SystemExit(1 if count else 0)


def _tell(console: Console, name: str, complaints: Sequence[Complaint]) -> int:
    """One line for a manner, and two for each complaint; how many there are."""
    console.print(f"{'wrong' if complaints else 'ok   '}  {name}", style="red" if complaints else "green")
    for complaint in complaints[:MAXIMUM_SHOWN]:
        console.print(f"       {complaint.wrong}")
        console.print(f"       -> {complaint.remedy}", style="cyan")
    if len(complaints) > MAXIMUM_SHOWN:
        console.print(f"       ... and {len(complaints) - MAXIMUM_SHOWN} more")
    return len(complaints)
