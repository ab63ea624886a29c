"""`kafka-conformance kip625`: what the encodings of KIP-625 would have saved."""

from __future__ import annotations

import click

from conformance.commands.kip625_advise import advise_command
from conformance.commands.kip625_size import size


@click.group()
def kip625() -> None:
    """Measure KIP-625's encodings of integers: on the document's own example, and on a corpus."""


kip625.add_command(advise_command)
kip625.add_command(size)
