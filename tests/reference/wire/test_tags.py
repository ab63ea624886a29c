from typing import Any
from uuid import UUID

import pytest

from reference import default
from tests.reference.inline import message, one_field, value_of, wire_of

X = '"fields": [{ "name": "X", "type": "int8", "versions": "0+" }]'
TAGGED_TYPES = (
    '"type": "bool"',
    '"type": "int8"',
    '"type": "int16"',
    '"type": "int32"',
    '"type": "int64"',
    '"type": "uint16"',
    '"type": "uint32"',
    '"type": "float64"',
    '"type": "string"',
    '"type": "string", "nullableVersions": "0+"',
    '"type": "string", "nullableVersions": "0+", "default": "null"',
    '"type": "uuid"',
    '"type": "bytes"',
    '"type": "bytes", "nullableVersions": "0+"',
    '"type": "[]int32"',
    '"type": "[]int32", "nullableVersions": "0+"',
    '"type": "[]int32", "nullableVersions": "0+", "default": "null"',
    '"type": "[]string"',
    f'"type": "Plain", {X}',
    f'"type": "Nullable", "nullableVersions": "0+", {X}',
    f'"type": "NullByDefault", "nullableVersions": "0+", "default": "null", {X}',
    f'"type": "[]Element", {X}',
    '"type": "bytes", "nullableVersions": "0+", "default": "null"',
)
"""The type of the field of each tag; the field of tag n is called `Tn`."""

EVERYTHING = message(
    ",".join(
        f'{{ "name": "T{tag}", "versions": "0+", "taggedVersions": "0+", "tag": {tag}, {properties} }}'
        for tag, properties in enumerate(TAGGED_TYPES)
    )
)

GOLDEN: list[tuple[str, int, Any, str]] = [
    ("bool", 0, True, "01 00 01 01"),
    ("int8", 1, -1, "01 01 01 ff"),
    ("int16", 2, 1, "01 02 02 0001"),
    ("int32", 3, 258, "01 03 04 00000102"),
    ("int64", 4, -2, "01 04 08 fffffffffffffffe"),
    ("uint16", 5, 65535, "01 05 02 ffff"),
    ("uint32", 6, 4294967295, "01 06 04 ffffffff"),
    ("float64", 7, 1.5, "01 07 08 3ff8000000000000"),
    ("string", 8, "ab", "01 08 03 03 6162"),
    ("null string whose default is empty", 9, None, "01 09 01 00"),
    ("empty string whose default is null", 10, "", "01 0a 01 01"),
    ("uuid", 11, UUID("00112233-4455-6677-8899-aabbccddeeff"), "01 0b 10 00112233445566778899aabbccddeeff"),
    ("bytes", 12, b"\1\2", "01 0c 03 03 0102"),
    ("null bytes", 13, None, "01 0d 01 00"),
    ("array", 14, [1, 2], "01 0e 09 03 00000001 00000002"),
    ("null array", 15, None, "01 0f 01 00"),
    ("empty array whose default is null", 16, [], "01 10 01 01"),
    ("array of strings", 17, ["a", ""], "01 11 04 03 0261 01"),
    ("struct", 18, {"X": 1}, "01 12 02 01 00"),
    ("struct all zero but for an unknown tag", 18, {"X": 0, "_tags": [(5, b"\1")]}, "01 12 05 00 01 05 01 01"),
    ("null struct", 19, None, "01 13 01 00"),
    ("nullable struct", 19, {"X": 1}, "01 13 03 01 01 00"),
    ("struct all zero whose default is null", 20, {"X": 0}, "01 14 03 01 00 00"),
    ("array of structs", 21, [{"X": 9}], "01 15 03 02 09 00"),
    ("empty bytes whose default is null", 22, b"", "01 16 01 01"),
    ("NaN", 7, float("nan"), "01 07 08 7ff8000000000000"),
]
SIZES: list[tuple[int, str, str]] = [
    (126, "7f", "7f"),
    (127, "8101", "8001"),
    (1024, "8208", "8108"),
    (16382, "808001", "ff7f"),
]
"""Length of a tagged string; the size of its entry; the prefix of the string itself."""

LEVELS = message(
    """{ "name": "N", "type": "int8", "versions": "0+" },
       { "name": "Plain", "type": "P", "versions": "0+",
         "fields": [{ "name": "A", "type": "int8", "versions": "0+" }] },
       { "name": "List", "type": "[]L", "versions": "0+",
         "fields": [{ "name": "B", "type": "int8", "versions": "0+" }] },
       { "name": "Tagged", "type": "T", "versions": "0+", "taggedVersions": "0+", "tag": 0,
         "fields": [{ "name": "C", "type": "int8", "versions": "0+" }] }"""
)
"""A struct of each kind with a tag section: body, field, array element, tagged field."""

