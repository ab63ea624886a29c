"""Verdicts on captures, with pairs of requests and responses, embedded messages, and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.generate.record_building import batch, record
from conformance.judge.case import Violation
from conformance.judge.findings.lines import Pair
from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.capture_judgement import (
    EMBEDDED,
    HELD,
    ONE_DIRECTION,
    CaptureJudge,
    CaptureSubject,
    seen_from,
    violations_of,
)
from reference import api_schema, completed, encode_prefixed, encode_records, minimal
from tests.live.capture.broker import API_VERSIONS, METADATA, PRODUCE, RELEASE, SIZE, request, response

if TYPE_CHECKING:
    from conformance.live.capture.capture import Side
    from conformance.live.capture.conversation import SeenFrame

JOIN_GROUP, SYNC_GROUP, SASL_HANDSHAKE, FETCH = 11, 14, 17, 1
ASKED, ANSWERED = request(METADATA, 12, 7), response(METADATA, 12, 7)


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    """Return the definitions of all releases, the newest first."""
    return Definitions.beginning_with(RELEASE)


class Requester:
    """A connection with each frame judged as it is added."""

    def __init__(self, definitions: Definitions) -> None:
        self.judgement = CaptureJudge(CaptureSubject("", definitions))
        self._number = 0

    def say(self, sender: Side, payload: bytes, **more: Any) -> SeenFrame:
        self._number += 1
        return self.judgement.take(CapturedFrame(1, sender, 0.0, payload, number=self._number, **more))

    def ask(self, wire: bytes) -> SeenFrame:
        return self.say("client", wire[SIZE:])

    def answer(self, wire: bytes) -> SeenFrame:
        return self.say("server", wire[SIZE:])


@pytest.fixture
def requester(definitions: Definitions) -> Requester:
    return Requester(definitions)


def rules(seen: SeenFrame) -> list[str]:
    return [departure.rule for departure in seen.departures]


def embedded_rules(seen: SeenFrame) -> list[str]:
    return [departure.rule for inner in seen.embedded for departure in inner.departures]


def records(**changes: Any) -> bytes:
    return encode_records({"batches": [batch(record(value=b"v"), baseTimestamp=1, maxTimestamp=1, **changes)]})


def produce(wire: bytes, **fields: Any) -> bytes:
    partition = {"Index": 0, "Records": wire}
    return request(PRODUCE, 9, 5, TopicData=[{"Name": "t", "PartitionData": [partition]}], **fields)


def test_response_is_judged_in_the_version_of_its_request(requester: Requester) -> None:
    requester.ask(ASKED)
    seen = requester.answer(ANSWERED)
    assert (str(seen), seen.request, seen.departures) == ("MetadataResponse-v12", 1, ())


def test_value_not_allowed_in_its_version_is_blamed_on_its_writer(requester: Requester) -> None:
    """In version 4 the same feature may begin at 0."""
    feature = {"Name": "kraft.version", "MinVersion": 0, "MaxVersion": 1}
    for version, broken in ((3, ["connection.refused-value"]), (4, [])):
        requester.ask(request(API_VERSIONS, version, version))
        assert rules(requester.answer(response(API_VERSIONS, version, version, SupportedFeatures=[feature]))) == broken


def test_swapped_answers_are_blamed_on_the_later_one(requester: Requester) -> None:
    requester.ask(request(METADATA, 12, 1))
    requester.ask(request(API_VERSIONS, 3, 2))
    assert rules(requester.answer(response(API_VERSIONS, 3, 2))) == []
    assert rules(requester.answer(response(METADATA, 12, 1))) == ["connection.order"]


def test_unknown_correlation_id_is_blamed_once(requester: Requester) -> None:
    requester.ask(ASKED)
    assert rules(requester.answer(response(METADATA, 12, 70))) == ["header.correlation-id"]
    requester.ask(request(METADATA, 12, 8))
    assert rules(requester.answer(response(METADATA, 12, 8))) == []


def test_a_second_answer_is_blamed(requester: Requester) -> None:
    requester.ask(ASKED)
    requester.answer(ANSWERED)
    assert rules(requester.answer(ANSWERED)) == ["header.correlation-id"]


def test_responses_of_a_connection_without_requests_are_counted(requester: Requester) -> None:
    for _ in range(HELD + 1):
        assert rules(requester.answer(ANSWERED)) == []
    requester.judgement.close()
    assert list(requester.judgement.results.violations) == []
    [left_out] = requester.judgement.untested
    assert (left_out.what, left_out.why) == (f"Response ({HELD + 1} frames)", ONE_DIRECTION)


def test_response_before_the_first_request_is_blamed_after_it(requester: Requester) -> None:
    requester.answer(ANSWERED)
    requester.ask(ASKED)
    requester.judgement.close()
    [(violation, _, _)] = requester.judgement.results.violations
    assert (violation.rule, violation.case.name) == ("header.correlation-id", "frame 1")


def test_requests_without_a_response_are_counted(requester: Requester) -> None:
    requester.ask(ASKED)
    assert requester.judgement.unanswered == 1


def test_produce_without_acks_has_no_response(requester: Requester) -> None:
    requester.ask(produce(records(), Acks=0))
    assert requester.judgement.unanswered == 0


def test_a_refused_version_of_api_versions_is_answered_in_version_0(requester: Requester) -> None:
    requester.say("client", bytes.fromhex("0012 0063 00000007 0001 61 00".replace(" ", "")))
    seen = requester.answer(response(API_VERSIONS, 0, 7, ErrorCode=35))
    assert (str(seen), seen.departures) == ("ApiVersionsResponse-v0", ())


def test_versions_of_no_release_are_named(requester: Requester, definitions: Definitions) -> None:
    requester.say("client", bytes.fromhex("0012006300000007000161"))
    [untested] = requester.judgement.untested
    assert (untested.what, untested.why) == ("ApiVersionsRequest-v99 (1 frame)", f"unknown to {definitions}")


def test_sound_records_of_a_producer_are_canonical(requester: Requester) -> None:
    seen = requester.ask(produce(records()))
    assert [(inner.path, inner.departures) for inner in seen.embedded] == [
        ("TopicData[0].PartitionData[0].Records", ())
    ]


@pytest.mark.parametrize(
    ("wire", "rule"),
    [
        (records() + records(), "produce.one-batch"),
        (records(baseOffset=1), "produce.base-offset"),
        (records()[:20] + b"\0" + records()[21:], "batch.crc"),
        (records() + b"\0" * 5, "field.partial-tail"),
    ],
)
def test_records_refused_by_a_broker_are_blamed(requester: Requester, wire: bytes, rule: str) -> None:
    assert embedded_rules(requester.ask(produce(wire)))[0] == rule


def test_a_partial_batch_in_a_fetch_is_no_finding(requester: Requester) -> None:
    requester.ask(request(FETCH, 11, 5))
    partition = {"Records": records() + records()[:30]}
    schema = api_schema(RELEASE, "response", FETCH, 11)
    value = completed(schema, {"Responses": [{"Topic": "t", "Partitions": [partition]}]})
    seen = requester.answer(response(FETCH, 11, 5, **value))
    assert (len(seen.embedded), rules(seen), embedded_rules(seen)) == (1, [], [])


def join(kind: str, metadata: bytes) -> bytes:
    protocols = [{"Name": "range", "Metadata": metadata}]
    return request(JOIN_GROUP, 5, 5, GroupId="g", ProtocolType=kind, Protocols=protocols)


def subscription(version: int = 1) -> bytes:
    schema = RELEASE.schema("ConsumerProtocolSubscription", version)
    return encode_prefixed(schema, minimal(schema))


def test_a_sound_subscription_is_judged(requester: Requester) -> None:
    [inner] = requester.ask(join("consumer", subscription())).embedded
    assert (inner.message, inner.version, inner.departures) == ("ConsumerProtocolSubscription", 1, ())


def test_bytes_after_a_subscription_are_blamed(requester: Requester) -> None:
    assert embedded_rules(requester.ask(join("consumer", subscription() + b"\0"))) == ["message.nothing-else"]


def test_metadata_of_other_group_protocols_is_not_read(requester: Requester) -> None:
    assert requester.ask(join("connect", b"\xff")).embedded == ()


def test_an_assignment_is_of_the_type_of_its_group(requester: Requester) -> None:
    """SyncGroup v3 has no type of protocol, so it is that of JoinGroup."""
    assignment = [{"MemberId": "m", "Assignment": b"\0\0\0\0\0\0\xff\xff\xff\xff\0"}]
    requester.ask(join("consumer", subscription()))
    assert embedded_rules(requester.ask(request(SYNC_GROUP, 3, 6, GroupId="g", Assignments=assignment))) == [
        "message.nothing-else"
    ]


def test_server_is_not_blamed_for_bytes_of_a_member(requester: Requester) -> None:
    requester.ask(join("consumer", subscription()))
    member = {"MemberId": "m", "GroupInstanceId": None, "Metadata": b"\xff"}
    assert requester.answer(response(JOIN_GROUP, 5, 5, Members=[member])).embedded == ()


def test_sasl_bytes_without_headers_are_not_judged(requester: Requester) -> None:
    requester.ask(request(SASL_HANDSHAKE, 0, 1, Mechanism="PLAIN"))
    requester.answer(response(SASL_HANDSHAKE, 0, 1))
    tokens = [requester.say("client", b"\0user\0secret"), requester.say("server", b"")]
    assert [(seen.departures, seen.unknown.partition(" ")[0]) for seen in tokens] == [((), "SASL")] * 2
    assert rules(requester.ask(ASKED)) == []
    assert rules(requester.answer(ANSWERED)) == []


KERBEROS = bytes.fromhex("60820004") + b"\x06\x02\x2a\x03"
TOKENS = {"GSSAPI": KERBEROS, "PLAIN": b"\0user\0secret", "SCRAM": b"n,,n=user,r=nonce"}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_token_without_a_handshake_is_blamed_on_its_place(requester: Requester, token: bytes) -> None:
    """The API of the same first bytes is not blamed, and the report has nothing of the token."""
    requester.ask(ASKED)
    requester.answer(ANSWERED)
    seen = requester.say("client", token)
    assert rules(seen) == ["connection.sasl-token"]
    assert [violation.case.wire for violation in violations_of(seen)] == [b""]


def test_a_token_of_gssapi_may_be_the_first_thing_on_a_connection(requester: Requester) -> None:
    """Clients wrote it so before the handshake was introduced."""
    assert rules(requester.say("client", KERBEROS)) == []
    assert rules(requester.say("server", b"\x60\x01")) == []


def test_token_emptied_by_redaction_is_still_a_token(requester: Requester) -> None:
    """As the first frame of a connection it is GSSAPI's, so the server's tokens are none of its responses."""
    assert rules(requester.say("client", b"", cut=8)) == []
    assert rules(requester.say("server", b"", cut=8)) == []


def test_impossible_size_is_blamed(requester: Requester) -> None:
    assert rules(requester.say("client", b"\xff\xff\xff\xff", is_rest=True)) == ["frame.size"]


def test_an_incomplete_frame_at_the_end_is_no_finding(requester: Requester) -> None:
    seen = requester.say("client", b"\0\0\0\x09\0", is_rest=True)
    assert (seen.departures, seen.unknown.partition(" ")[0]) == ((), "incomplete")


def test_a_violation_is_read_again_from_its_event(requester: Requester, definitions: Definitions) -> None:
    seen = requester.ask(produce(records() + records()))
    [violation] = violations_of(seen)
    event = violation.event()
    assert Violation.of(event, seen_from(event, definitions)).event() == event


def test_fault_in_an_embedded_message_fails_the_message_and_not_its_frame(requester: Requester) -> None:
    requester.ask(join("consumer", subscription() + b"\0"))
    requester.judgement.close()
    pairs = {line.pair: line.tests for line in requester.judgement.results.coverage.events() if isinstance(line, Pair)}
    assert [(pair, tests["request frames"].failed) for pair, tests in pairs.items() if "request frames" in tests] == [
        ("JoinGroupRequest-v5", 0)
    ]
    assert pairs["ConsumerProtocolSubscription-v1"][EMBEDDED].failed == 1
