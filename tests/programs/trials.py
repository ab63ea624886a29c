"""Trying everything that is here, one after another, with a table at the end.

What takes a program that is not on the PATH is named and left out; in CI that is an error.
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
        """By which it is asked for."""

    @property
    def version(self) -> str:
        """Of what it is."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The programs that must be on the PATH."""

    @property
    def missing(self) -> list[str]:
        """Those of them that are not here."""


P = TypeVar("P", bound=Program)


class Failures(Exception):  # several of them
    """Programs that failed, or that CI needs and does not have."""


def try_programs(programs: Sequence[P], attempt: Callable[[P], Sequence[str]], columns: Sequence[str]) -> None:
    """Try every program that has what it needs, and print a table.

    Args:
        programs: what is tried.
        attempt: tries one, and returns the cells of its row behind name and version.
        columns: the names of these cells.

    Raises:
        Failures: not everything was as it should be; the rest was tried nevertheless.
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
    """Print name and version of each program, what it needs, and what of that is missing."""
    for program in programs:
        needs = f"needs {' and '.join(program.needs)}" if program.needs else "needs nothing more"
        missing = f", and {' and '.join(program.missing)} is not on the PATH" if program.missing else ""
        echo(f"{program.name}\t{program.version}\t{needs}{missing}")


def _table(columns: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for number, column in enumerate(("name", "version", *columns)):
        table.add_column(column, justify="left" if number < NAMES else "right")
    return table
