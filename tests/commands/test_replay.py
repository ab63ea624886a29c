import pytest
from click.testing import Result
from syrupy.assertion import SnapshotAssertion

from tests.helpers.releases import BASE, NEWEST
from tests.helpers.runs import LIARS, command, error_of, invoke


def pair(message: str, version: int) -> tuple[str, ...]:
    return ("--message", message, "--version", str(version))


HONEST = f"{LIARS}:Honest"
HEARTBEAT = pair("HeartbeatResponse", 0)
INT8 = pair("int8", 0)
VERSIONS = pair("ApiVersionsRequest", 3)


def replay(impl: str, *words: str) -> Result:
    return invoke("replay", "--impl", impl, *words)


NO_FRAME = '{"header": {"CorrelationId": 2147483648}, "body": {"ErrorCode": 0}}'
NO_NAME = '{"Name": null, "TopicId": "00000000-0000-0000-0000-000000000001"}'
TAGGED_FRAME = "00000014 0012 0003 00000007 0002 636c 01 05 02 cafe 01 01 00"
"""A request for ApiVersions whose header has an unknown tagged field."""

SOUND: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "valid bytes": ((*HEARTBEAT, "--wire", "0007"), ("honest decodes   {'ErrorCode': 7}", "honest encodes   0007")),
    "what each byte means": (
        (*HEARTBEAT, "--wire", "0007"),
        ("7 (REQUEST_TIMED_OUT)", "verdict: valid"),
    ),
    "cut bytes": (
        (*HEARTBEAT, "--wire", "00"),
        ("invalid at byte 1, ", "in ErrorCode: truncated", "decodes   rejected: Malformed"),
    ),
    "bytes that are left open": (
        (*HEARTBEAT, "--wire", "000700"),
        ("verdict: unspecified", "  Apache Kafka accepts\n", "the first 2 bytes"),
    ),
    "a value": ((*HEARTBEAT, "--value", '{"ErrorCode": -1}'), ("honest encodes   ffff",)),
    "a value with an unknown tag": (
        (*VERSIONS, "--value", '{"ClientSoftwareName": "", "ClientSoftwareVersion": "", "_tags": [[5, "cafe"]]}'),
        ("honest encodes   0101010502cafe", "tag.unknown-kept"),
    ),
    "an edge case": ((*HEARTBEAT, "--case", "ErrorCode=256"), ("honest encodes   0100",)),
    "an unwritable case": (
        (*HEARTBEAT, "--case", "ErrorCode=32768"),
        ("refuses to encode: ", " in ErrorCode", "encodes   rejected: Unencodable"),
    ),
    "a broken case": ((*HEARTBEAT, "--case", "first-1-bytes"), ("in ErrorCode: truncated",)),
    "an older release": ((*HEARTBEAT, "--wire", "0007", "--release", BASE), ("honest decodes",)),
}


@pytest.mark.parametrize(("words", "shown"), SOUND.values(), ids=SOUND)
def test_expected_outcome_ends_with_0(words: tuple[str, ...], shown: tuple[str, ...]) -> None:
    done = replay(HONEST, *words)
    assert done.exit_code == 0, done.output
    assert all(text in done.output for text in shown), done.output


WRONG: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "wrong bytes": (
        "LittleEndian",
        (*HEARTBEAT, "--value", '{"ErrorCode": 1}'),
        ("honest encodes   0100", "expected  0001"),
    ),
    "sound bytes refused": (
        "RefusesUnknownTags",
        (*VERSIONS, "--wire", "0101010500"),
        ("decodes   rejected: Malformed",),
    ),
    "a crash": ("Aborts", (*HEARTBEAT, "--wire", "ffff"), ("decodes   crashed: ", " by SIGABRT")),
    "no value": ("ReturnsNone", (*HEARTBEAT, "--wire", "ffff"), ("decodes   protocol-error: ",)),
    "a wrong size": (
        "WrongSize",
        (*HEARTBEAT, "--wire", "0007"),
        ("codec.size, ", "expected  2 bytes", "actual    3 announced"),
    ),
    "a wrong value": (
        "ReadsZero",
        (*HEARTBEAT, "--wire", "0007"),
        ("expected  ErrorCode: 7", "actual    ErrorCode: 0 "),
    ),
    "a wrong count": ("CountsAll", (*HEARTBEAT, "--wire", "000700"), ("(3 bytes consumed)", "the first 2 bytes")),
    "cut bytes accepted": ("ReadsAnything", (*HEARTBEAT, "--wire", "00"), ("honest decodes   {'ErrorCode': 0}",)),
    "an unwritable value written": ("WritesAnything", (*HEARTBEAT, "--case", "ErrorCode=null"), ("encodes   0000",)),
}


