"""What the cases have in common whose target is not a message body: a frame, a stored message, a wire type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from conformance.codec.targets import OtherMessage, Target, WholeFrame
from conformance.judge.case import CodecCase, Judged, RulesTried, Skipped
from conformance.judge.events import REJECTION, SURVIVAL
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
    """A case of that target."""

    of: AnyTarget

    @property
    def target(self) -> AnyTarget:
        """The target."""
        return self.of


@dataclass(frozen=True)
class WireCase(TargetCase[AnyTarget]):
    """Bytes of that target, valid or not: the reference says which."""

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
        """Return what is wrong with the bytes."""
        return Blame(error.rule, error.path)


def judged_invalid(
    session: Session, case: WireCase[AnyTarget], outcome: Outcome, category: str, direction: str
) -> Iterator[Event]:
    """Judge bytes that are not valid: what the reference calls invalid is rejected, unspecified bytes do no harm.

    A reader that misreads every valid form accepts and refuses for reasons of its own: it must do no harm, and nothing
    else is tested.
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
    if error is None:
        return
    blame = case.blame(error)
    yield RulesTried.of(blame.rule)
    if judgement.is_wrong:
        expected = REJECTION if due is TO_BE_REFUSED else SURVIVAL
        yield case.violation(blame, outcome, expected, direction)


def refusal(target: Target, wire: bytes) -> Malformed | None:
    """Return why the bytes are invalid or unspecified as that target; None: the reference reads them.

    What is left open in a frame is invalid if a reader that overlooks it must stop behind it.
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
