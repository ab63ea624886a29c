from typing import Any

import pytest

from conformance.differential.bodies import compare_bodies
from conformance.differential.comparison import Comparison
from conformance.differential.frames import compare_framing
from conformance.harnesses.apache_kafka import ApacheKafka
from reference import load_release

pytestmark = pytest.mark.java

HEADER = {"RequestApiKey": 18, "RequestApiVersion": 0, "CorrelationId": 7, "ClientId": "cl"}
FRAME = "0000000c00120000000000070002636c"
API_VERSIONS = {"direction": "request", "apiKey": 18, "version": 0}
NO_OP = {"source": "kafka-metadata", "message": "NoOpRecord", "version": 0}

WRITTEN: dict[str, tuple[dict[str, Any], str]] = {
    "frame": ({"op": "encode-frame", **API_VERSIONS, "header": HEADER, "value": {}}, FRAME),
    "record": ({"op": "encode-record", **NO_OP, "value": {}}, "01140000"),
    "prefixed": (
        {"op": "encode-prefixed", "message": "OffsetCommitKey", "version": 0, "prefix": "type", "value": {}},
        "00010000000000000000",
    ),
    "varlong": ({"op": "encode-primitive", "name": "varlong", "value": "-300"}, "d704"),
}
REJECTED: dict[str, dict[str, Any]] = {
    "unknown-api": {"op": "header-version", "direction": "request", "apiKey": 9999, "version": 0},
    "api-without-versions": {"op": "header-version", "direction": "request", "apiKey": 7, "version": 0},
    "frame-cut": {"op": "decode-frame", "direction": "request", "wire": FRAME[:-2]},
    "frame-of-negative-size": {"op": "decode-frame", "direction": "request", "wire": "ffffffff"},
    "record-with-garbage": {"op": "decode-record", "source": "kafka-metadata", "wire": "0114000000"},
    "six-bytes": {"op": "decode-primitive", "name": "varint", "wire": "808080808000"},
}


@pytest.mark.parametrize("case", WRITTEN)
def test_writes(kafka: ApacheKafka, case: str) -> None:
    request, wire = WRITTEN[case]
    [reply] = kafka.exchange([request])
    assert (reply["outcome"], reply["wire"]) == ("bytes", wire)


@pytest.mark.parametrize("case", REJECTED)
def test_rejects(kafka: ApacheKafka, case: str) -> None:
    [reply] = kafka.exchange([REJECTED[case]])
    assert reply["outcome"] == "rejected"


def test_reads_a_frame(kafka: ApacheKafka) -> None:
    [reply] = kafka.exchange([{"op": "decode-frame", "direction": "request", "wire": FRAME + "ff"}])
    assert (reply["apiKey"], reply["version"], reply["header"]) == (18, 0, HEADER)
    assert (reply["consumed"], reply["canonical"]) == (16, FRAME)


def test_the_reference_agrees_with_apache_kafka(kafka: ApacheKafka) -> None:
    release = load_release(kafka.release)
    names = {"ApiVersionsRequest", "ApiVersionsResponse", "NoOpRecord", "OffsetCommitKey", "OffsetCommitValue"}
    comparison = Comparison()
    compare_framing(kafka, release, [each for each in release.schemas() if each.message in names], comparison)
    assert comparison.differences == []
    assert comparison.cases["header versions"] > 1_000
    assert comparison.cases["frames read"] > 20
    assert comparison.cases["primitives read"] > 1_000
    assert comparison.cases["not representable in Java"] > 10


def test_what_no_java_class_can_hold_is_no_agreement(kafka: ApacheKafka) -> None:
    """A value that no Java class can hold was not refused by Apache Kafka: it is counted apart."""
    comparison = Comparison()
    schemas = [load_release(kafka.release).schema("HeartbeatResponse", 4)]
    assert list(compare_bodies(kafka, schemas, 0, comparison, edges=True)) == schemas
    assert comparison.differences == []
    assert (
        comparison.cases["not representable in Java"] == 6
    )  # null and two numbers out of range, for each of two fields
    assert "not writable" not in comparison.cases
