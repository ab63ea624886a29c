from collections.abc import Iterator
from contextlib import contextmanager

from conformance.adapter import FrameContent, StoredMessage
from conformance.codec.bridge.isolation import ChildCodec
from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.engine import violations
from conformance.targets import DECODE, Ask, StoredForm, WholeFrame
from conformance.targets.outcome import Kind
from reference import encode_frame, encode_prefixed, encode_record, load_release, minimal
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
HEARTBEAT = WholeFrame(RELEASE.schema("HeartbeatResponse", 0), RELEASE)
VERSIONS = WholeFrame(RELEASE.schema("ApiVersionsRequest", 3), RELEASE)
TOPIC = StoredForm(RELEASE.schema("TopicRecord", 0), RELEASE)
NO_OP = StoredForm(RELEASE.schema("NoOpRecord", 0), RELEASE)
OFFSET = StoredForm(RELEASE.schema("OffsetCommitValue", 3), RELEASE)
FRAME = bytes.fromhex("00000006 00000007 0003")


@contextmanager
def decoder(impl: str) -> Iterator[ChildCodec]:
    with ChildCodec(impl, RELEASE.name, deadline=20.0) as isolated:
        yield isolated


def codec(name: str) -> str:
    return f"tests.fakes.faulty_framing:{name}"


def test_a_frame_comes_back_with_all_its_parts() -> None:
    value = {"ClientSoftwareName": "a", "ClientSoftwareVersion": "b"}
    wire = encode_frame(RELEASE, "request", 18, 3, -1, None, value, header_tags=[(5, b"\xca\xfe")])
    with decoder("conformance.adapters.reference") as isolated:
        outcome = isolated.perform(Ask(DECODE, VERSIONS, wire))
    assert outcome.value == FrameContent(-1, None, value, ((5, b"\xca\xfe"),), len(wire))


def test_stored_messages_come_back_with_the_name_and_version_in_the_bytes() -> None:
    with decoder("conformance.adapters.reference") as isolated:
        for target, encode in ((TOPIC, encode_record), (OFFSET, encode_prefixed)):
            schema, value = target.schema, minimal(target.schema)
            outcome = isolated.perform(Ask(DECODE, target, encode(schema, value)))
            assert outcome.value == StoredMessage(schema.message, schema.version, value)


def test_record_of_an_unknown_version_comes_back_with_its_version() -> None:
    """Such bytes are unspecified, so a reader of them, as Apache Kafka is, is not at fault."""
    with decoder(codec("KnowsNoVersions")) as isolated:
        outcome = isolated.perform(Ask(DECODE, NO_OP, bytes.fromhex("01140200")))
    assert outcome.value == StoredMessage("NoOpRecord", 2, {})


def test_frame_ending_the_process_costs_one_outcome() -> None:
    with decoder(codec("FramesAbort")) as isolated:
        found = isolated.perform_together([Ask(DECODE, HEARTBEAT, wire) for wire in (FRAME, FRAME[:-1], FRAME)])
    assert [each.kind for each in found] == [Kind.VALUE, Kind.CRASHED, Kind.VALUE]


def test_returned_object_without_parts_of_a_frame_is_a_fault_of_the_adapter() -> None:
    with decoder(codec("FrameWithoutParts")) as isolated:
        outcome = isolated.perform(Ask(DECODE, HEARTBEAT, FRAME))
    assert outcome.kind is Kind.PROTOCOL_ERROR
    assert "correlation_id" in outcome.text


def test_parts_of_odd_types_are_a_wrong_value() -> None:
    with decoder(codec("OddFrame")) as isolated:
        assert isolated.perform(Ask(DECODE, HEARTBEAT, FRAME)).kind is Kind.VALUE
    session = Session(load_codec(codec("OddFrame")), RELEASE)
    found = list(violations(session, frame_checks(session, HEARTBEAT.schema)))
    assert {(each.rule, each.outcome) for each in found} == {("header.correlation-id", "value")}


def first_crash(codec_name: str, target: WholeFrame | StoredForm) -> Violation:
    cases = frame_checks if isinstance(target, WholeFrame) else stored_checks
    with decoder(codec(codec_name)) as isolated:
        session = Session(load_codec(codec(codec_name)), RELEASE, isolated)
        found = violations(session, cases(session, target.schema))
        return next(each for each in found if each.outcome == "crashed")


def test_the_suite_puts_broken_frames_to_the_child() -> None:
    assert first_crash("FramesAbort", HEARTBEAT).rule == "frame.size"


def test_the_suite_puts_broken_records_to_the_child() -> None:
    assert first_crash("RecordsAbort", TOPIC).rule == "input.truncated"
