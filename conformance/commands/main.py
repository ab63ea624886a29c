"""The command `kafka-conformance`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from conformance.__about__ import __version__
from conformance.commands.bench import bench
from conformance.commands.bridge import bridge
from conformance.commands.corpus import corpus
from conformance.commands.kip625 import kip625
from conformance.commands.nightly import nightly
from conformance.commands.prove import prove
from conformance.commands.replay import replay
from conformance.commands.rules import rules
from conformance.commands.run import run
from conformance.commands.specs import specs
from conformance.commands.vectors import vectors
from conformance.suite.import_guard import import_path
from reference import ConformanceError


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


for command in (bench, bridge, corpus, kip625, nightly, prove, replay, rules, run, specs, vectors):
    main.add_command(command)
