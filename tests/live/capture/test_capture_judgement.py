"""Judging captures: pairs of requests and responses, embedded messages, and what is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.generate.records.building import batch, record
from conformance.judge.case import Violation
from conformance.judge.findings.lines import Pair
from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.capture_judgement import EMBEDDED, CaptureJudge, CaptureSubject, seen_from, violations_of
from conformance.live.capture.defining_releases import Definitions
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


class Talk:
    """Frames that are judged as they are said."""

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
def talk(definitions: Definitions) -> Talk:
    return Talk(definitions)


def rules(seen: SeenFrame) -> list[str]:
    return [departure.rule for departure in seen.departures]


def embedded_rules(seen: SeenFrame) -> list[str]:
    return [departure.rule for inner in seen.embedded for departure in inner.departures]


def records(**changes: Any) -> bytes:
    return encode_records({"batches": [batch(record(value=b"v"), baseTimestamp=1, maxTimestamp=1, **changes)]})


def produce(wire: bytes, **fields: Any) -> bytes:
    partition = {"Index": 0, "Records": wire}
    return request(PRODUCE, 9, 5, TopicData=[{"Name": "t", "PartitionData": [partition]}], **fields)


def test_a_response_is_judged_as_what_was_asked(talk: Talk) -> None:
    talk.ask(ASKED)
    seen = talk.answer(ANSWERED)
    assert (str(seen), seen.request, seen.departures) == ("MetadataResponse-v12", 1, ())


def test_a_value_that_does_not_stand_in_its_version_is_blamed_on_its_writer(talk: Talk) -> None:
    """The same feature may begin at 0 in version 4."""
    feature = {"Name": "kraft.version", "MinVersion": 0, "MaxVersion": 1}
    for version, broken in ((3, ["connection.refused-value"]), (4, [])):
        talk.ask(request(API_VERSIONS, version, version))
        assert rules(talk.answer(response(API_VERSIONS, version, version, SupportedFeatures=[feature]))) == broken


def test_answers_that_are_swapped_are_blamed_on_the_later_one(talk: Talk) -> None:
    talk.ask(request(METADATA, 12, 1))
    talk.ask(request(API_VERSIONS, 3, 2))
    assert rules(talk.answer(response(API_VERSIONS, 3, 2))) == []
    assert rules(talk.answer(response(METADATA, 12, 1))) == ["connection.order"]


def test_a_correlation_id_that_nobody_sent_is_blamed_once(talk: Talk) -> None:
    talk.ask(ASKED)
    assert rules(talk.answer(response(METADATA, 12, 70))) == ["header.correlation-id"]
    talk.ask(request(METADATA, 12, 8))
    assert rules(talk.answer(response(METADATA, 12, 8))) == []


def test_a_second_answer_is_blamed(talk: Talk) -> None:
    talk.ask(ASKED)
    talk.answer(ANSWERED)
    assert rules(talk.answer(ANSWERED)) == ["header.correlation-id"]


def test_requests_without_a_response_are_counted(talk: Talk) -> None:
    talk.ask(ASKED)
    assert talk.judgement.unanswered == 1


def test_produce_without_acks_has_no_response(talk: Talk) -> None:
    talk.ask(produce(records(), Acks=0))
    assert talk.judgement.unanswered == 0


def test_a_refused_version_of_api_versions_is_answered_in_version_0(talk: Talk) -> None:
    talk.say("client", bytes.fromhex("0012 0063 00000007 0001 61 00".replace(" ", "")))
    seen = talk.answer(response(API_VERSIONS, 0, 7, ErrorCode=35))
    assert (str(seen), seen.departures) == ("ApiVersionsResponse-v0", ())


def test_versions_that_no_release_has_are_named(talk: Talk, definitions: Definitions) -> None:
    talk.say("client", bytes.fromhex("0012006300000007000161"))
    [untested] = talk.judgement.untested
    assert (untested.what, untested.why) == ("ApiVersionsRequest-v99 (1 frame)", f"unknown to {definitions}")


def test_sound_records_of_a_producer_are_canonical(talk: Talk) -> None:
    seen = talk.ask(produce(records()))
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
def test_records_that_a_broker_refuses_are_blamed(talk: Talk, wire: bytes, rule: str) -> None:
    assert embedded_rules(talk.ask(produce(wire)))[0] == rule


def test_a_partial_batch_in_a_fetch_is_no_finding(talk: Talk) -> None:
    talk.ask(request(FETCH, 11, 5))
    partition = {"Records": records() + records()[:30]}
    schema = api_schema(RELEASE, "response", FETCH, 11)
    value = completed(schema, {"Responses": [{"Topic": "t", "Partitions": [partition]}]})
    seen = talk.answer(response(FETCH, 11, 5, **value))
    assert (len(seen.embedded), rules(seen), embedded_rules(seen)) == (1, [], [])


def join(kind: str, metadata: bytes) -> bytes:
    protocols = [{"Name": "range", "Metadata": metadata}]
    return request(JOIN_GROUP, 5, 5, GroupId="g", ProtocolType=kind, Protocols=protocols)


def subscription(version: int = 1) -> bytes:
    schema = RELEASE.schema("ConsumerProtocolSubscription", version)
    return encode_prefixed(schema, minimal(schema))


def test_a_sound_subscription_is_judged(talk: Talk) -> None:
    [inner] = talk.ask(join("consumer", subscription())).embedded
    assert (inner.message, inner.version, inner.departures) == ("ConsumerProtocolSubscription", 1, ())


def test_bytes_behind_a_subscription_are_blamed(talk: Talk) -> None:
    assert embedded_rules(talk.ask(join("consumer", subscription() + b"\0"))) == ["message.nothing-else"]


def test_other_group_protocols_are_not_looked_into(talk: Talk) -> None:
    assert talk.ask(join("connect", b"\xff")).embedded == ()


def test_an_assignment_is_of_the_type_of_its_group(talk: Talk) -> None:
    """Version 3 of SyncGroup does not say the type: JoinGroup did."""
    assignment = [{"MemberId": "m", "Assignment": b"\0\0\0\0\0\0\xff\xff\xff\xff\0"}]
    talk.ask(join("consumer", subscription()))
    assert embedded_rules(talk.ask(request(SYNC_GROUP, 3, 6, GroupId="g", Assignments=assignment))) == [
        "message.nothing-else"
    ]


def test_a_server_is_not_blamed_for_what_a_member_wrote(talk: Talk) -> None:
    talk.ask(join("consumer", subscription()))
    member = {"MemberId": "m", "GroupInstanceId": None, "Metadata": b"\xff"}
    assert talk.answer(response(JOIN_GROUP, 5, 5, Members=[member])).embedded == ()


def test_sasl_bytes_without_headers_are_not_judged(talk: Talk) -> None:
    talk.ask(request(SASL_HANDSHAKE, 0, 1, Mechanism="PLAIN"))
    talk.answer(response(SASL_HANDSHAKE, 0, 1))
    tokens = [talk.say("client", b"\0user\0secret"), talk.say("server", b"")]
    assert [(seen.departures, seen.unknown) for seen in tokens] == [((), "SASL bytes without a header")] * 2
    assert rules(talk.ask(ASKED)) == []
    assert rules(talk.answer(ANSWERED)) == []


KERBEROS = bytes.fromhex("60820004") + b"\x06\x02\x2a\x03"
TOKENS = {"GSSAPI": KERBEROS, "PLAIN": b"\0user\0secret", "SCRAM": b"n,,n=user,r=nonce"}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_a_token_without_a_handshake_is_blamed_on_that(talk: Talk, token: bytes) -> None:
    """And not on the API whose key its first bytes are; what is in it is not reported."""
    talk.ask(ASKED)
    talk.answer(ANSWERED)
    seen = talk.say("client", token)
    assert rules(seen) == ["connection.sasl-token"]
    assert [violation.case.wire for violation in violations_of(seen)] == [b""]


def test_a_token_of_gssapi_may_be_the_first_thing_on_a_connection(talk: Talk) -> None:
    """So clients wrote it before there was a handshake."""
    assert rules(talk.say("client", KERBEROS)) == []
    assert rules(talk.say("server", b"\x60\x01")) == []


def test_a_token_that_redaction_emptied_is_one_still(talk: Talk) -> None:
    """As the first thing on a connection it is GSSAPI's, so the server's tokens are none of its responses."""
    assert rules(talk.say("client", b"", cut=8)) == []
    assert rules(talk.say("server", b"", cut=8)) == []


def test_a_size_that_cannot_be_is_blamed(talk: Talk) -> None:
    assert rules(talk.say("client", b"\xff\xff\xff\xff", is_rest=True)) == ["frame.size"]


def test_an_incomplete_frame_at_the_end_is_no_finding(talk: Talk) -> None:
    seen = talk.say("client", b"\0\0\0\x09\0", is_rest=True)
    assert (seen.departures, seen.unknown) == ((), "incomplete at the end of the connection")


def test_a_violation_is_read_again_from_its_event(talk: Talk, definitions: Definitions) -> None:
    seen = talk.ask(produce(records() + records()))
    [violation] = violations_of(seen)
    event = violation.event()
    assert Violation.of(event, seen_from(event, definitions)).event() == event


def test_what_is_wrong_in_an_embedded_message_fails_that_message_and_not_its_frame(talk: Talk) -> None:
    talk.ask(join("consumer", subscription() + b"\0"))
    talk.judgement.close()
    pairs = {line.pair: line.tests for line in talk.judgement.results.coverage.events() if isinstance(line, Pair)}
    assert [(pair, tests["request frames"].failed) for pair, tests in pairs.items() if "request frames" in tests] == [
        ("JoinGroupRequest-v5", 0)
    ]
    assert pairs["ConsumerProtocolSubscription-v1"][EMBEDDED].failed == 1
