"""Bodies compared with Apache Kafka, from generated values, every deterministic case and damaged bytes.

Both sides write each value. The bytes must be the same, and `size()` their number. Apache Kafka reads them back: it
must get the value, consume all bytes, and write them again unchanged. It must refuse all values and bytes that the
reference refuses. On damaged bytes the oracle's verdict must match Apache Kafka's behaviour.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.campaign.proof.left_out import is_unsigned_element
from conformance.campaign.proof.proof import ProofResult, Question, compare, content_difference, read, rejected, written
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import edge_cases
from conformance.generate.hostile_bodies import hostile_cases, mutated_sample
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.text_values import text_values
from conformance.generate.unusual_values import absent_cases, unencodable_variations
from conformance.targets import Body
from reference import ApacheKafka, NotJsonForm, Result, Unencodable, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from reference import MessageSchema

    Reply = Mapping[str, Any]

DAMAGED_PER_VALUE = 5

DAMAGED_PER_SAMPLE = 8
"""Damaged inputs made of one value."""


def compare_bodies(
    kafka: ApacheKafkaJvm, schemas: Iterable[MessageSchema], count: int, comparison: ProofResult, *, edges: bool
) -> Iterator[MessageSchema]:
    """Compare message version by message version, and yield each when it is done.

    Each version has `count` generated values. Half as many further ones have unknown tags or fields of other versions.
    With `edges` every deterministic case is tried as well.
    """
    for schema in schemas:
        compare(kafka, body_questions(schema, count, edges=edges), comparison)
        comparison.pairs += 1
        yield schema


def body_questions(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[Question]:
    """Yield all questions about the bodies of one message version."""
    target = Body(schema)
    for name, value in _values(schema, count, edges=edges):
        yield from _value_questions(target, f"{schema} {name}", value)
    if edges:
        for case in invalid_bytes(schema):
            check = rejected("the reference rejects these bytes")
            yield Question.to_read("not readable", f"{schema} broken/{case.name}", target, case.wire, check)
    for wire in _damaged(schema, count * DAMAGED_PER_VALUE, edges=edges):
        check = partial(_verdict_difference, target, wire)
        yield Question.to_read("damaged", f"{target} damaged {wire.hex()[:400]}", target, wire, check)


def _values(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for index in range(count):
        yield f"generated/{index}", sample(schema, f"prove/{index}")
    for index in range((count + 1) // 2):
        yield f"with-absent-fields/{index}", sample(schema, f"prove-absent/{index}", absent=True)
    for _, variation in absent_cases(schema):
        yield f"absent/{variation.name}", variation.value
    if edges:
        texts = (each.whole for each in text_values(schema))
        for variation in (*edge_cases(schema), *texts):
            yield f"edge/{variation.name}", variation.value
        for _, variation in unencodable_variations(schema):
            yield f"unencodable/{variation.name}", variation.value


def _value_questions(target: Body, name: str, value: dict[str, Any]) -> Iterator[Question]:
    try:
        wire = target.write(value)
    except Unencodable as error:
        if is_unsigned_element(target.schema, error):
            return
        check = rejected(f"the reference refuses this value ({error})")
        yield Question.to_write("not writable", name, target, value, check)
        return
    yield Question.to_write("written", name, target, value, written(wire, sized=True))
    check = read(lambda reply: _read_difference(target, value, wire, reply))
    yield Question.to_read("read", name, target, wire, check)


def _read_difference(target: Body, value: dict[str, Any], wire: bytes, reply: Reply) -> object:
    found = content_difference(target, value, reply)
    if found is not None:
        return f"{wire.hex()}: {found}"
    if reply["consumed"] != len(wire):
        return f"{reply['consumed']} bytes of {wire.hex()} consumed"
    canonical = target.judge(wire).canonical  # less if a tagged struct, without a value of another version, is default
    if reply["canonical"] in {wire.hex(), None if canonical is None else canonical.hex()}:
        return None
    return f"{wire.hex()} is written again as {reply['canonical']}"


def _damaged(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[bytes]:
    for index in range(count):
        yield mutated_sample(schema, f"damage/{index // DAMAGED_PER_SAMPLE}", f"{schema}/{index}")
    if edges:
        yield from (case.wire for case in hostile_cases(schema))


def _verdict_difference(target: Body, wire: bytes, reply: Reply) -> str | None:
    verdict = target.judge(wire)
    accepted = reply["outcome"] == "value"
    if accepted != (verdict.apache_kafka is ApacheKafka.ACCEPTS):
        return f"the verdict is {verdict}, Apache Kafka says {dict(reply)}"
    if verdict.result is Result.INVALID and accepted:
        return f"Apache Kafka accepts bytes that the oracle calls invalid: {verdict}"
    if not accepted:
        is_valid = verdict.result is Result.VALID
        return f"Apache Kafka rejects bytes that the oracle calls valid: {verdict}" if is_valid else None
    return _value_difference(target, verdict, reply)


def _value_difference(target: Body, verdict: Verdict, reply: Reply) -> str | None:
    try:
        found = content_difference(target, verdict.value, reply)
    except NotJsonForm as error:
        return f"Apache Kafka's value is not one of the schema: {error}"
    if found is not None:
        return f"the values differ: {found}"
    canonical = None if verdict.canonical is None else verdict.canonical.hex()
    ours, theirs = (verdict.consumed, canonical), (reply["consumed"], reply["canonical"])
    return None if ours == theirs else f"consumed and written again: {ours} here, {theirs} there"
