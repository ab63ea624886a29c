"""Questions to the harness of Apache Kafka's classes, with checks of its replies.

Requests follow the bridge protocol, with some members for this harness only: Apache Kafka has no reader that recognises
the prefixed message in some bytes. Some questions are about facts outside of definitions: error codes, and limits.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.targets import DECODE, ENCODE, EVERYTHING, PREFIXES, Ask, StoredForm, WholeFrame
from reference import Difference, NotJsonForm, difference, from_json
from reference.error_codes import error_codes
from reference.limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from conformance.targets import Target

    Reply = Mapping[str, Any]
    Check = Callable[[Reply], str | None]

BATCH = 1_000
SHOWN = 2_000
MAXIMUM_DIFFERENCES = 200
BODY_OPERATIONS = frozenset(("encode", "decode"))
"""Operations of every harness for every message: a reply that one is unsupported is a difference."""


class Question(NamedTuple):
    """A request of the harness's protocol, with the check of its reply."""

    kind: str
    """The name to count it under: `header versions`, `frames written`, `primitives not readable`, ..."""
    name: str
    request: Mapping[str, Any]
    check: Check
    """Returns the difference from the reference, or None."""

    @classmethod
    def to_write(cls, kind: str, name: str, target: Target, content: Any, check: Check) -> Question:
        """Return the question for the bytes of a content."""
        return cls(kind, name, {**Ask(ENCODE, target, content).request, **_members(target)}, check)

    @classmethod
    def to_read(cls, kind: str, name: str, target: Target, wire: bytes, check: Check) -> Question:
        """Return the question for the content of bytes."""
        return cls(kind, name, {**Ask(DECODE, target, wire).request, **_members(target)}, check)


@dataclass
class ProofResult:
    """The number of cases compared, and the differences."""

    pairs: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    """The first few hundred; later ones repeat them."""

    def note(self, problem: str | None) -> None:
        """Keep a difference, if there is one."""
        if problem is not None and len(self.differences) < MAXIMUM_DIFFERENCES:
            self.differences.append(problem)


def compare(kafka: ApacheKafkaJvm, questions: Iterable[Question], comparison: ProofResult) -> None:
    """Ask Apache Kafka all questions, and add the results to `comparison`.

    Questions unsupported by the release are counted as `not offered`. Values that no Java class can hold are counted as
    `not representable in Java`; Apache Kafka is not asked to write them.
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
    """Return a check that Apache Kafka writes these bytes, with their number as its `size()` if `sized`."""
    expected = {"wire": wire.hex()} | ({"size": len(wire)} if sized else {})

    def check(reply: Reply) -> str | None:
        if expected.items() <= reply.items():
            return None
        return f"the reference writes {wire.hex()}, Apache Kafka: {dict(reply)}"

    return check


def rejected(reason: str) -> Check:
    """Return a check that Apache Kafka refuses too. A protocol error of the harness is no refusal."""

    def check(reply: Reply) -> str | None:
        is_refused = reply["outcome"] in {"rejected", "unrepresentable"}
        return None if is_refused else f"{reason}, Apache Kafka does not: {dict(reply)}"

    return check


def read(difference: Callable[[Reply], object]) -> Check:
    """Return a check that Apache Kafka reads a value, in a reply without a difference."""

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
    """Return a text about two facts that differ, or None if they are equal."""
    return None if expected == actual else f"{actual} instead of {expected}"


def _members(target: Target) -> dict[str, Any]:
    if not isinstance(target, StoredForm):
        return {}
    if target.form == "record":
        return {"source": target.source}
    return {"message": target.message, "version": target.version, "prefix": PREFIXES[target.schema.kind]}


def content_difference(target: Target, content: Any, reply: Mapping[str, Any]) -> object:
    """Return the first difference between the value of a reply and a content, or None, or raise NotJsonForm."""
    if isinstance(target, StoredForm):
        prefix = int.from_bytes(target.write(content)[:2], signed=True) if target.form == "prefixed" else None
        if prefix is not None and reply["prefix"] != prefix:
            return Difference("prefix", prefix, reply["prefix"], "value")
        reply = _named(target, content, reply)
    if isinstance(target, WholeFrame) and (found := _header_difference(target, content, reply)):
        return found
    return target.difference(EVERYTHING, target.expected(EVERYTHING, content), target.parse(dict(reply)))


def _named(target: StoredForm, content: Any, reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a reply with the message and the version of its value, the nearest one to an unknown version."""
    if target.form == "prefixed":  # the request has named the message, so the reply does not
        return {**reply, "message": content.message, "version": content.version}
    known = target.release.definition(content.message).valid_versions
    is_nearest = reply["message"] == content.message and reply["version"] not in known
    return {**reply, "version": content.version} if is_nearest else reply


def _header_difference(target: WholeFrame, content: Any, reply: Mapping[str, Any]) -> object:
    """Compare the whole header, and Apache Kafka's API key and version of it."""
    api = (target.api_key, target.version), (reply["apiKey"], reply["version"])
    if api[0] != api[1]:
        return Difference("header", *api, "value")
    forms = target.to_json(content)["header"], reply["header"]
    return difference(target.header, *(from_json(target.header, form) for form in forms), absent=True)


def compare_facts(kafka: ApacheKafkaJvm, release: str, comparison: ProofResult) -> None:
    """Compare specs/error-codes.toml and specs/limits.toml with the classes of the release."""
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
