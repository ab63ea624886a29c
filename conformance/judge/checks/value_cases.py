"""Checks on valid values, with canonical bytes, read values and counts.

One case serves five checks: encodes canonically, size agrees, reads back its own bytes, decodes the reference's bytes,
consumes exactly. Each yields violations with the broken rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.outcome import ABSENT, NOT_ASKED, Kind, Outcome
from conformance.codec.session import DECODE, ENCODE, SIZE, Ask
from conformance.codec.targets import kept
from conformance.generate.edge_values import edge_cases
from conformance.generate.real_records import real_records_cases
from conformance.generate.text_values import text_values
from conformance.generate.traits import traits_of
from conformance.judge.blame.body_rules import (
    OF_COUNTS,
    REFUSED,
    blame_bytes,
    blame_refusal,
    blame_value,
    place_of_difference,
)
from conformance.judge.blame.reduction import focus, reduced
from conformance.judge.blame.wrong_codecs import ReadValue
from conformance.judge.case import EDGE_VALUES, GENERATED_VALUES, Beyond, Judged, LeftOpen, RulesTried, Violation
from conformance.judge.checks.body_cases import ContentCase, may_be_version_0
from conformance.judge.checks.expectations import (
    blame_content,
    blame_length,
    blame_refused_value,
    blame_writer,
    is_no_element_taken,
    searches_of,
)
from conformance.judge.checks.tried_rules import rules_of_value
from conformance.judge.clusters import cluster_of
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
from conformance.judge.judgement import Conclusion, Due, Judgement, judge
from conformance.judge.standing import Blame
from reference import Difference, MessageSchema, Result, encode
from reference.paths import without_indexes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.session import Answers, Session
    from conformance.generate.edge_values import Variation
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing


@dataclass(frozen=True)
class ValueCase(ContentCase):
    """A valid value of a message, with the place of its departure from the smallest one."""

    kind: ClassVar[str] = "value"
    is_sound: ClassVar[bool] = True
    deterministic: bool = True
    is_minimal: bool = True
    """Whether it is as small as possible; else it is reduced before a rule is blamed."""
    category: str = ""
    """The category in which it is counted; empty if it is part of another case."""

    @property
    def traits(self) -> frozenset[str]:
        """The traits of the value."""
        return traits_of(self.schema, self.content)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the requests to write it and to read its canonical bytes.

        After a successful write, request its size.
        """
        implementation, target = session.implementation, self.target
        if not answers:
            return self.first_requests(session)
        is_written = ENCODE in answers and answers[ENCODE].kind is Kind.BYTES
        if is_written and SIZE not in answers and implementation.adapter.size is not None:
            return (Ask(SIZE, target, implementation.judged(self.content)),)
        return ()

    def due_bytes(self, session: Session) -> bytes:
        """Return the canonical bytes of the value that the implementation is given."""
        value = session.implementation.judged(self.content)
        return self.canonical if value is self.content else encode(self.schema, value)

    def first_requests(self, session: Session, *, is_read: bool = False) -> list[Ask]:
        """Return the first requests.

        Args:
            session: the session with the implementation.
            is_read: whether the bytes were read already, so that they need not be read again.
        """
        implementation, target = session.implementation, self.target
        asks = []
        if target.is_offered(implementation, ENCODE):
            asks.append(Ask(ENCODE, target, implementation.judged(self.content)))
        is_asked = not is_read and not may_be_version_0(self.schema, self.canonical)
        if is_asked and target.is_offered(implementation, DECODE):
            asks.append(Ask(DECODE, target, self.canonical))
        return asks

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge the value in both directions, as far as the implementation offers them."""
        if self.category:
            yield Judged(self.category)
        if ENCODE in answers:
            yield from _judge_written(session, self, answers, standing)
        if DECODE in answers and not may_be_version_0(self.schema, self.canonical):
            yield from _judge_read(session, self, answers[DECODE], standing)


@dataclass(frozen=True)
class TextsCase(ValueCase):
    """A value with another text in each text field.

    If it fails, each text is tried alone, so that a finding names one field and one text.
    """

    alone: tuple[Variation, ...] = ()

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge the value, or its texts one by one in the directions in which one of them fails alone."""
        wrong = {direction for direction in (ENCODE, DECODE) if self._is_wrong(session, answers, direction)}
        found = list(violations(session, values_of(self.schema, self.alone))) if wrong else []
        if wrong and wrong <= {each.direction for each in found}:
            yield Judged(self.category)
            for direction in answers.keys() & {ENCODE, DECODE}:
                yield from rules_of_value(session, self, direction, answers[direction])
        else:
            yield from super().judge(session, answers, standing)
        yield from found

    def _is_wrong(self, session: Session, answers: Answers, direction: str) -> bool:
        is_written = direction == ENCODE
        due = Due(Result.VALID, self.due_bytes(session)) if is_written else Due(Result.VALID, value=self.content)
        outcome = answers.get(direction, NOT_ASKED)
        return judge(session.implementation, self.target, due, outcome).is_wrong


