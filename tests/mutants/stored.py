"""Stored messages after wrong or unchecked numbers."""

from reference import load_release
from tests.helpers.releases import BASE
from tests.mutants.around import mutants
from tests.mutants.single_faults.ways import low
from tests.second_codec.steps import ContentWay, FixedWay, VarintWay

RELEASE = load_release(BASE)
NO_OP = 20


KNOWN = {schema.api_key for schema in RELEASE.schemas() if schema.kind == "metadata"}


def _written(piece: bytes) -> FixedWay:
    return FixedWay(piece=lambda _piece: piece)


def _missing(piece: bytes) -> tuple[FixedWay, FixedWay]:
    """Return the way of a missing number, taken for another one."""
    return _written(b""), FixedWay(more=-2, piece=lambda _none: piece)


WIDE = FixedWay(piece=lambda piece: b"\0\0" + piece), FixedWay(more=2)
TURNED = FixedWay(piece=lambda piece: piece[::-1])
ZIGZAG = (
    ContentWay(value=lambda given: (given[0], [2 * number for number in given[1]])),
    ContentWay(value=lambda numbers: [number // 2 if number % 2 == 0 else -1 for number in numbers]),
)
SWAPPED = (
    ContentWay(value=lambda given: (given[0], [given[1][0], *given[1][:0:-1]])),
    ContentWay(value=lambda numbers: [numbers[0], *numbers[:0:-1]]),
)
WAYS = {
    "version-missing": _missing(b"\0\3"),
    "version-not-written": _written(b""),
    "version-as-int32": WIDE,
    "version-read-as-int32": WIDE[1],
    "version-little-endian": TURNED,
    "type-missing": _missing(b"\0\1"),
    "type-as-int32": WIDE,
    "type-little-endian": TURNED,
    "version-for-type": _written(b"\0\0"),
    "frame-version-0": VarintWay(form=lambda _form: b"\0"),
    "signed-numbers": ZIGZAG,
    "unknown-type-read": VarintWay(number=lambda number: number if number in KNOWN else NO_OP),
    "type-and-version-swapped": SWAPPED,
    "version-cut-to-16-bits": VarintWay(number=low(16)),
    "rest-of-a-record-ignored": ContentWay(value=lambda _behind: b""),
}

MUTANTS = tuple(mutants("stored", "stored.tsv", WAYS))
"""Every mutant of stored messages."""
