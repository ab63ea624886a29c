"""Apache Kafka's consumer and broker, each as an implementation of records."""

import gzip
import json
import sys
from typing import Any

import pytest

from conformance.adapters.harnesses.apache_kafka import READERS, ApacheKafkaJvm
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import hello_request, reply_problem
from conformance.codec.bridge.records_check import FIELD
from conformance.codec.session import AnyCodec
from conformance.generate.record_building import sealed
from conformance.targets import DECODE, ENCODE, Ask, RecordsField, records_difference, shown
from conformance.targets.outcome import Kind, Outcome
from reference import encode_records, load_release, records_to_json
from reference.records.layouts import HEADER_SIZE
from tests.helpers.releases import BASE, NEWEST, OLDEST
from tests.helpers.requirements import java_and_maven
from tests.helpers.runs import invoke

pytestmark = pytest.mark.java

RELEASE = BASE
WIRE = encode_records(FIELD)
WRONG_CRC = WIRE[:17] + bytes(4) + WIRE[21:]
HEADER_KEY_AT = WIRE.index(b"\x02h")
MESSAGE: dict[str, Any] = {"compression": "none", "unusedAttributes": 0, "key": None, "value": b"v"}
WRAPPER: dict[str, Any] = {"magic": 0, "offset": 5, "compression": "gzip", "unusedAttributes": 0, "key": b"k"}


def command(reader: str, release: str = RELEASE) -> tuple[str, ...]:
    return (sys.executable, "-m", "conformance.adapters.harnesses.apache_kafka", release, "--records", reader)


@pytest.fixture(scope="module")
def readers() -> dict[str, AnyCodec]:
    java_and_maven()
    release = load_release(RELEASE)
    return {name: load_codec(f"stdio:{' '.join(command(name))}", release) for name in READERS}


@pytest.fixture
def consumer(readers: dict[str, AnyCodec]) -> AnyCodec:
    return readers["client"]


@pytest.fixture
def broker(readers: dict[str, AnyCodec]) -> AnyCodec:
    return readers["broker"]


def changed(**changes: Any) -> dict[str, Any]:
    """Return the value of the smallest field with members of its batch changed."""
    return {"batches": [FIELD["batches"][0] | changes], "partial": b""}


BATCHES = RecordsField()


def with_headers(*headers: Any) -> dict[str, Any]:
    [record] = FIELD["batches"][0]["records"]
    return changed(records=[record | {"headers": list(headers)}])


def with_offsets(*deltas: int) -> dict[str, Any]:
    [record] = FIELD["batches"][0]["records"]
    return changed(records=[record | {"offsetDelta": delta} for delta in deltas], lastOffsetDelta=1)


def wrapped(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"batches": [WRAPPER | {"messages": [MESSAGE | message for message in messages]}], "partial": b""}


def is_read(codec: AnyCodec, value: dict[str, Any]) -> bool:
    outcome = codec.perform(Ask(DECODE, BATCHES, encode_records(value)))
    expected = shown(codec.claims.records, value)
    return outcome.kind is Kind.VALUE and records_difference(expected, outcome.value) is None


def names(outcome: Outcome) -> tuple[str, str]:
    return outcome.kind, outcome.text.partition(":")[0].rpartition(".")[2]


def test_they_are_two_implementations_of_records_alone(readers: dict[str, AnyCodec]) -> None:
    assert [reader.claims.name for reader in readers.values()] == ["Apache Kafka consumer", "Apache Kafka broker"]
    assert {reader.claims.version for reader in readers.values()} == {RELEASE}
    assert not any(reader.claims.pairs() for reader in readers.values())


def test_consumer_and_broker_declare_their_hidden_facts(consumer: AnyCodec, broker: AnyCodec) -> None:
    assert [each.split(": ") for each in consumer.claims.records.not_shown()] == [
        ["wrapped-messages", "delivered"],
        ["log-append-deltas", "hidden"],
        ["hidden", "unusedAttributes"],
    ]
    assert broker.claims.records.not_shown() == ["reader: broker", "values: hidden"]


@pytest.mark.parametrize("reader", READERS)
def test_bridge_check_finds_nothing_wrong(reader: str) -> None:
    java_and_maven()
    result = invoke("bridge", "check", "--release", RELEASE, "--", *command(reader))
    assert result.exit_code == 0, result.output
    assert "decodes records" in result.output


def test_consumer_reads_its_own_bytes(consumer: AnyCodec) -> None:
    assert consumer.perform(Ask(ENCODE, BATCHES, FIELD)).wire == WIRE
    assert is_read(consumer, FIELD)


def test_the_consumer_delivers_messages_of_a_wrapper(consumer: AnyCodec) -> None:
    assert is_read(consumer, wrapped({"magic": 0, "offset": 4}, {"magic": 0, "offset": 5}))


def test_refusal_expected_by_the_consumer_is_a_rejection(consumer: AnyCodec) -> None:
    assert names(consumer.perform(Ask(DECODE, BATCHES, WRONG_CRC))) == (Kind.REJECTED, "CorruptRecordException")


