"""The bytes on the pages of cases have their field and type, and the first wrong one is marked."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.events import (
    FRAME_REFUSAL,
    REFUSAL,
    Answered,
    Expectation,
    Expected,
    Noted,
    Shown,
    number,
    these_bytes,
    value_at,
    wrote,
    wrote_such,
)
from conformance.report.site.annotated import Annotated, annotated
from tests.helpers.releases import NEWEST
from tests.report.lines import CASE, broken, report_of
from tests.report.site.examples import INVALID, finding

REQUEST = "00000012" + "0012000000000001000161" + "00" * 7
UNENCODABLE = {"kind": "unencodable-value", "direction": "encode", "value": '{"ErrorCode": 1}'}
CLOSED = Noted("rejected", "closed the connection")
VERSION_0 = Expectation(Expected.ERROR_RESPONSE, name="ApiVersionsResponse-v0", numbers=(35,))


def blocks(**facts: Any) -> tuple[Annotated, ...]:
    [found] = report_of(finding({**INVALID, **facts})).findings
    return annotated(found.example, NEWEST)


def rows(block: Annotated) -> list[tuple[str, str, str]]:
    """Return bytes, field and type of the pieces of a block."""
    return [(piece.hex, piece.part.path, piece.part.type) for piece in block.pieces]


def departing(block: Annotated) -> list[str]:
    return [piece.hex for piece in block.pieces if piece.departs]


def exchange(seen: Noted, expectation: Expectation = FRAME_REFUSAL, **facts: Any) -> tuple[Annotated, ...]:
    about = {"kind": "exchange", "direction": "frame", "message": "ApiVersionsRequest", "version": 0, "wire": REQUEST}
    sent = {"frames": [REQUEST], "release": NEWEST, "path": ""}
    return blocks(**{**about, **sent, **broken(expectation, seen), **facts})


def test_a_stored_message_has_the_numbers_before_it() -> None:
    [block] = blocks(kind="stored", direction="stored", message="NoOpRecord", version=0, wire="01140000ff")
    assert rows(block)[:3] == [
        ("01", "frame-version", "unsigned-varint"),
        ("14", "type", "unsigned-varint"),
        ("00", "version", "unsigned-varint"),
    ]
    assert departing(block) == ["ff"]


def test_a_wire_type_is_taken_apart() -> None:
    [block] = blocks(kind="primitive-bytes", message="compact-bytes", version=0, path="", wire="05")
    assert rows(block)[0] == ("05", "", "compact-bytes")
    assert departing(block) == ["05"]


def test_empty_input_is_shown_as_missing_bytes() -> None:
    [block] = blocks(kind="primitive-bytes", message="int32", version=0, path="", wire="")
    assert [piece.part.role for piece in block.pieces] == ["missing"]


def test_written_bytes_of_an_unencodable_value_are_taken_apart(snapshot: SnapshotAssertion) -> None:
    """The case is a value, and the bytes are the writer's."""
    facts = {**UNENCODABLE, **broken(REFUSAL, wrote(b"\0\1"))}
    [block] = blocks(**facts, message="HeartbeatResponse", version=0, path="", wire="")
    assert block.title == snapshot
    assert rows(block) == [("00 01", "ErrorCode", "int16")]


def test_two_numbers_are_not_taken_for_bytes(snapshot: SnapshotAssertion) -> None:
    """A decoded value may look like hex, but only written bytes are compared byte by byte."""
    facts = broken(value_at("", 16), Answered("value", value=Shown.of(18)))
    [block] = blocks(**facts, kind="value", message="HeartbeatResponse", wire="0010")
    assert block.title == snapshot


def test_an_answer_of_a_server_is_taken_apart(snapshot: SnapshotAssertion) -> None:
    answer = "00000001" + "0000" + "00000001" + "001200000004"
    sent, came = exchange(Noted("value", "an answer"), answer=answer, is_whole=True)
    assert [sent.title, came.title] == snapshot
    assert rows(came)[:2] == [
        ("00 00 00 01", "header.CorrelationId", "int32"),
        ("00 00", "body.ErrorCode", "int16"),
    ]


def test_an_answer_is_marked_where_it_departs() -> None:
    answer = {"message": "ApiVersionsResponse", "answer": "000000010000ffffffff", "is_whole": True}
    _, came = exchange(wrote_such("invalid"), VERSION_0, **answer)
    assert [bytes.fromhex(each) for each in departing(came)] == [b"\xff" * 4]


def test_received_part_of_an_answer_is_taken_apart() -> None:
    _, came = exchange(CLOSED, answer="0000000c000000010000", is_whole=False)
    assert rows(came)[:2] == [("00 00 00 0c", "size", "int32"), ("00 00 00 01", "header.CorrelationId", "int32")]


def test_without_an_answer_only_the_sent_frame_is_shown() -> None:
    assert len(exchange(CLOSED, number(Expected.RESPONSE, 0), answer="")) == 1


def test_header_of_a_request_of_no_release_is_shown() -> None:
    frame = "00000008" + "001203e800000001"
    [block] = exchange(Noted("timed-out", "no answer within 5.0 s"), frames=[frame], wire=frame)
    assert rows(block)[:3] == [
        ("00 00 00 08", "size", "int32"),
        ("00 12", "header.RequestApiKey", "int16"),
        ("03 e8", "header.RequestApiVersion", "int16"),
    ]


def test_only_the_first_of_many_written_bytes_are_shown(snapshot: SnapshotAssertion) -> None:
    [block] = blocks(**UNENCODABLE, **broken(REFUSAL, wrote(b"a" * 32_772)), wire="")
    assert block.title == snapshot
    assert block.size == 1000


def test_a_message_in_a_frame_of_a_capture_has_its_version_before_it() -> None:
    wire = "0001" + "00000000" + "ffffffff" + "ffffffff"
    facts = {"kind": "seen", "within": "Protocols[0].Metadata", "frame": 7, "message": "ConsumerProtocolSubscription"}
    facts |= broken(Expectation(Expected.MESSAGE, name="ConsumerProtocolSubscription-v1"), wrote_such("invalid"))
    [block] = blocks(**facts, version=1, path="OwnedPartitions", wire=wire)
    assert rows(block)[:2] == [("00 01", "prefix", "int16"), ("00 00 00 00", "Topics", "array")]


def test_written_bytes_of_a_stored_message_stand_beside_expected_ones() -> None:
    facts = {"kind": "stored", "direction": "stored", "message": "NoOpRecord", "version": 0, "wire": "01140000"}
    sides = broken(these_bytes(b"\1\x14\0\0"), wrote(b"\0\x14\0\0"))
    expected, actual = blocks(**{**CASE, **facts, **sides})
    assert (rows(expected)[0][1], expected.offset, actual.offset) == ("frame-version", 0, 0)


@pytest.mark.parametrize(
    ("version", "wire", "read"),
    [
        (4, "002300000001001200000003", 0),
        (3, "0023010000000000", 3),
        (3, "002300000000", 0),
        (1, "000000000000", 0),
    ],
)
def test_an_answer_to_a_client_is_taken_apart_as_a_client_reads_it(version: int, wire: str, read: int) -> None:
    [block] = blocks(kind="answer", message="ApiVersionsResponse", version=version, path="", wire=wire)
    assert block.title.endswith(f": ApiVersionsResponse v{read}")
    assert ("read as version 0" in block.verdict) == (read != version)
