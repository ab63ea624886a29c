"""The command `kafka-conformance`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from conformance.__about__ import __version__
from conformance.cli.bench import bench
from conformance.cli.bridge import bridge
from conformance.cli.corpus import corpus
from conformance.cli.kip625 import kip625
from conformance.cli.nightly import nightly
from conformance.cli.prove import prove
from conformance.cli.replay import replay
from conformance.cli.rules import rules
from conformance.cli.run import run
from conformance.cli.specs import specs
from conformance.cli.vectors import vectors
from conformance.installation import import_path


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kafka-conformance")
def main() -> None:
    """Show where an implementation of the Kafka wire protocol departs from the protocol."""
    # Adapters are imported from where one stands, as by `python -m`: the same ones in every command.
    sys.path[:] = import_path(Path.cwd(), sys.path)


for command in (bench, bridge, corpus, kip625, nightly, prove, replay, rules, run, specs, vectors):
    main.add_command(command)
