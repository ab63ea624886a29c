from collections.abc import Callable

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.campaign.proof.proof import ProofResult, compare_facts
from reference import MessageSchema, releases
from tests.helpers.limits import MANY_ELEMENTS, MANY_FIELDS, too_many_elements, too_many_fields

pytestmark = pytest.mark.java


@pytest.mark.parametrize(("schema", "wire"), [
    (MANY_FIELDS, too_many_fields),
    (MANY_ELEMENTS, too_many_elements),
])  # fmt: skip
def test_apache_kafka_has_the_limits_of_its_release(schema: MessageSchema, wire: Callable[[int], bytes]) -> None:
    with ApacheKafkaJvm("4.4.0") as limited:
        replies = limited.decode_many((schema.message, schema.version, wire(beyond)) for beyond in (0, 1))
    assert [reply["outcome"] for reply in replies] == ["value", "rejected"]


@pytest.mark.parametrize("release", releases())
def test_facts_of_a_release_are_those_of_its_classes(release: str) -> None:
    """Every error code with its name, and every limit."""
    comparison = ProofResult()
    with ApacheKafkaJvm(release) as kafka:
        compare_facts(kafka, release, comparison)
    assert comparison.differences == []


def test_limit_missing_in_the_table_is_a_difference(kafka: ApacheKafkaJvm) -> None:
    comparison = ProofResult()
    compare_facts(kafka, "4.4.0", comparison)
    assert len(comparison.differences) == 2