LEVEL_VALUES: list[tuple[str, dict[str, Any], str]] = [
    ("none", {}, "01 02 00 02 03 00 01 00 02 04 00"),
    ("the message", {"_tags": [(5, b"\xca")]}, "01 02 00 02 03 00 02 00 02 04 00 05 01 ca"),
    ("a struct", {"Plain": {"A": 2, "_tags": [(5, b"\xca")]}}, "01 02 01 05 01 ca 02 03 00 01 00 02 04 00"),
    ("an element", {"List": [{"B": 3, "_tags": [(5, b"\xca")]}]}, "01 02 00 02 03 01 05 01 ca 01 00 02 04 00"),
    ("a tagged struct", {"Tagged": {"C": 4, "_tags": [(5, b"\xca")]}}, "01 02 00 02 03 00 01 00 05 04 01 05 01 ca"),
]
LEVEL_VALUE = {"N": 1, "Plain": {"A": 2}, "List": [{"B": 3}], "Tagged": {"C": 4}}

UNKNOWN: list[tuple[str, list[tuple[int, bytes]], str]] = [
    ("one", [(5, b"\xca\xfe")], "01 05 02 cafe"),
    ("of no bytes", [(5, b"")], "01 05 00"),
    ("two", [(5, b"\1"), (6, b"\2")], "02 05 01 01 06 01 02"),
    ("with a gap", [(0, b"\1"), (1000, b"\2")], "02 00 01 01 e807 01 02"),
    ("127", [(127, b"\1")], "01 7f 01 01"),
    ("128", [(128, b"\1")], "01 8001 01 01"),
    ("16384", [(16384, b"\1")], "01 808001 01 01"),
    ("the highest that is written", [(2147483646, b"\1")], "01 feffffff07 01 01"),
    ("of 128 bytes", [(5, bytes(128))], "01 05 8001" + "00" * 128),
]
NOTHING = message("")

OUT_OF_ORDER = message(
    """{ "name": "Third", "type": "int8", "versions": "0+", "taggedVersions": "0+", "tag": 2 },
       { "name": "First", "type": "int8", "versions": "0+", "taggedVersions": "0+", "tag": 0 },
       { "name": "Second", "type": "int8", "versions": "0+", "taggedVersions": "0+", "tag": 1 }"""
)

MOVING = '"type": "int8", "versions": "0+", "tag": 0, "taggedVersions": "2+"'


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case[0])
def test_tagged_field_is_written_as_worked_out(case: tuple[str, int, Any, str]) -> None:
    """Count, tag, size, and the field in its compact form (rules 2.3 and 2.2.8)."""
    _, tag, value, wire = case
    assert wire_of(EVERYTHING, default(EVERYTHING) | {f"T{tag}": value}) == wire.replace(" ", "")


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case[0])
def test_tagged_field_is_read_as_worked_out(case: tuple[str, int, Any, str]) -> None:
    """The only field has its value, and `repr` distinguishes NaN, equal to nothing, from other numbers."""
    _, tag, value, wire = case
    assert repr(value_of(EVERYTHING, wire)) == repr(default(EVERYTHING) | {f"T{tag}": value})


def test_fields_at_their_defaults_are_left_out() -> None:
    """A message of 23 tagged fields, all unset, is one byte (rule 2.2)."""
    assert wire_of(EVERYTHING, default(EVERYTHING)) == "00"


def test_omitted_fields_are_restored() -> None:
    """An empty section stands for all defaults (rule 4.2.1)."""
    assert value_of(EVERYTHING, "00") == default(EVERYTHING)


def test_negative_zero_is_left_out() -> None:
    """It equals the default, zero (rule 2.2.2)."""
    assert wire_of(EVERYTHING, default(EVERYTHING) | {"T7": -0.0}) == "00"


@pytest.mark.parametrize("default_property", ["", ', "default": "NaN"'], ids=["default zero", "default NaN"])
def test_nan_is_written_even_if_it_is_the_default(default_property: str) -> None:
    """NaN does not equal itself (rule 2.2.2)."""
    schema = one_field(f'"type": "float64", "versions": "0+", "tag": 0, "taggedVersions": "0+"{default_property}')
    assert wire_of(schema, {"Some": float("nan")}) == "010008" + "7ff8000000000000"