@pytest.mark.parametrize(("liar", "words", "shown"), WRONG.values(), ids=WRONG)
def test_unexpected_outcome_ends_with_1(liar: str, words: tuple[str, ...], shown: tuple[str, ...]) -> None:
    done = replay(f"{LIARS}:{liar}", *words)
    assert done.exit_code == 1, done.output
    assert all(text in done.output for text in shown), done.output


USAGE: dict[str, tuple[tuple[str, ...], int]] = {
    "nothing to replay": (HEARTBEAT, 2),
    "two things": ((*HEARTBEAT, "--wire", "00", "--case", "minimal"), 2),
    "another value": ((*HEARTBEAT, "--value", "[]"), 2),
    "unknown case": ((*HEARTBEAT, "--case", "Nope=1"), 2),
    "unknown message": ((*pair("HeartbeatRespons", 0), "--wire", ""), 1),
    "unknown version": ((*pair("VoteRequest", 9), "--wire", ""), 1),
    "not offered": ((*pair("VoteRequest", 0), "--wire", ""), 1),
    "no header to ask for": ((*HEARTBEAT, "--header"), 1),
    "the header of a proposal": ((*pair("FooResponse", 9), "--header", "--release", "kip-482-first-draft"), 2),
    "no frames to ask for": ((*HEARTBEAT, "--frame", "--wire", "00"), 1),
    "case of a frame not offered": ((*HEARTBEAT, "--frame", "--case", "smallest"), 2),
    "no wire types to ask for": ((*INT8, "--value", "1"), 1),
    "another version of a wire type": ((*pair("int8", 2), "--wire", "00"), 2),
    "another version of record batches": ((*pair("record-batches", 2), "--wire", ""), 2),
    "a case of record batches of another version": ((*pair("record-batches", 1), "--case", "x"), 2),
    "the header of record batches": ((*pair("record-batches", 0), "--header"), 2),
    "another version of a stored key": ((*pair("OffsetCommitKey", 5), "--wire", ""), 1),
    "a case of a wire type": ((*INT8, "--case", "x"), 2),
    "the frame of a wire type": ((*INT8, "--frame", "--wire", "00"), 2),
}


@pytest.mark.parametrize(("words", "status"), USAGE.values(), ids=USAGE)
def test_a_wrong_option_is_explained(words: tuple[str, ...], status: int, snapshot: SnapshotAssertion) -> None:
    done = replay(HONEST, *words)
    assert error_of(done, status).replace(NEWEST, "…") == snapshot
    assert isinstance(done.exception, SystemExit)


OF_OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "no hex": (("--wire", "0x07"), "--wire: not hex: "),
    "no JSON": (("--value", "{"), "line 1: not JSON: "),
    "no number": (("--wire", "00", "--version", "x"), "'--version': 'x' "),
    "unknown release": (("--wire", "", "--release", "0.7.0"), " of release '0.7.0': "),
}
"""Errors with words of Python or Click, or with a list of releases."""


@pytest.mark.parametrize(("words", "fact"), OF_OTHERS.values(), ids=OF_OTHERS)
def test_option_without_a_meaning_is_named(words: tuple[str, ...], fact: str) -> None:
    assert fact in error_of(replay(HONEST, *HEARTBEAT, *words), 2)


AROUND: dict[str, tuple[str, ...]] = {
    "the frame of another message": (
        *pair("MetadataRequest", 9),
        *("--frame", "--wire", "0000000c0012000000000007000263 6c"),
    ),
    "the frame of a record": (*pair("TopicRecord", 0), "--frame", "--wire", ""),
    "a response that is stored": (*pair("HeartbeatResponse", 0), "--stored", "--wire", ""),
    "a stored message of another version": (
        *pair("OffsetCommitValue", 3),
        *("--stored", "--wire", "0000 0000000000000000 0000 0000000000000000"),
    ),
    "a stored message with another value": (*pair("NoOpRecord", 0), "--stored", "--value", "[]"),
    "a stored message without such a case": (*pair("NoOpRecord", 0), "--stored", "--case", "smallest-frame"),
    "a frame that is stored": (*pair("HeartbeatResponse", 0), "--stored", "--frame", "--wire", ""),
    "the header of a record": (*pair("TopicRecord", 0), "--header"),
}


