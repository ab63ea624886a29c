from typing import Any

import pytest

from reference import MessageSchema, Reason, Refusal, decode_leniently
from tests.reference.inline import malformed, message, one_field, unencodable, value_of, wire_of

INT8S = one_field('"type": "[]int8", "versions": "0+"')
LEGACY_INT32S = one_field('"type": "[]int32", "versions": "0+"', flexible="none")
INT32S = one_field('"type": "[]int32", "versions": "0+"')
NULLABLE = one_field('"type": "[]int8", "versions": "0+", "nullableVersions": "0+"')
LEGACY_NULLABLE = one_field('"type": "[]int8", "versions": "0+", "nullableVersions": "0+"', flexible="none")
STRINGS = one_field('"type": "[]string", "versions": "0+"')
LEGACY_STRINGS = one_field('"type": "[]string", "versions": "0+"', flexible="none")
STRUCTS = one_field(
    '"type": "[]Pair", "versions": "0+", "fields": ['
    '{ "name": "A", "type": "int8", "versions": "0+" }, { "name": "B", "type": "string", "versions": "0+" }]'
)
EMPTY_STRUCTS = one_field(
    '"type": "[]Gone", "versions": "0+", "fields": [{ "name": "A", "type": "int8", "versions": "1+" }]', flexible="none"
)
KEYED = one_field(
    '"type": "[]Entry", "versions": "0+", "fields": ['
    '{ "name": "Key", "type": "int8", "versions": "0+", "mapKey": true },'
    '{ "name": "Is", "type": "bool", "versions": "0+" }]'
)
NESTED = message(
    """{ "name": "Topics", "type": "[]Topic", "versions": "0+", "fields": [
           { "name": "Name", "type": "string", "versions": "0+" },
           { "name": "Partitions", "type": "[]Partition", "versions": "0+", "fields": [
               { "name": "PartitionIndex", "type": "int32", "versions": "0+" }]}]}""",
    flexible="none",
)
NESTED_WIRE = "00000002 000161 00000001 00000007 000162 00000002 00000008 00000009"
NESTED_TOPICS = [
    {"Name": "a", "Partitions": [{"PartitionIndex": 7}]},
    {"Name": "b", "Partitions": [{"PartitionIndex": 8}, {"PartitionIndex": 9}]},
]

WORKED: list[tuple[str, MessageSchema, Any, str]] = [
    ("empty", INT8S, [], "01 00"),
    ("two int8", INT8S, [1, -2], "03 01fe 00"),
    ("legacy, empty", LEGACY_INT32S, [], "00000000"),
    ("legacy, two int32", LEGACY_INT32S, [1, -2], "00000002 00000001 fffffffe"),
    ("compact, two int32", INT32S, [1, 2], "03 00000001 00000002 00"),
    ("nullable, null", NULLABLE, None, "00 00"),
    ("nullable, empty", NULLABLE, [], "01 00"),
    ("legacy nullable, null", LEGACY_NULLABLE, None, "ffffffff"),
    ("legacy nullable, empty", LEGACY_NULLABLE, [], "00000000"),
    ("strings", STRINGS, ["ab", ""], "03 036162 01 00"),
    ("legacy strings", LEGACY_STRINGS, ["ab", ""], "00000002 00026162 0000"),
    ("structs, each with its tag section", STRUCTS, [{"A": 1, "B": "x"}, {"A": 2, "B": ""}], "03 01027800 020100 00"),
    ("structs without any bytes", EMPTY_STRUCTS, [], "00000000"),
    ("equal keys, in their order", KEYED, [{"Key": 5, "Is": True}, {"Key": 5, "Is": False}], "03 050100 050000 00"),
]
TYPES: list[tuple[str, list[Any], str]] = [
    ("bool", [True, False], "0100"),
    ("int16", [1, -1], "0001 ffff"),
    ("int64", [1], "0000000000000001"),
    ("uint16", [65535], "ffff"),
    ("uint32", [4294967295], "ffffffff"),
    ("float64", [1.5], "3ff8000000000000"),
]
COUNTS: list[tuple[int, str]] = [(126, "7f"), (127, "8001"), (128, "8101"), (16382, "ff7f"), (16383, "808001")]

