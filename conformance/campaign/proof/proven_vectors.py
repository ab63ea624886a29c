"""Golden vectors compared with Apache Kafka of their own release.

Apache Kafka writes the values of valid vectors as their bytes and reads these back, and rejects invalid vectors. On
unspecified ones it behaves as in their `observed`. Vectors of record batches are compared with every release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.campaign.proof.left_out import is_written_wider
from conformance.campaign.proof.proof import Question, compare, rejected, written
from conformance.campaign.proof.proven_records import FIELD, ProvenBytes, written_records
from conformance.campaign.proof.proven_targets import read_as, read_whole
from conformance.targets import RecordsField
from conformance.vectors.enumeration.vector import UNWRITABLE
from reference import ApacheKafka, Result, judge_records, records_from_json
from reference.records.records_field import PARTIAL
from reference.records.verdict import ACCEPTS, Observed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from conformance.campaign.proof.proof import Check, ProofResult
    from conformance.targets import Target
    from conformance.vectors.tree.vector_paths import VectorGroup
    from reference import RecordsVerdict

    Json = dict[str, Any]


def compare_vectors(kafka: ApacheKafkaJvm, groups: Iterable[VectorGroup], comparison: ProofResult) -> None:
    """Compare groups of vectors, of the release of the harness or of none, with Apache Kafka, and add the results."""
    compare(kafka, _questions(kafka.release, groups, comparison), comparison)


def _questions(release: str, groups: Iterable[VectorGroup], comparison: ProofResult) -> Iterator[Question]:
    for group in groups:
        if isinstance(group.target, RecordsField):
            yield from record_vector_questions(group, release, comparison)
        else:
            yield from vector_questions(group)


def vector_questions(group: VectorGroup) -> Iterator[Question]:
    """Yield the questions about one group of vectors."""
    target = group.target
    for vector in group.vectors:
        name, wire = f"{group.prefix}/{vector['id']}", bytes.fromhex(vector.get("wire", ""))
        if vector["result"] == UNWRITABLE and not is_written_wider(target, vector["rule"]):
            content, check = target.from_json(vector["value"]), rejected(f"the vector says {vector['refusal']}")
            yield Question.to_write("unwritable vectors refused", name, target, content, check)
        elif vector["result"] == Result.VALID:
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
    check = read_whole(target, target.from_json(vector["value"]), wire, canonical)
    yield Question.to_read("valid vectors read", name, target, wire, check)


def _as_observed(target: Target, observed: Json) -> Check:
    if not observed["accepts"]:
        return rejected("the vector says that it refuses")
    facts = {name: observed[name] for name in ("consumed", "canonical")}
    return read_as(target, target.from_json(observed["value"]), facts)


def _stated_verdict(vector: Json, wire: bytes, release: str) -> RecordsVerdict:
    """Return the verdict stated by a vector of records, or the reference's for releases missing from it."""
    verdict = judge_records(wire, release=release)
    name = f"apache-kafka-{release}"
    readers = vector["readers"].get(name)
    if readers is None:
        return verdict
    form = vector["observed"][name].get("value") if "observed" in vector else vector.get("value")
    value = None if form is None else records_from_json(form)  # none if the consumer refuses the bytes
    client, broker = (_observed(readers.get(reader)) for reader in ("client", "broker"))
    return replace(verdict, client=client, broker=broker, value=value)


def record_vector_questions(group: VectorGroup, release: str, comparison: ProofResult) -> Iterator[Question]:
    """Yield the questions of both readers about each field of a group, and of the writer about each valid one.

    Unwritable values are left out: Apache Kafka's writers of records take no batch as it is.
    """
    for vector in (each for each in group.vectors if each["result"] != UNWRITABLE):
        name, wire = f"{group.prefix}/{vector['id']}", bytes.fromhex(vector["wire"])
        case = ProvenBytes(name, wire, _stated_verdict(vector, wire, release), comparison)
        readers = [question for question in case.questions("record vectors") if _is_stated(vector, question)]
        yield from readers
        if "value" in vector:
            yield _written(name, vector)


def _is_stated(vector: Json, question: Question) -> bool:
    return all(question.request["path"] in readers for readers in vector["readers"].values())


def _written(name: str, vector: Json) -> Question:
    value = {**records_from_json(vector["value"]), PARTIAL: b""}
    canonical: str = vector["canonical" if "canonical" in vector else "wire"]
    wire = FIELD.write(value) if "compressed" in vector else bytes.fromhex(canonical)
    return Question.to_write("record vectors written", name, FIELD, value, written_records(value, wire))


def _observed(reader: Mapping[str, Any] | None) -> Observed | None:
    if reader is None:
        return None
    return ACCEPTS if reader["accepts"] else Observed(ApacheKafka.REJECTS, reader["exception"], reader["rule"])
