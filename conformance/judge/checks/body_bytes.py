"""Checks on the bytes of bodies, invalid, arbitrary, or with more bytes after them.

Invalid bytes must be rejected, and valid ones read with the right value. The handling of unspecified bytes is counted
as the implementation's profile, if the base is read rightly. A crash, a hang or disproportionate memory use is a
failure for any input.

An input made from a misread encoding is inconclusive, unless the outcome is fatal, and is not counted as tested. A
mistake in writing the value does not matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from conformance.codec.bridge.hangs import ONLY_HANGS
from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.value_paths import fields_at, item_at
from conformance.judge.blame.body_rules import blame_value
from conformance.judge.blame.expectations import searches_of
from conformance.judge.blame.wrong_codecs import ReadValue, are_same_but_nothing, read_padded
from conformance.judge.case import HOSTILE_INPUTS, INVALID_INPUTS, Judged, LeftOpen, RulesTried, Violation
from conformance.judge.case_forms import of_bytes
from conformance.judge.checks.value_cases import VALUE, may_be_version_0
from conformance.judge.count_lines import ReasonLine
from conformance.judge.events import ACCEPTANCE, REJECTION, Counted, value_at
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import ANSWERS, LEFT_OPEN, REFUSED_RIGHTLY, Conclusion, Due, judge, rule_of_death
from conformance.judge.kinds import (
    CaseKind,
    CaseRefusal,
    CaseTrial,
    CodecCase,
    first_asks,
    judged,
    refusal_blamed,
    refusal_tried,
    wrong,
)
from conformance.targets import DECODE, Blame, Body, kept
from conformance.targets.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import (
    Malformed,
    MessageSchema,
    Result,
    Verdict,
    decode,
    decode_leniently,
)
from reference import judge as judge_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.session import Answers
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Ask, Target

VALUE_READ = "value"
"""The name of the answer to the canonical bytes of a value."""


TRAILING_NAME = "trailing-bytes"
TRAILING_RULE = "input.trailing-bytes"
TRAILING = (b"\x00", b"\x00\x01\x02\x03", b"\xff" * 8)
"""The bytes put after a message; they could begin another field, a tag section, a negative number."""

BEYOND_THE_END = frozenset(("count.within-input", "length.within-input"))
"""The rules on lengths and counts that reach beyond the end of the input."""
CUT_OFF = "input.truncated"


def hang_group(case: CodecCase) -> str:
    """Return the group of inputs that share a hang budget, or nothing.

    Nulls are grouped by the type of the field, for hangs only: a crash on one null does not exclude the others. Inputs
    without a single change are grouped by the rules that they violate; by the last one only if the reference cannot
    read on. Inputs cut off within a field have no group. Those cut off after the fields, where the tag section begins,
    have one.
    """
    if case.row is INVALID:
        is_null = case.rule == NULL_RULE
        return f"{ONLY_HANGS}{case.rule} {fields_at(case.schema, case.path)[-1].written_type}" if is_null else ""
    if case.row is TRAILING_BYTES or case.origin.tampering:
        return case.origin.tampering
    verdict = case.verdict
    rules = " ".join(verdict.rules[-1:] if verdict.value is None else verdict.rules)
    if rules == CUT_OFF:
        is_after_fields = not verdict.path or verdict.path.endswith("]")
        rules = f"{CUT_OFF} behind the fields" if is_after_fields else ""
    return ONLY_HANGS + rules if rules else ""


def _accepted(answer: JudgedAnswer, blame: Blame) -> Violation:
    """Return the violation of a reader that accepted invalid bytes.

    Its rule is that on the end of the input if the reader filled up missing bytes with zeros. A field without a
    comparison cannot show this.
    """
    case, outcome, claims = answer.case, answer.outcome, answer.trial.session.claims
    is_padded = False
    if blame.rule in BEYOND_THE_END and outcome.kind is Kind.VALUE:
        padded = read_padded(case.schema, case.input, outcome.value)
        if padded is not None:
            one, other = (kept(claims, case.schema, value) for value in (padded, outcome.value))
            is_compared = item_at(one, blame.path) == item_at(padded, blame.path)
            is_padded = is_compared and are_same_but_nothing(case.schema, one, other)
    blame = blame._replace(rule=CUT_OFF) if is_padded else blame
    return answer.violation(blame, REJECTION)


def _invalid_accepted(answer: JudgedAnswer) -> Iterator[Event]:
    yield _accepted(answer, Blame(answer.case.rule, answer.case.path))


def _reasoned(answer: JudgedAnswer) -> Iterator[Event]:
    """Yield the rule, and the reason for a rejection beside the reference's, if both give one."""
    yield from refusal_tried(answer)
    if not answer.outcome.reason or answer.outcome.kind not in REFUSALS:
        return
    try:
        decode(answer.case.schema, answer.case.input)
    except Malformed as error:
        if error.reason is not None:
            yield ReasonLine(str(error.reason), answer.outcome.reason, 1)


