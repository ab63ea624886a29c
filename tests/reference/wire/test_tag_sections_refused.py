from typing import Any

import pytest

from reference import Malformed, MessageSchema, Reason, Refusal, decode_leniently, load_release
from tests.helpers.releases import BASE
from tests.reference.inline import malformed, message, one_field, unencodable

NOTHING = message("")
TWO = message(
    """{ "name": "A", "type": "int8", "versions": "0+", "taggedVersions": "0+", "tag": 0 },
       { "name": "B", "type": "string", "versions": "0+", "taggedVersions": "0+", "tag": 1 }"""
)
MOVING = one_field('"type": "int8", "versions": "0+", "tag": 0, "taggedVersions": "2+"', version=1, flexible="1+")
ARRAY = one_field('"type": "[]int8", "versions": "0+", "tag": 0, "taggedVersions": "0+"')
BYTES = one_field('"type": "bytes", "versions": "0+", "tag": 0, "taggedVersions": "0+"')
LISTED = one_field('"type": "[]Inner", "versions": "0+", "fields": [{ "name": "X", "type": "int8", "versions": "0+" }]')

CUT = ("input.truncated", Reason.TRUNCATED)
LONG = ("varint.too-long", Reason.VARINT_OVERFLOW)
SIZE = ("tag.size-within-input", Reason.LENGTH_EXCEEDS_INPUT)
NULL = ("null.not-allowed", Reason.NULL_NOT_ALLOWED)
REFUSED: list[tuple[str, MessageSchema, str, tuple[str, Reason], int, str]] = [
    ("no section", NOTHING, "", CUT, 0, ""),
    ("a count of six bytes", NOTHING, "8080808080", LONG, 0, ""),
    ("no entry", NOTHING, "01", CUT, 1, ""),
    ("fewer entries than announced", NOTHING, "02 05 01 ca", CUT, 4, ""),
    ("2^31-1 entries announced", NOTHING, "ffffffff07 05 01 ca", CUT, 8, ""),
    ("a tag of six bytes", NOTHING, "01 ffffffffff", LONG, 1, ""),
    ("no size", NOTHING, "01 05", CUT, 2, "_tags[0]"),
    ("a size of six bytes", NOTHING, "01 05 ffffffffff", LONG, 2, "_tags[0]"),
    ("one byte short", NOTHING, "01 05 02 ca", SIZE, 2, "_tags[0]"),
    ("one byte short, the second", NOTHING, "02 05 01 ca 06 02 ca", SIZE, 5, "_tags[1]"),
    ("a size of 2^31-1", NOTHING, "01 05 ffffffff07 ca", SIZE, 2, "_tags[0]"),
    ("a size of 2^31", NOTHING, "01 05 8080808008 ca", SIZE, 2, "_tags[0]"),
    ("a size of 2^32-1", NOTHING, "01 05 ffffffff0f ca", SIZE, 2, "_tags[0]"),
    ("a known field without its size", TWO, "01 00", CUT, 2, "A"),
    ("a known field without its bytes", TWO, "01 00 01", CUT, 3, "A"),
    ("a null string", TWO, "01 01 01 00", NULL, 3, "B"),
    ("null bytes", BYTES, "01 00 01 00", NULL, 3, "Some"),
    ("a null array", ARRAY, "01 00 01 00", NULL, 3, "Some"),
    ("in an element", LISTED, "02 05 01 05 02 ca", SIZE, 4, "Some[0]._tags[0]"),
]
LEFT_OPEN: list[tuple[str, MessageSchema, str, str, int, str, dict[str, Any]]] = [
    ("known tags in another order", TWO, "02 01 02 0261 00 01 05", "tag.order-on-read", 5, "", {"A": 5, "B": "a"}),
    ("a known tag twice", TWO, "02 00 01 05 00 01 06", "tag.duplicate", 4, "", {"A": 6, "B": ""}),
    (
        "unknown tags in another order",
        NOTHING,
        "02 06 01 ca 05 01 fe",
        "tag.order-on-read",
        4,
        "",
        {"_tags": [(6, b"\xca"), (5, b"\xfe")]},
    ),
    (
        "an unknown tag twice",
        NOTHING,
        "02 05 01 ca 05 01 fe",
        "tag.duplicate",
        4,
        "",
        {"_tags": [(5, b"\xca"), (5, b"\xfe")]},
    ),
    (
        "a known tag after an unknown one",
        TWO,
        "02 05 01 ca 00 01 07",
        "tag.order-on-read",
        4,
        "",
        {"A": 7, "B": "", "_tags": [(5, b"\xca")]},
    ),
    ("a size that is too small", TWO, "01 01 01 03 6162", "tag.size-mismatch", 2, "B", {"A": 0, "B": "ab"}),
    ("a size that is too large", TWO, "01 01 7f 03 6162", "tag.size-mismatch", 2, "B", {"A": 0, "B": "ab"}),
    ("a size of zero", TWO, "01 00 00 05", "tag.size-mismatch", 2, "A", {"A": 5, "B": ""}),
    ("a negative size", TWO, "01 00 ffffffff0f 05", "tag.size-mismatch", 2, "A", {"A": 5, "B": ""}),
    ("a count of 2^31", TWO, "8080808008", "tag.count-negative", 0, "", {"A": 0, "B": ""}),
    ("a count of 2^32-1", NOTHING, "ffffffff0f", "tag.count-negative", 0, "", {}),
    (
        "a tag of 2^31-1",
        NOTHING,
        "01 ffffffff07 01 ca",
        "tag.beyond-31-bits",
        1,
        "_tags[0]",
        {"_tags": [(2147483647, b"\xca")]},
    ),
    (
        "a tag of 2^32-1",
        NOTHING,
        "01 ffffffff0f 01 ca",
        "tag.beyond-31-bits",
        1,
        "_tags[0]",
        {"_tags": [(4294967295, b"\xca")]},
    ),
    ("an overlong count", NOTHING, "8000", "varint.overlong", 0, "", {}),
    ("an overlong tag", NOTHING, "01 8500 01 ca", "varint.overlong", 1, "", {"_tags": [(5, b"\xca")]}),
    ("an overlong size", NOTHING, "01 05 8100 ca", "varint.overlong", 2, "_tags[0]", {"_tags": [(5, b"\xca")]}),
]
BAD_TAGS: list[tuple[str, MessageSchema, dict[str, Any], tuple[Refusal, str]]] = [
    ("descending", NOTHING, {"_tags": [(6, b""), (5, b"")]}, (Refusal.BAD_TAGS, "_tags[1]")),
    ("repeated", NOTHING, {"_tags": [(5, b""), (5, b"")]}, (Refusal.BAD_TAGS, "_tags[1]")),
    ("negative", NOTHING, {"_tags": [(-1, b"")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    ("2^31-1", NOTHING, {"_tags": [(2147483647, b"")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    ("2^32", NOTHING, {"_tags": [(4294967296, b"")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    ("thousands of digits", NOTHING, {"_tags": [(10**5000, b"")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    ("a known one", TWO, {"A": 0, "B": "", "_tags": [(1, b"")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    ("known in another version", MOVING, {"Some": 7, "_tags": [(0, b"\t")]}, (Refusal.BAD_TAGS, "_tags[0]")),
    (
        "in an element",
        LISTED,
        {"Some": [{"X": 1}, {"X": 2, "_tags": [(-1, b"")]}]},
        (Refusal.BAD_TAGS, "Some[1]._tags[0]"),
    ),
    ("in a legacy version", message("", flexible="none"), {"_tags": [(1000, b"\xca")]}, (Refusal.BAD_TAGS, "_tags")),
    ("no list", NOTHING, {"_tags": 5}, (Refusal.WRONG_TYPE, "_tags")),
    ("a dict", NOTHING, {"_tags": {5: b""}}, (Refusal.WRONG_TYPE, "_tags")),
    ("no pair", NOTHING, {"_tags": [5]}, (Refusal.WRONG_TYPE, "_tags[0]")),
    ("a triple", NOTHING, {"_tags": [(5, b"", b"")]}, (Refusal.WRONG_TYPE, "_tags[0]")),
    ("a null", NOTHING, {"_tags": [None]}, (Refusal.NULL_NOT_ALLOWED, "_tags[0]")),
    ("text", NOTHING, {"_tags": [(5, "ca")]}, (Refusal.WRONG_TYPE, "_tags[0]")),
    ("a bool as tag", NOTHING, {"_tags": [(True, b"")]}, (Refusal.WRONG_TYPE, "_tags[0]")),
]
AT_DEFAULT: list[tuple[str, MessageSchema, Any, Refusal]] = [
    ("false for zero", TWO, {"A": False, "B": ""}, Refusal.WRONG_TYPE),
    ("a float for zero", TWO, {"A": 0.0, "B": ""}, Refusal.WRONG_TYPE),
    ("null for zero", TWO, {"A": None, "B": ""}, Refusal.NULL_NOT_ALLOWED),
    ("no bytes for no text", TWO, {"A": 0, "B": b""}, Refusal.WRONG_TYPE),
    ("no bytes for no elements", ARRAY, {"Some": b""}, Refusal.WRONG_TYPE),
    ("no elements for no bytes", BYTES, {"Some": []}, Refusal.WRONG_TYPE),
    ("no text for no bytes", BYTES, {"Some": ""}, Refusal.WRONG_TYPE),
    ("a missing field", TWO, {"A": 0}, Refusal.MISSING_FIELD),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_impossible_section_is_refused(case: tuple[str, MessageSchema, str, tuple[str, Reason], int, str]) -> None:
    """No reader accepts these sections (rules 2.5.6, 2.5.7, 2.5.13 and 2.5.14)."""
    _, schema, wire, (rule, reason), offset, path = case
    assert malformed(schema, wire) == (rule, reason, offset, path)


@pytest.mark.parametrize("case", LEFT_OPEN, ids=lambda case: case[0])
def test_strict_reader_stops_where_the_protocol_leaves_it_open(
    case: tuple[str, MessageSchema, str, str, int, str, dict[str, Any]],
) -> None:
    """Each leniency has rule, offset and path, but no reason, as the bytes are not invalid."""
    _, schema, wire, rule, offset, path, _ = case
    assert malformed(schema, wire) == (rule, None, offset, path)


@pytest.mark.parametrize("case", LEFT_OPEN, ids=lambda case: case[0])
def test_lenient_reader_goes_on_as_apache_kafka_does(
    case: tuple[str, MessageSchema, str, str, int, str, dict[str, Any]],
) -> None:
    schema, wire, value = case[1], bytes.fromhex(case[2]), case[6]
    assert decode_leniently(schema, wire) == (value, len(wire))


def test_tag_of_another_version_is_unspecified_and_rejected() -> None:
    """Apache Kafka refuses a tag of other versions of the definition, but other readers need not (rule 2.5.5)."""
    assert malformed(MOVING, "00 01 00 01 09") == ("tag.not-in-this-version", None, 2, "")
    with pytest.raises(Malformed) as caught:
        decode_leniently(MOVING, bytes.fromhex("0001000109"))
    assert (caught.value.rule, caught.value.reason) == ("tag.not-in-this-version", None)


def test_replica_state_is_not_read_before_its_version() -> None:
    """The only released case is tag 1 in FetchRequest 12 to 14 (rule 2.5.5)."""
    schema = load_release(BASE).schema("FetchRequest", 12)
    fields = "00000000" * 3 + "7fffffff" + "00" + "00000000" + "ffffffff" + "01" + "01" + "01"
    assert malformed(schema, fields + "01 01 00") == ("tag.not-in-this-version", None, 29, "")


@pytest.mark.parametrize("case", BAD_TAGS, ids=lambda case: case[0])
def test_unknown_tags_unreadable_for_every_reader_are_refused(
    case: tuple[str, MessageSchema, dict[str, Any], tuple[Refusal, str]],
) -> None:
    """They ascend, are none of the definition's, are at most 2^31-2, and in flexible versions only (2.4, 1.2.10)."""
    _, schema, value, expected = case
    assert unencodable(schema, value) == expected


@pytest.mark.parametrize("case", AT_DEFAULT, ids=lambda case: case[0])
def test_tagged_field_is_checked_though_it_would_be_left_out(case: tuple[str, MessageSchema, Any, Refusal]) -> None:
    _, schema, value, reason = case
    assert unencodable(schema, value)[0] is reason
