from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from conformance.definitions.catalogue import ENCODE, catalogue
from conformance.generate.record_building import (
    SMALLEST,
    batch,
    changed,
    holding,
    message,
    record,
    records_of,
    sealed,
    wire,
    wrapper,
)
from conformance.targets import records_difference, shown
from conformance.targets.listed import MisreadValue, blame_records_bytes, blame_records_value, miswritten_records
from conformance.targets.record_claims import EVERY_RECORD, RecordsClaims
from conformance.targets.records.streams import stream_forms
from reference import Result, judge_records
from reference.records.checksums import crc32c
from reference.records.compression import CODECS
from tests.mutants.records import MUTANTS, RecordsMutant

HEADERS = [("a", b"1"), ("b", None), ("a", b"2")]
Value = dict[str, Any]


def rule_of_value(batch_value: Value, change: dict[str, Any], claims: RecordsClaims = EVERY_RECORD) -> str:
    """Return the rule blamed for a reader's changes to the first record, or else to the batch or message."""
    content: Value = {"batches": [batch_value], "partial": b""}
    actual = deepcopy(content)
    first = actual["batches"][0]
    place = first.get("records", first.get("messages", [first]))[0]
    for name, item in change.items():
        (place if name in place else first)[name] = item
    expected, read = (shown(claims, value) for value in (content, actual))
    found = records_difference(expected, read)
    assert found is not None
    return blame_records_value(MisreadValue(expected, read, found, content)).rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"key": None}, "record.layout"),
        ({"value": b""}, "record.null"),
        ({"timestampDelta": 1}, "record.timestamp-delta"),
        ({"offsetDelta": 1}, "record.offset-delta"),
        ({"timestampDelta": 2, "offsetDelta": 5}, "record.layout"),
        ({"attributes": 1}, "record.attributes-unused"),
        ({"headers": HEADERS[:1]}, "record.layout"),
        ({"headers": HEADERS[1:]}, "header.repeated"),
        ({"headers": [HEADERS[0], HEADERS[2]]}, "header.value-null"),
        ({"headers": [HEADERS[0], ("b", b""), HEADERS[2]]}, "header.value-null"),
        ({"headers": HEADERS[::-1]}, "header.order"),
        ({"headers": [*HEADERS, ("c", b"")]}, "record.layout"),
        ({"headers": 3}, "record.layout"),
        ({"headers": [1, 2, 3]}, "record.layout"),
        ({"baseOffset": 1}, "batch.header-layout"),
        ({"partitionLeaderEpoch": 1}, "batch.crc-scope"),
        ({"maxTimestamp": 1}, "batch.max-timestamp"),
        ({"producerId": 1}, "batch.producer"),
        ({"producerEpoch": 7, "baseSequence": 3}, "batch.producer"),
        ({"baseTimestamp": 9, "baseOffset": 8}, "batch.header-layout"),
        ({"transactional": True}, "batch.attributes"),
        ({"records": []}, "record.layout"),
    ],
)
def test_misread_batch_is_blamed_on_the_difference(change: dict[str, Any], rule: str) -> None:
    fields = {"producerEpoch": 3, "baseSequence": 7, "baseOffset": 9, "baseTimestamp": 8, "lastOffsetDelta": 9}
    held = record(2, timestampDelta=5, key=b"k", headers=HEADERS)
    assert rule_of_value(batch(held, **fields), change) == rule


@pytest.mark.parametrize(
    ("headers", "read", "rule"),
    [
        ([("", None), ("", None)], [("", None)], "header.repeated"),
        ([("", b"1"), ("", b"1")], [("", b"1")], "header.repeated"),
        ([("a", None), ("a", b"1")], [("a", b"1")], "header.repeated"),
        ([("a", None), ("a", None)], [], "header.value-null"),
        ([("a", None), ("b", b"1")], [("b", b"1")], "header.value-null"),
        ([("a", b"1"), ("b", b"1")], [("b", b"1")], "record.layout"),
    ],
)
def test_lost_header_is_blamed_by_the_remaining_headers(headers: list[Any], read: list[Any], rule: str) -> None:
    """A map keeps one header of a key, while a reader without nulls loses every null."""
    assert rule_of_value(batch(record(headers=headers)), {"headers": read}) == rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"key": b""}, "message.layout"),
        ({"timestamp": 1}, "message.layout"),
        ({"offset": 1}, "message.layout"),
    ],
)
def test_a_misread_message_is_blamed_on_its_layout(change: dict[str, Any], rule: str) -> None:
    assert rule_of_value(message(), change) == rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"timestamp": 1}, "message.timestamps"),
        ({"timestampType": "log-append"}, "message.timestamps"),
        ({"offset": 1}, "message.offsets"),
        ({"messages": []}, "message.wrapper"),
        ({"key": b""}, "message.layout"),
    ],
)
def test_misread_message_in_a_wrapper_is_blamed_on_the_claim_of_the_wrapper(change: dict[str, Any], rule: str) -> None:
    assert rule_of_value(wrapper(message()), change) == rule


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "record.timestamp-delta"),
        ({"deleteHorizon": True}, "batch.delete-horizon"),
        ({"timestampType": "log-append"}, "batch.log-append-time"),
    ],
)
def test_wrong_sum_of_a_timestamp_is_blamed_on_the_fields_of_the_batch(fields: Value, rule: str) -> None:
    change = {"maxTimestamp": 1, "baseTimestamp": 2}
    assert rule_of_value(batch(**fields), change, RecordsClaims(batches="flattened")) == rule


def rule_of_bytes(actual: bytes, *batches: Value) -> str:
    content: Value = {"batches": list(batches or [batch()]), "partial": b""}
    return blame_records_bytes(content, wire(*content["batches"]), actual, "").rule


