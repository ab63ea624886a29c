"""Checks on valid values, with canonical bytes, read values and counts.

One case serves five checks: encodes canonically, size agrees, reads back its own bytes, decodes the reference's bytes,
consumes exactly. Each yields violations with the broken rule.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.generate.edge_values import edge_cases
from conformance.generate.text_values import text_values
from conformance.generate.traits import traits_of
from conformance.judge.blame.body_rules import place_of_difference
from conformance.judge.blame.reduction import focus, reduced
from conformance.judge.blame.target_explanation import TargetExplanation
from conformance.judge.blame.wrong_codecs import ReadValue
from conformance.judge.case import EDGE_VALUES, GENERATED_VALUES, Judged, LeftOpen, RulesTried, Violation
from conformance.judge.case_forms import of_value
from conformance.judge.checks.tried_rules import rules_of_value
from conformance.judge.clusters import cluster_of
from conformance.judge.count_lines import BeyondLimit
from conformance.judge.engine import violations
from conformance.judge.events import (
    ACCEPTANCE,
    OWN_VALUE,
    Another,
    Answered,
    Counted,
    Differs,
    Expectation,
    Expected,
    number,
    these_bytes,
    value_at,
)
from conformance.judge.judgement import LEFT_OPEN, Conclusion, Due, Judgement, judge
from conformance.judge.kinds import CaseKind, CaseTrial, CodecCase, due_of, judged, judged_content, wrong
from conformance.targets import DECODE, ENCODE, SIZE, Ask, Blame, Body, kept
from conformance.targets.listed import real_records_cases
from conformance.targets.outcome import ABSENT, Kind, Outcome
from reference import Difference, MessageSchema, Result, encode
from reference.paths import without_indexes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.session import Session
    from conformance.generate.edge_values import Variation
    from conformance.judge.case import Event
    from conformance.judge.kinds import JudgedAnswer


NAN_DEFAULT = "message.nan-default"
"""The rule that lets a writer refuse a value for a field of other versions."""
OF_SIZE = "codec.size"

IN_VERSION_0 = "ApiVersionsResponse"
"""The message that a client may read in version 0 instead, if its bytes are none of the requested version (KIP-511)."""
UNSUPPORTED_VERSION = b"\x00\x23"
"""The error code 35."""


def may_be_version_0(schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a client may read the bytes in version 0 of the message.

    A broker without the requested version of ApiVersionsRequest answers with error 35 in version 0 (KIP-511).
    """
    return schema.message == IN_VERSION_0 and schema.version > 0 and wire.startswith(UNSUPPORTED_VERSION)


def _size_asks(trial: CaseTrial) -> Sequence[Ask]:
    """Return the request for the size of a written value."""
    if trial.outcome(ENCODE).kind is not Kind.BYTES or SIZE in trial.answers or not trial.offers(SIZE):
        return ()
    return (Ask(SIZE, trial.case.target, judged_content(trial)),)


def _is_read(trial: CaseTrial) -> bool:
    return not may_be_version_0(trial.case.schema, trial.case.canonical)


def _due(trial: CaseTrial, way: str) -> Due | None:
    if way == SIZE:
        return Due(Result.VALID, number=len(trial.answers[ENCODE].wire or b""))
    if way == ENCODE or not _is_read(trial):
        return due_of(trial, ENCODE) if way == ENCODE else None
    return Due(Result.VALID, value=trial.case.content, consumed=len(trial.case.canonical))


def _judged(trial: CaseTrial) -> Iterable[Event]:
    """Judge a value, or its parts one by one in the directions in which one of them fails alone."""
    return _judged_parts(trial) if trial.case.parts else judged(trial)


def _judged_parts(trial: CaseTrial) -> Iterator[Event]:
    case, session = trial.case, trial.session
    wrongs = {way for way in trial.answers if way != SIZE and _is_wrong(trial, way)}
    found = list(violations(session, values_of(case.schema, case.parts))) if wrongs else []
    if wrongs and wrongs <= {each.direction for each in found}:
        yield Judged(case.category)
        for way in trial.answers.keys() & {ENCODE, DECODE}:
            yield from rules_of_value(session, case, way, trial.answers[way])
    else:
        yield from judged(trial)
    yield from found


