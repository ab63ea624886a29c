"""The command `kafka-conformance`, and its command `run`: pytest, with the files of this package as the tests."""

from __future__ import annotations

from typing import Any

import click
import pytest

from conformance.__about__ import __version__
from conformance.commands.bench import bench
from conformance.commands.bridge import bridge
from conformance.commands.broker import broker
from conformance.commands.campaign import campaign
from conformance.commands.capture import capture, redact_command
from conformance.commands.client import client
from conformance.commands.common import UnwrittenError
from conformance.commands.corpus import corpus
from conformance.commands.explain import explain
from conformance.commands.judge import judge
from conformance.commands.kip625 import kip625
from conformance.commands.matrix import matrix
from conformance.commands.nightly import nightly
from conformance.commands.prove import prove
from conformance.commands.pytest_arguments import print_options, pytest_arguments
from conformance.commands.release import release
from conformance.commands.replay import replay
from conformance.commands.report import report
from conformance.commands.rules import rules
from conformance.commands.schema import schema
from conformance.commands.specs import specs
from conformance.commands.vectors import vectors
from conformance.files.writing import NotWritten
from conformance.processes.path import leave_current_folder
from conformance.suite.options import OPTIONS
from conformance.terminal import echo, errors_printable, open_standard_streams
from reference import ConformanceError

EXAMPLES = """
Examples:

  kafka-conformance run --impl=myproj.adapter --smoke
  kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
  kafka-conformance run --impl=myproj.adapter --messages='Fetch*,MetadataRequest-v9..12' -k generated"""


class Commands(click.Group):
    """A group of commands that prints an error for users as its text, without a traceback, and exits with status 1."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run a command line, whatever standard streams there are."""
        open_standard_streams()
        return super().main(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke a command.

        Raises:
            ClickException: it raised a ConformanceError.
        """
        with errors_printable():
            try:
                return super().invoke(ctx)
            except NotWritten as error:
                raise UnwrittenError(str(error)) from error
            except ConformanceError as error:
                raise click.ClickException(str(error)) from error

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context of a command line. Errors are as of click."""
        with errors_printable():
            return super().make_context(*arguments, **extra)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kafka-conformance")
def main() -> None:
    """Show where an implementation of the Kafka wire protocol departs from the protocol."""
    leave_current_folder()  # `load_adapter` puts it behind all else


COMMANDS = (
    *(bench, bridge, broker, campaign, capture, client, corpus, explain, judge, kip625, matrix, nightly),
    *(prove, redact_command, release, replay, report, rules, schema, specs, vectors),
)
for command in COMMANDS:
    main.add_command(command)


@main.command(
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
    echo("Usage: kafka-conformance run --impl=MODULE[:ATTRIBUTE] [OPTIONS] [PYTEST'S OPTIONS]\n")
    echo(f"{run.help}\n")
    print_options(OPTIONS)
    echo("\n-v shows each known failure in full, -vv each test item, too; -q prints one line for the whole run.")
    echo("All other options are pytest's: -n 2, -x, -k EXPRESSION, --durations=5 (see `pytest --help`).")
    echo("The exit status is pytest's: 0 nothing new, 1 new findings, 4 a wrong option or an unwritten output.")
    echo(EXAMPLES)
