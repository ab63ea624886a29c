"""`kafka-conformance vectors`: golden vectors."""

from __future__ import annotations

import click

from conformance.cli.vectors_run import run


@click.group()
def vectors() -> None:
    """Golden vectors: bytes, and what they are, for tests in any language."""


vectors.add_command(run)
