"""The proof of the oracle: of damaged bytes it says what Apache Kafka does, and nothing that contradicts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.hostile import LONGEST, hostile_cases
from conformance.generate.mutations import damaged
from conformance.generate.values import sample
from reference import ApacheKafka as KafkaVerdict
from reference import MessageSchema, NotJsonForm, Result, Verdict, difference, encode, from_json, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.harnesses.apache_kafka import ApacheKafka

DAMAGES_PER_VALUE = 8


def damaged_differences(kafka: ApacheKafka, schema: MessageSchema, count: int, *, edges: bool) -> Iterator[str | None]:
    """For each of `count` damaged inputs where the two differ; None where they agree.

    With `edges`, every place of structure is tampered with as well, in every way.
    """
    wires = _damaged_wires(schema, count)
    if edges:
        wires += [case.wire for case in hostile_cases(schema)]
    replies = kafka.decode_many((schema.message, schema.version, wire) for wire in wires)
    for wire, reply in zip(wires, replies, strict=True):
        problem = _difference(schema, wire, reply)
        yield None if problem is None else f"{schema} damaged {wire.hex()[:400]}: {problem}"


def _damaged_wires(schema: MessageSchema, count: int) -> list[bytes]:
    wires = []
    for index in range(count):
        wire = encode(schema, sample(schema, f"damage/{index // DAMAGES_PER_VALUE}"))
        wires.append(damaged(wire[:LONGEST], f"{schema}/{index}"))
    return wires


def _difference(schema: MessageSchema, wire: bytes, reply: dict[str, Any]) -> str | None:
    """Where the verdict is not what Apache Kafka did."""
    verdict = judge(schema, wire)
    accepted = reply["outcome"] == "value"
    if accepted != (verdict.apache_kafka is KafkaVerdict.ACCEPTS):
        return f"the verdict is {verdict}, Apache Kafka says {reply}"
    if verdict.result is Result.INVALID and accepted:
        return f"Apache Kafka accepts what is said to be invalid: {verdict}"
    if not accepted:
        return f"Apache Kafka rejects what is said to be valid: {verdict}" if verdict.result is Result.VALID else None
    return _value_difference(schema, verdict, reply)


def _value_difference(schema: MessageSchema, verdict: Verdict, reply: dict[str, Any]) -> str | None:
    try:
        read = from_json(schema, reply["value"])
    except NotJsonForm as error:
        return f"Apache Kafka's value is not one of the schema: {error}"
    found = difference(schema, verdict.value, read, absent=True)
    if found is not None:
        return f"the values differ: {found}"
    canonical = None if verdict.canonical is None else verdict.canonical.hex()
    ours, theirs = (verdict.consumed, canonical), (reply["consumed"], reply["canonical"])
    return None if ours == theirs else f"consumed and written again: {ours} here, {theirs} there"
