from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.protocol import plain_outcome, read_outcome, write_outcome
from conformance.targets import Body, WireTypeTarget
from conformance.targets.outcome import Kind, Outcome
from reference import load_release, newest_release, primitive

HEARTBEAT = Body(load_release(newest_release()).schema("HeartbeatResponse", 0))


def read(reply: dict[str, Any]) -> Outcome:
    return read_outcome(reply, HEARTBEAT.parse)


def test_a_value_has_its_content_and_count() -> None:
    reply = {"outcome": "value", "value": {"ErrorCode": 7}, "consumed": 2}
    assert read(reply) == Outcome(Kind.VALUE, value={"ErrorCode": 7}, consumed=2)


def test_bytes_are_read_from_hex() -> None:
    assert write_outcome({"outcome": "bytes", "wire": "0007"}) == Outcome(Kind.BYTES, wire=b"\0\7")


def test_a_value_without_json_form_is_a_value_without_content() -> None:
    reply = {"outcome": "value", "text": "no JSON form"}
    assert read(reply) == Outcome(Kind.VALUE, text="no JSON form")


def test_a_value_of_another_form_from_a_harness_is_its_mistake() -> None:
    value = {"Error": 7}
    outcome = read_outcome({"outcome": "value", "value": value}, HEARTBEAT.parse)
    text = "Error: expected a field of the definition (did you mean ErrorCode?), got 7"
    assert outcome == Outcome(Kind.PROTOCOL_ERROR, value=value, text=text)


def test_a_number_beyond_every_type_is_the_implementations() -> None:
    """Its form is right, as a library's reading of a varint without end need not fit."""
    varlong = WireTypeTarget(primitive("varlong"))
    reply = {"outcome": "value", "value": "-590295810358705651712"}
    assert read_outcome(reply, varlong.parse).kind is Kind.VALUE


def test_a_uuid_of_digits_without_hyphens_is_no_number() -> None:
    uuid = WireTypeTarget(primitive("uuid"))
    assert read_outcome({"outcome": "value", "value": "0" * 32}, uuid.parse).kind is Kind.PROTOCOL_ERROR


@pytest.mark.parametrize("consumed", [-1, 0, 3, 2**70])
def test_any_whole_number_of_consumed_bytes_is_read_as_it_is(consumed: int) -> None:
    assert read({"outcome": "value", "value": {"ErrorCode": 7}, "consumed": consumed}).consumed == consumed


def test_a_refusal_has_its_class_text_and_reason() -> None:
    reply = {"outcome": "rejected", "class": "Short", "text": "two\nbytes", "reason": "truncated"}
    assert read(reply) == Outcome(Kind.REJECTED, text="Short: two bytes", reason="truncated")


def test_texts_are_escaped() -> None:
    reply = {"outcome": "rejected", "class": "E\x1b[2J", "text": "\u202eno\x07", "reason": "\x9b"}
    assert plain_outcome(reply) == Outcome(Kind.REJECTED, text=r"E\x1b[2J: \u202eno\x07", reason=r"\x9b")


NOT_OF_THE_PROTOCOL: dict[str, dict[str, Any]] = {
    "no-outcome": {},
    "unknown-outcome": {"outcome": "maybe"},
    "outcome-of-another-type": {"outcome": []},
    "bytes": {"outcome": "bytes", "wire": "00"},
    "count-not-a-number": {"outcome": "value", "value": {}, "consumed": "2"},
}


@pytest.mark.parametrize("reply", NOT_OF_THE_PROTOCOL.values(), ids=NOT_OF_THE_PROTOCOL)
def test_malformed_reply_to_a_read_is_a_protocol_error(reply: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    outcome = read(reply)
    assert outcome.kind is Kind.PROTOCOL_ERROR
    assert outcome.text == snapshot


@pytest.mark.parametrize("wire", [None, 7, "0", "xy", "00FF", "00 ff", "AAEAAAAA"])
def test_bytes_other_than_hex_are_a_protocol_error(wire: Any) -> None:
    outcome = write_outcome({"outcome": "bytes", "wire": wire})
    assert outcome.kind is Kind.PROTOCOL_ERROR
    assert "in hex" in outcome.text
    assert f"'wire': {wire!r}" in outcome.text
