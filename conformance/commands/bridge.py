"""The command `kafka-conformance bridge`, for checks of the harness of an implementation in another language."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from conformance.codec.bridge.harness_check import HarnessUnderCheck, check_hello, run_checks
from conformance.codec.bridge.hello import note_text
from conformance.codec.bridge.loading import harness_words
from conformance.commands.common import NUMBER, impl_option, plain_console, release_named, release_option
from conformance.commands.group import CommandGroup
from conformance.system.printable import printable
from conformance.targets.claims import STDIO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from conformance.codec.bridge.transcript import Diagnostic

MAXIMUM_SHOWN = 5
"""The number of diagnostics shown of one check; the first ones are the most useful."""

SECONDS = 10.0


@click.group(cls=CommandGroup)
def bridge() -> None:
    """Help to write a harness, through which an implementation in any language is tested."""


@bridge.command(short_help="Check a harness against the protocol.")
@release_option
@click.option(
    "--seconds",
    type=NUMBER,
    default=SECONDS,
    show_default=True,
    help="How long one reply may take, once the harness is running.",
)
@click.option("--all", "shows_all", is_flag=True, help=f"Show everything, not only {MAXIMUM_SHOWN} of each check.")
@impl_option(required=False)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def check(
    release_name: str | None, seconds: float, *, shows_all: bool, impl: str | None, command: tuple[str, ...]
) -> None:
    """Check the harness that COMMAND or --impl starts against the protocol, and say how to fix what is wrong.

    Write -- before COMMAND: kafka-conformance bridge check -- java -jar harness.jar. The exit status is 1 if anything
    is wrong. A note may concern the implementation and not the harness.
    """
    context = click.get_current_context()
    if command and context.get_parameter_source("impl") is ParameterSource.DEFAULT_MAP:
        impl = None  # of the project
    if bool(command) == bool(impl):
        raise click.UsageError("name either a COMMAND, after --, or an implementation with --impl")
    release = release_named(release_name)
    maximum = None if shows_all else MAXIMUM_SHOWN
    console = plain_console()
    harness = HarnessUnderCheck(command or harness_words(str(impl), release), release, seconds)
    hello, diagnostics = check_hello(harness)
    count = _show(console, "answers hello", diagnostics, maximum)
    if not hello:
        console.print("\nno further check is possible without a valid reply to hello")
    is_doubtful = False
    for name, problems in run_checks(harness, hello) if hello and not diagnostics else ():
        count += _show(console, name, problems, maximum)
        is_doubtful = is_doubtful or any(problem.is_of_mapping for problem in problems)
    for note in hello.get("notes", ()):
        console.print(printable(f"note  {note_text(note)}"))
    if hello and not count:
        name = printable(f"{hello['implementation']} {hello['version']}")
        spec = impl or shlex.quote(STDIO + shlex.join(command))
        verdict = "the mapping is probably wrong; fix it before a run with" if is_doubtful else "can be tested with"
        console.print(f"\n{name}{':' * is_doubtful} {verdict} --impl={spec}")
    raise SystemExit(1 if count else 0)


def _show(console: Console, name: str, diagnostics: Sequence[Diagnostic], maximum: int | None) -> int:
    mistakes = [diagnostic for diagnostic in diagnostics if not diagnostic.is_note]
    word, style = ("wrong", "red") if mistakes else ("note ", "yellow") if diagnostics else ("ok   ", "green")
    console.print(f"{word}  {name}", style=style)
    shown = [each for index, each in enumerate(diagnostics) if maximum is None or index < maximum or each.is_own_code]
    for diagnostic in shown:
        console.print(f"       {'note: ' if mistakes and diagnostic.is_note else ''}{diagnostic.problem}")
        console.print(f"       -> {diagnostic.hint}", style="cyan")
    if len(diagnostics) > len(shown):
        console.print(f"       ... and {len(diagnostics) - len(shown)} more; --all shows them")
    return len(mistakes)
