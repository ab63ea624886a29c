from typing import Any

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import unencodable_variations, unspecified_variations
from reference import TAGS, MessageSchema, Reason, Result, Unencodable, decode, encode, judge, load_release, minimal
from reference.errors import Refusal
from reference.proposals.kip482_second_draft import TAG_HEADER, LengthAndTag

FIRST = load_release("kip-482-first-draft")
SECOND = load_release("kip-482-second-draft")
TRACE_1 = FIRST.schema("ClosedRangeData", 1)
TRACE_2 = SECOND.schema("ClosedRangeData", 1)
EVERYTHING_1 = FIRST.schema("EverythingData", 2)
EVERYTHING_2 = SECOND.schema("EverythingData", 2)
both = pytest.mark.parametrize("schema", [TRACE_1, TRACE_2], ids=["first-draft", "second-draft"])

NOTHING: dict[str, Any] = minimal(TRACE_1)
CAFE = b"\xca\xfe"


def hexed(schema: MessageSchema, **fields: Any) -> str:
    return encode(schema, {**minimal(schema), **fields}).hex()


def entry_1(tag: str, body: str) -> str:
    return f"{2 * (len(body) // 2):02x}{tag}{body}"


def test_unknown_fields_are_merged_by_tag_in_the_first_draft() -> None:
    """Tag 0 stands before the known tag 1, and 3 after it."""
    wire = hexed(TRACE_1, ForwardedBy="a", _tags=[(0, CAFE), (3, CAFE)])
    assert wire == f"{entry_1('0000', 'cafe')}{entry_1('0001', '000161')}{entry_1('0003', 'cafe')}00"


def test_unknown_fields_are_merged_by_tag_in_the_second_draft() -> None:
    """The headers are those of (2, 0), (2, 1) and (2, 3)."""
    assert hexed(TRACE_2, ForwardedBy="a", _tags=[(0, CAFE), (3, CAFE)]) == "0304cafe0602610ecafe"


@both
def test_unknown_fields_are_kept(schema: MessageSchema) -> None:
    value = {**NOTHING, "ForwardedBy": "a", TAGS: [(0, CAFE), (5, b"\0"), (32_767, CAFE)]}
    wire = encode(schema, value)
    assert decode(schema, wire).value == value


@both
def test_field_with_its_default_is_not_written(schema: MessageSchema) -> None:
    assert encode(schema, NOTHING) == b"\0"


@pytest.mark.parametrize(
    ("schema", "wire"), [(TRACE_1, "040001ffff00"), (TRACE_2, "010300")], ids=["first-draft", "second-draft"]
)
def test_field_written_with_its_default_is_read(schema: MessageSchema, wire: str) -> None:
    """A null string is ffff of length 2 in the first draft, 00 of length 1 in the second."""
    verdict = judge(schema, bytes.fromhex(wire))
    assert (verdict.result, verdict.rules) == (Result.VALID, ("tag.explicit-default",))
    assert verdict.value == NOTHING
    assert verdict.canonical == b"\0"


def test_null_where_it_is_not_the_default_is_written() -> None:
    """Note is nullable and defaults to the empty text, so null is ffff of length 2, or 00 of length 1."""
    assert hexed(EVERYTHING_1, Note=None).startswith("040080ffff00")
    assert hexed(EVERYTHING_2, Note=None).startswith("01818002" + "00")


def test_length_counts_the_section_of_a_struct_and_its_marker() -> None:
    """Leader is marker, buffer, Id and Host, 8 bytes in the first draft, with one byte less for Host in the second."""
    leader = {"Rack": None, "Epoch": -1, "Id": 7, "Host": ""}
    assert hexed(EVERYTHING_1, Leader=leader).startswith("104000" + "01" + "00" + "00000007" + "0000" + "00")
    encoded = encode(EVERYTHING_2, {**minimal(EVERYTHING_2), "Leader": leader}).hex()
    assert encoded.startswith("01" + "95808080" + "20" + "01" + "00" + "00000007" + "01")


def test_marker_of_a_null_struct_is_one_byte_in_the_first_draft() -> None:
    """Null and present are ff and 01 as in a positional field, in the second draft 00 and 01 as in a tagged one."""
    present = {**minimal(EVERYTHING_1), "Leader": {"Rack": None, "Epoch": -1, "Id": 0, "Host": ""}}
    with_null = bytes.fromhex("024000ff00") + encode(EVERYTHING_1, minimal(EVERYTHING_1))[1:]
    assert decode(EVERYTHING_1, with_null).value == minimal(EVERYTHING_1)
    assert decode(EVERYTHING_1, encode(EVERYTHING_1, present)).value == present