BEYOND = ("count.within-input", Reason.LENGTH_EXCEEDS_INPUT)
CUT = ("input.truncated", Reason.TRUNCATED)
REFUSED: list[tuple[str, MessageSchema, str, tuple[str, Reason], int, str]] = [
    ("no count", INT8S, "", CUT, 0, "Some"),
    ("half a count", LEGACY_INT32S, "0000", CUT, 2, "Some"),
    ("more elements than bytes", LEGACY_INT32S, "00000005 00000001", BEYOND, 0, "Some"),
    ("as many elements as bytes, of four bytes", LEGACY_INT32S, "00000004 00000001", CUT, 8, "Some[1]"),
    ("compact, more elements than bytes", INT32S, "06 00000001", BEYOND, 0, "Some"),
    ("compact, 2^31-1", NULLABLE, "8080808008", BEYOND, 0, "Some"),
    ("null", INT8S, "00", ("null.not-allowed", Reason.NULL_NOT_ALLOWED), 0, "Some"),
    ("legacy null", LEGACY_INT32S, "ffffffff", ("null.not-allowed", Reason.NULL_NOT_ALLOWED), 0, "Some"),
    ("null element", STRINGS, "03 01 00 00", ("null.not-allowed", Reason.NULL_NOT_ALLOWED), 2, "Some[1]"),
    (
        "legacy null element",
        LEGACY_STRINGS,
        "00000001 ffff",
        ("null.not-allowed", Reason.NULL_NOT_ALLOWED),
        4,
        "Some[0]",
    ),
    ("nested, cut off", NESTED, NESTED_WIRE[:-2], CUT, 29, "Topics[1].Partitions[1].PartitionIndex"),
]
UNWRITABLE: list[tuple[str, MessageSchema, Any, tuple[Refusal, str]]] = [
    ("null", INT8S, None, (Refusal.NULL_NOT_ALLOWED, "Some")),
    ("a tuple", INT8S, (1, 2), (Refusal.WRONG_TYPE, "Some")),
    ("bytes", INT8S, b"\1", (Refusal.WRONG_TYPE, "Some")),
    ("text", STRINGS, "ab", (Refusal.WRONG_TYPE, "Some")),
    ("a dict", STRUCTS, {"A": 1, "B": ""}, (Refusal.WRONG_TYPE, "Some")),
    ("a null element", STRINGS, ["a", None], (Refusal.NULL_NOT_ALLOWED, "Some[1]")),
    ("a null element of a nullable array", NULLABLE, [None], (Refusal.NULL_NOT_ALLOWED, "Some[0]")),
    ("a null struct", STRUCTS, [None], (Refusal.NULL_NOT_ALLOWED, "Some[0]")),
    ("a large element", INT8S, [0, 0, 128], (Refusal.OUT_OF_RANGE, "Some[2]")),
    ("a long element", STRINGS, ["a" * 32768], (Refusal.STRING_TOO_LONG, "Some[0]")),
    ("a struct without a field", STRUCTS, [{"A": 1, "B": ""}, {"A": 1}], (Refusal.MISSING_FIELD, "Some[1].B")),
    ("a list of lists", INT8S, [[1]], (Refusal.WRONG_TYPE, "Some[0]")),
]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_array_is_written_as_worked_out(case: tuple[str, MessageSchema, Any, str]) -> None:
    """A count of elements, then the elements (rules 1.1.11, 1.1.14 and 1.1.17)."""
    _, schema, value, wire = case
    assert wire_of(schema, {"Some": value}) == wire.replace(" ", "")


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_array_is_read_as_worked_out(case: tuple[str, MessageSchema, Any, str]) -> None:
    """Every element comes back in its place, empty is not null, and equal keys are kept (rule 1.3.18)."""
    _, schema, value, wire = case
    assert value_of(schema, wire) == {"Some": value}


@pytest.mark.parametrize("case", TYPES, ids=lambda case: case[0])
def test_array_of_any_number_holds_it_bare(case: tuple[str, list[Any], str]) -> None:
    type_name, value, elements = case
    schema = one_field(f'"type": "[]{type_name}", "versions": "0+"', flexible="none")
    wire = f"{len(value):08x}{elements.replace(' ', '')}"
    assert wire_of(schema, {"Some": value}) == wire
    assert value_of(schema, wire) == {"Some": value}


@pytest.mark.parametrize(("count", "prefix"), COUNTS)
def test_compact_count_grows_by_a_byte_where_it_must(count: int, prefix: str) -> None:
    wire = prefix + "05" * count + "00"
    assert wire_of(INT8S, {"Some": [5] * count}) == wire
    assert value_of(INT8S, wire) == {"Some": [5] * count}


def test_arrays_nest() -> None:
    assert wire_of(NESTED, {"Topics": NESTED_TOPICS}) == NESTED_WIRE.replace(" ", "")
    assert value_of(NESTED, NESTED_WIRE) == {"Topics": NESTED_TOPICS}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_impossible_array_is_refused(case: tuple[str, MessageSchema, str, tuple[str, Reason], int, str]) -> None:
    """A count is compared with the remaining bytes, for elements of any size."""
    _, schema, wire, (rule, reason), offset, path = case
    assert malformed(schema, wire) == (rule, reason, offset, path)


@pytest.mark.parametrize("wire", ["00000001", "7fffffff", "00000003 0000"])
def test_count_of_elements_without_bytes_is_left_open(wire: str) -> None:
    """Elements of no bytes fit anywhere, and yet Apache Kafka refuses their count (rule 1.3.19)."""
    assert malformed(EMPTY_STRUCTS, wire) == ("count.empty-elements", None, 0, "Some")


def test_elements_without_bytes_are_read_where_bytes_happen_to_follow() -> None:
    """Apache Kafka compares the count with bytes not taken by the elements (rule 1.3.19)."""
    value, consumed = decode_leniently(EMPTY_STRUCTS, bytes.fromhex("00000002 0000"))
    assert (value, consumed) == ({"Some": [{}, {}]}, 4)


@pytest.mark.parametrize(
    ("schema", "wire"),
    [(LEGACY_NULLABLE, "fffffffe"), (LEGACY_NULLABLE, "80000000"), (NULLABLE, "8180808008 00")],
    ids=["minus two", "most negative", "compact"],
)
def test_other_negative_count_is_null_to_a_lenient_reader_alone(schema: MessageSchema, wire: str) -> None:
    """Apache Kafka takes any negative count for null, in a nullable field (rule 1.3.6)."""
    assert malformed(schema, wire) == ("null.other-negative", None, 0, "Some")
    assert decode_leniently(schema, bytes.fromhex(wire))[0] == {"Some": None}


@pytest.mark.parametrize("case", UNWRITABLE, ids=lambda case: case[0])
def test_value_of_another_form_than_the_array_is_refused(
    case: tuple[str, MessageSchema, Any, tuple[Refusal, str]],
) -> None:
    _, schema, value, expected = case
    assert unencodable(schema, {"Some": value}) == expected
