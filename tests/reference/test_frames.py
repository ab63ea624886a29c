from typing import Any

import pytest

from reference import (
    TAGS,
    FrameDirection,
    Malformed,
    Reason,
    Refusal,
    Unencodable,
    UnsupportedApi,
    api_schema,
    decode_frame,
    encode_frame,
    load_release,
    minimal,
)

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")
VERSIONS_3 = {"ClientSoftwareName": "a", "ClientSoftwareVersion": "b"}

REQUESTS: dict[str, tuple[int, int, str | None, dict[str, Any], str]] = {
    "header-1": (18, 0, "cl", {}, "0000000c 0012 0000 00000007 0002 636c"),
    "header-1-null": (18, 0, None, {}, "0000000a 0012 0000 00000007 ffff"),
    "header-1-empty": (18, 0, "", {}, "0000000a 0012 0000 00000007 0000"),
    "header-2": (18, 3, "cl", VERSIONS_3, "00000012 0012 0003 00000007 0002 636c 00  02 61 02 62 00"),
    "header-2-null": (18, 3, None, VERSIONS_3, "00000010 0012 0003 00000007 ffff 00  02 61 02 62 00"),
}


@pytest.mark.parametrize("case", REQUESTS)
def test_requests(case: str) -> None:
    """The client id has an int16 length in flexible versions too (rule 5.5)."""
    api_key, api_version, client_id, value, digits = REQUESTS[case]
    wire = bytes.fromhex(digits)
    assert encode_frame(NEWEST, "request", api_key, api_version, 7, client_id, value) == wire
    frame = decode_frame(NEWEST, "request", wire)
    assert (frame.api_key, frame.api_version, frame.correlation_id) == (api_key, api_version, 7)
    assert (frame.client_id, frame.value, frame.consumed) == (client_id, value, len(wire))


def test_request_header_0_has_no_client_id() -> None:
    """ControlledShutdown version 0 of 3.9.1 drops a given client id (rule 5.7)."""
    wire = bytes.fromhex("0000000c 0007 0000 00000007 00000005")
    assert encode_frame(OLDER, "request", 7, 0, 7, "cl", {"BrokerId": 5}) == wire
    assert decode_frame(OLDER, "request", wire).client_id is None


RESPONSES: dict[str, tuple[int, int, str]] = {
    "header-0": (17, 1, "0000000a 00000007  0000 00000000"),
    "header-1": (36, 2, "00000012 00000007 00  0000 01 01 0000000000000000 00"),
    "ApiVersions-header-0": (18, 3, "0000000c 00000007  0000 01 00000000 00"),
}


@pytest.mark.parametrize("case", RESPONSES)
def test_responses(case: str) -> None:
    """Header 0 is the correlation id, and header 1 has a tag section after it (rule 5.6)."""
    api_key, api_version, digits = RESPONSES[case]
    wire = bytes.fromhex(digits)
    value = minimal(api_schema(NEWEST, "response", api_key, api_version))
    assert encode_frame(NEWEST, "response", api_key, api_version, 7, None, value) == wire
    frame = decode_frame(NEWEST, "response", wire, api_key=api_key, api_version=api_version)
    assert (frame.correlation_id, frame.client_id, frame.value) == (7, None, value)


def test_header_tags() -> None:
    tags = [(5, b"\xca\xfe")]
    wire = encode_frame(NEWEST, "request", 18, 3, 7, "cl", VERSIONS_3, header_tags=tags)
    assert wire.hex(" ", -4) == bytes.fromhex("00000016 00120003 00000007 0002636c 010502ca fe026102 6200").hex(" ", -4)
    assert decode_frame(NEWEST, "request", wire).header[TAGS] == tags


def test_bytes_after_a_frame_are_the_next_one() -> None:
    wire = bytes.fromhex(REQUESTS["header-1"][-1])
    assert decode_frame(NEWEST, "request", wire + wire).consumed == len(wire)


