"""Golden vectors put to Apache Kafka: sound ones are proven, and a wrong one is told by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from conformance.differential.pairs import Proof
from conformance.golden.kernel import group
from conformance.golden.parts import Part

from conformance.differential.vectors import prove_vectors

if TYPE_CHECKING:
    from conformance.harnesses.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.java, pytest.mark.xdist_group("apache-kafka")]

PAIR = ("ApiVersionsResponse", 4)
PREFIX = "4.3.0/messages/ApiVersionsResponse/v4"
OBSERVED = "apache-kafka-4.3.0"


def prove(kafka: ApacheKafka, vectors: list[dict[str, Any]]) -> Proof:
    """What Apache Kafka says to some vectors of one message."""
    proof = Proof()
    prove_vectors(kafka, [Part("4.3.0", PAIR[0], "response", PREFIX, {"version": PAIR[1], "vectors": vectors})], proof)
    return proof


def vector(result: str, **of: Any) -> dict[str, Any]:
    """The first vector with that result, and with those observations."""
    for each in group("4.3.0", *PAIR)["vectors"]:
        if each["result"] == result and of.items() <= each.get("observed", {}).get(OBSERVED, {}).items():
            found: dict[str, Any] = each
            return found
    raise AssertionError(result)


def test_the_vectors_of_a_message_are_proven(kafka: ApacheKafka) -> None:
    """Valid ones twice, written and read."""
    vectors = group("4.3.0", *PAIR)["vectors"]
    proof = prove(kafka, vectors)
    assert not proof.differences
    valid = sum(each["result"] == "valid" for each in vectors)
    assert proof.cases["valid vectors read"] == valid
    assert proof.cases["valid vectors written"] >= valid
    assert proof.cases["invalid vectors rejected"] == sum(each["result"] == "invalid" for each in vectors)
    assert proof.cases["unspecified vectors observed"] == sum(each["result"] == "unspecified" for each in vectors)


def only(proof: Proof) -> str:
    """The one difference."""
    [difference] = proof.differences
    assert difference.startswith(f"{PREFIX}/")
    return difference


def test_a_wrong_value_is_told(kafka: ApacheKafka) -> None:
    """It is written as other bytes, and not what is read."""
    sound = vector("valid")
    value = {**sound["value"], "ThrottleTimeMs": 77}
    written, read = prove(kafka, [{**sound, "value": value}]).differences
    assert "the reference writes" in written
    assert "ThrottleTimeMs" in read


def test_sound_bytes_said_to_be_invalid_are_told(kafka: ApacheKafka) -> None:
    """For it reads them."""
    assert "is invalid, Apache Kafka does not" in only(prove(kafka, [{**vector("valid"), "result": "invalid"}]))


def test_other_observations_are_told(kafka: ApacheKafka) -> None:
    """Of what it accepts, reads, consumes, and writes again."""
    accepted, refused = vector("unspecified", accepts=True), vector("unspecified", accepts=False)
    seen = accepted["observed"][OBSERVED]
    wrong = [
        {**accepted, "observed": {OBSERVED: {"accepts": False}}},
        {**accepted, "observed": {OBSERVED: {**seen, "consumed": seen["consumed"] - 1}}},
        {**accepted, "observed": {OBSERVED: {**seen, "canonical": "00"}}},
        {**accepted, "observed": {OBSERVED: {**seen, "value": vector("valid")["value"] | {"ErrorCode": 99}}}},
        {**refused, "observed": {OBSERVED: seen}},
    ]
    assert [len(prove(kafka, [each]).differences) for each in wrong] == [1] * len(wrong)