def _read_invalid(row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    case = of_bytes(row, form, target)
    # The file may name the mistake of a reader in place of the rule broken by the bytes.
    rule = case.verdict.rules[-1] if form.rule == CUT_OFF else form.rule
    return replace(case, rule=rule, refusal=CaseRefusal(rule, form.path))


def _confirmed(case: CodecCase) -> CodecCase:
    """Return the case of hostile bytes if the oracle does not find the bytes invalid."""
    is_trailing = case.row is TRAILING_BYTES and case.verdict.rules == (TRAILING_RULE,)
    is_invalid = case.row is INVALID and case.verdict.result is Result.INVALID
    return case if is_trailing or is_invalid else replace(case, row=HOSTILE, rule="", refusal=None)


INVALID = CaseKind(
    name="invalid-bytes",
    category=INVALID_INPUTS,
    directions=(DECODE,),
    is_counted=True,
    is_isolated=True,
    needs_base=REFUSED_RIGHTLY,
    hang_group=hang_group,
    tried=_reasoned,
    blames=wrong(_invalid_accepted),
    read=_read_invalid,
    confirmed=_confirmed,
)


def _trailing_due(trial: CaseTrial, _way: str) -> Due:
    """Return that bytes after a message may be refused or left unread, but not counted."""
    # The strict reader rejects trailing bytes, and so has no count.
    is_read = trial.outcome(DECODE).kind is Kind.VALUE
    consumed = decode_leniently(trial.case.schema, trial.case.input)[1] if is_read else None
    return LEFT_OPEN._replace(consumed=consumed)


TRAILING_BYTES = CaseKind(
    name="trailing-bytes",
    directions=(DECODE,),
    is_counted=True,
    is_isolated=True,
    due=_trailing_due,
    blames={Conclusion.FATAL: refusal_blamed},
    replay=lambda case, _: ["--wire", case.input.hex()],  # its name is not unique
    read=lambda _row, form, target: trailing_case(target, TRAILING_NAME, bytes.fromhex(form.wire)),
    confirmed=_confirmed,
)


def _same_value(case: CodecCase) -> CodecCase:
    """Return the case of the bytes' value, if they are valid after all."""
    value, is_fixed = case.verdict.value or {}, case.deterministic
    return CodecCase(VALUE, case.target, case.name, content=value, deterministic=is_fixed, is_minimal=False)


def _value_asks(trial: CaseTrial) -> Sequence[Ask]:
    """Return the requests of the value of valid bytes, after they were read."""
    case, standing = trial.case, trial.standing
    is_valid = case.is_valid and trial.answers[DECODE].kind not in ABSENT | FATAL
    if not is_valid or may_be_version_0(case.schema, case.input) or not _is_base_taken(trial):
        return ()
    if set(trial.answers) != {DECODE}:
        return _of_value(trial).requests()
    if _is_known_value(trial):
        return ()
    # While requests are predicted, later inputs of this value are presumed to have no requests.
    if standing.is_presumed:
        standing.values[case.same_value.canonical] = False
    asks = first_asks(trial.of(case.same_value, {}))
    named = (ask._replace(name=VALUE_READ) if ask.what == DECODE else ask for ask in asks)
    # Canonical bytes were read already.
    return [ask for ask in named if not (ask.name and _is_canonical(case))]


def _is_canonical(case: CodecCase) -> bool:
    """Return whether valid bytes are the canonical bytes of their value."""
    return case.data == case.same_value.canonical


def _is_known_value(trial: CaseTrial) -> bool:
    """Return whether the value was already judged with other bytes."""
    case = trial.case
    return not _is_canonical(case) and case.same_value.canonical in trial.standing.values


def _of_value(trial: CaseTrial) -> CaseTrial:
    """Return the trial of the value. Canonical bytes were read already."""
    own: Answers = {key: outcome for key, outcome in trial.answers.items() if key not in {DECODE, VALUE_READ}}
    read = trial.answers.get(DECODE if _is_canonical(trial.case) else VALUE_READ)
    return trial.of(trial.case.same_value, own if read is None else {**own, DECODE: read})


def _is_base_taken(trial: CaseTrial) -> bool:
    """Return whether the valid base encoding is read without a difference."""
    return trial.case.is_base or trial.standing.has(trial.case.base)


def _hostile_due(trial: CaseTrial, way: str) -> Due | None:
    # A client may read these bytes in version 0, so nothing is due.
    is_left_out = may_be_version_0(trial.case.schema, trial.case.input) and trial.outcome(DECODE).kind not in FATAL
    return None if way != DECODE or is_left_out else Due(trial.case.verdict.result)


def _hostile_tried(answer: JudgedAnswer) -> Iterator[Event]:
    if answer.case.deterministic:
        yield RulesTried(frozenset((SURVIVAL, *answer.case.verdict.rules)))


def _death(answer: JudgedAnswer) -> Iterator[Event]:
    yield death(answer.case, answer.outcome)


def death(case: CodecCase, outcome: Outcome) -> Violation:
    """Return the violation of a fatal outcome."""
    blame = Blame(rule_of_death(case.verdict), case.verdict.path or case.path)
    return case.violation(blame, outcome, SURVIVES, DECODE)


def _hostile_accepted(answer: JudgedAnswer) -> Iterator[Event]:
    case = answer.case
    rule = _accepted_rule(case.verdict, answer.outcome)
    yield _accepted(answer, Blame(rule, case.verdict.path or case.path))


def _judged_value(answer: JudgedAnswer) -> Iterator[Event]:
    """Judge a valid value like any other.

    If its bytes are not canonical, their reading is judged afterwards.
    """
    trial, case, session, standing = answer.trial, answer.case, answer.trial.session, answer.trial.standing
    if not case.is_valid:
        return
    canonical = case.same_value.canonical
    if not _is_known_value(trial):
        events = list(_of_value(trial).judged())
        yield from events
        standing.values[canonical] = any(map(_is_of_content, events))
    if _is_canonical(case) or standing.values[canonical]:
        return
    value, outcome = case.verdict.value or {}, answer.outcome
    found = judge(session.claims, case.target, Due(Result.VALID, value=value), outcome)
    if found.is_taken is False:
        yield answer.violation(Blame(case.verdict.rules[0], case.path), ACCEPTANCE)
    elif found.difference is not None:
        read, apart = kept(session.claims, case.schema, outcome.value), found.difference
        blame = blame_value(case.schema, ReadValue(case.input, read), apart, searches_of(session, case.target))
        yield answer.violation(Blame(blame.rule, blame.path or case.path), value_at(apart.path, apart.expected))


def _left_open(answer: JudgedAnswer) -> Iterator[LeftOpen]:
    """Yield whether unspecified bytes are accepted, and the reading if it differs from Apache Kafka's."""
    trial, case, verdict, accepts = answer.trial, answer.case, answer.case.verdict, answer.outcome.kind is Kind.VALUE
    if not (case.is_base and accepts) and case.base not in trial.standing.taken:
        return
    reading = ""
    if accepts and verdict.value is not None and len(set(verdict.rules)) == 1:
        found = case.target.difference(trial.session.claims, verdict.value, answer.outcome.value)
        reading = f"{_type_of(found.actual)} for {_type_of(found.expected)}" if found is not None else ""
    yield LeftOpen(verdict.rules, accepts, reading)


def judged_with_bases(trial: CaseTrial) -> Iterable[Event]:
    """Judge bytes, and keep the name of a base that is read without a difference as evidence."""
    case, events = trial.case, judged(trial)
    is_judged = any(isinstance(event, Judged) and event.category == case.row.category for event in events)
    misread = any(event.direction == DECODE for event in events if _is_of_content(event))
    if case.is_base and case.base and is_judged and not misread and trial.outcome(DECODE).kind is Kind.VALUE:
        trial.standing.taken.add(case.base)
    return events


HOSTILE = CaseKind(
    name="hostile-bytes",
    category=HOSTILE_INPUTS,
    directions=(DECODE,),
    is_counted=True,
    needs_base=ANSWERS,
    is_base_taken=_is_base_taken,
    is_isolated=True,
    hang_group=hang_group,
    further=_value_asks,
    due=_hostile_due,
    tried=_hostile_tried,
    blames={
        Conclusion.FATAL: _death,
        Conclusion.ACCEPTED: _hostile_accepted,
        Conclusion.REFUSED: _judged_value,
        Conclusion.KEPT: _judged_value,
        Conclusion.OPEN: _left_open,
    },
    judge=judged_with_bases,
    same_value=_same_value,
    read=of_bytes,
    again=lambda case, _: (replace(case, source=None, base=""),),
)


def is_body_bytes(case: object) -> TypeGuard[CodecCase]:
    """Return whether a case is one of bytes of a body."""
    return isinstance(case, CodecCase) and case.row in {INVALID, TRAILING_BYTES, HOSTILE}


def hostile_case(schema: MessageSchema, name: str, wire: bytes, base: str = "", **members: Any) -> CodecCase:
    """Return the case of bytes, made from the base of a name or judged by themselves."""
    return CodecCase(HOSTILE, Body(schema), name, data=wire, base=base, **members)


def invalid_case(schema: MessageSchema, name: str, path: str, wire: bytes, rule: str) -> CodecCase:
    """Return the case of bytes that must be rejected by a rule."""
    return CodecCase(INVALID, Body(schema), name, path, rule, data=wire, refusal=CaseRefusal(rule, path))


def trailing_case(target: Any, name: str, wire: bytes) -> CodecCase:
    """Return the case of a message with bytes after it."""
    return CodecCase(TRAILING_BYTES, target, name, data=wire, refusal=CaseRefusal(TRAILING_RULE, "", is_due=False))


def case_of_bytes(schema: MessageSchema, name: str, wire: bytes) -> CodecCase:
    """Return the case of any bytes. Those after a message must not be consumed; others are judged like hostile ones."""
    is_trailing = judge_bytes(schema, wire).rules == (TRAILING_RULE,)
    return trailing_case(Body(schema), name, wire) if is_trailing else hostile_case(schema, name, wire)


def is_hostile(case: object) -> TypeGuard[CodecCase]:
    """Return whether a case is one of hostile bytes of a body."""
    return isinstance(case, CodecCase) and case.row is HOSTILE


def _is_of_content(event: Event) -> TypeGuard[Violation]:
    """Return whether an event is a broken rule about more than the number of consumed bytes."""
    return isinstance(event, Violation) and not isinstance(event.observation, Counted)


def _type_of(value: Any) -> str:
    """Return a word for the type of a value, without the value."""
    if value is None:
        return "null"
    return f"an empty {type(value).__name__}" if value in ([], "", b"", {}) else f"another {type(value).__name__}"


def _accepted_rule(verdict: Verdict, outcome: Outcome) -> str:
    """Return the rule that makes bytes invalid.

    It is null.not-allowed for a negative length decoded as null.
    """
    rule = verdict.rules[-1]
    was_null = rule == "length.negative" and outcome.value is not None and item_at(outcome.value, verdict.path) is None
    return NULL_RULE if was_null else rule
