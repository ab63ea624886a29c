import struct
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest

from reference import difference, equal
from tests.reference.inline import message

SCHEMA = message(
    """{ "name": "Flag", "type": "bool", "versions": "0+" },
       { "name": "Number", "type": "int32", "versions": "0+" },
       { "name": "Float", "type": "float64", "versions": "0+" },
       { "name": "Text", "type": "string", "versions": "0+", "nullableVersions": "0+" },
       { "name": "Id", "type": "uuid", "versions": "0+" },
       { "name": "Body", "type": "bytes", "versions": "0+" },
       { "name": "List", "type": "[]Item", "versions": "0+",
         "fields": [{ "name": "X", "type": "int8", "versions": "0+" }] },
       { "name": "Inner", "type": "Inner", "versions": "0+", "nullableVersions": "0+",
         "fields": [{ "name": "Y", "type": "int8", "versions": "0+" }] },
       { "name": "Later", "type": "int32", "versions": "1+", "default": "7" }"""
)
VALUE: dict[str, Any] = {
    "Flag": True,
    "Number": 1,
    "Float": 0.0,
    "Text": "a",
    "Id": UUID(int=1),
    "Body": b"\xca",
    "List": [{"X": 1}, {"X": 2}],
    "Inner": {"Y": 3},
}
OTHERS: list[tuple[str, dict[str, Any], str, str]] = [
    ("another number", {"Number": 2}, "Number", "value"),
    ("a bool for a number", {"Number": True}, "Number", "type"),
    ("a float for a number", {"Number": 1.0}, "Number", "type"),
    ("a number for a bool", {"Flag": 1}, "Flag", "type"),
    ("a number for a float", {"Float": 0}, "Float", "type"),
    ("negative zero", {"Float": -0.0}, "Float", "value"),
    ("null", {"Text": None}, "Text", "null"),
    ("bytes for a text", {"Text": b"a"}, "Text", "type"),
    ("text for a uuid", {"Id": str(UUID(int=1))}, "Id", "type"),
    ("a bytearray for bytes", {"Body": bytearray(b"\xca")}, "Body", "type"),
    ("a tuple for a list", {"List": ({"X": 1}, {"X": 2})}, "List", "type"),
    ("fewer elements", {"List": [{"X": 1}]}, "List", "length"),
    ("another element", {"List": [{"X": 1}, {"X": 3}]}, "List[1].X", "value"),
    ("a null element", {"List": [{"X": 1}, None]}, "List[1]", "null"),
    ("an element without its field", {"List": [{}, {"X": 2}]}, "List[0].X", "missing"),
    ("another field of a struct", {"Inner": {"Y": 4}}, "Inner.Y", "value"),
    ("a struct with an extra key", {"Inner": {"Y": 3, "Z": 0}}, "Inner.Z", "extra"),
    ("an extra key", {"More": 1}, "More", "extra"),
    ("an unknown tag", {"_tags": [(5, b"")]}, "_tags", "tags"),
    ("an unknown tag of a struct", {"Inner": {"Y": 3, "_tags": [(5, b"")]}}, "Inner._tags", "tags"),
    ("a number under the key of tags", {"_tags": 5}, "_tags", "tags"),
    ("a list of numbers under the key of tags", {"_tags": [5]}, "_tags", "tags"),
]
NAN = struct.unpack(">d", bytes.fromhex("7ff8000000000001"))[0]
OTHER_NAN = struct.unpack(">d", bytes.fromhex("7ff8000000000002"))[0]


def test_value_equals_its_copy() -> None:
    assert equal(SCHEMA, VALUE, VALUE | {"List": [{"X": 1}, {"X": 2}]})


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case[0])
def test_first_difference_is_found(case: tuple[str, dict[str, Any], str, str]) -> None:
    _, change, path, what = case
    found = difference(SCHEMA, VALUE, VALUE | change)
    assert found is not None
    assert (found.path, found.what) == (path, what)


@pytest.mark.parametrize(
    "actual", [None, 5, [], "text", MappingProxyType(VALUE)], ids=lambda actual: type(actual).__name__
)
def test_other_objects_than_a_dict_are_no_value(actual: object) -> None:
    assert not equal(SCHEMA, VALUE, actual)


def test_key_of_another_type_than_text_is_extra() -> None:
    found = difference(SCHEMA, VALUE, {**VALUE, 1: 2})
    assert found is not None
    assert (found.path, found.what) == ("1", "extra")


def test_missing_field_is_reported_with_the_expected_value() -> None:
    partial = {name: item for name, item in VALUE.items() if name != "Number"}
    assert difference(SCHEMA, VALUE, partial) == ("Number", 1, None, "missing")


def test_nan_equals_itself_by_its_bits() -> None:
    """It does not by `==`."""
    assert equal(SCHEMA, VALUE | {"Float": NAN}, VALUE | {"Float": NAN})


def test_nans_of_other_bits_differ() -> None:
    assert not equal(SCHEMA, VALUE | {"Float": NAN}, VALUE | {"Float": OTHER_NAN})


def test_no_tags_equal_an_empty_list_of_tags() -> None:
    assert equal(SCHEMA, VALUE, VALUE | {"_tags": []})


def test_tags_may_be_pairs_of_either_kind() -> None:
    assert equal(SCHEMA, VALUE | {"_tags": [(5, b"\xca")]}, VALUE | {"_tags": [[5, b"\xca"]]})


@pytest.mark.parametrize(
    "tags", [[(5, b"\xcb")], [(6, b"\xca")], [(5, b"\xca"), (6, b"")], []], ids=["bytes", "tag", "more", "none"]
)
def test_other_tags_differ(tags: list[tuple[int, bytes]]) -> None:
    assert not equal(SCHEMA, VALUE | {"_tags": [(5, b"\xca")]}, VALUE | {"_tags": tags})


def test_order_of_unknown_tags_counts() -> None:
    tags = [(5, b""), (6, b"")]
    assert not equal(SCHEMA, VALUE | {"_tags": tags}, VALUE | {"_tags": tags[::-1]})


@pytest.mark.parametrize("later", [7, 8])
def test_fields_of_other_versions_are_ignored(later: int) -> None:
    assert equal(SCHEMA, VALUE, VALUE | {"Later": later})


def test_fields_of_other_versions_can_be_asked_to_be_at_their_defaults() -> None:
    """The argument `absent` accepts the default and no other value."""
    assert difference(SCHEMA, VALUE, VALUE | {"Later": 7}, absent=True) is None
    assert difference(SCHEMA, VALUE, VALUE | {"Later": 8}, absent=True) == ("Later", 7, 8, "absent")
