"""Redaction drops contents, and leaves the verdict on the rest unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.generate.record_building import record
from conformance.live.capture.capture import CapturedFrame, Redaction
from conformance.live.capture.capture_judgement import CaptureJudge, CaptureSubject
from conformance.live.capture.redaction import Redactor, blank_records, dropping, hashing
from reference import decode_records, judge_records
from tests.live.capture.broker import METADATA, RELEASE, SIZE, request, response
from tests.live.capture.test_capture_judgement import produce, records

FETCH, SASL_HANDSHAKE, SASL_AUTHENTICATE = 1, 17, 36
SECRET = b"a secret of ours"
DEFINITIONS = Definitions([RELEASE])


def with_secret(**changes: Any) -> bytes:
    return records(records=[record(key=SECRET, value=SECRET, headers=[("name", SECRET)])], **changes)


def redacted(how: Redaction, *frames: CapturedFrame) -> list[CapturedFrame]:
    return list(Redactor(DEFINITIONS, how).take_all(frames))


def frame(wire: bytes, **more: Any) -> CapturedFrame:
    return CapturedFrame(1, more.pop("sender", "client"), 0.0, wire[SIZE:], **more)


def departures(*frames: CapturedFrame) -> list[str]:
    judgement = CaptureJudge(CaptureSubject("", DEFINITIONS))
    seen = [judgement.take(each) for each in frames]
    inner = [departure.rule for each in seen for part in each.embedded for departure in part.departures]
    return [departure.rule for each in seen for departure in each.departures] + inner


@pytest.mark.parametrize("compression", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_contents_of_records_are_dropped_and_the_frame_is_sound(compression: str) -> None:
    [kept] = redacted("drop", frame(produce(with_secret(compression=compression))))
    assert SECRET not in kept.payload
    assert (departures(kept), kept.cut) == ([], 0)


def test_lengths_and_keys_of_headers_stay() -> None:
    blanked = blank_records(with_secret(), dropping)
    assert blanked is not None
    [record] = decode_records(blanked)["batches"][0]["records"]
    zeros = bytes(len(SECRET))
    assert (record["key"], record["value"], list(record["headers"])) == (zeros, zeros, [("name", zeros)])


def test_equal_contents_have_equal_hashes() -> None:
    blanked = blank_records(with_secret(), hashing())
    assert blanked is not None
    [record] = decode_records(blanked)["batches"][0]["records"]
    assert record["key"] == record["value"] != SECRET


def test_a_wrong_checksum_stays_wrong() -> None:
    wire = bytearray(with_secret())
    wire[17] ^= 1
    blanked = blank_records(bytes(wire), dropping)
    assert blanked is not None
    assert SECRET not in blanked
    assert judge_records(blanked).rules == judge_records(bytes(wire)).rules


def test_a_partial_batch_has_no_contents_left() -> None:
    wire = with_secret() + with_secret()[:-1]
    blanked = blank_records(wire, dropping)
    assert blanked is not None
    assert SECRET not in blanked
    assert judge_records(blanked).rules == ("field.partial-tail",)


def test_contents_stay_without_redaction() -> None:
    whole = frame(produce(with_secret()))
    assert redacted("no", whole) == [whole]


@pytest.mark.parametrize("version", [0, 2])
def test_sasl_bytes_are_always_dropped(version: int) -> None:
    [kept] = redacted("no", frame(request(SASL_AUTHENTICATE, version, 1, AuthBytes=SECRET)))
    assert SECRET not in kept.payload
    assert departures(kept) == []


def test_sasl_bytes_without_headers_are_always_dropped() -> None:
    kept = redacted(
        "no",
        frame(request(SASL_HANDSHAKE, 0, 1, Mechanism="PLAIN")),
        frame(response(SASL_HANDSHAKE, 0, 1), sender="server"),
        frame(bytes(SIZE) + SECRET),
        frame(bytes(SIZE), sender="server"),
        frame(request(METADATA, 12, 2)),
    )
    assert [each.payload for each in kept[2:4]] == [b"", b""]
    assert (kept[2].cut, kept[4].cut, departures(*kept)) == (len(SECRET), 0, [])


def test_an_unreadable_frame_is_cut_after_its_correlation_id() -> None:
    """An unknown version may have contents of records anywhere."""
    produced, fetched = bytes.fromhex("0000006300000007"), bytes.fromhex("0001006300000008")
    number = fetched[4:]
    kept = redacted(
        "drop",
        frame(bytes(SIZE) + produced + SECRET),
        frame(bytes(SIZE) + fetched),
        frame(bytes(SIZE) + number + SECRET, sender="server"),
    )
    assert [(each.payload, each.cut) for each in kept] == [(produced, 16), (fetched, 0), (number, 16)]


def test_bytes_after_a_body_are_blanked_and_still_blamed() -> None:
    kept = redacted("drop", frame(request(METADATA, 12, 1) + SECRET))
    assert SECRET not in kept[0].payload
    assert departures(*kept) == ["message.nothing-else"]


def test_a_response_after_the_wrong_header_is_cut() -> None:
    whole = response(FETCH, 12, 5)
    kept = redacted("drop", frame(request(FETCH, 12, 5)), frame(whole[:8] + whole[9:], sender="server"))
    assert (kept[1].payload, kept[1].cut) == (whole[4:8], len(whole) - 9)


def test_unreadable_frame_of_an_api_without_redaction_stays() -> None:
    whole = frame(request(METADATA, 12, 1)[:-1])
    assert redacted("drop", whole) == [whole]


def test_frames_of_unknown_apis_are_cut() -> None:
    [kept] = redacted("drop", frame(bytes(SIZE) + bytes.fromhex("03e7000000000007") + SECRET))
    assert (kept.payload[-1], kept.cut) == (7, len(SECRET))
