"""One comparison with Apache Kafka: questions, which are requests to its harness, each with a check of the reply."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import NotJsonForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from conformance.harnesses.apache_kafka import ApacheKafka

    Reply = Mapping[str, Any]
    Check = Callable[[Reply], str | None]

BATCH = 1_000
SHOWN = 2_000
MAXIMUM_DIFFERENCES = 200
BODY_OPERATIONS = frozenset(("encode", "decode"))
"""Operations that the harness of every release offers for every message: not to offer them is a difference."""


class Question(NamedTuple):
    """A request of the harness's protocol, and the check of its reply."""

    kind: str
    """The name under which it is counted: `header versions`, `frames written`, `primitives not readable`, ..."""
    name: str
    request: Mapping[str, Any]
    check: Check
    """Returns the difference from the reference; None if there is none."""


@dataclass
class Comparison:
    """The number of cases compared, and the differences."""

    pairs: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    """The number of questions, by kind."""
    differences: list[str] = field(default_factory=list)
    """The first few hundred: more would only repeat them."""

    def note(self, problem: str | None) -> None:
        """Keep a difference, if there is one."""
        if problem is not None and len(self.differences) < MAXIMUM_DIFFERENCES:
            self.differences.append(problem)


def compare(kafka: ApacheKafka, questions: Iterable[Question], comparison: Comparison) -> None:
    """Put all questions to Apache Kafka, and add what comes of them to `comparison`.

    What the release does not offer is counted as `not offered`; values that no Java class can hold, which Apache Kafka
    was not even asked to write, as `not representable in Java`.
    """
    stream = iter(questions)
    while batch := list(islice(stream, BATCH)):
        replies = kafka.exchange(question.request for question in batch)
        for question, reply in zip(batch, replies, strict=True):
            if reply["outcome"] == "unsupported" and question.request["op"] not in BODY_OPERATIONS:
                comparison.cases["not offered"] += 1
                continue
            is_unrepresentable = reply["outcome"] == "unrepresentable"
            comparison.cases["not representable in Java" if is_unrepresentable else question.kind] += 1
            problem = question.check(reply)
            comparison.note(None if problem is None else f"{question.name}: {problem[:SHOWN]}")


def written(wire: bytes, *, sized: bool = False) -> Check:
    """Return a check that Apache Kafka writes these bytes; if `sized`, that its `size()` is their number too."""
    expected = {"wire": wire.hex()} | ({"size": len(wire)} if sized else {})

    def check(reply: Reply) -> str | None:
        if expected.items() <= reply.items():
            return None
        return f"the reference writes {wire.hex()}, Apache Kafka: {dict(reply)}"

    return check


def rejected(reason: str) -> Check:
    """Return a check that Apache Kafka refuses too; a protocol error of the harness is no refusal."""

    def check(reply: Reply) -> str | None:
        is_refused = reply["outcome"] in {"rejected", "unrepresentable"}
        return None if is_refused else f"{reason}, Apache Kafka does not: {dict(reply)}"

    return check


def read(difference: Callable[[Reply], object]) -> Check:
    """Return a check that Apache Kafka reads a value in which `difference` finds none."""

    def check(reply: Reply) -> str | None:
        if reply["outcome"] != "value":
            return f"Apache Kafka does not read these bytes: {dict(reply)}"
        try:
            problem = difference(reply)
        except NotJsonForm as error:
            return f"Apache Kafka's value is not one of the schema: {error}"
        return None if problem is None else f"Apache Kafka reads otherwise: {problem}"

    return check


def other(expected: object, actual: object) -> str | None:
    """Return a text about two facts that differ; None if they are equal."""
    return None if expected == actual else f"{actual} instead of {expected}"
