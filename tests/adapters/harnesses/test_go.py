"""The harness of Go libraries hands values and bytes unchanged to and from franz-go's kmsg and kafka-go's protocol."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.adapters.harnesses.libraries import ForeignLibrary
from conformance.codec.bridge.isolation import ChildCodec
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import hello_request
from conformance.targets import DECODE, Ask, Body, WholeFrame
from reference import decode_records, load_release, records_to_json
from tests.adapters.harnesses.libraries import RELEASE, Library, check_harness
from tests.helpers import requirements

LIBRARIES = ("franz-go", "kafka-go")

pytestmark = pytest.mark.go


@pytest.fixture(scope="module")
def franz() -> Iterator[Library]:
    requirements.go()
    library = Library.of("go", "franz-go")
    yield library
    library.close()


@pytest.fixture(scope="module")
def kafka_go() -> Iterator[Library]:
    requirements.go()
    library = Library.of("go", "kafka-go")
    yield library
    library.close()


@pytest.mark.parametrize("library", LIBRARIES)
def test_it_is_sound_by_bridge_check(library: str) -> None:
    requirements.go()
    check_harness(*ForeignLibrary("go", library).harness_command())


def replies_to(*lines: str) -> list[dict[str, Any]]:
    """Return the replies of a harness to lines foreign to our clients."""
    requirements.go()
    given = "\n".join([json.dumps({"id": 0, **hello_request(RELEASE)}), *lines])
    finished = subprocess.run(  # noqa: S603  # the harness under test
        ForeignLibrary("go", "franz-go").harness_command(), input=given, capture_output=True, text=True, check=True
    )
    return [json.loads(reply) for reply in finished.stdout.splitlines()[1:]]


def test_a_request_is_the_same_in_every_form_of_its_json() -> None:
    """The first one is the usual form, with a parser of its own."""
    usual, *others = replies_to(
        '{"id":1,"op":"decode","message":"HeartbeatResponse","version":4,"wire":"00000000000000"}',
        ' { "id": 1, "op": "decode", "message": "HeartbeatResponse", "version": 4, "wire": "00000000000000" } ',
        '{"wire":"00000000000000","version":4,"message":"HeartbeatResponse","op":"decode","id":1}',
        '{"id":1,"op":"decode","message":"\\u0048eartbeatResponse","version":4,"wire":"00000000000000"}',
        '{"id":1,"op":"decode","message":"HeartbeatResponse","version":4,"wire":"00000000000000","more":"x"}',
    )
    assert usual["value"] == {"ThrottleTimeMs": 0, "ErrorCode": 0}
    assert others == [usual] * 4


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ('{"id":1,"op":"decode","message":"HeartbeatResponse","version":4,"wire":"0g"}', "protocol-error"),
        ('{"id":1,"op":"decode","message":"HeartbeatResponse","version":40000,"wire":"00"}', "protocol-error"),
        ('{"id":1,"op":"decode","message":"HeartbeatResponse","version":4,"wire":"00"', "protocol-error"),
        ('{"id":1,"op":"decode","message":"No","version":4,"wire":"00"}', "unsupported"),
    ],
)
def test_impossible_request_to_decode_is_refused(line: str, outcome: str) -> None:
    [reply] = replies_to(line)
    assert reply["outcome"] == outcome


def test_franz_go_has_every_request_and_response_of_clients(franz: Library) -> None:
    supported = franz.hello["supports"]["decode"]
    missing = {
        str(schema)
        for schema in RELEASE.schemas()
        if schema.kind in {"request", "response"} and schema.version not in supported.get(schema.message, ())
    }
    assert missing == {"InitProducerIdRequest-v6", "InitProducerIdResponse-v6"}, "MaxVersion() of kmsg is 5"


def test_franz_go_has_one_field_for_three_of_other_versions() -> None:
    requirements.go()
    supported = load_codec("conformance.adapters.franz_go", load_release("3.9.1")).claims.supported
    assert supported["decode"]["StopReplicaRequest"] == frozenset(range(5))


def test_kafka_go_has_all_but_the_messages_with_records(kafka_go: Library) -> None:
    """Its types have readers of batches where the definitions have bytes."""
    left_out = {note["message"] for note in kafka_go.hello["notes"] if note["note"].startswith("left out")}
    assert left_out == {"FetchResponse"}
    assert "ProduceRequest" not in kafka_go.hello["supports"]["decode"]


PRODUCE = {
    "TransactionalId": None,
    "Acks": -1,
    "TimeoutMs": 1,
    "TopicData": [{"Name": "t", "PartitionData": [{"Index": 2, "Records": "cafe"}]}],
}
PRODUCE_WIRE = "ffff" + "ffff" + "00000001" + "00000001" + "000174" + "00000001" + "00000002" + "00000002" + "cafe"


def test_kafka_go_writes_requests_to_produce_with_bytes_for_records(kafka_go: Library) -> None:
    """Its package rawproduce writes them, and kafka-go reads them into batches."""
    assert kafka_go.encode("ProduceRequest", 8, PRODUCE)["wire"] == PRODUCE_WIRE
    frame = {"direction": "request", "apiKey": 0, "version": 8}
    reply = kafka_go.ask({"op": "encode-frame", **frame, "correlationId": 7, "clientId": "c", "value": PRODUCE})
    assert reply["wire"] == "00000028" + "0000" + "0008" + "00000007" + "000163" + PRODUCE_WIRE
    assert kafka_go.ask({"op": "decode-frame", **frame, "wire": reply["wire"]})["outcome"] == "unsupported"


def test_null_records_are_unrepresentable_in_kafka_go(kafka_go: Library) -> None:
    value = {**PRODUCE, "TopicData": [{"Name": "t", "PartitionData": [{"Index": 2, "Records": None}]}]}
    assert kafka_go.encode("ProduceRequest", 8, value)["outcome"] == "unrepresentable"


def test_kafka_go_has_the_messages_between_members_of_a_group(kafka_go: Library) -> None:
    """The version before the message is a field of its structs, and no part of the body."""
    value = {"AssignedPartitions": [{"Topic": "t", "Partitions": [7]}], "UserData": None}
    wire = "00000001" + "000174" + "00000001" + "00000007" + "ffffffff"
    assert kafka_go.encode("ConsumerProtocolAssignment", 1, value)["wire"] == wire
    assert kafka_go.decode("ConsumerProtocolAssignment", 1, wire)["value"] == value
    stored = kafka_go.ask({"op": "decode-prefixed", "message": "ConsumerProtocolAssignment", "wire": "0001" + wire})
    assert (stored["version"], stored["value"]) == (1, value)
    assert kafka_go.hello["supports"]["decode"]["ConsumerProtocolSubscription"] == [0, 1]


def test_franz_go_writes_by_names_of_the_definitions(franz: Library) -> None:
    """GroupId is Group in kmsg, and GroupInstanceId is InstanceID."""
    value = {"GroupId": "g", "GenerationId": 7, "MemberId": "m", "GroupInstanceId": None}
    assert franz.encode("HeartbeatRequest", 3, value)["wire"] == "000167" + "00000007" + "00016d" + "ffff"


def test_franz_go_keeps_unknown_tags(franz: Library) -> None:
    reply = franz.decode("ApiVersionsRequest", 3, "03676f0231010502cafe")
    assert reply["value"]["_tags"] == [[5, "cafe"]]


def test_franz_go_takes_defaults_for_left_out_fields(franz: Library) -> None:
    """The rebalance timeout of a JoinGroup has the default -1."""
    assert franz.encode("JoinGroupRequest", 1, {})["wire"] == "0000" + "00000000" + "ffffffff" + "0000" * 2 + "00000000"


def test_franz_go_reads_a_stored_message_after_its_version(franz: Library) -> None:
    reply = franz.ask({"op": "decode-prefixed", "message": "EndTxnMarker", "wire": "000000000009"})
    assert (reply["version"], reply["value"]) == (0, {"CoordinatorEpoch": 9})


def test_a_leader_change_of_another_version_is_unrepresentable(franz: Library) -> None:
    """In kmsg the version of the message is a field of it."""
    value = {"Version": 1, "LeaderId": 3, "Voters": [], "GrantingVoters": []}
    assert franz.encode("LeaderChangeMessage", 1, value)["wire"] == "0001" + "00000003" + "010100"
    assert franz.encode("LeaderChangeMessage", 0, value)["outcome"] == "unrepresentable"
    assert franz.decode("LeaderChangeMessage", 0, "000100000003010100")["outcome"] == "unrepresentable"


def test_null_for_a_non_nullable_slice_is_unrepresentable(franz: Library) -> None:
    assert franz.encode("ApiVersionsResponse", 0, {"ApiKeys": None})["outcome"] == "unrepresentable"


def test_a_number_beyond_its_type_is_unrepresentable(franz: Library) -> None:
    assert franz.encode("HeartbeatResponse", 0, {"ErrorCode": 40_000})["outcome"] == "unrepresentable"


def test_an_empty_string_is_unrepresentable_where_kafka_go_writes_it_as_null(kafka_go: Library) -> None:
    value = {"Coordinators": [], "ErrorMessage": "", "ErrorCode": 0, "NodeId": 0, "Host": "", "Port": 0}
    assert kafka_go.encode("FindCoordinatorResponse", 1, {**value, "ThrottleTimeMs": 0})["outcome"] == "unrepresentable"


def test_kafka_go_writes_a_struct_of_one_field_as_its_field(kafka_go: Library) -> None:
    reply = kafka_go.encode("MetadataRequest", 0, {"Topics": [{"Name": "t"}]})
    assert reply["wire"] == "00000001" + "000174"


BATCH = (
    "00000000000000000000003cffffffff02c8b41a250000000000000000018bcfe568000000018bcfe56800ffffffffffffffffffff"
    "ffffffff0000000114000000026b0102026800"
)
"""One record, without compression: the one of the dialogue in the README of the bridge."""


@pytest.mark.parametrize("library", ["franz", "kafka_go"])
def test_records_are_delivered_with_offset_and_timestamp(library: str, request: pytest.FixtureRequest) -> None:
    reply = request.getfixturevalue(library).ask({"op": "decode-records", "wire": BATCH})
    record = {"offset": "0", "timestamp": "1700000000000", "key": "6b", "value": None, "headers": [["h", ""]]}
    assert reply["value"] == {"records": [record]}


def test_batches_at_the_same_offset_are_both_delivered(franz: Library) -> None:
    """A consumer of franz-go leaves out records below its current offset."""
    reply = franz.ask({"op": "decode-records", "wire": BATCH * 2})
    assert [record["offset"] for record in reply["value"]["records"]] == ["0", "0"]


def test_a_field_with_a_bad_batch_is_refused_as_a_whole(franz: Library) -> None:
    """The second batch has another CRC."""
    assert franz.ask({"op": "decode-records", "wire": BATCH + BATCH.replace("c8b4", "c8b5")})["outcome"] == "rejected"


def test_a_record_at_the_time_0_is_unrepresentable_in_kafka_go(kafka_go: Library) -> None:
    """It takes the time 0 for none, and writes the time of the day."""
    batch = decode_records(bytes.fromhex(BATCH))["batches"][0] | {"baseTimestamp": 0, "maxTimestamp": 0}
    value = records_to_json({"batches": [batch], "partial": b""})
    assert kafka_go.ask({"op": "encode-records", "value": value})["outcome"] == "unrepresentable"


def test_field_dropped_by_kafka_go_is_hidden(kafka_go: Library) -> None:
    assert kafka_go.hello["hidden"] == {"CreateTopicsResponse": ["Topics.TopicConfigErrorCode:5"]}


def test_kafka_go_describes_versions_by_its_tags(kafka_go: Library) -> None:
    messages = kafka_go.ask({"op": "describe"})["value"]
    heartbeat = messages["HeartbeatRequest"]
    assert (heartbeat["versions"], heartbeat["flexibleVersions"]) == ("0-4", "4+")
    instance = heartbeat["fields"][3]
    assert (instance["name"], instance["own"], instance["versions"]) == ("GroupInstanceId", "GroupInstanceID", "3-4")


def test_a_panic_is_a_crash_with_the_function(kafka_go: Library) -> None:
    request = {
        "op": "decode-frame",
        "direction": "response",
        "apiKey": 12,
        "version": 0,
        "wire": "ffffffff000000070000",
    }
    reply = kafka_go.ask(request)
    assert (reply["outcome"], "decoder" in reply["text"]) == ("crashed", True)


def test_memory_out_of_proportion_is_exhausted(kafka_go: Library) -> None:
    """The count of an array is allocated before there is anything to fill it with."""
    assert kafka_go.decode("MetadataResponse", 0, "00ffffff")["outcome"] == "exhausted-memory"


def test_memory_taken_before_does_not_count() -> None:
    """Each of the too large inputs takes 12 of 14 GiB, and Go does not give them back."""
    requirements.go()
    schema = RELEASE.schema("ApiVersionsResponse", 0)
    asks = [Ask(DECODE, Body(schema), bytes.fromhex(wire)) for wire in ["00007fffffff", "000000000000"] * 5]
    with ChildCodec(f"stdio:{shlex.join(ForeignLibrary('go', 'kafka-go').harness_command())}", RELEASE.name) as decoder:
        kinds = [str(outcome.kind) for outcome in decoder.perform_together(asks)]
        assert decoder.restarts == 0
    assert kinds == ["exhausted-memory", "value"] * 5


def test_renewed_program_reads_frames() -> None:
    """To keep account of 12 GiB, Go fills 12 MiB, so after 40 times the program has renewed itself at 256 MiB."""
    requirements.go()
    body, frame = (
        Body(RELEASE.schema("ApiVersionsResponse", 0)),
        WholeFrame(RELEASE.schema("HeartbeatResponse", 0), RELEASE),
    )
    asks = [Ask(DECODE, body, bytes.fromhex("00007fffffff"))] * 40
    asks.append(Ask(DECODE, frame, bytes.fromhex("00000006000000070007")))
    with ChildCodec(f"stdio:{shlex.join(ForeignLibrary('go', 'kafka-go').harness_command())}", RELEASE.name) as decoder:
        [*_, read] = decoder.perform_together(asks)
    assert (read.value.correlation_id, read.value.value) == (7, {"ErrorCode": 7})


def test_a_value_of_millions_of_elements_is_not_shown(kafka_go: Library) -> None:
    """The array of 3 million empty strings, of 4 bytes, ends without an error when nothing is left."""
    reply = kafka_go.decode("MetadataRequest", 3, "00300000")
    assert (reply["outcome"], "value" in reply) == ("value", False)
    assert "68 KiB" in reply["text"]
