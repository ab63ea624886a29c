"""A run of the golden vectors on an adapter, in the way of a consumer in any language.

A vector itself has the expected result. Valid: its wire is read as its value, and the value is written as `canonical`,
or as its wire if there is none. A compressed field may be written as any stream of the same records. Invalid: the wire
is rejected. Unspecified: any result but a crash. Unwritable: the value is refused. No check of the suite takes part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.judge.checks.record_cases import MESSAGE_SETS, as_chosen, outside, result_for
from conformance.judge.checks.special_values import is_held, is_represented
from conformance.judge.judgement import TO_BE_REFUSED, Due, judge
from conformance.targets import HEADER, SIZE, Ask, Body, RecordsField, WholeFrame, records_difference
from conformance.targets.outcome import ABSENT, Kind, Outcome
from conformance.targets.record_claims import EVERY_RECORD
from conformance.vectors.enumeration.vector import UNWRITABLE
from reference import TAGS, Malformed, Result, decode_records, records_from_json
from reference.records.records_field import PARTIAL
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session
    from conformance.targets import Claims, Target
    from conformance.targets.record_claims import RecordsClaims
    from conformance.vectors.tree.vector_paths import VectorGroup
    from reference import Difference

Json = dict[str, Any]
SHOWN = 160
_NOT_REQUESTED = Outcome(Kind.UNSUPPORTED)


class Failure(NamedTuple):
    """A failed vector."""

    id: str
    """The whole id, like `4.3.0/messages/FetchRequest/v17/unknown-tag-9999`."""
    flags: tuple[str, ...]
    text: str
    """The actual result of the implementation."""


@dataclass
class VectorResults:
    """The numbers of run vectors by result, and the failures."""

    counts: Counter[str] = field(default_factory=Counter)
    not_tried: Counter[str] = field(default_factory=Counter)
    """The numbers of vectors of what the implementation lacks, or cannot hold, by the folder of the vectors."""
    accepted: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """The numbers of unspecified inputs by flag and by whether the implementation accepts them."""
    failures: list[Failure] = field(default_factory=list)


def run_group(session: Session, group: VectorGroup, results: VectorResults) -> None:
    """Run one group of vectors, and add its results to `results`, those of all groups so far."""
    target, vectors = group.target, group.vectors
    if isinstance(target, RecordsField):
        claims = session.claims.records
        vectors = [as_claimed(claims, target, vector) for vector in vectors]
    for vector, outcome in zip(vectors, _read_all(session, target, vectors), strict=True):
        results.counts[vector["result"]] += 1
        problems = "; ".join(_problems(session, group, vector, outcome, results))
        if problems:
            results.failures.append(Failure(f"{group.prefix}/{vector['id']}", tuple(vector["flags"]), problems))
    if isinstance(target, WholeFrame):
        results.failures.extend(_other_header(session, target, group))


def _other_header(session: Session, target: WholeFrame, group: VectorGroup) -> Iterator[Failure]:
    """Compare the version of the header."""
    if not session.offers(target, HEADER):
        return
    outcome, expected = session.ask(Ask(HEADER, target)), group.content["headerVersion"]
    if not same_value(outcome.value, expected) and outcome.kind not in ABSENT:
        yield Failure(group.prefix, ("HeaderVersion",), f"header version {outcome}, not {expected}")


def _read_all(session: Session, target: Target, vectors: list[Json]) -> list[Outcome]:
    """Read every wire, those without a valid result in the child process, if there is one."""
    if not session.offers(target, "decode"):
        return [_NOT_REQUESTED] * len(vectors)
    wires = {index: bytes.fromhex(vector["wire"]) for index, vector in enumerate(vectors) if "wire" in vector}
    # Hostile bytes may crash or hang a codec, so the child process reads them.
    hostile = [index for index in wires if vectors[index]["result"] != Result.VALID]
    answers = session.decode_many(target, [wires[index] for index in hostile])
    outcomes = dict.fromkeys(range(len(vectors)), _NOT_REQUESTED) | dict(zip(hostile, answers, strict=True))
    outcomes |= {index: session.decode(target, wire) for index, wire in wires.items() if index not in hostile}
    return list(outcomes.values())


def _problems(
    session: Session, group: VectorGroup, vector: Json, outcome: Outcome, results: VectorResults
) -> Iterator[str]:
    """Yield the problems of one vector, in both directions."""
    if vector["result"] == UNWRITABLE:
        yield from _refusal_problems(session, group, vector, results)
        return
    target = group.target
    yield from _write_problems(session, target, vector)
    claims = session.claims
    judgement = judge(claims, target, _due_of_reader(claims, target, vector), outcome)
    results.not_tried[group.file.folder] += not judgement.is_answered
    if judgement.is_open:
        results.accepted[vector["flags"][-1], outcome.kind is Kind.VALUE] += 1
    elif judgement.is_wrong and vector.get("reason") and outcome.kind is Kind.VALUE:
        yield f"decode: accepted, though {vector['reason']} at offset {vector['offset']}"
    elif judgement.is_wrong:
        yield f"decode: {_different(judgement.difference) or _shown(outcome)}"
    elif outcome.kind is Kind.VALUE:
        consumed, size = target.consumed(outcome), len(vector["wire"]) // 2
        yield from [] if consumed in {None, size} else [f"decode: {consumed} bytes consumed, not {size}"]


def _due_of_reader(claims: Claims, target: Target, vector: Json) -> Due:
    result = Result(vector["result"])
    if result is not Result.VALID:
        return Due(result)
    return Due(result, value=target.expected(claims, target.from_json(vector["value"])))


def _different(found: Difference | None) -> str:
    return f"{found.path or 'the value'} is {found.actual!r:.80}, not {found.expected!r:.80}" if found else ""


def _write_problems(session: Session, target: Target, vector: Json) -> Iterator[str]:
    """Check that a value is written as the right bytes, and announced with their number."""
    claims = session.claims
    if vector["result"] != Result.VALID or not session.offers(target, "encode"):
        return
    for form, wire in _forms(claims, target, vector):
        content = target.from_json(form)
        outcome = session.encode(target, content)
        judgement = judge(claims, target, Due(Result.VALID, bytes.fromhex(wire)), outcome)
        if not judgement.is_answered or judgement.is_open:
            continue
        if outcome.wire is None:
            yield f"encode: {_shown(outcome)}"
        elif "compressed" in vector:
            yield from stream_problems(as_chosen(claims.records, content, outcome.wire), outcome.wire)
        elif judgement.is_wrong:
            yield f"encode: {outcome.wire.hex():.{SHOWN}}, not {wire:.{SHOWN}}"
        elif isinstance(target, Body) and session.offers(target, SIZE):
            size = session.ask(Ask(SIZE, target, content))
            yield from [] if same_value(size.value, len(wire) // 2) else [f"size: {size}, not {len(wire) // 2}"]


def _refusal_problems(session: Session, group: VectorGroup, vector: Json, results: VectorResults) -> Iterator[str]:
    """Check that a value is refused, if the implementation can represent it."""
    claims, target = session.claims, group.target
    content = target.from_json(vector["value"])
    is_requested = session.offers(target, "encode") and is_held(claims, vector["rule"])
    if isinstance(target, RecordsField):
        is_requested &= _has_magics(claims.records, vector["value"])
    if not is_requested:
        results.not_tried[group.file.folder] += 1
        return
    outcome = session.encode(target, content)
    judgement = judge(claims, target, TO_BE_REFUSED, outcome)
    results.not_tried[group.file.folder] += not judgement.is_answered
    if not judgement.is_wrong:
        return
    if not (isinstance(target, Body) and is_represented(claims, target.schema, content, outcome)):
        yield f"encode: {_shown(outcome)}, though {vector['refusal']} in {vector['path'] or 'the message'}"


def _forms(claims: Claims, target: Target, vector: Json) -> Iterator[tuple[Any, str]]:
    """Yield the representable values of a vector, each with the expected bytes."""
    wire: str = vector["wire"]
    canonical: str = vector.get("canonical", wire)
    if isinstance(target, RecordsField):
        yield from ((form, canonical) for form in written_forms(claims.records, vector))
        return
    if claims.keeps_unknown_tags or not _has_unknown_tags(vector["value"]):
        yield vector["value"], canonical
    if "given" in vector and claims.takes_absent_fields:
        yield vector["given"], wire


def _has_unknown_tags(form: Any) -> bool:
    if isinstance(form, dict):
        return TAGS in form or any(map(_has_unknown_tags, form.values()))
    return isinstance(form, list) and any(map(_has_unknown_tags, form))


def _shown(outcome: Outcome) -> str:
    text = str(outcome)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def as_claimed(claims: RecordsClaims, target: RecordsField, vector: Json) -> Json:
    """Return a vector, unspecified if its result is outside of the claims of a reader."""
    if claims == EVERY_RECORD or vector["result"] == UNWRITABLE:
        return vector
    verdict = target.observe(bytes.fromhex(vector["wire"]), check_crc=claims.checks_crc)
    is_requested = result_for(claims, verdict) == vector["result"]
    return vector if is_requested else {**vector, "result": str(Result.UNSPECIFIED)}


def written_forms(claims: RecordsClaims, vector: Json) -> Iterator[Json]:
    """Yield the value of a vector without the incomplete batch at its end, if a writer has its codecs and magics."""
    value = records_from_json(vector["value"])
    groups = ("batches" if "records" in batch else MESSAGE_SETS for batch in value["batches"])
    if not any(outside(claims, group, value, writing=True) for group in groups):
        yield {**vector["value"], PARTIAL: ""}


def _has_magics(claims: RecordsClaims, form: Json) -> bool:
    """Return whether a writer with these claims writes the batches or the messages of a value."""
    groups = {"batches" if "records" in batch else MESSAGE_SETS for batch in form["batches"]}
    return not any(outside(claims, group, writing=True) for group in groups)


def stream_problems(content: Json, wire: bytes) -> Iterator[str]:
    """Yield the problems of written bytes with compressed streams, which must have the same content."""
    try:
        other = records_difference(content, decode_records(wire))
    except Malformed as error:
        yield f"encode: {wire.hex():.80}, {error}"
    else:
        if other is not None:
            yield f"encode: {other.path} is {other.actual!r:.80}, not {other.expected!r:.80}"
