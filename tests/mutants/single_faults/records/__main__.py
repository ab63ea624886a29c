"""The command `python -m tests.mutants.single_faults.records FAULT ...`, the first input to show each fault."""

from __future__ import annotations

import click

from tests.mutants.single_faults.records.family import shown_by
from tests.mutants.single_faults.records.steps import steps


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="FAULT...")
def main(names: tuple[str, ...]) -> None:
    """Print for each fault the bytes in hex or the value that tell it from the sound codec."""
    for name in names:
        if name not in steps():
            raise click.UsageError(f"{name!r} is no fault")
        click.echo(f"{name}: {shown_by(steps()[name]) or 'none'}")


if __name__ == "__main__":
    main()
