"""`kafka-conformance specs`: the commands about message definitions."""

from __future__ import annotations

import json

import click

from conformance.commands.specs_diff import diff
from conformance.commands.specs_history import history
from conformance.commands.specs_import import import_, summary
from conformance.commands.specs_prove import prove_specs
from conformance.commands.specs_show import show
from conformance.commands.specs_validate import validate
from conformance.definitions.importer import MANIFEST, committed_releases
from reference import releases


@click.group()
def specs() -> None:
    """Show, check, compare and import message definitions."""


@specs.command("list")
def list_releases() -> None:
    """List the committed releases."""
    for release in releases():
        manifest = json.loads((committed_releases() / release / MANIFEST).read_text(encoding="utf-8"))
        click.echo(f"{release}: {summary(manifest)}")


for command in (diff, history, import_, prove_specs, show, validate):
    specs.add_command(command)
