"""Checks after a failure: the next message is written and read as if nothing had been before."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.adapter import DIRECTIONS
from conformance.checks.bases import bases_of
from conformance.checks.body_cases import ContentCase
from conformance.findings.events import Expectation, Expected, these_bytes
from conformance.findings.violations import Blame, Violation
from conformance.generate.invalid_bytes import invalid_bytes
from conformance.generate.unusual_values import unencodable_variations
from conformance.implementation.outcome import REFUSALS, Kind, Outcome
from conformance.implementation.targets import Body
from reference import MessageSchema, difference, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json

SORT = "messages after a refusal"
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

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the valid value is written or read as before, if it was rightly before."""
        yield from _check_leaks(session, [self])

    def is_right_at_first(self, session: Session) -> bool:
        """Return whether all is right when nothing failed before; a first call takes what may have been left behind."""
        self._take(session)
        return self._is_right(self._take(session))

    def requests(self, session: Session) -> Iterator[Json]:  # noqa: ARG002  # as in `ContentCase`
        """Yield what `after_writing` asks a harness."""
        yield self.target.write_request(self.before)
        yield self.target.write_request(self.content) if self.is_written else self.target.read_request(self.canonical)

    def after_writing(self, session: Session) -> Iterator[Violation]:
        """Have the value before refused, then check the valid one."""
        session.encode(self.target, self.before)
        yield from self.compare(self._take(session))

    def compare(self, outcome: Outcome) -> Iterator[Violation]:
        """Check what came of the valid value after the failure."""
        if not self._is_right(outcome):
            expected = these_bytes(self.canonical) if self.is_written else Expectation(Expected.VALUE_AS_BEFORE)
            yield self.violation(Blame(RULE), outcome, expected, "encode" if self.is_written else "decode")

    def _take(self, session: Session) -> Outcome:
        """Have the valid value written or read once; after a refused value in the process that refused it."""
        if self.is_written:
            return session.encode(self.target, self.content)
        if isinstance(self.before, bytes):
            return session.decode(self.target, self.canonical)
        return self.target.decode(session.implementation, self.canonical)

    def _is_right(self, outcome: Outcome) -> bool:
        if self.is_written:
            return outcome.wire == self.canonical
        return outcome.kind is Kind.VALUE and difference(self.schema, self.content, outcome.value) is None


def leaks_of_writing(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase]:
    """Yield a valid value to write, and one to read, after one refused value of each rule."""
    for direction in DIRECTIONS:
        if Body(schema).is_offered(session.implementation, direction):
            value = bases_of(session, schema, direction).bases.populated
            for rule, refused in {rule: variation.value for rule, variation in unencodable_variations(schema)}.items():
                yield StateLeakCase(schema, AFTER + rule, "", value, refused, direction == "encode")


def leaks_of_reading(session: Session, schema: MessageSchema) -> Iterator[StateLeakCase]:
    """Yield valid bytes to read after one rejected input of each rule."""
    bases = bases_of(session, schema).bases
    value = bases.populated
    for rule, wire in {case.rule: case.wire for case in invalid_bytes(schema, bases)}.items():
        yield StateLeakCase(schema, AFTER + rule, "", value, wire, is_written=False)


def check_leaks_of_writing(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that a refused value leaves nothing behind."""
    if not Body(schema).is_offered(session.implementation, "encode"):
        return
    for _, cases in groupby(leaks_of_writing(session, schema), key=attrgetter("is_written")):
        yield from _check_leaks(session, list(cases))


def check_leaks_of_reading(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check that a rejected input leaves nothing behind in the process that read it."""
    if not Body(schema).is_offered(session.implementation, "decode"):
        return
    yield from _check_leaks(session, list(leaks_of_reading(session, schema)))


def _check_leaks(session: Session, cases: Sequence[StateLeakCase]) -> Iterator[Violation]:
    """Check cases with one valid value, if all is right with it when nothing failed before."""
    if not cases:
        return
    if not cases[0].is_right_at_first(session):
        session.tally.rest(SORT, str(cases[0].schema), len(cases))
        return
    session.tally.case(SORT, len(cases))
    session.tally.tried.add(RULE)
    if isinstance(cases[0].before, bytes):
        yield from _check_after_reading(session, cases)
    else:
        for case in session.ahead(cases, lambda case: case.requests(session)):
            yield from case.after_writing(session)


def _check_after_reading(session: Session, cases: Sequence[StateLeakCase]) -> Iterator[Violation]:
    wires = [wire for case in cases for wire in (_before(case), case.canonical)]
    outcomes = session.decode_many(cases[0].target, wires)
    for case, failed, outcome in zip(cases, outcomes[::2], outcomes[1::2], strict=True):
        if failed.kind in REFUSALS:
            yield from case.compare(outcome)


def _before(case: StateLeakCase) -> bytes:
    return case.before if isinstance(case.before, bytes) else b""
