"""Readings of unnamed bytes, with the right one first, or listed among equal ones."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.generate.record_building import batch, record
from conformance.live.capture.capture import read_capture
from conformance.live.capture.conversation import seen_in
from conformance.report.explain.readings import BytesReading, bodies, is_sure, readings
from reference import completed, encode, encode_frame, encode_prefixed, encode_record, encode_records
from tests.live.capture.broker import METADATA, RELEASE, request, response
from tests.live.capture.test_sessions import SESSIONS

DEFINITIONS = Definitions.beginning_with(RELEASE)
TOPIC = RELEASE.schema("TopicRecord", 0)
EACH = 40
"""The number of frames looked at of each session."""


def sized(payload: bytes) -> bytes:
    return len(payload).to_bytes(4) + payload


def is_of(reading: BytesReading, message: str, version: int) -> bool:
    return (reading.message, version in reading.versions) == (message, True)


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_frames_of_real_clients_have_their_message_among_the_likeliest(path: Path) -> None:
    """A response has the same bits as those of other APIs with its layout, so it may be one of several."""
    for number, seen in enumerate(seen_in(DEFINITIONS, read_capture(path).frames)):
        if seen.judged is None or seen.departures or seen.judged.release is None or number > EACH:
            continue
        found = readings(DEFINITIONS, sized(seen.frame.payload))
        likeliest = [each for each in found if each.bits - found[0].bits < 12]
        assert any(is_of(each, seen.name, seen.version) for each in likeliest), (str(seen), [*map(str, found[:4])])
        if seen.frame.sender == "client":
            assert is_sure(found, sized(seen.frame.payload))


def test_request_is_read_without_its_size() -> None:
    data = request(METADATA, 12, 7, client="a client of some name")[4:]
    found = readings(DEFINITIONS, data)
    assert is_sure(found, data)
    assert str(found[0]).startswith("MetadataRequest v12, ")
    assert str(found[0]).endswith("without its size")


def test_versions_of_one_layout_are_one_reading() -> None:
    assert "HeartbeatResponse v1-3, a response" in map(str, readings(DEFINITIONS, response(12, 2, 7)))


def test_requests_and_their_responses_in_a_row_are_read_together() -> None:
    stream = request(METADATA, 12, 7) + response(METADATA, 12, 7) + request(METADATA, 9, 8)
    [first, *_] = readings(DEFINITIONS, stream)
    assert str(first) == "2 requests and 1 response"
    assert [each.title.partition(",")[0] for each in first.explain()] == [
        "MetadataRequest v12",
        "MetadataResponse v12",
        "MetadataRequest v9",
    ]


def test_batches_and_stored_messages_are_known_by_their_form() -> None:
    wire = encode_records({"batches": [batch(records=[record(value=b"a value")])]})
    [of_records] = readings(DEFINITIONS, wire)
    assert of_records.options == "--records"
    stored = encode_record(TOPIC, completed(TOPIC, {"Name": "a topic of some name"}))
    assert re.fullmatch(r"TopicRecord v0, .*\bstored", str(readings(DEFINITIONS, stored)[0]))
    key = encode_prefixed(RELEASE.schema("OffsetCommitKey", 0), {"group": "a group", "topic": "topic", "partition": 1})
    assert any(re.fullmatch(r"OffsetCommitKey v0, .*\bstored", str(each)) for each in readings(DEFINITIONS, key))


def test_body_alone_is_tried_if_nothing_else_fits() -> None:
    schema = RELEASE.schema("JoinGroupRequest", 9)
    fields = {"GroupId": "a group", "MemberId": "a member", "ProtocolType": "consumer", "GroupInstanceId": None}
    wire = encode(schema, {"SessionTimeoutMs": 1, "RebalanceTimeoutMs": 1, "Protocols": [], "Reason": None} | fields)
    assert any(is_of(each, "JoinGroupRequest", 9) for each in bodies(DEFINITIONS, wire))


def test_random_bytes_have_no_reading() -> None:
    drawn = random.Random(62)  # noqa: S311  # the same bytes at each run
    found = [readings(DEFINITIONS, drawn.randbytes(drawn.choice((1, 3, 8, 20, 80)))) for _ in range(150)]
    assert [each for each in found if each] == []


def test_response_of_one_error_may_be_of_many_apis() -> None:
    wire = encode_frame(RELEASE, "response", 12, 1, 7, None, {"ThrottleTimeMs": 0, "ErrorCode": 27})
    found = readings(DEFINITIONS, wire)
    assert not is_sure(found, wire)
    assert any(is_of(each, "HeartbeatResponse", 1) for each in found)


def test_request_with_bytes_too_many_is_no_other_message() -> None:
    """A frame of a known version with the right size is a damaged request, even if a body has these bytes."""
    wire = bytearray(request(METADATA, 13, 5, client="rdkafka") + bytes(3))
    wire[:4] = (len(wire) - 4).to_bytes(4)
    assert readings(DEFINITIONS, bytes(wire)) == []


@pytest.mark.parametrize("form", ["a body", "a response without its size"])
def test_response_without_a_frame_has_no_wrong_verdict(form: str) -> None:
    """Bodies of responses, and responses without their sizes, are listed, or are right."""
    for seen in seen_in(DEFINITIONS, read_capture(SESSIONS / "sarama.jsonl").frames):
        if seen.frame.sender == "client" or seen.judged is None or seen.departures or len(seen.frame.payload) > 500:
            continue
        wire = seen.frame.payload if form != "a body" else seen.frame.payload[4 + (seen.version > 8) :]
        found = readings(DEFINITIONS, wire)
        assert not is_sure(found, wire) or is_of(found[0], seen.name, seen.version), (str(seen), str(found[0]))