@pytest.mark.parametrize(("length", "size", "prefix"), SIZES)
def test_size_counts_the_bytes_of_the_field_with_its_own_length(length: int, size: str, prefix: str) -> None:
    """A tagged string of many bytes, the size at the steps of a varint (rule 2.3.2)."""
    schema = one_field('"type": "string", "versions": "0+", "tag": 0, "taggedVersions": "0+"')
    wire = f"0100{size}{prefix}" + "61" * length
    assert wire_of(schema, {"Some": "a" * length}) == wire
    assert value_of(schema, wire) == {"Some": "a" * length}


def test_size_of_a_nullable_struct_counts_its_marker() -> None:
    """The size is right where struct and marker together take 128 bytes (rule 2.3.10)."""
    schema = one_field(
        '"type": "Inner", "versions": "0+", "nullableVersions": "0+", "tag": 0, "taggedVersions": "0+",'
        '"fields": [{ "name": "Body", "type": "bytes", "versions": "0+" }]'
    )
    wire = "0100" + "8001" + "01" + "7e" + "ca" * 125 + "00"
    assert wire_of(schema, {"Some": {"Body": b"\xca" * 125}}) == wire
    assert value_of(schema, wire) == {"Some": {"Body": b"\xca" * 125}}


def test_tags_are_written_in_ascending_order() -> None:
    """The order of the definition, kept in values, does not matter (rule 2.1.4)."""
    value = {"Third": 3, "First": 1, "Second": 2}
    assert wire_of(OUT_OF_ORDER, value) == "03" + "000101" + "010102" + "020103"
    assert list(value_of(OUT_OF_ORDER, "03000101010102020103")) == ["Third", "First", "Second"]


@pytest.mark.parametrize(("version", "wire"), [(0, "07"), (1, "07 00"), (2, "01 00 01 07")])
def test_field_is_positional_in_the_versions_where_it_is_not_tagged(version: int, wire: str) -> None:
    """One field in a legacy version, in a flexible one, and in one where it is tagged (rule 2.1.5)."""
    schema = one_field(MOVING, version=version, flexible="1+")
    assert wire_of(schema, {"Some": 7}) == wire.replace(" ", "")
    assert value_of(schema, wire) == {"Some": 7}


@pytest.mark.parametrize("case", UNKNOWN, ids=lambda case: case[0])
def test_unknown_tags_are_written_and_read_as_they_are(case: tuple[str, list[tuple[int, bytes]], str]) -> None:
    """Tag, size and bytes, under the key `_tags` (rules 2.4.1 and 2.5.6)."""
    _, tags, wire = case
    assert wire_of(NOTHING, {"_tags": tags}) == wire.replace(" ", "")
    assert value_of(NOTHING, wire) == {"_tags": tags}


def test_unknown_tags_follow_the_known_ones() -> None:
    """Known and unknown ones are in one section and in one count (rules 2.1.2 and 2.4.2)."""
    value = {"Third": 3, "First": 0, "Second": 0, "_tags": [(7, b"\xca")]}
    assert wire_of(OUT_OF_ORDER, value) == "02" + "020103" + "0701ca"
    assert value_of(OUT_OF_ORDER, "020201030701ca") == value


@pytest.mark.parametrize("empty", [[], None], ids=repr)
def test_no_unknown_tags_may_be_spelt_out(empty: object) -> None:
    """An empty list under `_tags` is the same as none."""
    assert wire_of(NOTHING, {"_tags": empty}) == "00"


def test_value_without_unknown_tags_has_no_key_for_them() -> None:
    """A reader puts `_tags` only where there are any."""
    assert value_of(NOTHING, "00") == {}


@pytest.mark.parametrize("case", LEVEL_VALUES, ids=lambda case: case[0])
def test_each_struct_has_a_tag_section_of_its_own(case: tuple[str, dict[str, Any], str]) -> None:
    """An unknown tag in each kind of struct, and in none (rule 2.1.1)."""
    _, change, wire = case
    assert wire_of(LEVELS, LEVEL_VALUE | change) == wire.replace(" ", "")
    assert value_of(LEVELS, wire) == LEVEL_VALUE | change


def test_explicit_default_is_read() -> None:
    """A tagged field written with its default is valid, though not canonical (rule 2.5.4)."""
    assert value_of(OUT_OF_ORDER, "01 00 01 00") == {"Third": 0, "First": 0, "Second": 0}
