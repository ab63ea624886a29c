from math import nan
from typing import Any

import pytest

from conformance.campaign.proof.evolution_meaning import another_default, misread
from reference import TAGS, MessageSchema
from reference.resolution import resolve
from tests.helpers.definitions import Properties, field, message, tagged
from tests.reference.evolution.definitions import in_dialect, parsed

Value = dict[str, Any]


def at(version: int, *fields: Properties) -> MessageSchema:
    return resolve(parsed(message(*fields)), version)


def number(name: str, **properties: Any) -> Properties:
    return field(name=name, **properties)


def group(name: str, *fields: Properties, **properties: Any) -> Properties:
    return field(name=name, type=f"{name}Struct", fields=list(fields), **properties)


A, B = number("A"), number("B")
BOTH = group("Both", A, B)
NULLABLE = group("Maybe", A, nullableVersions="0+")
TEXTS = field(name="Texts", type="[]string")
TAG = tagged(name="T", default="5")
LATER = tagged(name="L")
FLOAT = at(0, field(name="F", type="float64"))
MOVED = TAG | {"tag": 1}

SAME: dict[str, tuple[MessageSchema, MessageSchema, Value, Value]] = {
    "a new name": (at(0, A), at(0, number("X")), {"A": 1}, {"X": 1}),
    "fields in a struct": (at(0, A, B), at(0, BOTH), {"A": 1, "B": 2}, {"Both": {"A": 1, "B": 2}}),
    "a struct in its own name": (at(0, A), at(0, group("A", number("X"))), {"A": 1}, {"A": {"X": 1}}),
    "the same NaN": (FLOAT, FLOAT, {"F": nan}, {"F": nan}),
    "null": (at(0, NULLABLE), at(0, NULLABLE), {"Maybe": None}, {"Maybe": None}),
    "records": (at(0, field(type="bytes")), at(0, field(type="records")), {"Some": b"a"}, {"Some": b"a"}),
    "an integer of more bits": (at(0, A), at(0, number("A", type="int64")), {"A": 1}, {"A": 1}),
    "a tag that came": (at(1, A), at(1, A, TAG), {"A": 1}, {"A": 1, "T": 5}),
    "a tag that came, with a value": (at(1, A, TAG), at(1, A), {"A": 1, "T": 6}, {"A": 1, TAGS: [(0, b"\0\0\0\6")]}),
    "equal values that changed places": (at(0, A, B), at(0, B, A), {"A": 1, "B": 1}, {"A": 1, "B": 1}),
    "zeros of two types": (at(0, field(name="F", type="int64")), FLOAT, {"F": 0}, {"F": 0.0}),
    "empty values of two types": (at(0, field(type="string")), at(0, field(type="bytes")), {"Some": ""}, {"Some": b""}),
    "a tag of another field that is not there": (at(1, TAG), at(1, MOVED, LATER), {"T": 5}, {"T": 5, "L": 0}),
    "a tag of another name": (at(1, TAG), at(1, TAG | {"name": "U"}), {"T": 6}, {"U": 6}),
}
DIFFERENT: dict[str, tuple[MessageSchema, MessageSchema, Value, Value, str]] = {
    "another number": (at(0, A), at(0, A), {"A": 1}, {"A": 2}, "A"),
    "fields that changed places": (at(0, A, B), at(0, B, A), {"A": 1, "B": 2}, {"B": 1, "A": 2}, "A"),
    "places in a struct": (at(0, A, B), at(0, group("Both", B, A)), {"A": 1, "B": 2}, {"Both": {"B": 1, "A": 2}}, "A"),
    "a zero of the other sign": (FLOAT, FLOAT, {"F": 0.0}, {"F": -0.0}, "F"),
    "a bool that was a number": (at(0, A), at(0, number("A", type="bool")), {"A": 2}, {"A": True}, "A"),
    "null that became something": (at(0, NULLABLE), at(0, NULLABLE), {"Maybe": None}, {"Maybe": {"A": 0}}, "Maybe"),
    "an element less": (at(0, TEXTS), at(0, TEXTS), {"Texts": ["a", "b"]}, {"Texts": ["a"]}, "Texts"),
    "another element": (at(0, TEXTS), at(0, TEXTS), {"Texts": ["a"]}, {"Texts": ["b"]}, "Texts"),
    "a field less": (at(0, A, B), at(0, A), {"A": 1, "B": 2}, {"A": 1}, "B"),
    "another default of a tag": (at(1, TAG), at(1, TAG | {"default": "6"}), {"T": 5}, {"T": 6}, "T"),
    "a tag that is lost": (at(1, TAG), at(1, A), {"T": 6}, {"A": 0}, ""),
    "a tag that was not kept": (at(1, A, TAG), at(1, A), {"A": 1, "T": 6}, {"A": 1}, "T"),
    "a tag with another number": (at(1, TAG), at(1, MOVED, LATER), {"T": 6}, {"T": 5, "L": 6}, "T"),
}


@pytest.mark.parametrize("case", SAME)
def test_read_value_means_what_was_written(case: str) -> None:
    assert misread(*SAME[case]) is None


@pytest.mark.parametrize("case", DIFFERENT)
def test_first_field_that_means_something_else_is_named(case: str) -> None:
    old, new, written, read, path = DIFFERENT[case]
    assert misread(old, new, written, read) == path


def test_section_that_stands_first_is_paired_with_one_that_stands_first() -> None:
    """In the drafts of KIP-482 the tag section of a struct is at its head."""
    dialect = "kip-482-second-draft"
    old = resolve(in_dialect(dialect, message(group("S", A))), 1)
    new = resolve(in_dialect(dialect, message(group("Empty"), A)), 1)
    assert misread(old, new, {"S": {"A": 1}}, {"Empty": {}, "A": 1}) is None


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        (number("A", versions="2+"), number("A", versions="2+"), None),
        (number("A", versions="2+"), number("A", versions="2+", default="5"), "A"),
        (number("A", versions="2+"), number("A", versions="2+", type="int64"), None),
        (number("A", versions="2+"), field(name="A", versions="2+", type="string"), None),
        (field(name="A", versions="2+", type="bytes"), field(name="A", versions="2+", type="records"), None),
        (group("S", A, versions="2+"), group("S", number("A", default="5"), versions="2+"), "S.A"),
        (group("S", A, versions="2+"), group("S", A, B, versions="2+"), None),
        (group("S", number("A", versions="2+"), versions="0"), group("S", A, versions="2+"), None),
        (group("S", number("A", versions="2+")), group("S", number("A", versions="2+", default="5")), "S.A"),
    ],
)
def test_default_counts_in_versions_that_lack_the_field(
    before: Properties, after: Properties, path: str | None
) -> None:
    assert another_default(at(0, before), at(0, after)) == path
