"""The proof of the reference: Apache Kafka, run from its jars, on the same values and the same bytes.

Every case goes both ways. A value is written by both, and the bytes must be the same, `size()` included; Apache Kafka
reads them back, and must get the value, consume all of them, and write them again as they were. What the reference
refuses, to write or to read, Apache Kafka must refuse.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.differential.damage import damaged_differences
from conformance.generate.absent_fields import absent_cases
from conformance.generate.cases import edge_cases
from conformance.generate.invalid_bytes import broken_cases
from conformance.generate.unencodable_values import unwritable_cases
from conformance.generate.values import sample
from reference import (
    MessageSchema,
    NotJsonForm,
    Unencodable,
    difference,
    encode,
    from_json,
    judge,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.harnesses.apache_kafka import ApacheKafka


BATCH = 2_000
DAMAGED_PER_VALUE = 5
"""Damaged inputs for each generated value."""

MAXIMUM_SHOWN = 200


class Case(NamedTuple):
    """Something to put to both: a value to write, or bytes to read."""

    schema: MessageSchema
    name: str
    value: dict[str, Any] | None
    wire: bytes | None
    """What the reference writes; None: it refuses. For invalid bytes: those."""


def refusal(reply: Mapping[str, Any], sort: str) -> str:
    """As what a refusal by Apache Kafka counts: where no Java class can hold the value, it was not even asked."""
    return "not representable in Java" if reply["outcome"] == "unrepresentable" else sort


@dataclass
class Proof:
    """What was compared, and where the two differ."""

    pairs: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def note(self, problem: str | None) -> None:
        """Keep a difference, if there is one; beyond the first few hundred they are alike."""
        if problem is not None and len(self.differences) < MAXIMUM_SHOWN:
            self.differences.append(problem)


def prove(
    kafka: ApacheKafka, schemas: Iterable[MessageSchema], count: int, proof: Proof, *, edges: bool
) -> Iterator[MessageSchema]:
    """Compare pair by pair, and put what is found into `proof`; gives each pair when it is done.

    Args:
        kafka: a running harness of the schemas' release.
        schemas: the pairs to prove.
        count: how many generated values for each; half as many more have unknown tags or fields of other versions.
        proof: what was compared so far.
        edges: whether to try every deterministic case as well.
    """
    for schema in schemas:
        cases = iter(_cases(schema, count, edges=edges))
        while batch := list(islice(cases, BATCH)):
            _compare_values(kafka, [case for case in batch if case.value is not None], proof)
            _compare_refusals(kafka, [case for case in batch if case.value is None], proof)
        for problem in damaged_differences(kafka, schema, count * DAMAGED_PER_VALUE, edges=edges):
            proof.cases["damaged"] += 1
            proof.note(problem)
        proof.pairs += 1
        yield schema


def _cases(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[Case]:
    for index in range(count):
        yield _value_case(schema, f"generated/{index}", sample(schema, f"prove/{index}"))
    for index in range((count + 1) // 2):
        extra = sample(schema, f"prove-absent/{index}", absent=True)
        yield _value_case(schema, f"with-absent-fields/{index}", extra)
    for _, variation in absent_cases(schema):
        yield _value_case(schema, f"absent/{variation.name}", variation.value)
    if edges:
        for variation in edge_cases(schema):
            yield _value_case(schema, f"edge/{variation.name}", variation.value)
        for _, variation in unwritable_cases(schema):
            yield _value_case(schema, f"unwritable/{variation.name}", variation.value)
        for broken in broken_cases(schema):
            yield Case(schema, f"broken/{broken.name}", None, broken.wire)


def _value_case(schema: MessageSchema, name: str, value: dict[str, Any]) -> Case:
    try:
        return Case(schema, name, value, encode(schema, value))
    except Unencodable:
        return Case(schema, name, value, None)


def _compare_values(kafka: ApacheKafka, cases: Sequence[Case], proof: Proof) -> None:
    requests = [(case.schema.message, case.schema.version, to_json(case.schema, case.value or {})) for case in cases]
    for case, reply in zip(cases, kafka.encode_many(requests), strict=True):
        proof.cases["written" if case.wire is not None else refusal(reply, "not writable")] += 1
        proof.note(_about(case, _encode_difference(case, reply)))
    sound = [case for case in cases if case.wire is not None]
    inputs = [(case.schema.message, case.schema.version, case.wire or b"") for case in sound]
    for case, reply in zip(sound, kafka.decode_many(inputs), strict=True):
        proof.cases["read"] += 1
        proof.note(_about(case, _decode_difference(case, reply)))


def _compare_refusals(kafka: ApacheKafka, cases: Sequence[Case], proof: Proof) -> None:
    inputs = [(case.schema.message, case.schema.version, case.wire or b"") for case in cases]
    for case, reply in zip(cases, kafka.decode_many(inputs), strict=True):
        proof.cases["not readable"] += 1
        if reply["outcome"] != "rejected":
            proof.note(_about(case, f"the reference rejects these bytes, Apache Kafka does not: {reply}"))


def _encode_difference(case: Case, reply: dict[str, Any]) -> str | None:
    if case.wire is None:
        if reply["outcome"] in ("rejected", "unrepresentable"):
            return None
        return f"the reference refuses this value, Apache Kafka does not: {reply}"
    if reply["outcome"] != "bytes":
        return f"the reference writes {case.wire.hex()}, Apache Kafka nothing: {reply}"
    if reply["wire"] != case.wire.hex():
        return f"the reference writes {case.wire.hex()}, Apache Kafka {reply['wire']}"
    if reply["size"] != len(case.wire):
        return f"{len(case.wire)} bytes, but size() says {reply['size']}"
    return None


def _decode_difference(case: Case, reply: dict[str, Any]) -> str | None:
    wire = (case.wire or b"").hex()
    if reply["outcome"] != "value":
        return f"Apache Kafka does not read {wire}: {reply}"
    try:
        read = from_json(case.schema, reply["value"])
    except NotJsonForm as error:
        return f"Apache Kafka's value of {wire} is not one of the schema: {error}"
    found = difference(case.schema, case.value, read, absent=True)
    if found is not None:
        return f"{wire} read by Apache Kafka differs: {found}"
    if reply["consumed"] != len(wire) // 2:
        return f"Apache Kafka consumes {reply['consumed']} bytes of {wire}"
    if reply["canonical"] == wire or reply["canonical"] == _written_again(case):
        return None
    return f"Apache Kafka writes {wire} again as {reply['canonical']}"


def _written_again(case: Case) -> str | None:
    """What becomes of the bytes: a tagged struct that lost a value of another version may be its default by now."""
    canonical = judge(case.schema, case.wire or b"").canonical
    return None if canonical is None else canonical.hex()


def _about(case: Case, problem: str | None) -> str | None:
    """A difference, with the case it is about."""
    return None if problem is None else f"{case.schema} {case.name}: {problem[: MAXIMUM_SHOWN * 10]}"
