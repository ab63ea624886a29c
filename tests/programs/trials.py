"""Trials of all programs, one after another, with a table at the end.

A program whose needs are not on the PATH is named and left out; in CI this is an error.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeVar

from rich.table import Table

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.terminal import echo, new_console

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = 2
"""Columns of names; those behind them have numbers."""


class Program(Protocol):
    """A server or a client."""

    @property
    def name(self) -> str:
        """Its name on the command line."""

    @property
    def version(self) -> str:
        """The version of the program."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The programs required on the PATH."""

    @property
    def missing(self) -> list[str]:
        """The required programs missing here."""


P = TypeVar("P", bound=Program)


class Failures(Exception):  # several of them
    """Failed programs, or programs missing in CI."""


def try_programs(programs: Sequence[P], attempt: Callable[[P], Sequence[str]], columns: Sequence[str]) -> None:
    """Try every program without missing needs, and print a table.

    Args:
        programs: the programs to try.
        attempt: tries one, and returns the cells of its row after name and version.
        columns: the names of these cells.

    Raises:
        Failures: some programs failed; the rest was tried nevertheless.
    """
    table = _table(columns)
    failures = []
    for program in programs:
        if program.missing:
            skipped = f"{program.name}, which needs {' and '.join(program.missing)}"
            echo(f"skipped: {skipped}", err=True)
            failures += [skipped] if os.environ.get("CI") else []
            continue
        try:
            table.add_row(program.name, program.version, *attempt(program))
        except (HarnessStartError, OSError) as error:
            failures.append(f"{program.name}: {error}")
    new_console().print(table)
    if failures:
        raise Failures("\n".join(failures))


def list_all(programs: Sequence[Program]) -> None:
    """Print name, version, needs and missing needs of each program."""
    for program in programs:
        needs = f"needs {' and '.join(program.needs)}" if program.needs else "needs nothing more"
        missing = f", and {' and '.join(program.missing)} is not on the PATH" if program.missing else ""
        echo(f"{program.name}\t{program.version}\t{needs}{missing}")


def _table(columns: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for number, column in enumerate(("name", "version", *columns)):
        table.add_column(column, justify="left" if number < NAMES else "right")
    return table