def test_unexpected_exception_of_poll_is_unclassified(consumer: AnyCodec) -> None:
    outcome = consumer.perform(Ask(DECODE, BATCHES, sealed(WIRE[:22] + b"\x07" + WIRE[23:])))
    assert names(outcome) == (Kind.UNCLASSIFIED, "IllegalArgumentException")


def test_memory_reserved_for_a_claimed_length_is_exhausted(consumer: AnyCodec) -> None:
    """The record of a compressed batch claims 2^31 - 1 bytes."""
    wire = encode_records(changed(compression="gzip"))[:HEADER_SIZE] + gzip.compress(bytes.fromhex("feffffff0f"))
    assert names(consumer.perform(Ask(DECODE, BATCHES, sealed(wire)))) == (Kind.EXHAUSTED_MEMORY, "OutOfMemoryError")


def test_header_key_other_than_utf_8_is_shown_replaced(consumer: AnyCodec) -> None:
    wire = sealed(WIRE[: HEADER_KEY_AT + 1] + b"\xff" + WIRE[HEADER_KEY_AT + 2 :])
    [batch] = consumer.perform(Ask(DECODE, BATCHES, wire)).value["batches"]
    assert batch["records"][0]["headers"] == [("\ufffd", b"")]


def test_broker_shows_nothing_of_accepted_bytes(broker: AnyCodec) -> None:
    outcome = broker.perform(Ask(DECODE, BATCHES, WIRE))
    assert (outcome.kind, outcome.value) == (Kind.VALUE, {"batches": [], "partial": b""})
    assert shown(broker.claims.records, FIELD) is None


def test_broker_refuses_two_batches_as_produce_does(broker: AnyCodec) -> None:
    assert names(broker.perform(Ask(DECODE, BATCHES, WIRE + WIRE))) == (Kind.REJECTED, "InvalidRecordException")


def test_the_broker_does_not_write(broker: AnyCodec) -> None:
    assert broker.perform(Ask(ENCODE, BATCHES, FIELD)).kind is Kind.UNSUPPORTED


def test_replies_without_a_path_are_valid_by_the_schema(kafka: ApacheKafkaJvm) -> None:
    """Those with a path say more."""
    for wire in (WIRE, WRONG_CRC):
        request = {"id": 1, "op": "decode-records", "wire": wire.hex()}
        [reply] = kafka.exchange([{"op": "decode-records", "wire": wire.hex()}])
        assert reply_problem(request, {"id": 1, **reply}) is None


def test_messages_and_records_are_not_offered_together(kafka: ApacheKafkaJvm) -> None:
    reply = kafka.ask(hello_request(load_release(RELEASE)))
    assert not {"encode-records", "decode-records"}.intersection(reply["operations"])
    assert "records" not in reply


NOT_REPRESENTABLE = {
    "an epoch beyond an int16": changed(producerEpoch=2**15),
    "a timestamp beyond an int64": changed(baseTimestamp=2**63),
    "null for a number": changed(baseSequence=None),
    "null for the records": changed(records=None),
    "a codec that there is none of": changed(compression="brotli"),
    "a type of timestamp that there is none of": changed(timestampType="modified"),
    "offsets that descend": with_offsets(1, 0),
    "an offset below the base": with_offsets(-1),
    "an offset beyond the last one": with_offsets(0, 2),
    "a member left out": {"batches": [{"magic": 2}], "partial": b""},
    "a part of a batch": FIELD | {"partial": b"\0"},
    "a wrapped message of another magic": wrapped({"magic": 1, "offset": 5}),
    "a compressed message in a wrapper": wrapped({"magic": 0, "offset": 5, "compression": "gzip"}),
}


@pytest.mark.parametrize("name", NOT_REPRESENTABLE)
def test_value_without_a_form_in_kafka_is_unrepresentable(consumer: AnyCodec, name: str) -> None:
    assert consumer.perform(Ask(ENCODE, BATCHES, NOT_REPRESENTABLE[name])).kind is Kind.UNREPRESENTABLE


REFUSED = {
    "a header without a key": with_headers((None, b"")),
    "null for headers": changed(records=[FIELD["batches"][0]["records"][0] | {"headers": None}]),
    "a timestamp below -1": changed(baseTimestamp=-2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_value_refused_by_kafka_s_writer_is_rejected(consumer: AnyCodec, name: str) -> None:
    assert consumer.perform(Ask(ENCODE, BATCHES, REFUSED[name])).kind is Kind.REJECTED


FORMS = {"text": "2", "a list": [], "a fraction": 0.5}


@pytest.mark.parametrize("name", FORMS)
def test_a_number_of_another_form_is_no_request(kafka: ApacheKafkaJvm, name: str) -> None:
    value = json.loads(json.dumps(records_to_json(FIELD)))
    value["batches"][0]["baseSequence"] = FORMS[name]
    [reply] = kafka.exchange([{"op": "encode-records", "value": value}])
    assert reply["outcome"] == "protocol-error"


@pytest.mark.parametrize("release", [OLDEST, NEWEST])
@pytest.mark.parametrize("reader", READERS)
def test_other_releases_read_the_smallest_batch(reader: str, release: str) -> None:
    java_and_maven()
    spec = f"stdio:{' '.join(command(reader, release))}"
    codec = load_codec(spec, load_release(release))
    assert codec.claims.version == release
    assert is_read(codec, FIELD)