def with_crc(start: int) -> bytes:
    return SMALLEST[:17] + crc32c(SMALLEST[start:17] + SMALLEST[21:]) + SMALLEST[21:]


@pytest.mark.parametrize(
    ("actual", "rule"),
    [
        (SMALLEST[:16] + b"\1" + SMALLEST[17:], "batch.header-layout"),
        (changed(SMALLEST, "crc", 0), "batch.crc"),
        *((with_crc(start), "batch.crc-scope") for start in (0, 12, 16)),
        (changed(SMALLEST, "length", 68), "batch.length"),
        (changed(SMALLEST, "maxTimestamp", 0), "batch.max-timestamp"),
        (changed(SMALLEST, "recordCount", 2), "record.count"),
        (sealed(SMALLEST[:61] + b"\x0e" + SMALLEST[62:]), "record.length"),
        (sealed(SMALLEST[:-1] + b"\1"), "header.count"),
        (sealed(SMALLEST + b"\0"), "batch.trailing-bytes"),
    ],
)
def test_wrong_bytes_are_blamed_on_the_first_independent_difference(actual: bytes, rule: str) -> None:
    assert rule_of_bytes(actual) == rule


def test_wrong_crc_of_a_later_batch_is_blamed_on_its_scope() -> None:
    two = batch(), batch(baseOffset=1)
    second = wire(two[1])
    actual = SMALLEST + second[:17] + crc32c(second[16:17] + second[21:]) + second[21:]
    assert rule_of_bytes(actual, *two) == "batch.crc-scope"


def mutant(name: str) -> RecordsMutant:
    return next(each for each in MUTANTS if each.name == name)


def test_right_numbers_in_other_places_are_blamed_on_the_layout() -> None:
    value = batch(record(2, timestampDelta=1, key=b"k"))
    swapped = mutant("offset-before-timestamp").write({"batches": [value]})
    assert rule_of_bytes(swapped, value) == "record.layout"


def test_varints_without_zigzag_are_blamed_on_zigzag() -> None:
    value = batch(record(2, timestampDelta=1, key=b"k"))
    plain = mutant("plain-varints").write({"batches": [value]})
    assert rule_of_bytes(plain, value) == "varint.zigzag"


def test_each_wrong_form_is_another_one() -> None:
    forms = list(miswritten_records({"batches": [batch()]}, SMALLEST))
    assert {rule for rule, _ in forms} == {"batch.crc", "batch.crc-scope", "varint.zigzag"}
    assert len({SMALLEST, *(form for _, form in forms)}) == len(forms) + 1


def test_a_reader_with_the_mistake_reads_the_wrong_form() -> None:
    value = batch(record(2, timestampDelta=-70, key=b"k", headers=HEADERS))
    forms = [form for rule, form in miswritten_records({"batches": [value]}, wire(value)) if rule == "varint.zigzag"]
    assert mutant("plain-varints").read(forms[0])["batches"] == [value]


@pytest.mark.parametrize("value", [batch(compression="gzip"), message()])
def test_other_fields_have_no_miswritten_records(value: Value) -> None:
    assert list(miswritten_records({"batches": [value]}, wire(value))) == []


def test_wrong_forms_are_not_taken_by_the_reference() -> None:
    forms = [form for _, form in miswritten_records({"batches": [batch()]}, SMALLEST)]
    assert all(judge_records(form).value is None for form in forms)


def in_place(content: Value, shift: int, at: int) -> bytes:
    """Return the bytes of a writer with unused bits in the place of the codec and the flags."""
    canonical = wire(*content["batches"])
    bits = content["batches"][0]["unusedAttributes"]
    attributes = canonical[at] & ~(bits << shift & 0xFF) | bits
    return sealed(canonical[: at - 1] + bytes([0 if at > 21 else canonical[at - 1], attributes]) + canonical[at + 1 :])


@pytest.mark.parametrize("bits", [1, 3, 5])
@pytest.mark.parametrize(
    ("value", "shift", "at"), [(batch(), 7, 22), (message(magic=1), 4, 17), (message(magic=0), 3, 17)], ids=str
)
def test_unused_bits_in_the_place_of_the_codec_are_blamed_on_the_bits(
    value: Value, shift: int, at: int, bits: int
) -> None:
    """A reader meets a damaged stream or an unknown codec, though nothing is compressed."""
    content: Value = {"batches": [value | {"unusedAttributes": bits}], "partial": b""}
    blame = blame_records_bytes(content, wire(*content["batches"]), in_place(content, shift, at), "")
    assert (blame.rule, blame.path) == ("batch.attributes-unused", "batches[0].unusedAttributes")


def left_to_readers() -> Iterator[tuple[str, bytes, Value]]:
    """Yield batches with streams of optional forms, each with the value of a sound one."""
    for codec in CODECS:
        value: Value = {"batches": [batch(compression=codec)], "partial": b""}
        for name, stream in stream_forms(codec, records_of(record())):
            actual = holding(stream, codec=codec)
            if judge_records(actual).result is Result.UNSPECIFIED:
                yield f"{codec}-{name}", actual, value


@pytest.mark.parametrize(
    ("name", "actual", "content"), [*left_to_readers()], ids=lambda each: each if isinstance(each, str) else ""
)
def test_stream_of_an_optional_form_is_blamed_on_a_demand_on_writers(name: str, actual: bytes, content: Value) -> None:
    """A rule unspecified for writers is no finding, and would hide the mistake."""
    blame = blame_records_bytes(content, wire(*content["batches"]), actual, "codec.corrupt")
    assert catalogue()[blame.rule].level_of(ENCODE) != "unspecified", name
