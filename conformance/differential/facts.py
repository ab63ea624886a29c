"""Facts of a release that no definition has, compared with Apache Kafka: error codes, and limits of readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.differential.comparison import Question, compare
from reference.error_codes import error_codes
from reference.limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from conformance.differential.comparison import Check, Comparison
    from conformance.harnesses.apache_kafka import ApacheKafka


def compare_facts(kafka: ApacheKafka, release: str, comparison: Comparison) -> None:
    """Compare specs/error-codes.toml and specs/limits.toml with what the classes of the release say."""
    expected = {"errorCodes": error_codes(release), "limits": limits_of(release)}
    questions = [
        Question("facts", f"{name} of {release}", {"op": "facts"}, _equal(name, fact))
        for name, fact in expected.items()
    ]
    compare(kafka, questions, comparison)


def _equal(name: str, expected: Mapping[str, int]) -> Check:
    def check(reply: Mapping[str, Any]) -> str | None:
        found = reply.get(name, {})
        differing = [each for each in {**expected, **found} if expected.get(each) != found.get(each)]
        texts = (f"{each}: {expected.get(each)} in specs/, {found.get(each)} in Apache Kafka" for each in differing)
        return "; ".join(texts) or None

    return check