def _is_wrong(trial: CaseTrial, way: str) -> bool:
    due = (_due(trial, way) or LEFT_OPEN)._replace(consumed=None)
    return judge(trial.session.claims, trial.case.target, due, trial.answers[way]).is_wrong


def _tried(answer: JudgedAnswer) -> Iterable[Event]:
    case, session = answer.case, answer.trial.session
    if answer.way == SIZE:
        return [RulesTried.of(OF_SIZE)] if case.deterministic else ()
    return () if answer.judgement.is_open else rules_of_value(session, case, answer.way, answer.outcome)


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    trial, found = answer.trial, answer.judgement
    if answer.way == SIZE:
        yield _wrong_size(answer)
    elif found.difference is not None:
        yield _misread(trial, answer.outcome, found.difference)
    elif found.is_changed:
        yield from _wrong_bytes(trial, answer.outcome.wire or b"")
    else:
        yield _beyond(trial, found) or _refused(answer)


def _may_be_refused(_answer: JudgedAnswer) -> Iterator[LeftOpen]:
    yield LeftOpen((NAN_DEFAULT,), accepts=False)


VALUE = CaseKind(
    name="value",
    is_counted=True,
    traits=lambda case: traits_of(case.schema, case.content),
    further=_size_asks,
    given=judged_content,
    is_read=_is_read,
    due=_due,
    tried=_tried,
    blames={**wrong(_blame), Conclusion.OPEN: _may_be_refused},
    judge=_judged,
    read=of_value,
)


def value_case(schema: MessageSchema, name: str, path: str, value: dict[str, Any], **members: Any) -> CodecCase:
    """Return the case of a valid value, with further members."""
    return CodecCase(VALUE, Body(schema), name, path, content=value, **members)


def value_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield every edge value of a message.

    In a session with real records these include values with record batches.
    """
    with_records = real_records_cases(schema) if session.real_records else ()
    yield from values_of(schema, chain(edge_cases(schema), with_records))
    yield from texts_of(schema)


def texts_of(schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield the case of each value with another text in each text field."""
    for (_, what, value, _), alone in text_values(schema):
        yield value_case(schema, what, "", value, category=EDGE_VALUES, parts=alone)


def values_of(schema: MessageSchema, variations: Iterable[Variation]) -> Iterator[CodecCase]:
    """Yield a case for each variation of the smallest value."""
    for each in variations:
        origin = each.origin
        yield value_case(schema, origin.name, each.path, each.value, source=origin, category=EDGE_VALUES)


def generated_value(schema: MessageSchema, value: dict[str, Any]) -> CodecCase:
    """Return the case of a drawn value."""
    drawn = {"deterministic": False, "is_minimal": False, "category": GENERATED_VALUES}
    return value_case(schema, "generated", "", value, **drawn)


def _beyond(trial: CaseTrial, found: Judgement) -> BeyondLimit | None:
    """Return the event of a refused value beyond a declared limit.

    None if it is within all limits, or not refused.
    """
    case, limits = trial.case, trial.session.claims.limits
    name = limits.exceeded_by(case.schema, case.content) if found.is_taken is False else ""
    return BeyondLimit(name, 1) if name else None


def _refused(answer: JudgedAnswer) -> Violation:
    """Return the violation of a refused valid value, reduced to the cause of the refusal."""
    trial, session, case, outcome = answer.trial, answer.trial.session, answer.case, answer.outcome
    direction: Direction = "encode" if answer.way == ENCODE else "decode"
    appearance = None if case.deterministic else _appearance(case, outcome, direction)
    known = trial.standing.known_blame(appearance)
    if known is not None:
        return case.violation(known, outcome, _taken(case, direction), direction)

    def again(tried: dict[str, Any]) -> Outcome:
        wire = encode(case.schema, tried)
        content: Any = tried if direction == ENCODE else wire
        return trial.standing.once((direction, wire), lambda: session.ask(Ask(direction, case.target, content)))

    content = reduced(case.schema, case.content, lambda tried: again(tried).kind is outcome.kind)
    if content != case.content or not case.path:
        once_more = again(content)
        if once_more.kind not in ABSENT:  # without an answer now, the first one is the finding
            case, outcome = replace(case, content=content, path=focus(case.schema, content)), once_more
    blame = _explanation(session, case).refused(case.content, case.path, direction)
    trial.standing.blame(appearance, blame)
    return case.violation(blame, outcome, _taken(case, direction), direction)


