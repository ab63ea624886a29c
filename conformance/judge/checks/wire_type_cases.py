"""Checks on each wire type alone, with canonical bytes, read values and refusals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.outcome import NOT_ASKED
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import WireTypeTarget
from conformance.generate.wire_type_values import broken_primitives, primitive_values
from conformance.judge.blame.body_rules import blame_bytes
from conformance.judge.case import Judged, RulesTried
from conformance.judge.checks.target_cases import TargetCase, WireCase
from conformance.judge.checks.tried_rules import rules_of_bytes
from conformance.judge.events import (
    REFUSAL,
    REJECTION,
    SURVIVAL,
    Counted,
    Expected,
    number,
    these_bytes,
    value_at,
)
from conformance.judge.judgement import LEFT_OPEN, TO_BE_REFUSED, Conclusion, Due, judge
from conformance.judge.standing import Blame
from reference import Malformed, Primitive, Result, Unencodable, primitive
from reference.primitives import VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event, Violation
    from conformance.judge.standing import Standing

NAME = "primitive"
"""The name of every case; its value or its bytes identify it."""

RULES = {
    "unsigned-varint": "varint.shortest",
    "unsigned-varlong": "varint.shortest",
    "varint": "varint.signed",
    "varlong": "varint.signed",
    "tag-section": "tag.section",
}
"""The rules of the wire types without a type of a field."""


@dataclass(frozen=True)
class PrimitiveValueCase(TargetCase[WireTypeTarget]):
    """A value of a wire type, whose validity the reference decides."""

    kind: ClassVar[str] = "primitive"
    content: Any
    name: str = NAME
    path: str = ""

    @property
    def wire(self) -> bytes | None:
        """The canonical bytes, or None if the value must be refused."""
        try:
            return self.target.write(self.content)
        except Unencodable:
            return None

    @property
    def value(self) -> str:
        """The JSON text of the value."""
        return json.dumps(self.target.to_json(self.content))

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the requests to write it, and to read its bytes if it has any."""
        implementation, target, asks = session.implementation, self.target, []
        if answers:
            return ()
        if target.is_offered(implementation, ENCODE):
            asks.append(Ask(ENCODE, target, self.content))
        if self.wire is not None and target.is_offered(implementation, DECODE):
            asks.append(Ask(DECODE, target, self.wire))
        return asks

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the value is written canonically and read back, or refused."""
        yield Judged("primitive values")
        outcome = answers.get(ENCODE, NOT_ASKED)
        try:
            wire = self.target.write(self.content)
        except Unencodable as error:
            yield from self._judged_refusal(session, error, outcome)
            return
        yield from rules_of_bytes(self.target, wire)
        yield from self._judged_written(session, wire, outcome)
        yield from _judged_read(session, self, wire, answers.get(DECODE, NOT_ASKED))

    def _judged_written(self, session: Session, wire: bytes, outcome: Outcome) -> Iterator[Event]:
        judgement = judge(session.implementation, self.target, Due(Result.VALID, wire), outcome)
        if judgement.conclusion is not Conclusion.NO_ANSWER and self.target.primitive.schema is None:
            yield RulesTried.of(RULES[self.target.primitive.name])
        if judgement.is_wrong:
            rule = _rule_of_written(self.target.primitive, self.content, wire, outcome)
            yield self.violation(Blame(rule), outcome, these_bytes(wire), ENCODE)

    def _judged_refusal(self, session: Session, error: Unencodable, outcome: Outcome) -> Iterator[Event]:
        judgement = judge(session.implementation, self.target, TO_BE_REFUSED, outcome)
        if judgement.conclusion is not Conclusion.NO_ANSWER:
            yield RulesTried.of(error.rule)
        if judgement.is_wrong:
            yield self.violation(Blame(error.rule), outcome, REFUSAL, ENCODE)


@dataclass(frozen=True)
class PrimitiveBytesCase(WireCase[WireTypeTarget]):
    """Bytes of a wire type, whose validity the reference decides."""

    kind: ClassVar[str] = "primitive-bytes"

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to read them."""
        is_asked = not answers and self.target.is_offered(session.implementation, DECODE)
        return (Ask(DECODE, self.target, self.data, isolated=True),) if is_asked else ()

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge whether the bytes are read or rejected.

        Unspecified bytes may be either, but must not crash the reader.
        """
        outcome = answers.get(DECODE, NOT_ASKED)
        yield Judged("invalid primitives")
        try:
            self.target.read(self.data)
        except Malformed as error:
            yield from self._judged_rejection(session, error, outcome)
        else:
            yield from _judged_read(session, self, self.data, outcome)

    def _judged_rejection(self, session: Session, error: Malformed, outcome: Outcome) -> Iterator[Event]:
        due = LEFT_OPEN if error.reason is None else TO_BE_REFUSED
        judgement = judge(session.implementation, self.target, due, outcome)
        if judgement.conclusion is not Conclusion.NO_ANSWER:
            yield RulesTried.of(error.rule)
        if judgement.is_wrong and error.reason is None:
            yield self.violation(Blame("message.accepted"), outcome, SURVIVAL, DECODE)
        elif judgement.is_wrong:
            yield self.violation(Blame(error.rule), outcome, REJECTION, DECODE)


def primitive_cases(session: Session, name: str) -> Iterator[PrimitiveValueCase | PrimitiveBytesCase]:
    """Yield every value of a wire type, and invalid bytes of it."""
    target = WireTypeTarget(primitive(name))
    yield from (PrimitiveValueCase(target, value) for value in primitive_values(target.primitive))
    if target.is_offered(session.implementation, DECODE):
        yield from (PrimitiveBytesCase(target, NAME, wire) for wire in broken_primitives(target.primitive))


def _judged_read(
    session: Session, case: PrimitiveValueCase | PrimitiveBytesCase, wire: bytes, outcome: Outcome
) -> Iterator[Violation]:
    """Judge the value read from valid bytes."""
    expected = case.target.primitive.decode(wire)
    judgement = judge(session.implementation, case.target, Due(Result.VALID, value=expected.value), outcome)
    if judgement.is_wrong:
        blame = Blame(_rule_of(case.target.primitive, wire))
        yield case.violation(blame, outcome, value_at("", expected.value), DECODE)
    elif outcome.consumed is not None and outcome.consumed != expected.consumed:
        wrong = Counted("consumed", outcome.consumed)
        yield case.violation(Blame("codec.consumed"), wrong, number(Expected.CONSUMPTION, expected.consumed), DECODE)


def _rule_of_written(primitive: Primitive, value: Any, wire: bytes, outcome: Outcome) -> str:
    """Return the rule broken by wrong bytes, or by a refusal."""
    if primitive.schema is None:
        return RULES.get(primitive.name, "message.writable")
    if outcome.wire is None:
        return _rule_of(primitive, wire)
    return blame_bytes(primitive.schema, {VALUE: value}, wire, outcome.wire).rule


def _rule_of(primitive: Primitive, wire: bytes) -> str:
    """Return the rule of the last bytes of a wire type.

    They are those of its payload, if it has one.
    """
    return RULES[primitive.name] if primitive.schema is None else primitive.spans(wire)[-1].rule
