"""`kafka-conformance run`: pytest, with the files of this package as the tests."""

from __future__ import annotations

import click
import pytest

from conformance.commands.pytest_arguments import print_rows, pytest_arguments
from conformance.suite.option import IMPL
from conformance.suite.options import OPTIONS
from conformance.suite.registry import TESTS
from conformance.system.terminal import echo

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