@pytest.mark.parametrize("words", AROUND.values(), ids=AROUND)
def test_missing_frame_or_header_is_explained(words: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    assert error_of(replay("conformance.adapters.reference", *words), 2) == snapshot


AGAIN: dict[str, tuple[tuple[str, ...], str]] = {
    "a frame with tagged fields in its header": (
        (*pair("ApiVersionsRequest", 3), "--frame", "--wire", TAGGED_FRAME),
        "as expected",
    ),
    "a frame by its name": (
        (*pair("HeartbeatRequest", 4), "--frame", "--case", "client-id-length-32767"),
        "as expected",
    ),
    "a frame without bytes": (
        (*pair("HeartbeatResponse", 0), "--frame", "--value", NO_FRAME),
        " in header.CorrelationId",
    ),
    "a frame with a wrong size": (
        (*pair("HeartbeatResponse", 0), "--frame", "--wire", "0000000a 00000007 0003"),
        ", 10 bytes, there are 6",
    ),
    "a metadata record": ((*pair("NoOpRecord", 0), "--stored", "--wire", "01140000"), "as expected"),
    "a record of another frame version": (
        (*pair("NoOpRecord", 0), "--stored", "--wire", "02140000"),
        ": not-a-record, 2, not 1",
    ),
    "a prefixed message": (
        (*pair("OffsetCommitKey", 0), "--stored", "--wire", "0001 0000 0000 00000001"),
        "as expected",
    ),
    "a stored message by its name": (
        (*pair("RegisterBrokerRecord", 0), "--stored", "--case", "refused-body-BrokerId=2147483648"),
        " in body.BrokerId",
    ),
    "a stored message without bytes": (
        (*pair("TopicRecord", 0), "--stored", "--value", NO_NAME),
        " in body.Name",
    ),
}


@pytest.mark.parametrize(("words", "shown"), AGAIN.values(), ids=AGAIN)
def test_framing_of_a_message_is_replayed(words: tuple[str, ...], shown: str) -> None:
    done = replay("conformance.adapters.reference", *words)
    assert done.exit_code == 0, done.output
    assert shown in done.output
    assert done.output.endswith("as expected\n"), done.output


def test_a_frame_is_replayed_with_the_tagged_fields_of_its_header(snapshot: SnapshotAssertion) -> None:
    words = (*pair("ApiVersionsRequest", 3), "--frame", "--wire", TAGGED_FRAME)
    done = replay("tests.fakes.faulty_framing:LosesHeaderTags", *words)
    assert done.exit_code == 1, done.output
    assert done.output == snapshot


def test_bytes_too_short_for_a_request_are_replayed(snapshot: SnapshotAssertion) -> None:
    done = replay("conformance.adapters.reference", *VERSIONS, "--frame", "--wire", "000000")
    assert done.output == snapshot


def test_an_unknown_adapter_is_an_error(snapshot: SnapshotAssertion) -> None:
    assert error_of(replay("no_such_module", *HEARTBEAT, "--wire", "0007"), 1) == snapshot


def test_unknown_tags_do_not_matter_to_who_does_not_keep_them() -> None:
    done = replay(f"{LIARS}:DropsUnknownTags", *VERSIONS, "--wire", "0101010502cafe")
    assert done.exit_code == 0, done.output


def test_the_module_is_the_command() -> None:
    """`python -m conformance` where `kafka-conformance` is not on the path."""
    text = command("-m", "conformance", "--help").ended(0)
    assert text.startswith("Usage: kafka-conformance ")
    assert all(f"  {name} " in text for name in ("bench", "prove", "replay", "specs"))


def test_the_version_is_printed() -> None:
    done = invoke("--version")
    assert done.output.startswith("kafka-conformance, version ")


def test_header_of_an_entry_is_shown_with_its_length_and_its_tag() -> None:
    draft = (*pair("ClosedRangeData", 1), "--release", "kip-482-second-draft")
    output = replay("conformance.adapters.reference", *draft, "--wire", "0132cafebabe").output
    assert "tag header  length 4, " in output
    assert " length 4, tag 5" in output


def test_bytes_of_a_proposal_have_no_verdict_of_apache_kafka() -> None:
    draft = (*pair("ClosedRangeData", 1), "--release", "kip-482-second-draft")
    output = replay("conformance.adapters.reference", *draft, "--wire", "0000").output
    assert "verdict: unspecified" in output
    assert "Apache Kafka accepts" not in output
