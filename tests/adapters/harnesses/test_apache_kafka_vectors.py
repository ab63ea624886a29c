from typing import Any

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.campaign.proof.proof import ProofResult
from conformance.campaign.proof.proven_vectors import compare_vectors
from conformance.vectors.enumeration.enumerate import group
from conformance.vectors.tree.vector_paths import VectorFile, VectorGroup
from tests.helpers.releases import BASE

pytestmark = pytest.mark.java

PAIR = ("ApiVersionsResponse", 4)
PREFIX = f"{BASE}/messages/ApiVersionsResponse/v4"
OBSERVED = f"apache-kafka-{BASE}"


def compared(kafka: ApacheKafkaJvm, vectors: list[dict[str, Any]]) -> ProofResult:
    comparison = ProofResult()
    content = {"version": PAIR[1], "vectors": vectors}
    compare_vectors(kafka, [VectorGroup(VectorFile(BASE, "messages", PAIR[0]), content, BASE)], comparison)
    return comparison


def vector(result: str, **of: Any) -> dict[str, Any]:
    vectors: list[dict[str, Any]] = group(BASE, *PAIR)["vectors"]
    for candidate in vectors:
        if candidate["result"] == result and of.items() <= candidate.get("observed", {}).get(OBSERVED, {}).items():
            return candidate
    raise AssertionError(result)


def test_apache_kafka_agrees_with_the_vectors_of_a_message(kafka: ApacheKafkaJvm) -> None:
    vectors = group(BASE, *PAIR)["vectors"]
    comparison = compared(kafka, vectors)
    assert not comparison.differences
    valid = sum(item["result"] == "valid" for item in vectors)
    assert comparison.cases["valid vectors read"] == valid
    assert comparison.cases["valid vectors written"] >= valid
    assert comparison.cases["invalid vectors rejected"] == sum(item["result"] == "invalid" for item in vectors)
    assert comparison.cases["unspecified vectors observed"] == sum(item["result"] == "unspecified" for item in vectors)


def only(comparison: ProofResult) -> str:
    [difference] = comparison.differences
    assert difference.startswith(f"{PREFIX}/")
    return difference


def test_a_wrong_value_is_reported(kafka: ApacheKafkaJvm) -> None:
    sound = vector("valid")
    value = {**sound["value"], "ThrottleTimeMs": 77}
    written, read = compared(kafka, [{**sound, "value": value}]).differences
    assert "the reference writes" in written
    assert "ThrottleTimeMs" in read


def test_valid_bytes_in_an_invalid_vector_are_reported(kafka: ApacheKafkaJvm) -> None:
    assert "is invalid, Apache" in only(compared(kafka, [{**vector("valid"), "result": "invalid"}]))


def test_other_observations_are_reported(kafka: ApacheKafkaJvm) -> None:
    """Each member of `observed` is compared, that is accepts, consumed, canonical and value."""
    accepted, refused = vector("unspecified", accepts=True), vector("unspecified", accepts=False)
    seen = accepted["observed"][OBSERVED]
    wrong = [
        {**accepted, "observed": {OBSERVED: {"accepts": False}}},
        {**accepted, "observed": {OBSERVED: {**seen, "consumed": seen["consumed"] - 1}}},
        {**accepted, "observed": {OBSERVED: {**seen, "canonical": "00"}}},
        {**accepted, "observed": {OBSERVED: {**seen, "value": vector("valid")["value"] | {"ErrorCode": 99}}}},
        {**refused, "observed": {OBSERVED: seen}},
    ]
    assert [len(compared(kafka, [item]).differences) for item in wrong] == [1] * len(wrong)
