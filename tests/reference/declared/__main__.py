"""Compare the declared protocol with the wire types, area by area, by `python -m tests.reference.declared`."""

import sys
from collections import Counter

import click

from tests.reference.declared.comparison import Disagreement, disagreements
from tests.reference.declared.questions import AREAS

SHOWN = 10


@click.command()
@click.argument("areas", nargs=-1, type=click.Choice([*AREAS]))
def main(areas: tuple[str, ...]) -> None:
    """Ask both encodings everything in the areas, by default in all of them, and print where they disagree."""
    counts: Counter[str] = Counter()
    for area in areas or AREAS:
        asked = total = 0
        for each in AREAS[area]():
            for found in disagreements(each):
                total += 1
                if isinstance(found, Disagreement):
                    counts[area] += 1
                    if counts[area] <= SHOWN:
                        click.echo(str(found))
            asked += 1
        click.echo(f"{area}: {asked:,} targets, {total:,} questions, {counts[area]:,} disagreements")
    sys.exit(bool(counts.total()))


if __name__ == "__main__":
    main()