def test_nested_struct_has_unknown_fields_of_its_own() -> None:
    for schema in (EVERYTHING_1, EVERYTHING_2):
        value = minimal(schema)
        backup = {**value["Controller"]["Backup"], TAGS: [(0, CAFE)]}
        value["Controller"] = {**value["Controller"], "Backup": backup}
        assert decode(schema, encode(schema, value)).value == value


REFUSED: list[tuple[str, MessageSchema, str, tuple[str, str, int]]] = [
    ("tags descend", TRACE_1, "040005cafe040003cafe00", ("order-on-read", "tag-order", 6)),
    ("tag twice", TRACE_1, "040005cafe040005cafe00", ("order-on-read", "tag-order", 6)),
    ("known tag twice", TRACE_1, "060001000161" * 2 + "00", ("order-on-read", "tag-order", 7)),
    ("known value too short", TRACE_1, "08000100016100", ("length-filled", "size-mismatch", 0)),
    ("known value too long", TRACE_1, "04000100016100", ("length-filled", "size-mismatch", 0)),
    ("negative length", TRACE_1, "010005cafe00", ("length-negative", "negative-length", 0)),
    ("lowest length", TRACE_1, "ffffffff0f0005cafe00", ("length-negative", "negative-length", 0)),
    ("length beyond the input", TRACE_1, "0a0005cafe00", ("length-within-input", "length-exceeds-input", 0)),
    ("highest length", TRACE_1, "feffffff0f0005cafe00", ("length-within-input", "length-exceeds-input", 0)),
    ("negative tag", TRACE_1, "048000cafe00", ("tag-negative", "tag-out-of-range", 1)),
    ("tags descend", TRACE_2, "0226cafe0ecafe", ("order-on-read", "tag-order", 4)),
    ("tag twice", TRACE_2, "0226cafe26cafe", ("order-on-read", "tag-order", 4)),
    ("known value too short", TRACE_2, "0107026100", ("length-filled", "size-mismatch", 1)),
    ("known value too long", TRACE_2, "01030261", ("length-filled", "size-mismatch", 1)),
    ("length beyond the input", TRACE_2, "0127cafe", ("length-within-input", "length-exceeds-input", 1)),
    ("length of 32 bits", TRACE_2, "01808080808080808040cafe", ("length-within-input", "length-exceeds-input", 1)),
    ("tag of 32 bits", TRACE_2, "0180808080808080808001", ("tag-within-31-bits", "tag-out-of-range", 1)),
    ("header of 65 bits", TRACE_2, "0180808080808080808002", ("header-within-64-bits", "varint-overflow", 1)),
]


@pytest.mark.parametrize(
    ("schema", "wire", "printed"),
    [row[1:] for row in REFUSED],
    ids=[f"{what} in {schema.dialect}" for what, schema, *_ in REFUSED],
)
def test_reader_refuses(schema: MessageSchema, wire: str, printed: tuple[str, str, int]) -> None:
    rule, reason, offset = printed
    verdict = judge(schema, bytes.fromhex(wire))
    assert verdict.result is Result.INVALID
    assert (verdict.rules, verdict.reason, verdict.offset) == ((f"{schema.dialect}.{rule}",), reason, offset)


@pytest.mark.parametrize(
    ("schema", "wire"),
    [
        (TRACE_1, "040005cafe"),
        (TRACE_1, "0400"),
        (TRACE_1, ""),
        (TRACE_2, "0226cafe"),
        (TRACE_2, "ffffffff0f"),
        (TRACE_2, "01ff"),
        (TRACE_2, ""),
    ],
    ids=str,
)
def test_end_of_input_in_a_section_is_a_truncation(schema: MessageSchema, wire: str) -> None:
    verdict = judge(schema, bytes.fromhex(wire))
    assert (verdict.result, verdict.rules) == (Result.INVALID, ("input.truncated",))
    assert verdict.offset == len(bytes.fromhex(wire))


@pytest.mark.parametrize(
    ("schema", "wire"),
    [(TRACE_1, "8000"), (TRACE_1, "84000005cafe00"), (TRACE_2, "8000"), (TRACE_2, "01a600cafe")],
    ids=str,
)
def test_overlong_varint_is_unspecified(schema: MessageSchema, wire: str) -> None:
    verdict = judge(schema, bytes.fromhex(wire))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("varint.overlong",))


def test_header_of_eleven_bytes_is_refused() -> None:
    verdict = judge(TRACE_2, bytes.fromhex("01" + "80" * 10 + "00"))
    assert (verdict.result, verdict.rules, verdict.offset) == (Result.INVALID, ("varint.too-long",), 1)


def test_header_of_ten_bytes_is_read_if_it_has_64_bits() -> None:
    verdict = judge(TRACE_2, bytes.fromhex("01" + "a6" + "80" * 8 + "00" + "cafe"))
    assert verdict.rules == ("varint.overlong",)
    assert verdict.value == {**NOTHING, TAGS: [(5, CAFE)]}


