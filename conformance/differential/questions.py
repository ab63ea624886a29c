"""Questions to Apache Kafka: one request to the harness, and what its reply must be."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.differential.pairs import refusal
from reference import CodecError, NotJsonForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from conformance.differential.pairs import Proof
    from conformance.harnesses.apache_kafka import ApacheKafka

BATCH = 1_000
SHOWN = 2_000


class Question(NamedTuple):
    """A request of the harness's protocol, and the check of its reply."""

    sort: str
    """What is counted: `header versions`, `frames written`, `primitives not readable` ..."""
    name: str
    request: Mapping[str, Any]
    check: Callable[[Mapping[str, Any]], str | None]


def ask(kafka: ApacheKafka, questions: Iterable[Question], proof: Proof) -> None:
    """Put all questions, and what they show into `proof`; what the release does not offer is counted as such."""
    stream = iter(questions)
    while batch := list(islice(stream, BATCH)):
        replies = kafka.exchange(question.request for question in batch)
        for question, reply in zip(batch, replies, strict=True):
            if reply["outcome"] == "unsupported":
                proof.cases["not offered"] += 1
                continue
            proof.cases[refusal(reply, question.sort)] += 1
            problem = question.check(reply)
            proof.note(None if problem is None else f"{question.name}: {problem[:SHOWN]}")


def written(write: Callable[[], bytes]) -> Callable[[Mapping[str, Any]], str | None]:
    """Apache Kafka writes what the reference writes, and refuses what it refuses."""
    try:
        wire = write().hex()
    except CodecError:
        return rejected("the reference refuses this value")
    return lambda reply: (
        None if reply.get("wire") == wire else f"the reference writes {wire}, Apache Kafka: {dict(reply)}"
    )


def rejected(why: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Apache Kafka refuses too; a protocol error of the harness proves nothing."""

    def check(reply: Mapping[str, Any]) -> str | None:
        refused = reply["outcome"] in ("rejected", "unrepresentable")
        return None if refused else f"{why}, Apache Kafka does not: {dict(reply)}"

    return check


def read(compare: Callable[[Mapping[str, Any]], object]) -> Callable[[Mapping[str, Any]], str | None]:
    """Apache Kafka reads a value, and `compare` finds nothing (None) that is different about it."""

    def check(reply: Mapping[str, Any]) -> str | None:
        if reply["outcome"] != "value":
            return f"Apache Kafka does not read these bytes: {dict(reply)}"
        try:
            found = compare(reply)
        except NotJsonForm as error:
            return f"Apache Kafka's value is not one of the schema: {error}"
        return None if found is None else f"Apache Kafka reads otherwise: {found}"

    return check
