"""Facts of a release that no definition has, compared with Apache Kafka: error codes, and limits of readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.differential.comparison import Question, compare
from conformance.generate.edges import highest_error_code
from reference.limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from conformance.differential.comparison import Check, Comparison
    from conformance.harnesses.apache_kafka import ApacheKafka


def compare_facts(kafka: ApacheKafka, release: str, comparison: Comparison) -> None:
    """Compare specs/error-codes.toml and specs/limits.toml with what the classes of the release say."""
    expected = {"highestErrorCode": highest_error_code(release), "limits": limits_of(release)}
    questions = [
        Question("facts", f"{name} of {release}", {"op": "facts"}, _equal(name, fact))
        for name, fact in expected.items()
    ]
    compare(kafka, questions, comparison)


def _equal(name: str, expected: object) -> Check:
    def check(reply: Mapping[str, Any]) -> str | None:
        return None if reply.get(name) == expected else f"{expected} in specs/, {reply.get(name)} in Apache Kafka"

    return check
