"""Checks after a failure: the next message is written and read as if nothing had been before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.adapter import DIRECTIONS, Direction
from conformance.codec.outcome import REFUSALS, Outcome
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import Body
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
"""The name of the answer to what is refused; that to the valid value is the case's own."""

RULE = "codec.stateless"
AFTER = "after "
"""The name of a case: this, and the rule that was broken before."""


@dataclass(frozen=True)
class StateLeakCase(ContentCase):
    """A valid value that is written or read after something else was refused.

    Args:
        schema: the message.
        name: `after ` and the rule that was broken before.
        before: a value that must be refused, or bytes that must be.
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
        """What is refused before: a value's JSON form, or bytes in hex."""
        before = self.before.hex() if isinstance(self.before, bytes) else to_json(self.schema, self.before)
        return {"before": before}

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # the name says all
        """By its name."""
        return ["--case", self.name]

    def is_right_at_first(self, session: Session) -> bool:
        """Return whether all is right when nothing failed before; a first call takes what may have been left behind."""
        self._take(session)
        return self._is_right(session, self._take(session))

    def again(self, session: Session) -> Iterator[StateLeakCase | Event]:
        """Return the case, if all is right when nothing failed before."""
        return _if_right_at_first(session, [self])

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """To have the first one refused, and then to take the valid one."""
        return () if answers else (self._before(), self._after())

    def _before(self) -> Ask:
        if isinstance(self.before, bytes):
            return Ask(DECODE, self.target, self.before, name=BEFORE, isolated=True)
        return Ask(ENCODE, self.target, self.before, name=BEFORE)

    def _after(self) -> Ask:
        if self.is_written:
            return Ask(ENCODE, self.target, self.content)
        was_read = isinstance(self.before, bytes)
        return Ask(DECODE, self.target, self.canonical, isolated=was_read, here=not was_read)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge what came of the valid value after the failure."""
        if isinstance(self.before, bytes) and answers[BEFORE].kind not in REFUSALS:
            return
        direction = ENCODE if self.is_written else DECODE
        if not self._is_right(session, answers[direction]):
            expected = these_bytes(self.canonical) if self.is_written else Expectation(Expected.VALUE_AS_BEFORE)
            yield self.violation(Blame(RULE), answers[direction], expected, direction)

    def _take(self, session: Session) -> Outcome:
        """Have the valid value written or read once; after a refused value in the process that refused it."""
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
    """Yield valid bytes to read after one rejected input of each rule, in the process that read it."""
    if Body(schema).is_offered(session.implementation, DECODE):
        yield from _if_right_at_first(session, list(_after_reading(session, schema)))


def leaks_named(session: Session, schema: MessageSchema, name: str) -> list[StateLeakCase]:
    """Return the cases of that name, whether or not all is right at first."""
    offered = [direction for direction in DIRECTIONS if Body(schema).is_offered(session.implementation, direction)]
    written = (case for direction in offered for case in _after_writing(session, schema, direction))
    return [case for case in (*written, *_after_reading(session, schema)) if case.name == name]


def _after_writing(session: Session, schema: MessageSchema, direction: Direction) -> Iterator[StateLeakCase]:
    value = bases_of(session, schema, direction).bases.populated
    for rule, refused in {rule: variation.value for rule, variation in unencodable_variations(schema)}.items():
        yield StateLeakCase(schema, AFTER + rule, "", value, refused, direction == ENCODE)


def _after_reading(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase]:
    bases = bases_of(session, schema).bases
    for rule, wire in {case.rule: case.wire for case in invalid_bytes(schema, bases)}.items():
        yield StateLeakCase(schema, AFTER + rule, "", bases.populated, wire, is_written=False)


def _if_right_at_first(session: Session, cases: Sequence[StateLeakCase]) -> Iterator[StateLeakCase | Event]:
    """Yield cases with one valid value, if all is right with it when nothing failed before."""
    if not cases:
        return
    if not cases[0].is_right_at_first(session):
        yield Skipped(AFTER_A_REFUSAL, str(cases[0].schema), len(cases))
        return
    yield Judged(AFTER_A_REFUSAL, len(cases))
    yield RulesTried.of(RULE)
    yield from cases
