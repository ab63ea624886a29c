"""The command `kafka-conformance specs trunk`, for the definitions of a checkout of Kafka's sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.commands.common import errors_shown, output_file
from conformance.commands.specs_diff import NotDoneError, lines
from conformance.definitions.checking import Checked, check
from conformance.definitions.named import checked_set, definition_set
from conformance.report.files.markdown import fenced
from conformance.report.words import counted
from conformance.system.file_kinds import ISSUE
from conformance.system.printable import for_terminal
from conformance.system.program_runs import run
from conformance.system.terminal import echo, new_console
from conformance.system.whole_files import write_text
from reference import ConformanceError, newest_release
from reference.evolution import release_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 50
"""The number of problems in the text of an issue; the command prints all."""


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--issue", type=output_file(ISSUE), help="The file that gets the text of an issue, if something is refused."
)
def trunk(checkout: Path, issue: Path | None) -> None:
    """Check the definitions in a CHECKOUT of Kafka's sources, and compare them with those of the newest release.

    Its commit is printed first. The exit status is 1 if a definition breaks a rule: then it is not compared. What has
    changed since the release does not count, as it may be meant.
    """
    echo(f"commit: {commit_of(checkout) or 'unknown'}")
    with errors_shown(NotDoneError):
        try:
            checked = check(checkout)
        except ConformanceError as error:
            _write(issue, checkout, str(error))
            raise
    echo(f"definitions: {checked.definitions}, problems: {len(checked.problems)}, hints: {len(checked.hints)}")
    if checked.problems:
        for problem in checked.problems:
            echo(f"\n{problem}")
        _write(issue, checkout, *map(str, checked.problems))
        raise SystemExit(1)
    _compare(checkout, checked)


def _compare(checkout: Path, checked: Checked) -> None:
    newest = newest_release()
    with errors_shown(NotDoneError):
        changes = release_changes(definition_set(newest), checked_set(checked))
    console = new_console(highlight=False, soft_wrap=True)
    for line in lines(newest, str(checkout), changes, {}, show_all=True):
        console.print(line)


def commit_of(checkout: Path) -> str:
    """Return the commit of a checkout, or "" without one or without git."""
    try:
        done = run(["git", "-C", str(checkout), "rev-parse", "HEAD"], seconds=60)
    except OSError:
        return ""
    return done.output.decode().strip() if done.status == 0 else ""


def _write(issue: Path | None, checkout: Path, *problems: str) -> None:
    if issue:
        write_text(issue, "\n".join(issue_lines(checkout, problems)) + "\n", ISSUE)


def issue_lines(checkout: Path, problems: Sequence[str]) -> Iterator[str]:
    """Yield the lines of an issue about refused definitions, with a title, the commit, and each problem."""
    count = len(problems)
    yield f"# Definitions of Apache Kafka's trunk are refused: {counted(count, 'problem')}"
    yield ""
    yield f"Commit {commit_of(checkout) or 'unknown'}."
    yield "Either a rule here is not that of Apache Kafka's generator any more, or a definition is broken there."
    yield ""
    yield "Shown again by `kafka-conformance specs validate CHECKOUT`:"
    yield ""
    more = [f"and {count - SHOWN} more"] if count > SHOWN else []
    yield fenced("\n".join(map(for_terminal, [*problems[:SHOWN], *more])))
