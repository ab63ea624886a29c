"""Checks on bytes that no reader may accept, and on bytes after a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.codec.bridge.hangs import ONLY_HANGS
from conformance.codec.outcome import NOT_ASKED, REFUSALS, Kind
from conformance.codec.session import DECODE
from conformance.codec.targets import Body
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.value_paths import fields_at
from conformance.judge.case import INVALID_INPUTS, Judged, Reasoned, RulesTried, Skipped
from conformance.judge.checks.bases import bases_of
from conformance.judge.checks.body_cases import BytesCase
from conformance.judge.events import REJECTION, SURVIVAL, Counted, Expected, number
from conformance.judge.judgement import LEFT_OPEN, TO_BE_REFUSED, Conclusion, judge
from conformance.judge.standing import Blame
from reference import Malformed, MessageSchema, decode, decode_leniently, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event, Violation
    from conformance.judge.standing import Standing

TRAILING_NAME = "trailing-bytes"
TRAILING_RULE = "input.trailing-bytes"
TRAILING = (b"\x00", b"\x00\x01\x02\x03", b"\xff" * 8)
"""The bytes put after a message; they could begin another field, a tag section, a negative number."""


@dataclass(frozen=True)
class InvalidBytesCase(BytesCase):
    """Bytes that must be rejected, with the rule broken by them."""

    kind: ClassVar[str] = "invalid-bytes"
    rule: str
    is_inconclusive: bool = False
    """Whether the valid bytes of the base value are refused or misread as well."""

    @property
    def hang_group(self) -> str:
        """The group of inputs with a common hang budget, or nothing.

        Nulls are grouped by the type of the field. Inputs cut off at different places have no group.
        """
        if self.rule != NULL_RULE:
            return ""
        # Grouped for hangs only: a crash on one null does not exclude the others.
        return f"{ONLY_HANGS}{self.rule} {fields_at(self.schema, self.path)[-1].written_type}"

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether they are rejected.

        A rejection is inconclusive if the valid bytes of the base value are rejected as well.
        """
        outcome = answers.get(DECODE, NOT_ASKED)
        judgement = judge(session.implementation, self.target, TO_BE_REFUSED, outcome)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        # To accept the input is wrong even if the base is refused.
        if self.is_inconclusive and judgement.conclusion is Conclusion.KEPT:
            yield Skipped(INVALID_INPUTS, str(self.schema))
            return
        yield Judged(INVALID_INPUTS)
        yield RulesTried.of(self.rule)
        yield from _reason(self, outcome)
        if judgement.is_wrong:
            blame = self.accepted(session, Blame(self.rule, self.path), outcome)
            yield self.violation(blame, outcome, REJECTION, DECODE)


@dataclass(frozen=True)
class TrailingBytesCase(BytesCase):
    """A message with bytes after it."""

    kind: ClassVar[str] = "trailing-bytes"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever read
        """Return its bytes, since its name is not unique."""
        return ["--wire", self.wire.hex()]

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether bytes after the message are counted as part of it.

        They may be refused or left unread.
        """
        outcome = answers.get(DECODE, NOT_ASKED)
        judgement = judge(session.implementation, self.target, LEFT_OPEN, outcome)
        if judgement.conclusion is not Conclusion.NO_ANSWER:
            yield RulesTried.of(TRAILING_RULE)
        if judgement.is_wrong:
            yield self.violation(Blame(TRAILING_RULE), outcome, SURVIVAL, DECODE)
        elif outcome.kind is Kind.VALUE:
            yield from self._counted(outcome)

    def _counted(self, outcome: Outcome) -> Iterator[Violation]:
        # The strict reader rejects trailing bytes, and so has no count.
        _, consumed = decode_leniently(self.schema, self.wire)
        if outcome.consumed is not None and outcome.consumed != consumed:
            found = Counted("consumed", outcome.consumed)
            yield self.violation(Blame("codec.consumed"), found, number(Expected.CONSUMPTION, consumed), DECODE)


def invalid_cases(session: Session, schema: MessageSchema) -> Iterator[InvalidBytesCase | Event]:
    """Yield every invalid input of a message, made from accepted base values."""
    if not Body(schema).is_offered(session.implementation, "decode"):
        return
    taken = bases_of(session, schema)
    yield from taken.events(schema)
    for case in invalid_bytes(schema, taken.bases):
        yield InvalidBytesCase(schema, case.name, case.path, case.wire, case.rule, case.base in taken.refused)


def trailing_cases(session: Session, schema: MessageSchema) -> Iterator[TrailingBytesCase]:
    """Yield a message with each of `TRAILING` after it."""
    if not Body(schema).is_offered(session.implementation, "decode"):
        return
    wire = encode(schema, bases_of(session, schema).bases.populated)
    for trailing in TRAILING:
        yield TrailingBytesCase(schema, TRAILING_NAME, "", wire + trailing)


def _reason(case: InvalidBytesCase, outcome: Outcome) -> Iterator[Reasoned]:
    """Yield the reason for a rejection, beside the reference's.

    Nothing is yielded if either gives none.
    """
    if not outcome.reason or outcome.kind not in REFUSALS:
        return
    try:
        decode(case.schema, case.wire)
    except Malformed as error:
        if error.reason is not None:
            yield Reasoned(str(error.reason), outcome.reason)
