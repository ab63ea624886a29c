from typing import Any

import pytest

from reference import decode, encode, load_release
from reference.definitions.parse import parse_definition
from reference.proposals.kip482_second_draft import TAG_HEADER, LengthAndTag, deinterleave, interleave
from reference.resolution import resolve
from reference.wire.varints import UNSIGNED_VARINT

FIRST = load_release("kip-482-first-draft").schema("FooResponse", 9)
SECOND = load_release("kip-482-second-draft").schema("FooResponse", 9)
ABSENT = "hello world"


def value(agent: str | None, *foos: tuple[str, int]) -> dict[str, Any]:
    return {"UserAgent": agent, "Foos": [{"Bar": bar, "Baz": baz} for bar, baz in foos]}


def spaced(text: str) -> bytes:
    return bytes.fromhex(text)


SET = value("ab", ("hi", 5), (ABSENT, -1))
EXAMPLES = {
    "first-draft-of-25-bytes": (FIRST, SET, "08 0001 0002 6162 00 00000002 08 0001 0002 6869 00 0005 00 ffff"),
    "first-draft-of-11-bytes": (FIRST, value(None, (ABSENT, 5), (ABSENT, -1)), "00 00000002 00 0005 00 ffff"),
    "second-draft-of-18-bytes": (SECOND, SET, "01 8d01 03 6162 03 01 8d01 03 6869 0005 00 ffff"),
    "second-draft-of-7-bytes": (SECOND, value("", (ABSENT, 5), (ABSENT, -1)), "00 03 00 0005 00 ffff"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example_is_written_byte_for_byte(name: str) -> None:
    """Section 14 derives it from the layouts."""
    schema, example, wire = EXAMPLES[name]
    assert encode(schema, example) == spaced(wire)


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example_is_read_back(name: str) -> None:
    schema, example, wire = EXAMPLES[name]
    read = decode(schema, spaced(wire))
    assert (read.value, read.consumed) == (example, len(spaced(wire)))


def test_released_protocol_writes_the_same_value_in_18_bytes() -> None:
    """Both optional fields have the tag 0, and the sections stand at the end."""
    text = """{ "type": "data", "name": "Foo", "validVersions": "9", "flexibleVersions": "9+", "fields": [
        { "name": "UserAgent", "type": "string", "versions": "9+", "taggedVersions": "9+", "tag": 0 },
        { "name": "Foos", "type": "[]Foo", "versions": "0+", "fields": [
            { "name": "Bar", "type": "string", "versions": "9+", "taggedVersions": "9+", "tag": 0,
              "default": "hello world" },
            { "name": "Baz", "type": "int16", "versions": "0+" }]}]}"""
    wire = encode(resolve(parse_definition(text, "Foo.json"), 9), SET)
    assert wire == spaced("03 0005 01 00 03 03 6869 ffff 00 01 00 03 03 6162")


@pytest.mark.parametrize("schema", [FIRST, SECOND], ids=["first-draft", "second-draft"])
def test_version_outside_the_range_has_no_section(schema: Any) -> None:
    """Version 8 of the same definition is a count, and Baz of each element."""
    older = load_release(schema.dialect).schema("FooResponse", 8)
    assert encode(older, {"Foos": [{"Baz": 5}, {"Baz": -1}]}) == spaced("00000002 0005 ffff")


HEADERS = {
    (1, 0): "01",
    (0, 1): "02",
    (1, 1): "03",
    (4, 5): "32",
    (3, 10): "8d01",
    (127, 0): "d52a",
    (0, 127): "aa55",
    (9999, 5): "f780d420",
    (2**31 - 1, 2**31 - 1): "ffffffffffffffff3f",
}


@pytest.mark.parametrize(("pair", "wire"), HEADERS.items(), ids=str)
def test_header_is_written_as_in_the_worked_example(pair: tuple[int, int], wire: str) -> None:
    assert TAG_HEADER.write(LengthAndTag(*pair)).hex() == wire


@pytest.mark.parametrize(("pair", "wire"), HEADERS.items(), ids=str)
def test_header_is_read_as_in_the_worked_example(pair: tuple[int, int], wire: str) -> None:
    assert TAG_HEADER.parse(bytes.fromhex(wire)) == pair


def test_length_4_and_tag_5_are_interleaved_as_in_the_document() -> None:
    """100 and 101 give 110010."""
    assert interleave(0b100, 0b101) == 0b110010
    assert deinterleave(0b110010) == (0b100, 0b101)


def test_one_byte_holds_lengths_to_15_with_tags_to_7() -> None:
    assert len(TAG_HEADER.write(LengthAndTag(15, 7))) == 1
    assert len(TAG_HEADER.write(LengthAndTag(16, 7))) == 2
    assert len(TAG_HEADER.write(LengthAndTag(15, 8))) == 2


def test_unsigned_varint_of_300_is_ac02() -> None:
    assert UNSIGNED_VARINT.write(300) == b"\xac\x02"
    assert UNSIGNED_VARINT.parse(b"\xac\x02") == 300