def value_cases(session: Session, schema: MessageSchema) -> Iterator[ValueCase]:
    """Yield every edge value of a message.

    In a session with real records these include values with record batches.
    """
    with_records = real_records_cases(schema) if session.real_records else ()
    yield from values_of(schema, chain(edge_cases(schema), with_records))
    yield from texts_of(schema)


def values_of(schema: MessageSchema, variations: Iterable[Variation]) -> Iterator[ValueCase]:
    """Yield a case for each variation of the smallest value."""
    for variation in variations:
        yield ValueCase(schema, variation.name, variation.path, variation.value, category=EDGE_VALUES)


def texts_of(schema: MessageSchema) -> Iterator[TextsCase]:
    """Yield the case of each value with another text in each text field."""
    for (_, what, value, _), alone in text_values(schema):
        yield TextsCase(schema, what, "", value, category=EDGE_VALUES, alone=alone)


def generated_value(schema: MessageSchema, value: dict[str, Any]) -> ValueCase:
    """Return the case of a drawn value."""
    return ValueCase(schema, "generated", "", value, deterministic=False, is_minimal=False, category=GENERATED_VALUES)


NAN_DEFAULT = "message.nan-default"
"""The rule that lets a writer refuse a value for a field of other versions."""


def _judge_written(session: Session, case: ValueCase, answers: Answers, standing: Standing) -> Iterator[Event]:
    implementation, outcome = session.implementation, answers[ENCODE]
    value, wire = implementation.judged(case.content), case.due_bytes(session)
    judgement = judge(implementation, case.target, Due(Result.VALID, wire), outcome)
    if judgement.conclusion is Conclusion.OPEN:
        yield LeftOpen((NAN_DEFAULT,), accepts=False)
        return
    yield from rules_of_value(session, case, ENCODE, outcome)
    if judgement.conclusion is Conclusion.WRONG:
        yield from _wrong_bytes(session, replace(case, content=value), outcome.wire or b"", standing)
    elif judgement.is_wrong:
        yield _beyond(session, case, judgement) or _refused(session, case, outcome, ENCODE, standing)
    if outcome.wire is not None and SIZE in answers:
        yield from _judge_size(case, answers[SIZE], outcome.wire)


def _beyond(session: Session, case: ValueCase, judgement: Judgement) -> Beyond | None:
    """Return the event of a refused value beyond a declared limit.

    None if it is within all limits, or not refused.
    """
    limits = session.implementation.limits
    name = limits.exceeded_by(case.schema, case.content) if judgement.conclusion is Conclusion.REFUSED else ""
    return Beyond(name) if name else None


def _refused(
    session: Session, case: ValueCase, outcome: Outcome, direction: Direction, standing: Standing
) -> Violation:
    """Return the violation of a refused valid value, reduced to the cause of the refusal."""
    appearance = None if case.deterministic else _appearance(case, outcome, direction)
    known = standing.known_blame(appearance)
    if known is not None:
        return case.violation(known, outcome, _taken(case, direction), direction)

    def again(tried: dict[str, Any]) -> Outcome:
        wire = encode(case.schema, tried)
        content: Any = tried if direction == ENCODE else wire
        return standing.once((direction, wire), lambda: session.ask(Ask(direction, case.target, content)))

    content = reduced(case.schema, case.content, lambda tried: again(tried).kind is outcome.kind)
    if content != case.content or not case.path:
        once_more = again(content)
        if once_more.kind not in ABSENT:  # without an answer now, the first one is the finding
            case, outcome = replace(case, content=content, path=focus(case.schema, content)), once_more
    blame = blame_refused_value(session, case.schema, case.content, direction)
    if blame is None:
        blame = blame_refusal(case.schema, case.content, case.path, direction)
        is_vague = blame.rule == REFUSED[direction] or blame.rule.endswith(OF_COUNTS)  # an item inside may be the cause
        blame = blame_content(session, case.schema, case.content, direction, is_null=not is_vague) or blame
        if blame.rule.endswith(OF_COUNTS) and is_no_element_taken(session, case.schema, blame.path, direction):
            blame = Blame(REFUSED[direction], f"{blame.path}[0]")
    blame = blame_length(session, case.schema, case.content, blame, direction)
    standing.blame(appearance, blame)
    return case.violation(blame, outcome, _taken(case, direction), direction)


def _appearance(case: ValueCase, outcome: Outcome, direction: str) -> Hashable:
    return direction, outcome.kind, cluster_of(Answered.of(outcome), case.schema.message)


def _taken(case: ValueCase, direction: str) -> Expectation:
    return these_bytes(case.canonical) if direction == ENCODE else ACCEPTANCE


def _wrong_bytes(session: Session, case: ValueCase, actual: bytes, standing: Standing) -> Iterator[Violation]:
    """Report other bytes than the canonical ones.

    Of random values with one appearance only the first few are analysed.
    """
    place = None if case.deterministic else place_of_difference(case.schema, case.content, case.canonical, actual)
    appearance = None if place is None else (ENCODE, place)
    blame = standing.known_blame(appearance)
    if blame is None:
        case = _smallest_wrong(session, case)
        actual = session.encode(case.target, case.content).wire or b""
        blame = _blame_bytes(session, case, actual)
        standing.blame(appearance, blame)
    yield case.violation(blame, Outcome(Kind.BYTES, wire=actual), these_bytes(case.canonical), ENCODE)
    yield from _judge_own_bytes(session, case, actual)


