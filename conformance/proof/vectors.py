"""The proof of the golden vectors: each is put to Apache Kafka of its own release.

It writes the values of valid vectors as their bytes and reads these back, refuses invalid ones, and does with
unspecified ones what stands under `observed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.golden.documents import path_of
from conformance.golden.text import VECTORS
from conformance.proof.questions import Question, ask, read, rejected, written
from reference import Result, difference, from_json, load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.golden.files import Built
    from conformance.harnesses.apache_kafka import ApacheKafka
    from conformance.proof.pairs import Proof
    from reference import MessageSchema

    Json = dict[str, Any]


def prove_vectors(kafka: ApacheKafka, groups: Iterable[Built], proof: Proof) -> None:
    """Put groups of vectors of the harness's release to Apache Kafka; `proof` gets what is found."""
    ask(kafka, (question for built in groups for question in vector_questions(built)), proof)


def vector_questions(built: Built) -> Iterator[Question]:
    """All that is asked about the vectors of one message at one version."""
    schema = load_release(built.release).schema(built.message, built.version)
    prefix = f"{path_of(built.release, built.message).removesuffix('.json')}/v{built.version}"
    for vector in built.group[VECTORS]:
        name = f"{prefix}/{vector['id']}"
        match vector["result"]:
            case Result.VALID:
                yield from _valid_questions(schema, name, vector)
            case Result.INVALID:
                check = rejected(f"{vector['wire']:.400} is invalid")
                yield Question("invalid vectors rejected", name, _decoding(schema, vector), check)
            case Result.UNSPECIFIED:
                check = _as_observed(schema, vector["observed"][f"apache-kafka-{built.release}"])
                yield Question("unspecified vectors observed", name, _decoding(schema, vector), check)


def _valid_questions(schema: MessageSchema, name: str, vector: Json) -> Iterator[Question]:
    canonical: str = vector["canonical" if "canonical" in vector else "wire"]
    for key in ("value", "given"):
        if key in vector:
            check = written(lambda: bytes.fromhex(canonical))
            yield Question("valid vectors written", name, {**_pair(schema, "encode"), "value": vector[key]}, check)
    facts = {"value": vector["value"], "consumed": len(vector["wire"]) // 2, "canonical": canonical}
    check = read(lambda reply: _other(schema, facts, reply))
    yield Question("valid vectors read", name, _decoding(schema, vector), check)


def _pair(schema: MessageSchema, operation: str) -> Json:
    return {"op": operation, "message": schema.message, "version": schema.version}


def _decoding(schema: MessageSchema, vector: Json) -> Json:
    return {**_pair(schema, "decode"), "wire": vector["wire"]}


def _as_observed(schema: MessageSchema, observed: Json) -> Callable[[Mapping[str, Any]], str | None]:
    """Apache Kafka does what a vector says that it did."""
    if observed["accepts"]:
        return read(lambda reply: _other(schema, observed, reply))
    return rejected("the vector says that it refuses")


def _other(schema: MessageSchema, expected: Mapping[str, Any], reply: Mapping[str, Any]) -> object:
    """The first difference between what was read and what should have been; None if there is none."""
    found = difference(schema, from_json(schema, expected["value"]), from_json(schema, reply["value"]), absent=True)
    if found is not None:
        return found
    ours, theirs = ((each["consumed"], each["canonical"]) for each in (expected, reply))
    return None if ours == theirs else f"consumed and written again: {ours} here, {theirs} there"
