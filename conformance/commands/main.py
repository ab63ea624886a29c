"""The command `kafka-conformance`, and its command `run`: pytest, with the files of this package as the tests."""

from __future__ import annotations

import sys
from pathlib import Path
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
from conformance.commands.corpus import corpus
from conformance.commands.explain import explain
from conformance.commands.judge import judge
from conformance.commands.kip625 import kip625
from conformance.commands.matrix import matrix
from conformance.commands.nightly import nightly
from conformance.commands.prove import prove
from conformance.commands.pytest_arguments import own_arguments, print_options
from conformance.commands.release import release
from conformance.commands.replay import replay
from conformance.commands.report import report
from conformance.commands.rules import rules
from conformance.commands.schema import schema
from conformance.commands.specs import specs
from conformance.commands.vectors import vectors
from conformance.suite.import_guard import import_path
from conformance.suite.options import OPTIONS
from reference import ConformanceError

EXAMPLES = """
Examples:

  kafka-conformance run --impl=myproj.adapter --smoke
  kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
  kafka-conformance run --impl=myproj.adapter --messages='Fetch*,MetadataRequest-v9..12' -k generated"""


class Commands(click.Group):
    """A group of commands that prints an error for users as its text, without a traceback, and exits with status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke a command.

        Raises:
            ClickException: it raised a ConformanceError.
        """
        try:
            return super().invoke(ctx)
        except ConformanceError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kafka-conformance")
def main() -> None:
    """Show where an implementation of the Kafka wire protocol departs from the protocol."""
    # Adapters are imported from where one stands, as by `python -m`: the same ones in every command.
    sys.path[:] = import_path(Path.cwd(), sys.path)


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
    raise SystemExit(int(pytest.main([*own_arguments(), *arguments])))


def _help() -> None:
    """Show the suite's own options; pytest shows all of its own by itself."""
    click.echo("Usage: kafka-conformance run --impl=MODULE[:ATTRIBUTE] [OPTIONS] [PYTEST'S OPTIONS]\n")
    click.echo(f"{run.help}\n")
    print_options(OPTIONS)
    click.echo("\n-v shows each known failure in full, -vv each test item, too; -q prints one line for the whole run.")
    click.echo("All other options are pytest's: -n 2, -x, -k EXPRESSION, --durations=5 (see `pytest --help`).")
    click.echo("The exit status is pytest's: 0 nothing new, 1 new findings, 4 a wrong option.")
    click.echo(EXAMPLES)