@both
@pytest.mark.parametrize(
    "tags",
    [[(5, CAFE), (3, CAFE)], [(5, CAFE), (5, CAFE)], [(1, CAFE)], [(-1, CAFE)]],
    ids=["descending", "repeated", "known", "negative"],
)
def test_writer_refuses_unknown_tags(schema: MessageSchema, tags: list[tuple[int, bytes]]) -> None:
    with pytest.raises(Unencodable) as caught:
        encode(schema, {**NOTHING, TAGS: tags})
    assert caught.value.reason is Refusal.BAD_TAGS


@pytest.mark.parametrize(
    ("schema", "highest"), [(TRACE_1, 32_767), (TRACE_2, 2**31 - 1)], ids=["first-draft", "second-draft"]
)
def test_writer_goes_up_to_the_highest_tag(schema: MessageSchema, highest: int) -> None:
    value = {**NOTHING, TAGS: [(highest, CAFE)]}
    assert decode(schema, encode(schema, value)).value == value
    with pytest.raises(Unencodable):
        encode(schema, {**NOTHING, TAGS: [(highest + 1, CAFE)]})


def test_first_draft_cannot_write_an_unknown_field_of_no_bytes() -> None:
    with pytest.raises(Unencodable) as caught:
        encode(TRACE_1, {**NOTHING, TAGS: [(5, b"")]})
    assert caught.value.reason is Refusal.BAD_TAGS
    assert encode(TRACE_2, {**NOTHING, TAGS: [(5, b"")]}).hex() == "0122"


@both
def test_version_without_sections_has_no_unknown_fields(schema: MessageSchema) -> None:
    """Version 3 is after the end of the range."""
    later = load_release(schema.dialect).schema("ClosedRangeData", 3)
    assert encode(later, {}) == b""
    with pytest.raises(Unencodable):
        encode(later, {TAGS: [(5, CAFE)]})


def test_tag_of_another_version_is_unknown() -> None:
    """Names has the tag 258 in versions 2 and 3 only, so the tag is unknown in 4."""
    schema = SECOND.schema("EverythingData", 4)
    value = {**minimal(schema), TAGS: [(258, b"\x01")]}
    assert decode(schema, encode(schema, value)).value == value


@both
def test_verdict_has_no_reaction_of_apache_kafka(schema: MessageSchema) -> None:
    assert judge(schema, b"\0").apache_kafka is None
    assert judge(schema, b"").apache_kafka is None


LONG = "a" * 32_768
LONG_WIRE = bytes.fromhex("01") + TAG_HEADER.write(LengthAndTag(32_771, 1)) + b"\x81\x80\x02" + LONG.encode()
LONG_RULE = "kip-482-second-draft.long-string"


def test_compact_string_beyond_an_int16_is_left_open() -> None:
    verdict = judge(TRACE_2, LONG_WIRE)
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, (LONG_RULE,))
    assert verdict.value == {**NOTHING, "ForwardedBy": LONG}


def test_compact_string_beyond_an_int16_is_not_written_by_the_reference() -> None:
    """Its rule leaves such strings open."""
    with pytest.raises(Unencodable) as caught:
        encode(TRACE_2, {**NOTHING, "ForwardedBy": LONG})
    assert (caught.value.rule, catalogue()[LONG_RULE].level) == (LONG_RULE, "unspecified")


def test_compact_string_beyond_the_input_is_invalid() -> None:
    verdict = judge(TRACE_2, b"\x01" + TAG_HEADER.write(LengthAndTag(4, 1)) + b"\x81\x80\x02a")
    assert (verdict.result, verdict.reason) == (Result.INVALID, Reason.LENGTH_EXCEEDS_INPUT)


@pytest.mark.parametrize("schema", [TRACE_1, SECOND.schema("EverythingData", 1)], ids=str)
def test_legacy_string_keeps_its_limit(schema: MessageSchema) -> None:
    rules = {rule for rule, _ in unencodable_variations(schema)}
    assert "string.too-long" in rules
    assert LONG_RULE not in {rule for rule, _ in unspecified_variations(schema)}


def test_suite_tries_long_strings_without_a_verdict_on_them() -> None:
    """They are in the profile of a writer and among hostile bytes, and never among cases with a required refusal."""
    assert LONG_RULE in {rule for rule, _ in unspecified_variations(TRACE_2)}
    long = [case.wire for case in hostile_cases(EVERYTHING_2) if LONG.encode() in case.wire]
    assert {judge(EVERYTHING_2, wire).rules for wire in long} == {(LONG_RULE,)}
    must = {rule for rule, _ in unencodable_variations(TRACE_2)} | {case.rule for case in invalid_bytes(TRACE_2)}
    assert "string.too-long" not in must