def _blame_bytes(session: Session, case: ValueCase, actual: bytes) -> Blame:
    """Return the blame for wrong bytes.

    It is the field that is refused in other values, if the bytes first differ in this field.
    """
    refused = blame_writer(session, case.schema)
    _, path = place_of_difference(case.schema, case.content, case.canonical, actual)
    if refused is not None and without_indexes(refused.path) == path:
        return refused
    return blame_bytes(case.schema, case.content, case.canonical, actual, searches_of(session, case.schema))


def _smallest_wrong(session: Session, case: ValueCase) -> ValueCase:
    """Return the case of the smallest value found that is also written wrong."""

    def differs(tried: dict[str, Any]) -> bool:
        due = Due(Result.VALID, encode(case.schema, tried))
        outcome = session.encode(case.target, tried)
        return judge(session.implementation, case.target, due, outcome).conclusion is Conclusion.WRONG

    return case if case.is_minimal else replace(case, content=reduced(case.schema, case.content, differs))


def _judge_own_bytes(session: Session, case: ValueCase, own: bytes) -> Iterator[Violation]:
    """Judge whether an implementation reads back the wrong bytes that it writes."""
    if case.target.is_offered(session.implementation, DECODE):
        outcome = session.decode(case.target, own)
        if judge(session.implementation, case.target, Due(Result.VALID, value=case.content), outcome).is_wrong:
            yield case.violation(Blame("codec.round-trip", case.path), outcome, OWN_VALUE, ENCODE)


def _judge_size(case: ValueCase, outcome: Outcome, written: bytes) -> Iterator[Event]:
    blame, expected = Blame("codec.size", case.path), number(Expected.SIZE, len(written))
    if case.deterministic:
        yield RulesTried.of(blame.rule)
    if outcome.kind is Kind.VALUE and outcome.value != len(written):
        yield case.violation(blame, Counted("size", outcome.value), expected, ENCODE)
    elif outcome.kind is not Kind.VALUE and outcome.kind not in ABSENT:
        yield case.violation(blame, outcome, expected, ENCODE)


def _judge_read(session: Session, case: ValueCase, outcome: Outcome, standing: Standing) -> Iterator[Event]:
    yield from rules_of_value(session, case, DECODE, outcome)
    judgement = judge(session.implementation, case.target, Due(Result.VALID, value=case.content), outcome)
    expected = len(case.canonical)
    if judgement.difference is not None:
        yield _misread(session, case, outcome, judgement.difference, standing)
    elif judgement.is_wrong:
        yield _beyond(session, case, judgement) or _refused(session, case, outcome, DECODE, standing)
    elif outcome.consumed is not None and outcome.consumed != expected:
        found = Counted("consumed", outcome.consumed)
        yield case.violation(Blame("codec.consumed"), found, number(Expected.CONSUMPTION, expected), DECODE)


def _misread(session: Session, case: ValueCase, outcome: Outcome, found: Difference, standing: Standing) -> Violation:
    """Report another value than the one on the wire.

    Of random values with one appearance only the first few are analysed.
    """
    appearance = None if case.deterministic else (DECODE, found.what, without_indexes(found.path))
    known = standing.known_blame(appearance)
    if known is not None:
        return case.violation(known, Differs.of(found), value_at(found.path, found.expected), DECODE)
    violation = _wrong_value(session, case, outcome)
    standing.blame(appearance, Blame(violation.rule, violation.path))
    return violation


def _wrong_value(session: Session, case: ValueCase, outcome: Outcome) -> Violation:
    """Return the violation in the smallest value found that is misread."""

    def judged(value: dict[str, Any], outcome: Outcome) -> Judgement:
        return judge(session.implementation, case.target, Due(Result.VALID, value=value), outcome)

    def misread(tried: dict[str, Any]) -> bool:
        outcome = session.decode(case.target, encode(case.schema, tried))
        return judged(tried, outcome).conclusion is Conclusion.WRONG

    if not case.is_minimal:
        case = replace(case, content=reduced(case.schema, case.content, misread))
        outcome = session.decode(case.target, case.canonical)
    found = judged(case.content, outcome).difference
    # The value was misread the first time, and is read rightly now.
    if found is None:
        return case.violation(Blame("codec.stateless"), Another(), Expectation(Expected.SAME_VALUE), DECODE)
    read = kept(session.implementation, case.schema, outcome.value)
    blame = blame_value(
        case.schema,
        ReadValue(case.canonical, read, outcome.consumed),
        found,
        searches_of(session, case.schema),
        lambda: blame_content(session, case.schema, case.content, DECODE, is_null=True),
    )
    blame = blame_length(session, case.schema, case.content, blame, DECODE)
    return case.violation(blame, Differs.of(found), value_at(found.path, found.expected), DECODE)
