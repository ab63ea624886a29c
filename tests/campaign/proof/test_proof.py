from typing import Any, cast

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.campaign.proof.proof import ProofResult, Question, compare, other, read, rejected, written

WIRE = b"\xca\xfe"


class Replies:
    """A harness that gives the same reply to every request."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self._reply = reply

    def exchange(self, requests: Any) -> list[dict[str, Any]]:
        return [self._reply for _ in requests]


def asked(reply: dict[str, Any], check: Any, operation: str = "encode") -> ProofResult:
    comparison = ProofResult()
    harness = cast("ApacheKafkaJvm", Replies(reply))
    compare(harness, [Question("written", "the case", {"op": operation}, check)], comparison)
    return comparison


def test_a_reply_without_a_difference_is_counted_by_its_kind() -> None:
    comparison = asked({"outcome": "bytes", "wire": "cafe"}, written(WIRE))
    assert comparison.cases == {"written": 1}
    assert comparison.differences == []


def test_a_difference_has_the_name_of_its_case(snapshot: SnapshotAssertion) -> None:
    [difference] = asked({"outcome": "bytes", "wire": "00"}, written(WIRE)).differences
    assert difference == snapshot


@pytest.mark.parametrize("size", [None, 3])
def test_a_size_that_is_missing_or_wrong_is_a_difference(size: int | None) -> None:
    """`size()` of a message must be the number of bytes that it writes."""
    reply = {"outcome": "bytes", "wire": "cafe"} | ({} if size is None else {"size": size})
    assert len(asked(reply, written(WIRE, sized=True)).differences) == 1


def test_what_a_release_does_not_offer_is_no_difference() -> None:
    comparison = asked({"outcome": "unsupported"}, written(WIRE), "encode-record")
    assert (comparison.cases, comparison.differences) == ({"not offered": 1}, [])


@pytest.mark.parametrize("operation", ["encode", "decode"])
def test_a_body_that_is_not_offered_is_a_difference(operation: str) -> None:
    """Every release has the classes of its own messages: a harness without them compares nothing."""
    assert len(asked({"outcome": "unsupported"}, written(WIRE), operation).differences) == 1


def test_a_value_that_no_java_class_can_hold_is_counted_apart(snapshot: SnapshotAssertion) -> None:
    comparison = asked({"outcome": "unrepresentable"}, rejected("the reference refuses"))
    assert comparison.cases == snapshot
    assert comparison.differences == []


@pytest.mark.parametrize("outcome", ["bytes", "value", "protocol-error", "crashed"])
def test_anything_but_a_refusal_differs_from_a_refusal(outcome: str) -> None:
    assert len(asked({"outcome": outcome}, rejected("the reference refuses")).differences) == 1


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ({"outcome": "rejected"}, "does not read these bytes"),
        ({"outcome": "value", "value": 8}, "reads otherwise: 8 instead of 7"),
    ],
    ids=["rejected", "other-value"],
)
def test_a_value_that_is_refused_or_read_otherwise_is_a_difference(reply: dict[str, Any], text: str) -> None:
    [difference] = asked(reply, read(lambda reply: other(7, reply["value"]))).differences
    assert text in difference
