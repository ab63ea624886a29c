"""Checks on the message after a failure, written and read as if nothing had failed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, Direction
from conformance.generate.origin import AFTER, CaseOrigin
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import unencodable_variations
from conformance.judge.bases import bases_of
from conformance.judge.case import AFTER_A_REFUSAL, Judged, RulesTried
from conformance.judge.case_forms import by_name, of_value
from conformance.judge.count_lines import Inconclusive
from conformance.judge.events import Expectation, Expected, these_bytes
from conformance.judge.judgement import Due, judge
from conformance.judge.kinds import CaseKind, CaseTrial, CodecCase, judged, wrong
from conformance.targets import DECODE, ENCODE, Ask, Blame, Body
from conformance.targets.outcome import REFUSALS, Outcome
from reference import MessageSchema, Result, from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Target

BEFORE = "before"
"""The name of the answer to the refused message; the answer to the valid value has the case's own."""

RULE = "codec.stateless"


def _asks(trial: CaseTrial) -> Sequence[Ask]:
    """Return the request with the refused message, and the one with the valid value."""
    case = trial.case
    if not _is_right_at_first(trial):
        return ()
    was_read = isinstance(case.meant, bytes)
    refused = Ask(DECODE if was_read else ENCODE, case.target, case.meant, name=BEFORE, isolated=was_read)
    if case.data is None:
        return refused, Ask(ENCODE, case.target, case.content)
    # In the process of the refused message, whose state is in question.
    return refused, Ask(DECODE, case.target, case.data, isolated=was_read, here=not was_read)


def _is_right_at_first(trial: CaseTrial) -> bool:
    """Return whether the valid value is right without a failure before it.

    A first call, whose result is ignored, clears the state of earlier failures.
    """
    case, session = trial.case, trial.session
    key = "right at first", str(case.schema), case.wire, case.data is None, isinstance(case.meant, bytes)

    def is_right() -> bool:
        _take(session, case)
        return judge(session.claims, case.target, _of_value(case), _take(session, case)).is_right

    return session.once(key, is_right)


def _take(session: Session, case: CodecCase) -> Outcome:
    """Write or read the valid value once.

    After a refused value it is read in the same process as that value.
    """
    if case.data is None:
        return session.encode(case.target, case.content)
    if isinstance(case.meant, bytes):
        return session.decode(case.target, case.data)
    return session.ask(Ask(DECODE, case.target, case.data, here=True))


def _due(trial: CaseTrial, way: str) -> Due | None:
    # If the invalid bytes were accepted, nothing failed before the valid value.
    was_accepted = isinstance(trial.case.meant, bytes) and trial.outcome(BEFORE).kind not in REFUSALS
    return None if way == BEFORE or was_accepted else _of_value(trial.case)


def _of_value(case: CodecCase) -> Due:
    return Due(Result.VALID, case.wire, case.content)


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    is_written = answer.way == ENCODE
    expected = these_bytes(answer.due.wire or b"") if is_written else Expectation(Expected.VALUE_AS_BEFORE)
    yield answer.violation(Blame(RULE), expected)


def _judged(trial: CaseTrial) -> Iterator[Event]:
    """Judge the answer to the valid value after the failure."""
    if not _is_right_at_first(trial):
        yield Inconclusive(AFTER_A_REFUSAL, trial.case.target.pair, 1)
    else:
        yield Judged(AFTER_A_REFUSAL)
        yield RulesTried.of(RULE)
        yield from judged(trial)


def _extras(case: CodecCase) -> dict[str, Any]:
    """Return the refused message as the JSON form of a value, or as bytes in hex."""
    return {"before": case.meant.hex() if isinstance(case.meant, bytes) else to_json(case.schema, case.meant)}


def _read(row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    case, before = of_value(row, form, target), form.before
    refused = bytes.fromhex(before) if isinstance(before, str) else from_json(case.schema, before)
    data = None if form.value else target.write(case.content)
    return replace(case, path="", meant=refused, data=data, deterministic=True)


LEAK = CaseKind(
    name="state-leak",
    asks=_asks,
    due=_due,
    blames=wrong(_blame),
    judge=_judged,
    extras=_extras,
    replay=by_name,  # the name says all
    read=_read,
)


def leaks_of_writing(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield a valid value to write, and one to read, after one refused value of each rule."""
    if not session.offers(Body(schema), ENCODE):
        return
    for direction in DIRECTIONS:
        if session.offers(Body(schema), direction):
            yield from bases_of(session, Body(schema), direction).events(schema)
            yield from _after_writing(session, schema, direction)


def leaks_of_reading(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield valid bytes to read after one rejected input of each rule.

    They are read in the process that rejected it.
    """
    if session.offers(Body(schema), DECODE):
        bases = bases_of(session, Body(schema)).bases
        for rule, wire in {each.rule: each.wire for each in invalid_bytes(schema, bases)}.items():
            yield _leak(schema, rule, bases.populated, wire, DECODE)


def _after_writing(session: Session, schema: MessageSchema, direction: Direction) -> Iterator[CodecCase]:
    value = bases_of(session, Body(schema), direction).bases.populated
    for rule, refused in {rule: variation.value for rule, variation in unencodable_variations(schema)}.items():
        yield _leak(schema, rule, value, refused, direction)


def _leak(schema: MessageSchema, rule: str, value: dict[str, Any], refused: Any, direction: Direction) -> CodecCase:
    """Return the case of a valid value after a value or bytes that must be refused by a rule."""
    target = Body(schema)
    data = target.write(value) if direction == DECODE else None
    origin = CaseOrigin(rule, AFTER, sign=" ")
    return CodecCase(LEAK, target, origin.name, content=value, data=data, meant=refused, source=origin)
