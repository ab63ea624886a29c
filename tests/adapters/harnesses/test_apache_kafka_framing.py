from typing import Any

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.campaign.proof.proof import ProofResult
from conformance.campaign.proof.proven_contents import compare_bodies, compare_framing
from reference import load_release

pytestmark = pytest.mark.java

HEADER = {"RequestApiKey": 18, "RequestApiVersion": 0, "CorrelationId": 7, "ClientId": "cl"}
FRAME = "0000000c00120000000000070002636c"
NO_JAVA_FORM = "not representable in Java"
EVERY_FORM = (
    ("AddPartitionsToTxnRequest", 3),
    ("AlterClientQuotasRequest", 0),
    ("ApiVersionsResponse", 3),
    ("ConsumerGroupHeartbeatResponse", 0),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("EnvelopeRequest", 0),
    ("FetchRequest", 14),
    ("FetchResponse", 12),
    ("ListGroupsRequest", 4),
    ("MetadataRequest", 0),
    ("MetadataRequest", 9),
    ("OffsetCommitKey", 0),
    ("PartitionChangeRecord", 0),
    ("ProducerSnapshot", 1),
    ("RequestHeader", 2),
)
"""Pairs that have every type, length, null, marker, tagged field and field of another version among them."""
REJECTED: dict[str, dict[str, Any]] = {
    "unknown-api": {"op": "header-version", "direction": "request", "apiKey": 9999, "version": 0},
    "api-without-versions": {"op": "header-version", "direction": "request", "apiKey": 7, "version": 0},
    "frame-cut": {"op": "decode-frame", "direction": "request", "wire": FRAME[:-2]},
    "frame-of-negative-size": {"op": "decode-frame", "direction": "request", "wire": "ffffffff"},
    "record-with-garbage": {"op": "decode-record", "source": "kafka-metadata", "wire": "0114000000"},
    "six-bytes": {"op": "decode-primitive", "name": "varint", "wire": "808080808000"},
}


@pytest.mark.parametrize("case", REJECTED)
def test_rejects(kafka: ApacheKafkaJvm, case: str) -> None:
    [reply] = kafka.exchange([REJECTED[case]])
    assert reply["outcome"] == "rejected"


def test_reads_a_frame(kafka: ApacheKafkaJvm) -> None:
    [reply] = kafka.exchange([{"op": "decode-frame", "direction": "request", "wire": FRAME + "ff"}])
    assert (reply["apiKey"], reply["version"], reply["header"]) == (18, 0, HEADER)
    assert (reply["consumed"], reply["canonical"]) == (16, FRAME)


def test_the_reference_agrees_with_apache_kafka(kafka: ApacheKafkaJvm) -> None:
    release = load_release(kafka.release)
    names = {"ApiVersionsRequest", "ApiVersionsResponse", "NoOpRecord", "OffsetCommitKey", "OffsetCommitValue"}
    comparison = ProofResult()
    compare_framing(kafka, release, [each for each in release.schemas() if each.message in names], comparison)
    assert comparison.differences == []
    least = {
        "header versions": 1_000,
        "frames read": 20,
        "primitives read": 1_000,
        "answers read": 300,
        "answers read as version 0": 200,
        NO_JAVA_FORM: 10,
    }
    assert [kind for kind, number in least.items() if comparison.cases[kind] <= number] == []


def test_reference_and_apache_kafka_agree_on_refusals(kafka: ApacheKafkaJvm) -> None:
    """Compared are hostile and invalid bytes, values without bytes, and fields of other versions."""
    comparison = ProofResult()
    schemas = [load_release(kafka.release).schema(*pair) for pair in EVERY_FORM]
    assert list(compare_bodies(kafka, schemas, 1, comparison, edges=True)) == schemas
    assert comparison.differences == []
    assert {"written", "read", "not readable", "not writable", "damaged"} <= comparison.cases.keys()


def test_value_without_a_java_form_is_no_agreement(kafka: ApacheKafkaJvm) -> None:
    """Apache Kafka has not refused such a value, so it is counted apart."""
    comparison = ProofResult()
    schemas = [load_release(kafka.release).schema("HeartbeatResponse", 4)]
    assert list(compare_bodies(kafka, schemas, 0, comparison, edges=True)) == schemas
    assert comparison.differences == []
    assert comparison.cases[NO_JAVA_FORM] == 6  # null and two numbers out of range, for each of two fields
    assert "not writable" not in comparison.cases
