"""Golden vectors compared with Apache Kafka of their own release.

It writes the values of valid vectors as their bytes and reads these back, rejects invalid ones, and does with
unspecified ones what their `observed` says. Vectors of record batches are put to every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.comparison import Question, compare, content_difference, read, rejected, written
from conformance.differential.record_vectors import record_vector_questions
from conformance.implementation.targets import RecordsField
from reference import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.differential.comparison import Check, Comparison
    from conformance.golden.tree.paths import Group
    from conformance.harnesses.apache_kafka import ApacheKafka
    from conformance.implementation.targets import Target

    Json = dict[str, Any]


def compare_vectors(kafka: ApacheKafka, groups: Iterable[Group], comparison: Comparison) -> None:
    """Put groups of vectors of the release of the harness, or of no release, to Apache Kafka; add what comes of it."""
    compare(kafka, _questions(kafka.release, groups, comparison), comparison)


def _questions(release: str, groups: Iterable[Group], comparison: Comparison) -> Iterator[Question]:
    for group in groups:
        if isinstance(group.target, RecordsField):
            yield from record_vector_questions(group, release, comparison)
        else:
            yield from vector_questions(group)


def vector_questions(group: Group) -> Iterator[Question]:
    """Yield the questions about one group of vectors."""
    target = group.target
    for vector in group.vectors:
        name, wire = f"{group.prefix}/{vector['id']}", bytes.fromhex(vector["wire"])
        if vector["result"] == Result.VALID:
            yield from _valid_questions(target, name, vector)
        elif vector["result"] == Result.INVALID:
            check = rejected(f"{vector['wire']:.400} is invalid")
            yield Question.to_read("invalid vectors rejected", name, target, wire, check)
        elif "observed" in vector:
            check = _as_observed(target, vector["observed"][f"apache-kafka-{group.release}"])
            yield Question.to_read("unspecified vectors observed", name, target, wire, check)


def _valid_questions(target: Target, name: str, vector: Json) -> Iterator[Question]:
    canonical: str = vector["canonical" if "canonical" in vector else "wire"]
    for key in ("value", "given"):
        if key in vector:
            content, check = target.from_json(vector[key]), written(bytes.fromhex(canonical))
            yield Question.to_write("valid vectors written", name, target, content, check)
    wire = bytes.fromhex(vector["wire"])
    facts = {"value": vector["value"], "consumed": len(wire), "canonical": canonical}
    check = read(lambda reply: _difference(target, facts, reply))
    yield Question.to_read("valid vectors read", name, target, wire, check)


def _as_observed(target: Target, observed: Json) -> Check:
    """Return a check that Apache Kafka does what a vector says it did."""
    if observed["accepts"]:
        return read(lambda reply: _difference(target, observed, reply))
    return rejected("the vector says that it refuses")


def _difference(target: Target, expected: Mapping[str, Any], reply: Mapping[str, Any]) -> object:
    """Return the first difference of a reply from the facts of a vector; None if there is none."""
    found = content_difference(target, target.from_json(expected["value"]), reply)
    if found is not None:
        return found
    stated = [name for name in ("consumed", "canonical") if name in reply]
    ours, theirs = ([facts[name] for name in stated] for facts in (expected, reply))
    return None if ours == theirs else f"{' and '.join(stated)}: {ours} here, {theirs} there"
