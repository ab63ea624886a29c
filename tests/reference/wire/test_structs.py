from typing import Any

import pytest

from reference import MessageSchema, Reason, Refusal, decode_leniently, default
from tests.reference.inline import malformed, message, one_field, unencodable, value_of, wire_of

X = '"fields": [{ "name": "X", "type": "int8", "versions": "0+" }]'
NULLABLE_X = f'"type": "Inner", "versions": "0+", "nullableVersions": "0+", {X}'
TAGGED_X = f'{NULLABLE_X}, "tag": 0, "taggedVersions": "0+"'

PLAIN = one_field(f'"type": "Inner", "versions": "0+", {X}')
LEGACY_PLAIN = one_field(f'"type": "Inner", "versions": "0+", {X}', flexible="none")
NULLABLE = one_field(NULLABLE_X)
LEGACY_NULLABLE = one_field(NULLABLE_X, flexible="none")
TAGGED = one_field(TAGGED_X)
TAGGED_NULL = one_field(f'{TAGGED_X}, "default": "null"')
IN_ORDER = message(
    '{ "name": "B", "type": "int8", "versions": "0+" }, { "name": "A", "type": "int16", "versions": "0+" },'
    '{ "name": "Z", "type": "bool", "versions": "0+" }',
    flexible="none",
)
NO_FIELDS = message("")
LEGACY_NO_FIELDS = message("", flexible="none")

WORKED: list[tuple[str, MessageSchema, dict[str, Any], str]] = [
    ("fields in the order of the definition", IN_ORDER, {"B": 1, "A": 2, "Z": True}, "01 0002 01"),
    ("no fields", NO_FIELDS, {}, "00"),
    ("legacy, no fields", LEGACY_NO_FIELDS, {}, ""),
    ("plain, with its own tag section", PLAIN, {"Some": {"X": 5}}, "05 00 00"),
    ("legacy plain, without anything around it", LEGACY_PLAIN, {"Some": {"X": 5}}, "05"),
    ("nullable, null", NULLABLE, {"Some": None}, "ff 00"),
    ("nullable, present", NULLABLE, {"Some": {"X": 5}}, "01 05 00 00"),
    ("legacy nullable, null", LEGACY_NULLABLE, {"Some": None}, "ff"),
    ("legacy nullable, present", LEGACY_NULLABLE, {"Some": {"X": 5}}, "01 05"),
    ("tagged, null though not by default", TAGGED, {"Some": None}, "01 00 01 00"),
    ("tagged, present", TAGGED, {"Some": {"X": 5}}, "01 00 03 01 05 00"),
    ("tagged, at its default", TAGGED, {"Some": {"X": 0}}, "00"),
    ("tagged, null by default", TAGGED_NULL, {"Some": None}, "00"),
    ("tagged, all zero where the default is null", TAGGED_NULL, {"Some": {"X": 0}}, "01 00 03 01 00 00"),
]

NOT_LATER = """{ "name": "Always", "type": "int8", "versions": "0+" },
    { "name": "Later", "type": "Inner", "versions": "0+", "nullableVersions": "1+",
      "fields": [{ "name": "X", "type": "int8", "versions": "0+" }] }"""

