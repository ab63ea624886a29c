"""A run of the golden vectors on an adapter, in the way of a consumer in any language.

A vector itself has the expected result. Valid: its wire is read as its value, and the value is written as `canonical`,
or as its wire if there is none. A compressed field may be written as any stream of the same records. Invalid: the wire
is rejected. Unspecified: any result but a crash. Unwritable: the value is refused. A vector becomes cases of kinds of
its own, run by the engine. No oracle takes part.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.judge.blame.body_rules import REFUSED
from conformance.judge.case import Judged, LeftOpen, Tried, Violation
from conformance.judge.case_forms import of_bytes, of_value
from conformance.judge.checks.frame_cases import HEADER_VERSION, header_case
from conformance.judge.checks.special_values import UNENCODABLE
from conformance.judge.checks.value_cases import VALUE
from conformance.judge.engine import run, violations
from conformance.judge.events import ACCEPTANCE, Differs, these_bytes, value_at
from conformance.judge.findings.wording import actual_text, expected_text
from conformance.judge.judgement import NEEDS_NO_BASE, Conclusion, Due, Judgement
from conformance.judge.kinds import CaseKind, CaseRefusal, CodecCase, due_of, judged_content, refusal_blamed, wrong
from conformance.targets import DECODE, ENCODE, SIZE, Blame, Body, RecordsField, WholeFrame, records_difference
from conformance.targets.listed import BATCHES, MESSAGE_SETS, as_chosen, outside, result_for
from conformance.targets.outcome import Kind
from conformance.targets.record_claims import EVERY_RECORD
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.flags import flags
from reference import Malformed, Result, decode_records
from reference.records.records_field import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.kinds import CaseTrial, JudgedAnswer
    from conformance.targets import Claims, Target
    from conformance.targets.record_claims import RecordsClaims
    from conformance.vectors.tree.vector_paths import VectorGroup

Json = dict[str, Any]


class Failure(NamedTuple):
    """A failed vector."""

    id: str
    """The whole id, like `4.3.0/messages/FetchRequest/v17/unknown-tag-9999`."""
    flags: tuple[str, ...]
    text: str
    """The violations, each with its rule, and with the actual and the expected result."""


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
    vectors = {each["id"]: as_claimed(session.claims.records, group.target, each) for each in group.vectors}
    results.counts.update(vector["result"] for vector in vectors.values())
    results.not_tried[group.file.folder] += len(vectors)
    texts, flag = defaultdict[str, list[str]](list), ""
    for event in run(session, (case for each in vectors.values() for case in cases_of(session, group.target, each))):
        match event:
            case Tried(case=case):  # the other events of a case follow its calls
                flag = vectors[case.name]["flags"][-1]
            case Judged(category=category) if category == VECTORS:
                results.not_tried[group.file.folder] -= 1
            case LeftOpen():
                results.accepted[flag, event.accepts] += 1
            case Violation():
                texts[event.case.name].append(_text(event))
    for name, own in texts.items():
        results.failures.append(Failure(f"{group.prefix}/{name}", tuple(vectors[name]["flags"]), "; ".join(own)))
    for found in violations(session, _header_versions(group)):
        results.failures.append(Failure(group.prefix, ("HeaderVersion",), _text(found)))


def _text(found: Violation) -> str:
    rule = f"{found.rule} at {found.path}" if found.path else found.rule
    return f"{found.direction}: {rule}: {actual_text(found.observation)}; expected: {expected_text(found.expectation)}"


def _header_versions(group: VectorGroup) -> Iterator[CodecCase]:
    """Yield the case of the version of the header of a frame."""
    if isinstance(group.target, WholeFrame):
        due = Due(Result.VALID, number=group.content["headerVersion"])
        yield replace(header_case(group.target), row=replace(HEADER_VERSION, due=lambda *_: due))


def cases_of(session: Session, target: Target, vector: Json) -> Iterator[CodecCase]:
    """Yield the cases of a vector, named by its id, the values to write before the bytes to read."""
    name, path, result, content, refusal = vector["id"], vector.get("path", ""), vector["result"], None, None
    if result == UNWRITABLE:
        content, rule = target.from_json(vector["value"]), vector["rule"]
        if not isinstance(target, RecordsField) or _are_written(session.claims.records, vector["value"]):
            yield CodecCase(REFUSED_VALUE, target, name, path, rule, content, refusal=CaseRefusal(rule, path))
        return
    wire = bytes.fromhex(vector["wire"])
    if result == Result.VALID:
        for form, due in written_forms(session.claims, target, vector):
            row = STREAM if "compressed" in vector else WRITTEN
            yield CodecCase(row, target, name, content=target.from_json(form), data=bytes.fromhex(due))
        content = target.from_json(vector["value"])
        content = replace(content, consumed=len(wire)) if isinstance(target, WholeFrame) else content
    else:
        rules = (rule for flag in reversed(vector["flags"]) if flag in flags() for rule in flags()[flag].rules)
        refusal = CaseRefusal(next(rules, ""), path, result == Result.INVALID)
    yield CodecCase(READ, target, name, path, content=content, data=wire, refusal=refusal)


def written_forms(claims: Claims, target: Target, vector: Json) -> Iterator[tuple[Json, str]]:
    """Yield the values of a vector that the implementation may hold, each with the expected bytes.

    Record batches lose the incomplete batch at their end. They are left out if a writer lacks a codec or magic of them.
    """
    form: Json = vector["value"]
    wire: str = vector["wire"]
    if not isinstance(target, RecordsField):
        yield form, vector.get("canonical", wire)
    elif _are_written(claims.records, form, form):
        yield {**form, PARTIAL: ""}, vector.get("canonical", wire)
    if "given" in vector and claims.takes_absent_fields:
        yield vector["given"], wire


def _are_written(claims: RecordsClaims, form: Json, value: Json | None = None) -> bool:
    """Return whether a writer with these claims has the magics of the batches of a form, and the codecs of a value."""
    groups = {BATCHES if "records" in batch else MESSAGE_SETS for batch in form["batches"]}
    return not any(outside(claims, group, value, writing=True) for group in groups)


def as_claimed(claims: RecordsClaims, target: Target, vector: Json) -> Json:
    """Return a vector, unspecified if its result is outside of the claims of a reader of records."""
    if not isinstance(target, RecordsField) or claims == EVERY_RECORD or vector["result"] == UNWRITABLE:
        return vector
    verdict = target.observe(bytes.fromhex(vector["wire"]), check_crc=claims.checks_crc)
    is_requested = result_for(claims, verdict) == vector["result"]
    return vector if is_requested else {**vector, "result": str(Result.UNSPECIFIED)}


def _due(trial: CaseTrial, way: str) -> Due | None:
    due = due_of(trial, way)
    return due and due._replace(consumed=None if trial.case.refusal else len(trial.case.input))


def _blamed(answer: JudgedAnswer) -> Iterable[Event]:
    """Return the violation of a valid input that was refused, or written or read as another one."""
    if answer.way == SIZE:
        return VALUE.blames[Conclusion.WRONG](answer)
    apart, due = answer.judgement.difference, ACCEPTANCE if answer.way == DECODE else these_bytes(answer.case.input)
    due = value_at(apart.path, apart.expected) if apart else due
    return [answer.violation(Blame(REFUSED[answer.way]), due, Differs.of(apart) if apart else None)]


def _stream_blamed(answer: JudgedAnswer) -> Iterable[Event]:
    """Return the violation of written bytes, unless they are another stream of the same records."""
    records, wire = answer.trial.session.claims.records, answer.outcome.wire or b""
    with suppress(Malformed):
        apart = records_difference(as_chosen(records, answer.case.content, wire), decode_records(wire))
        return _blamed(answer._replace(judgement=Judgement(Conclusion.WRONG, apart))) if apart else ()
    return _blamed(answer)


VECTORS = "vectors"
"""The category of the answers that count as a trial of a vector."""
BLAMES = {**wrong(_blamed), **dict.fromkeys((Conclusion.FATAL, Conclusion.ACCEPTED), refusal_blamed)}
READ = CaseKind(
    name="vector",
    category=VECTORS,
    directions=(DECODE,),
    is_isolated=True,  # hostile bytes may crash or hang a codec
    due=_due,
    blames={**BLAMES, Conclusion.OPEN: lambda answer: [LeftOpen((), answer.outcome.kind is Kind.VALUE)]},
    read=of_bytes,
)
WRITTEN = CaseKind(
    name="vector-value",
    directions=(ENCODE,),
    # Else the implementation does not keep the unknown tags of the value.
    is_written=lambda trial: judged_content(trial) is trial.case.content,
    further=VALUE.further,
    due=VALUE.due,
    blames=BLAMES,
    read=of_value,
)
STREAM = replace(WRITTEN, blames={**BLAMES, Conclusion.WRONG: _stream_blamed})
REFUSED_VALUE = replace(
    UNENCODABLE,
    category=VECTORS,
    needs_base=NEEDS_NO_BASE,
    forgives=lambda answer: isinstance(answer.case.target, Body) and UNENCODABLE.forgives(answer),
)
