"""The proof of the golden vectors: each is put to Apache Kafka of its own release.

It writes the values of valid vectors as their bytes and reads these back, refuses invalid ones, and does with
unspecified ones what stands under `observed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from conformance.differential.questions import Question, ask, read, rejected, written
from conformance.differential.vector_subjects import BodySubject, FrameSubject, StoredSubject, WireTypeSubject
from conformance.golden.parts import FRAME, PRIMITIVE, STORED
from conformance.golden.text import VECTORS
from reference import Result, load_release, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.differential.pairs import Proof
    from conformance.golden.parts import Part
    from conformance.harnesses.apache_kafka import ApacheKafka

    Json = dict[str, Any]


class Subject(Protocol):
    """What vectors are about, as the harness is asked about it."""

    def writing(self, form: Any) -> Json:
        """The request to write a value."""

    def reading(self, wire: str) -> Json:
        """The request to read bytes."""

    def other(self, form: Any, reply: Mapping[str, Any]) -> object:
        """Where the value of a reply is not that value; None where it is."""


def prove_vectors(kafka: ApacheKafka, parts: Iterable[Part], proof: Proof) -> None:
    """Put groups of vectors of the harness's release to Apache Kafka; `proof` gets what is found."""
    ask(kafka, (question for part in parts for question in vector_questions(part)), proof)


def vector_questions(part: Part) -> Iterator[Question]:
    """All that is asked about one group of vectors."""
    subject = _subject(part)
    for vector in part.group[VECTORS]:
        name = f"{part.prefix}/{vector['id']}"
        if vector["result"] == Result.VALID:
            yield from _valid_questions(subject, name, vector)
        elif vector["result"] == Result.INVALID:
            check = rejected(f"{vector['wire']:.400} is invalid")
            yield Question("invalid vectors rejected", name, subject.reading(vector["wire"]), check)
        elif "observed" in vector:
            check = _as_observed(subject, vector["observed"][f"apache-kafka-{part.release}"])
            yield Question("unspecified vectors observed", name, subject.reading(vector["wire"]), check)


def _subject(part: Part) -> Subject:
    if part.kind == PRIMITIVE:
        return WireTypeSubject(primitive(part.message))
    release = load_release(part.release)
    schema = release.schema(part.message, part.version)
    if part.kind == FRAME:
        return FrameSubject(release, schema)
    return StoredSubject(release, schema) if part.kind == STORED else BodySubject(schema)


def _valid_questions(subject: Subject, name: str, vector: Json) -> Iterator[Question]:
    canonical: str = vector["canonical" if "canonical" in vector else "wire"]
    for key in ("value", "given"):
        if key in vector:
            check = written(lambda: bytes.fromhex(canonical))
            yield Question("valid vectors written", name, subject.writing(vector[key]), check)
    facts = {"value": vector["value"], "consumed": len(vector["wire"]) // 2, "canonical": canonical}
    check = read(lambda reply: _other(subject, facts, reply))
    yield Question("valid vectors read", name, subject.reading(vector["wire"]), check)


def _as_observed(subject: Subject, observed: Json) -> Callable[[Mapping[str, Any]], str | None]:
    """Apache Kafka does what a vector says that it did."""
    if observed["accepts"]:
        return read(lambda reply: _other(subject, observed, reply))
    return rejected("the vector says that it refuses")


def _other(subject: Subject, expected: Mapping[str, Any], reply: Mapping[str, Any]) -> object:
    """The first difference between what was read and what should have been; None if there is none."""
    found = subject.other(expected["value"], reply)
    if found is not None:
        return found
    told = [name for name in ("consumed", "canonical") if name in reply]
    ours, theirs = ([each[name] for name in told] for each in (expected, reply))
    return None if ours == theirs else f"{' and '.join(told)}: {ours} here, {theirs} there"
