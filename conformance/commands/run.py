"""`kafka-conformance run`: pytest, with the files of this package as the tests.

`pytest_arguments` are those by which pytest runs this suite, wherever one stands; `print_rows` shows options and tests.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from rich.table import Table

from conformance.suite.import_guard import HOME, PACKAGE
from conformance.suite.option import IMPL
from conformance.suite.options import OPTIONS
from conformance.suite.registry import TESTS
from conformance.system.terminal import echo, new_console

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXAMPLES = """
Examples:

  kafka-conformance run --impl=myproj.adapter --smoke
  kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
  kafka-conformance run --impl=myproj.adapter --messages='Fetch*,MetadataRequest-v9..12' -k generated"""


@click.command(
    add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(arguments: tuple[str, ...]) -> None:
    """Test an implementation: every check, on every message and version that it offers."""
    if {"-h", "--help"} & set(arguments):
        _help()
        return
    raise SystemExit(int(pytest.main(pytest_arguments(arguments))))


def _help() -> None:
    """Show the suite's own options; pytest shows all of its own by itself."""
    echo(f"Usage: kafka-conformance run {IMPL.usage} [OPTIONS] [PYTEST'S OPTIONS]\n")
    echo(f"{run.help}\n")
    print_rows((each.usage, each.help) for each in OPTIONS)
    echo("\nThe tests, of which -k chooses some:\n")
    print_rows((each.name, each.about) for each in TESTS)
    echo("\n-v shows each known failure in full, -vv each test item, too; -q prints one line for the whole run.")
    echo("All other options are pytest's: -n 2, -x, -k EXPRESSION, --durations=5 (see `pytest --help`).")
    echo("The exit status is pytest's: 0 nothing new, 1 new findings, 4 a wrong option or an unwritten output.")
    echo(EXAMPLES)


CACHE = "--override-ini=cache_dir="
CONFIGURATION = PACKAGE / "commands" / "run.ini"


def pytest_arguments(arguments: Sequence[str]) -> list[str]:
    """Return the arguments by which pytest runs this suite with those arguments of a user.

    They take nothing from the folder but modules to import.

    Plugins that are installed, and PYTEST_ADDOPTS, hold as in any other run. Node ids are relative to --rootdir, the
    same in every installation. Above --confcutdir there are no conftest.py files. The cache belongs to the folder, for
    site-packages may not be writable.
    Without pytest's plugin of the cache there is no such option.
    """
    words = [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *arguments]
    has_cache = not {"no:cacheprovider", "-pno:cacheprovider"}.intersection(words)
    return [
        f"--config-file={CONFIGURATION}",
        f"--rootdir={HOME}",
        f"--confcutdir={PACKAGE}",
        *([f"{CACHE}{Path.cwd() / '.pytest_cache'}"] if has_cache else []),
        str(PACKAGE),
        *(word for word in arguments if has_cache or not word.startswith(CACHE)),
    ]


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Print options or tests with their meaning, in two columns."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, meaning in rows:
        table.add_row(f"  {name}", meaning)
    new_console(highlight=False, markup=False).print(table)