REFUSED: list[tuple[str, MessageSchema, str, tuple[str, Reason], int, str]] = [
    ("nothing for a field", IN_ORDER, "01", ("input.truncated", Reason.TRUNCATED), 1, "A"),
    ("no marker", LEGACY_NULLABLE, "", ("input.truncated", Reason.TRUNCATED), 0, "Some"),
    ("nothing after the marker", LEGACY_NULLABLE, "01", ("input.truncated", Reason.TRUNCATED), 1, "Some.X"),
    ("no tag section of its own", NULLABLE, "01 05", ("input.truncated", Reason.TRUNCATED), 2, "Some"),
    ("no tag section of the message", NULLABLE, "ff", ("input.truncated", Reason.TRUNCATED), 1, ""),
    ("no tagged marker", TAGGED, "01 00 00", ("input.truncated", Reason.TRUNCATED), 3, "Some"),
    (
        "a tagged marker of six bytes",
        TAGGED,
        "01 00 06 808080808000",
        ("varint.too-long", Reason.VARINT_OVERFLOW),
        3,
        "Some",
    ),
]
MARKERS: list[tuple[str, str, Any]] = [
    ("00", "05", {"X": 5}),
    ("02", "05", {"X": 5}),
    ("7f", "05", {"X": 5}),
    ("80", "", None),
    ("fe", "", None),
]
TAGGED_MARKERS: list[tuple[str, str, Any, str]] = [
    ("01 00 03 02 0500", "struct.other-marker", {"X": 5}, "two"),
    ("01 00 03 7f 0500", "struct.other-marker", {"X": 5}, "127"),
    ("01 00 05 8080808008", "struct.other-marker", None, "2^31"),
    ("01 00 05 ffffffff0f", "struct.other-marker", None, "minus one"),
    ("01 00 02 8000", "varint.overlong", None, "overlong null"),
    ("01 00 04 8100 0500", "varint.overlong", {"X": 5}, "overlong present"),
]
UNWRITABLE: list[tuple[str, MessageSchema, Any, tuple[Refusal, str]]] = [
    ("null for the message", IN_ORDER, None, (Refusal.NULL_NOT_ALLOWED, "")),
    ("a list for the message", IN_ORDER, [1, 2], (Refusal.WRONG_TYPE, "")),
    ("a field is missing", IN_ORDER, {"B": 1, "A": 2}, (Refusal.MISSING_FIELD, "Z")),
    ("a field is unknown", IN_ORDER, {"B": 1, "A": 2, "Z": True, "Y": 1}, (Refusal.UNKNOWN_FIELD, "Y")),
    ("a name in other letters", IN_ORDER, {"b": 1, "A": 2, "Z": True}, (Refusal.MISSING_FIELD, "B")),
    ("a key that is no name", IN_ORDER, {"B": 1, "A": 2, "Z": True, 1: 1}, (Refusal.UNKNOWN_FIELD, "[1]")),
    ("null for a struct", PLAIN, {"Some": None}, (Refusal.NULL_NOT_ALLOWED, "Some")),
    ("a number for a struct", PLAIN, {"Some": 5}, (Refusal.WRONG_TYPE, "Some")),
    ("a number for a nullable struct", NULLABLE, {"Some": 5}, (Refusal.WRONG_TYPE, "Some")),
    ("a number for a tagged struct", TAGGED, {"Some": 5}, (Refusal.WRONG_TYPE, "Some")),
    ("a field of a struct is missing", NULLABLE, {"Some": {}}, (Refusal.MISSING_FIELD, "Some.X")),
    ("a field of a struct is unknown", PLAIN, {"Some": {"X": 1, "Y": 2}}, (Refusal.UNKNOWN_FIELD, "Some.Y")),
    ("a field of a struct is null", PLAIN, {"Some": {"X": None}}, (Refusal.NULL_NOT_ALLOWED, "Some.X")),
]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_struct_is_written_as_worked_out(case: tuple[str, MessageSchema, dict[str, Any], str]) -> None:
    """It has no prefix and no padding, and a marker only if it is nullable (rules 1.1.12, 1.1.20, 3.6 and 14.49)."""
    _, schema, value, wire = case
    assert wire_of(schema, value) == wire.replace(" ", "")


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_struct_is_read_as_worked_out(case: tuple[str, MessageSchema, dict[str, Any], str]) -> None:
    _, schema, value, wire = case
    assert value_of(schema, wire) == value


def test_struct_has_a_marker_only_in_the_versions_where_it_may_be_null() -> None:
    """The same struct without a marker in version 0, and with one in version 1 (rule 3.2)."""
    value = {"Always": 7, "Later": {"X": 5}}
    assert wire_of(message(NOT_LATER, version=0, flexible="none"), value) == "0705"
    assert wire_of(message(NOT_LATER, version=1, flexible="none"), value) == "070105"


def test_null_struct_is_refused_in_the_versions_where_it_may_not_be() -> None:
    """Nullability in another version does not help (rule 3.2)."""
    schema = message(NOT_LATER, version=0, flexible="none")
    assert unencodable(schema, {"Always": 7, "Later": None}) == (Refusal.NULL_NOT_ALLOWED, "Later")


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_impossible_struct_is_refused(case: tuple[str, MessageSchema, str, tuple[str, Reason], int, str]) -> None:
    _, schema, wire, (rule, reason), offset, path = case
    assert malformed(schema, wire) == (rule, reason, offset, path)


@pytest.mark.parametrize(("marker", "rest", "value"), MARKERS)
def test_other_marker_is_left_open(marker: str, rest: str, value: Any) -> None:
    """A strict reader accepts ff and 01 only, while Apache Kafka checks the sign (rule 3.3)."""
    assert malformed(LEGACY_NULLABLE, marker + rest) == ("struct.other-marker", None, 0, "Some")
    assert decode_leniently(LEGACY_NULLABLE, bytes.fromhex(marker + rest))[0] == {"Some": value}


@pytest.mark.parametrize(
    ("wire", "rule", "value"), [case[:3] for case in TAGGED_MARKERS], ids=[case[3] for case in TAGGED_MARKERS]
)
def test_other_tagged_marker_is_left_open(wire: str, rule: str, value: Any) -> None:
    """A strict reader accepts 00 and 01 only, while Apache Kafka takes all above zero as present (rule 2.5.12)."""
    assert malformed(TAGGED, wire) == (rule, None, 3, "Some")
    assert decode_leniently(TAGGED, bytes.fromhex(wire))[0] == {"Some": value}


@pytest.mark.parametrize("case", UNWRITABLE, ids=lambda case: case[0])
def test_value_of_another_form_than_the_struct_is_refused(
    case: tuple[str, MessageSchema, Any, tuple[Refusal, str]],
) -> None:
    _, schema, value, expected = case
    assert unencodable(schema, value) == expected


def test_default_of_a_struct_can_be_changed_in_place() -> None:
    """A change of a default after one reading does not affect the next (rule 1.3.20)."""
    schema = message(f'{{ "name": "OnlyHere", {TAGGED_X} }}')
    default(schema)["OnlyHere"]["X"] = 99
    value_of(schema, "00")["OnlyHere"]["X"] = 99
    assert value_of(schema, "00") == {"OnlyHere": {"X": 0}}
