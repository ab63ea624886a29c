"""The table of places, with a row for all ways of a group at one place, less those without a difference."""

from collections.abc import Iterator

from tests.helpers.releases import BASE
from tests.mutants.kit.rows import rows_of
from tests.mutants.single_faults.fault import Fault
from tests.mutants.ways.basics import without
from tests.mutants.ways.named import ways_of

SIDES = {"both": ("decode", "encode")}


def faults_of(family: str) -> tuple[Fault, ...]:
    """Return every fault and legal variant of a family, ordered by place."""
    rows = [row for row in rows_of(__file__, "places.tsv") if row["family"] == family]
    found = [fault for row in rows for side in SIDES.get(row["side"], (row["side"],)) for fault in _of_row(row, side)]
    return tuple(sorted(found, key=lambda fault: (fault.release, fault.subject, fault.side, fault.place)))


def _of_row(row: dict[str, str], side: str) -> Iterator[Fault]:
    found, is_named = without(ways_of(row["ways"], side), *row["but"].split()), row["family"] == "wire types"
    for subject in row["subject"].split(",") if is_named else [row["subject"]]:
        for name, way in found.items():
            whole = "/".join([*[subject] * is_named, side, row["place"], row["prefix"] + name])
            legal, release = bool(row["legal"]), row["release"] or BASE
            yield Fault(row["family"], whole, side, legal, row["place"], way, subject=subject, release=release)
