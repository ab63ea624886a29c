"""The table of places, with a row for all ways of a group at one place, less those without a difference."""

from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.helpers.releases import BASE
from tests.mutants.ways.basics import without
from tests.mutants.ways.named import placed, ways_of
from tests.second_codec.steps import Misstep

SIDES = {"both": ("decode", "encode")}


@dataclass(frozen=True)
class Wrong:
    """One step of a reader or writer done otherwise."""

    side: str
    place: str
    way_name: str
    way: Any
    subject: str
    """A selection of its messages, or a wire type."""
    legal: bool = False
    release: str = BASE

    @property
    def name(self) -> str:
        return f"{self.side}/{self.place}/{self.way_name}"

    @property
    def about(self) -> str:
        done = "reader" if self.side == "decode" else "writer"
        return f"The {self.place.replace('-', ' ')} of a {done}: {self.way_name.replace('-', ' ')}."

    @property
    def misstep(self) -> Misstep:
        return placed(self.place, self.way)


def wrongs(family: str) -> list[Wrong]:
    """Return every fault and legal variant of a family, ordered by place."""
    with Path(__file__).with_name("places.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in DictReader(file, delimiter="\t") if row["family"] == family]
    found = [wrong for row in rows for side in SIDES.get(row["side"], (row["side"],)) for wrong in _of_row(row, side)]
    return sorted(found, key=lambda wrong: (wrong.release, wrong.subject, wrong.side, wrong.place))


def _of_row(row: dict[str, str], side: str) -> Iterator[Wrong]:
    found = without(ways_of(row["ways"], side), *row["but"].split())
    for subject in row["subject"].split(",") if row["family"] == "wire types" else [row["subject"]]:
        for way_name, way in found.items():
            is_legal, release = bool(row["legal"]), row["release"] or BASE
            yield Wrong(side, row["place"], row["prefix"] + way_name, way, subject, is_legal, release)
