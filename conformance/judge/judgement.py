"""The judgement of an outcome by the requirement of the protocol.

    judge(claims, target, TO_BE_REFUSED, outcome).conclusion   # KEPT, if it refused; ACCEPTED, if it did not

Writers and readers are judged by the same function: a value without bytes is to a writer as invalid bytes are to a
reader. The case decides which rule is broken.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.definitions.catalogue import SURVIVAL
from conformance.targets.outcome import ABSENT, FATAL, REFUSALS, Kind
from reference import Result

if TYPE_CHECKING:
    from conformance.targets import Claims, Target
    from conformance.targets.outcome import Outcome
    from reference import Difference, RecordsVerdict, Verdict


NOT_COMPARED: Any = object()
"""Stands for a value without a comparison: any value is right, or it is compared elsewhere."""


class Due(NamedTuple):
    """The requirement of the protocol for one answer.

    Attributes:
        result: accept it, refuse it, or either.
        wire: the bytes due from a writer.
        value: the value due from a reader, compared in the parts kept by the implementation.
        consumed: the number of bytes due from a reader that counts them.
        number: the size, or the version of a header, due from an implementation that announces it.
        verdict: the verdict of the reference on the bytes, where it says more.
    """

    result: Result
    wire: bytes | None = None
    value: Any = NOT_COMPARED
    consumed: int | None = None
    number: int | None = None
    verdict: Any = None


TO_BE_REFUSED = Due(Result.INVALID)
LEFT_OPEN = Due(Result.UNSPECIFIED)


class Conclusion(Enum):
    """The conclusion about an outcome."""

    NO_ANSWER = auto()
    """Neither right nor wrong: not offered, not representable, or not run."""
    FATAL = auto()
    """A crash, a hang, or too much memory; or a mistake of the adapter."""
    ACCEPTED = auto()
    """Invalid, and not refused."""
    REFUSED = auto()
    """Valid, and refused."""
    WRONG = auto()
    """Valid, and other bytes or another number were written, or another value was read."""
    MISCOUNTED = auto()
    """Read rightly, with another number of bytes."""
    OPEN = auto()
    """Left open by the protocol: accepted or refused."""
    KEPT = auto()
    """As required."""

    __hash__ = object.__hash__  # that of Enum is a function of Python, and each answer is looked up several times


class Judgement(NamedTuple):
    """A conclusion, with the difference of a misread value."""

    conclusion: Conclusion
    difference: Difference | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the outcome is right or wrong at all."""
        return self.conclusion is not Conclusion.NO_ANSWER

    @property
    def is_wrong(self) -> bool:
        """Whether a rule is broken."""
        return self.conclusion in BROKEN

    @property
    def is_right(self) -> bool:
        """Whether the outcome is as required."""
        return self.conclusion is Conclusion.KEPT

    @property
    def is_changed(self) -> bool:
        """Whether valid bytes were written or read as others."""
        return self.conclusion is Conclusion.WRONG

    @property
    def is_open(self) -> bool:
        """Whether the protocol leaves the outcome open."""
        return self.conclusion is Conclusion.OPEN

    @property
    def is_taken(self) -> bool | None:
        """Whether a valid input was accepted, or None for an outcome that proves neither."""
        return {Conclusion.KEPT: True, Conclusion.REFUSED: False}.get(self.conclusion)


BROKEN = frozenset((Conclusion.FATAL, Conclusion.ACCEPTED, Conclusion.REFUSED, Conclusion.WRONG, Conclusion.MISCOUNTED))

NEEDS_NO_BASE: frozenset[Conclusion] = frozenset()
ANSWERS = frozenset(Conclusion) - {Conclusion.NO_ANSWER, Conclusion.FATAL}
"""All but fatal answers: no input may kill a reader, whether or not it reads the base."""
REFUSED_RIGHTLY = frozenset((Conclusion.KEPT,))
"""Refusals of invalid inputs: to accept the input is wrong even if the base is refused."""


def judge(claims: Claims, target: Target, due: Due, outcome: Outcome) -> Judgement:
    """Return the judgement of an outcome.

    Args:
        claims: the parts of a value that the implementation claims to keep.
        target: the kind of message written or read.
        due: the requirement of the protocol.
        outcome: the outcome of the call.
    """
    if outcome.kind in ABSENT:
        return Judgement(Conclusion.NO_ANSWER)
    if outcome.kind in FATAL:
        return Judgement(Conclusion.FATAL)
    is_refused = outcome.kind in REFUSALS
    if due.result is Result.VALID and not is_refused:
        return _compared(claims, target, due, outcome)
    if due.result is Result.INVALID:
        return Judgement(Conclusion.KEPT if is_refused else Conclusion.ACCEPTED)
    if due.result is Result.UNSPECIFIED:
        return Judgement(Conclusion.MISCOUNTED if _is_miscounted(due, outcome) else Conclusion.OPEN)
    is_left = due.wire is not None and target.may_be_refused(due.wire)
    return Judgement(Conclusion.OPEN if is_left else Conclusion.REFUSED)


def _compared(claims: Claims, target: Target, due: Due, outcome: Outcome) -> Judgement:
    if outcome.kind is Kind.BYTES or due.number is not None:
        is_due = outcome.wire == due.wire if due.number is None else outcome.value == due.number
        return Judgement(Conclusion.KEPT if is_due else Conclusion.WRONG)
    is_same = due.value is NOT_COMPARED or outcome.value is due.value
    found = None if is_same else target.difference(claims, due.value, outcome.value)
    if found is None:
        return Judgement(Conclusion.MISCOUNTED if _is_miscounted(due, outcome) else Conclusion.KEPT)
    return Judgement(Conclusion.WRONG, found)


def _is_miscounted(due: Due, outcome: Outcome) -> bool:
    return due.consumed is not None and outcome.consumed is not None and outcome.consumed != due.consumed


def due_of_refusal(verdict: Verdict | RecordsVerdict) -> Due:
    """Return the requirement for bytes that are not valid.

    Invalid bytes must be refused; unspecified bytes may be.
    """
    return TO_BE_REFUSED if verdict.result is Result.INVALID else LEFT_OPEN


def rule_of_death(verdict: Verdict | RecordsVerdict) -> str:
    """Return the rule that a fatal outcome breaks.

    It is the rule violated by invalid bytes if there is only one, else survival.
    """
    alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
    return verdict.rules[0] if alone else SURVIVAL