def _explanation(session: Session, case: CodecCase) -> TargetExplanation:
    return TargetExplanation(session, case.target)


def _appearance(case: CodecCase, outcome: Outcome, direction: str) -> Hashable:
    return direction, outcome.kind, cluster_of(Answered.of(outcome), case.schema.message)


def _taken(case: CodecCase, direction: str) -> Expectation:
    return these_bytes(case.canonical) if direction == ENCODE else ACCEPTANCE


def _wrong_bytes(trial: CaseTrial, actual: bytes) -> Iterator[Violation]:
    """Report other bytes than the canonical ones.

    Of random values with one appearance only the first few are analysed.
    """
    session, standing = trial.session, trial.standing
    case = replace(trial.case, content=judged_content(trial))
    place = None if case.deterministic else place_of_difference(case.schema, case.content, case.canonical, actual)
    appearance = None if place is None else (ENCODE, place)
    blame = standing.known_blame(appearance)
    if blame is None:
        case = _smallest_wrong(session, case)
        actual = session.encode(case.target, case.content).wire or b""
        blame = _explanation(session, case).written(case.content, actual)
        standing.blame(appearance, blame)
    yield case.violation(blame, Outcome(Kind.BYTES, wire=actual), these_bytes(case.canonical), ENCODE)
    yield from _judge_own_bytes(trial, case, actual)


def _smallest_wrong(session: Session, case: CodecCase) -> CodecCase:
    """Return the case of the smallest value found that is also written wrong."""

    def differs(tried: dict[str, Any]) -> bool:
        due, outcome = Due(Result.VALID, encode(case.schema, tried)), session.encode(case.target, tried)
        return judge(session.claims, case.target, due, outcome).is_changed

    return case if case.is_minimal else replace(case, content=reduced(case.schema, case.content, differs))


def _judge_own_bytes(trial: CaseTrial, case: CodecCase, own: bytes) -> Iterator[Violation]:
    """Judge whether an implementation reads back the wrong bytes that it writes."""
    if trial.offers(DECODE):
        outcome = trial.session.decode(case.target, own)
        if judge(trial.session.claims, case.target, Due(Result.VALID, value=case.content), outcome).is_wrong:
            yield case.violation(Blame("codec.round-trip", case.path), outcome, OWN_VALUE, ENCODE)


def _wrong_size(answer: JudgedAnswer) -> Violation:
    found = Counted("size", answer.outcome.value) if answer.judgement.is_changed else answer.outcome
    expected = number(Expected.SIZE, answer.due.number or 0)
    return answer.case.violation(Blame(OF_SIZE, answer.case.path), found, expected, ENCODE)


def _misread(trial: CaseTrial, outcome: Outcome, found: Difference) -> Violation:
    """Report another value than the one on the wire.

    Of random values with one appearance only the first few are analysed.
    """
    case = trial.case
    appearance = None if case.deterministic else (DECODE, found.what, without_indexes(found.path))
    known = trial.standing.known_blame(appearance)
    if known is not None:
        return case.violation(known, Differs.of(found), value_at(found.path, found.expected), DECODE)
    violation = _wrong_value(trial.session, case, outcome)
    trial.standing.blame(appearance, Blame(violation.rule, violation.path))
    return violation


def _wrong_value(session: Session, case: CodecCase, outcome: Outcome) -> Violation:
    """Return the violation in the smallest value found that is misread."""

    def found_in(value: dict[str, Any], outcome: Outcome) -> Judgement:
        return judge(session.claims, case.target, Due(Result.VALID, value=value), outcome)

    def misread(tried: dict[str, Any]) -> bool:
        return found_in(tried, session.decode(case.target, encode(case.schema, tried))).is_changed

    if not case.is_minimal:
        case = replace(case, content=reduced(case.schema, case.content, misread))
        outcome = session.decode(case.target, case.canonical)
    found = found_in(case.content, outcome).difference
    # The value was misread the first time, and is read rightly now.
    if found is None:
        return case.violation(Blame("codec.stateless"), Another(), Expectation(Expected.SAME_VALUE), DECODE)
    read = kept(session.claims, case.schema, outcome.value)
    blame = _explanation(session, case).misread(case.content, ReadValue(case.canonical, read, outcome.consumed), found)
    return case.violation(blame, Differs.of(found), value_at(found.path, found.expected), DECODE)