MALFORMED: dict[str, tuple[str, str, Reason, int, str]] = {
    "no-size": ("", "frame.size", Reason.TRUNCATED, 0, "size"),
    "size-cut": ("000000", "frame.size", Reason.TRUNCATED, 3, "size"),
    "size-negative": ("ffffffff 0012", "frame.size", Reason.NEGATIVE_LENGTH, 0, "size"),
    "size-beyond-input": ("0000000b 0012 0000 00000007 ffff", "frame.size", Reason.LENGTH_EXCEEDS_INPUT, 0, "size"),
    "nothing-inside": ("00000000 0012", "input.truncated", Reason.TRUNCATED, 4, "header.RequestApiKey"),
    "header-cut": ("00000006 0012 0000 0000 0007", "input.truncated", Reason.TRUNCATED, 10, "header.CorrelationId"),
    "client-id-cut": (
        "0000000b 0012 0000 00000007 0002 63 6c",
        "length.within-input",
        Reason.LENGTH_EXCEEDS_INPUT,
        12,
        "header.ClientId",
    ),
    "body-missing": (
        "0000000b 0012 0003 00000007 ffff 00 02",
        "input.truncated",
        Reason.TRUNCATED,
        15,
        "body.ClientSoftwareName",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_frames(case: str) -> None:
    digits, rule, reason, offset, path = MALFORMED[case]
    with pytest.raises(Malformed) as caught:
        decode_frame(NEWEST, "request", bytes.fromhex(digits))
    found = caught.value
    assert (found.rule, found.reason, found.offset, found.path) == (rule, reason, offset, path)


def test_bytes_after_the_body_are_left_open() -> None:
    with pytest.raises(Malformed) as caught:
        decode_frame(NEWEST, "request", bytes.fromhex("0000000b 0012 0000 00000007 ffff ff"))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == ("input.trailing-bytes", None, 14)


@pytest.mark.parametrize("direction", ["request", "response"])
def test_a_version_without_a_body_cannot_be_framed(direction: FrameDirection) -> None:
    with pytest.raises(UnsupportedApi, match="key 18 version 99"):
        encode_frame(NEWEST, direction, 18, 99, 7, None, {})


def test_a_request_of_an_unknown_version_cannot_be_read() -> None:
    """Its header could be read, and a broker answers ApiVersions in such a case (rule 5.12)."""
    with pytest.raises(UnsupportedApi):
        decode_frame(NEWEST, "request", bytes.fromhex("0000000b 0012 0063 00000007 ffff 00"))


def test_response_needs_its_api_key_and_version() -> None:
    with pytest.raises(TypeError, match=r"api_key\b.*\bapi_version"):
        decode_frame(NEWEST, "response", bytes.fromhex("00000004 00000007"))
    with pytest.raises(TypeError, match="not give"):
        decode_frame(NEWEST, "request", bytes.fromhex(REQUESTS["header-1"][-1]), api_key=18)


def test_a_response_has_no_client_id() -> None:
    with pytest.raises(Unencodable) as caught:
        encode_frame(NEWEST, "response", 18, 0, 7, "cl", {"ErrorCode": 0, "ApiKeys": []})
    assert (caught.value.reason, caught.value.path) == (Refusal.UNKNOWN_FIELD, "header.ClientId")


def test_header_tags_need_a_flexible_header() -> None:
    """Header 1 has no tag section."""
    with pytest.raises(Unencodable) as caught:
        encode_frame(NEWEST, "request", 18, 0, 7, "cl", {}, header_tags=[(5, b"")])
    assert (caught.value.reason, caught.value.path) == (Refusal.BAD_TAGS, "header._tags")


def test_unencodable_body_has_the_path_of_its_field() -> None:
    with pytest.raises(Unencodable) as caught:
        encode_frame(NEWEST, "request", 18, 3, 7, "cl", {**VERSIONS_3, "ClientSoftwareName": None})
    assert caught.value.path == "body.ClientSoftwareName"
