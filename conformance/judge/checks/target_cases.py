"""Base classes for cases with another target than a message body.

The target is a frame, a stored message, a wire type, or a field of record batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from conformance.codec.targets import OtherMessage, Target, WholeFrame
from conformance.definitions.catalogue import SURVIVAL
from conformance.judge.case import CodecCase, Judged, RulesTried, Skipped
from conformance.judge.events import REJECTION
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import LEFT_OPEN, TO_BE_REFUSED, Conclusion, judge
from conformance.judge.standing import Blame
from reference import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Session
    from conformance.judge.case import Event

AnyTarget = TypeVar("AnyTarget", bound=Target)


@dataclass(frozen=True)
class TargetCase(CodecCase, Generic[AnyTarget]):
    """A case with its target."""

    of: AnyTarget

    @property
    def target(self) -> AnyTarget:
        """The target."""
        return self.of


@dataclass(frozen=True)
class WireCase(TargetCase[AnyTarget]):
    """Bytes of a target, whose validity the reference decides."""

    name: str
    data: bytes
    path: str = ""
    is_inconclusive: bool = field(default=False, kw_only=True)
    """Whether every valid form is misread as well."""

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    def blame(self, error: Malformed) -> Blame:
        """Return the rule and the field broken by the bytes."""
        return Blame(error.rule, error.path)


def judged_invalid(
    session: Session, case: WireCase[AnyTarget], outcome: Outcome, category: str, direction: str
) -> Iterator[Event]:
    """Judge bytes that are not valid.

    Invalid bytes must be rejected. Unspecified bytes may be accepted, but must not crash the reader. If the reader
    misreads every valid form, its answers prove nothing, and only fatal outcomes count.
    """
    error = refusal(case.target, case.data)
    due = TO_BE_REFUSED if error is not None and error.reason is not None else LEFT_OPEN
    judgement = judge(session.implementation, case.target, due, outcome, is_base_taken=not case.is_inconclusive)
    if judgement.conclusion is Conclusion.NO_ANSWER:
        return
    if judgement.conclusion is Conclusion.INCONCLUSIVE:
        yield Skipped(category, case.target.pair)
        return
    yield Judged(category)
    if error is None:  # a frame of another message may be read or refused
        if judgement.is_wrong:
            yield case.violation(Blame(SURVIVAL), outcome, SURVIVES, direction)
        return
    blame = case.blame(error)
    yield RulesTried.of(blame.rule)
    if judgement.is_wrong:
        expected = REJECTION if due is TO_BE_REFUSED else SURVIVES
        yield case.violation(blame, outcome, expected, direction)


def refusal(target: Target, wire: bytes) -> Malformed | None:
    """Return the error of invalid or unspecified bytes of a target.

    None if the reference reads them. An unspecified part of a frame is invalid if even a lenient reader must stop after
    it.
    """
    try:
        target.read(wire)
    except Malformed as error:
        if error.reason is None and isinstance(target, WholeFrame):
            return target.stop_of(wire) or error
        return error
    except OtherMessage:
        pass
    return None
