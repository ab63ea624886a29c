"""Read files with many random damages, and print what no damage may cause.

As `python -m tests.damage "found case" --number 2000`, or without a name for every format.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.damage.formats import FORMATS
from tests.damage.trying import findings_of

MEMORY = 4 * 2**30
"""The limit of bytes of this process. Beyond it Python raises MemoryError, which is a finding."""


@click.command()
@click.argument("formats", nargs=-1, type=click.Choice(list(FORMATS)))
@click.option("--number", default=2000, show_default=True, help="Damages of each format.")
@click.option("--first", default=0, help="The number of the first damage.")
@click.option("--shown", default=5, show_default=True, help="Findings to show of each format.")
def main(formats: tuple[str, ...], number: int, first: int, shown: int) -> None:
    """Damage a sound file of each format, and read each damaged one as its command does."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    count = 0
    for name in formats or FORMATS:
        began, times = time.monotonic(), max(1, round(number * FORMATS[name].share))
        with TemporaryDirectory() as folder:
            found = list(findings_of(name, range(first, first + times), Path(folder)))
        count += len(found)
        click.echo(f"{name}: {times} damages, {len(found)} findings, {time.monotonic() - began:.0f} s")
        for each in found[:shown]:
            click.echo(f"    {each}")
    raise SystemExit(1 if count else 0)


if __name__ == "__main__":
    main()
