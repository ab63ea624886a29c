"""Judging one frame written by a black box."""

from __future__ import annotations

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.judge.events import Expected, number, wrote_such
from conformance.live.capture.frame_verdict import judge_request, judge_response
from reference import encode_frame, load_release, minimal, newest_release

RELEASE = load_release(newest_release())
METADATA = 3
SIZE = 4


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    """Return the definitions of all releases, the newest first."""
    return Definitions.beginning_with(RELEASE)


@pytest.fixture(scope="module")
def response() -> bytes:
    """Return a sound response to Metadata version 9, without its size."""
    value = minimal(RELEASE.schema("MetadataResponse", 9))
    return encode_frame(RELEASE, "response", METADATA, 9, 7, None, value)[SIZE:]


def test_a_sound_request_departs_from_nothing(definitions: Definitions) -> None:
    value = minimal(RELEASE.schema("MetadataRequest", 9))
    wire = encode_frame(RELEASE, "request", METADATA, 9, 7, "kafka", value)
    judged = judge_request(definitions, wire[SIZE:])
    assert (str(judged), judged.correlation_id, judged.departures) == ("MetadataRequest-v9", 7, ())


def test_a_response_with_the_other_header_is_blamed_on_its_version(definitions: Definitions, response: bytes) -> None:
    [departure] = judge_response(definitions, METADATA, 9, response[:4] + response[5:]).departures
    assert departure.rule == "header.response-version"
    assert departure.expectation == number(Expected.HEADER_VERSION, 1)
    assert departure.observation == wrote_such("header version 0")


def test_bytes_after_the_body_are_blamed_alone(definitions: Definitions, response: bytes) -> None:
    [departure] = judge_response(definitions, METADATA, 9, response + b"\0").departures
    assert departure.rule == "message.nothing-else"


def test_truncated_response_is_invalid(definitions: Definitions, response: bytes) -> None:
    [departure] = judge_response(definitions, METADATA, 9, response[:-1]).departures
    assert departure.rule == "input.truncated"


def test_readable_bytes_in_no_writers_form_are_blamed(definitions: Definitions, response: bytes) -> None:
    count = 9  # behind the header and the throttle time: the number of brokers, a compact count
    overlong = response[:count] + b"\x81\x00" + response[count + 1 :]
    [departure] = judge_response(definitions, METADATA, 9, overlong).departures
    assert departure.rule == "varint.shortest"


def test_version_of_no_release_is_not_judged(definitions: Definitions, response: bytes) -> None:
    judged = judge_response(definitions, METADATA, 99, response)
    assert (judged.departures, judged.unknown) == ((), f"unknown to {definitions}")


def test_version_dropped_by_the_newest_release_is_of_an_older_one(definitions: Definitions) -> None:
    release = definitions.release_of(METADATA, 0)
    assert release is not None
    assert release.name != newest_release() or 0 in RELEASE.definition("MetadataRequest").valid_versions


def test_a_frame_without_a_header_is_truncated(definitions: Definitions) -> None:
    [departure] = judge_request(definitions, b"\0\3\0").departures
    assert departure.rule == "input.truncated"


def test_sound_frame_tries_the_rules_of_writers(definitions: Definitions, response: bytes) -> None:
    """Rules of readers are not among them, since the read value is unknown."""
    tried = judge_response(definitions, METADATA, 9, response).tried
    assert tried >= {"header.response-version", "array.compact-count", "version.field-presence", "tag.section"}
    assert tried.isdisjoint({"default.restored", "tag.unknown-accepted", "header.request-version"})


def test_departing_frame_tries_nothing(definitions: Definitions, response: bytes) -> None:
    assert not judge_response(definitions, METADATA, 9, response + b"\0").tried
