"""Checks on the message after a failure, written and read as if nothing had failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.adapter import DIRECTIONS, Direction
from conformance.codec.outcome import REFUSALS, Outcome
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import Body
from conformance.generate.origin import AFTER, CaseOrigin
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import unencodable_variations
from conformance.judge.case import AFTER_A_REFUSAL, Judged, RulesTried, Skipped
from conformance.judge.checks.bases import bases_of
from conformance.judge.checks.body_cases import ContentCase
from conformance.judge.events import Expectation, Expected, these_bytes
from conformance.judge.judgement import Conclusion, Due, judge
from conformance.judge.standing import Blame
from reference import MessageSchema, Result, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing

BEFORE = "before"
"""The name of the answer to the refused message; the answer to the valid value has the case's own."""

RULE = "codec.stateless"


@dataclass(frozen=True)
class StateLeakCase(ContentCase):
    """A valid value written or read after a refusal.

    Args:
        schema: the message.
        name: `after ` and the rule broken by the refused message.
        before: a value or bytes that must be refused.
        is_written: whether the valid value is written afterwards; else it is read.
        content: the valid value.
    """

    kind: ClassVar[str] = "state-leak"
    is_counted: ClassVar[bool] = False
    before: dict[str, Any] | bytes
    is_written: bool

    @property
    def value(self) -> str | None:
        """The JSON text of the valid value, if it is written."""
        return super().value if self.is_written else None

    def extras(self) -> dict[str, Any]:
        """Return the refused message as the JSON form of a value, or as bytes in hex."""
        before = self.before.hex() if isinstance(self.before, bytes) else to_json(self.schema, self.before)
        return {"before": before}

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # the name says all
        """Return its name."""
        return ["--case", self.name]

    def is_right_at_first(self, session: Session) -> bool:
        """Return whether the valid value is right without a failure before it.

        A first call, whose result is ignored, clears the state of earlier failures.
        """
        self._take(session)
        return self._is_right(session, self._take(session))

    def again(self, session: Session) -> Iterator[StateLeakCase | Event]:
        """Yield the case if the valid value is right without a failure before it."""
        return _if_right_at_first(session, [self])

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request with the refused message, and the one with the valid value."""
        return () if answers else (self._before(), self._after())

    def _before(self) -> Ask:
        if isinstance(self.before, bytes):
            return Ask(DECODE, self.target, self.before, name=BEFORE, isolated=True)
        return Ask(ENCODE, self.target, self.before, name=BEFORE)

    def _after(self) -> Ask:
        if self.is_written:
            return Ask(ENCODE, self.target, self.content)
        was_read = isinstance(self.before, bytes)
        # In the process of the refused message, whose state is in question.
        return Ask(DECODE, self.target, self.canonical, isolated=was_read, here=not was_read)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge the answer to the valid value after the failure."""
        # If the invalid bytes were accepted, nothing failed before the valid value.
        if isinstance(self.before, bytes) and answers[BEFORE].kind not in REFUSALS:
            return
        direction = ENCODE if self.is_written else DECODE
        if not self._is_right(session, answers[direction]):
            expected = these_bytes(self.canonical) if self.is_written else Expectation(Expected.VALUE_AS_BEFORE)
            yield self.violation(Blame(RULE), answers[direction], expected, direction)

    def _take(self, session: Session) -> Outcome:
        """Write or read the valid value once.

        After a refused value it is read in the same process as that value.
        """
        if self.is_written:
            return session.encode(self.target, self.content)
        if isinstance(self.before, bytes):
            return session.decode(self.target, self.canonical)
        return session.ask(Ask(DECODE, self.target, self.canonical, here=True))

    def _is_right(self, session: Session, outcome: Outcome) -> bool:
        due = Due(Result.VALID, self.canonical, self.content)
        return judge(session.implementation, self.target, due, outcome).conclusion is Conclusion.KEPT


def leaks_of_writing(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase | Event]:
    """Yield a valid value to write, and one to read, after one refused value of each rule."""
    if not Body(schema).is_offered(session.implementation, ENCODE):
        return
    for direction in DIRECTIONS:
        if Body(schema).is_offered(session.implementation, direction):
            yield from bases_of(session, schema, direction).events(schema)
            yield from _if_right_at_first(session, list(_after_writing(session, schema, direction)))


def leaks_of_reading(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase | Event]:
    """Yield valid bytes to read after one rejected input of each rule.

    They are read in the process that rejected it.
    """
    if Body(schema).is_offered(session.implementation, DECODE):
        yield from _if_right_at_first(session, list(_after_reading(session, schema)))


def leaks_named(session: Session, schema: MessageSchema, name: str) -> list[StateLeakCase]:
    """Return the cases with a name, even if the valid value is wrong without a failure."""
    offered = [direction for direction in DIRECTIONS if Body(schema).is_offered(session.implementation, direction)]
    written = (case for direction in offered for case in _after_writing(session, schema, direction))
    return [case for case in (*written, *_after_reading(session, schema)) if case.name == name]


def _after_writing(session: Session, schema: MessageSchema, direction: Direction) -> Iterator[StateLeakCase]:
    value = bases_of(session, schema, direction).bases.populated
    for rule, refused in {rule: variation.value for rule, variation in unencodable_variations(schema)}.items():
        yield StateLeakCase(schema, _origin(rule).name, "", value, refused, direction == ENCODE)


def _after_reading(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase]:
    bases = bases_of(session, schema).bases
    for rule, wire in {case.rule: case.wire for case in invalid_bytes(schema, bases)}.items():
        yield StateLeakCase(schema, _origin(rule).name, "", bases.populated, wire, is_written=False)


def _origin(rule: str) -> CaseOrigin:
    return CaseOrigin(rule, AFTER, sign=" ")


def _if_right_at_first(session: Session, cases: Sequence[StateLeakCase]) -> Iterator[StateLeakCase | Event]:
    """Yield cases with one valid value, if it is right without a failure before it."""
    if not cases:
        return
    if not cases[0].is_right_at_first(session):
        yield Skipped(AFTER_A_REFUSAL, str(cases[0].schema), len(cases))
        return
    yield Judged(AFTER_A_REFUSAL, len(cases))
    yield RulesTried.of(RULE)
    yield from cases
