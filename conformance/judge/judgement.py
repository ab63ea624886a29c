"""The judgement of an outcome by the requirement of the protocol.

    judge(claims, target, Due(Result.INVALID), outcome).conclusion   # KEPT, if it refused; ACCEPTED, if it did not

Writers and readers are judged by the same function: a value without bytes is to a writer as invalid bytes are to a
reader. The case decides which rule is broken.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.outcome import ABSENT, FATAL, REFUSALS, Kind
from conformance.definitions.catalogue import SURVIVAL
from reference import Result

if TYPE_CHECKING:
    from conformance.codec.outcome import Outcome
    from conformance.codec.targets import Claims, Target
    from reference import Difference, RecordsVerdict, Verdict


NOT_COMPARED: Any = object()
"""Stands for a value without a comparison: any value is right, or it is compared elsewhere."""


class Due(NamedTuple):
    """The requirement of the protocol.

    Attributes:
        result: accept it, refuse it, or either.
        wire: the bytes due from a writer.
        value: the value due from a reader, compared in the parts kept by the implementation.
    """

    result: Result
    wire: bytes | None = None
    value: Any = NOT_COMPARED


TO_BE_REFUSED = Due(Result.INVALID)
LEFT_OPEN = Due(Result.UNSPECIFIED)


class Conclusion(Enum):
    """The conclusion about an outcome."""

    NO_ANSWER = auto()
    """Neither right nor wrong: not offered, not representable, or not run."""
    FATAL = auto()
    """A crash, a hang, or too much memory; or a mistake of the adapter."""
    INCONCLUSIVE = auto()
    """No proof of anything: the valid base value of the input is refused as well."""
    ACCEPTED = auto()
    """Invalid, and not refused."""
    REFUSED = auto()
    """Valid, and refused."""
    WRONG = auto()
    """Valid, and other bytes were written, or another value was read."""
    OPEN = auto()
    """Left open by the protocol: accepted or refused."""
    KEPT = auto()
    """As required."""


class Judgement(NamedTuple):
    """A conclusion, with the difference of a misread value."""

    conclusion: Conclusion
    difference: Difference | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a rule is broken."""
        return self.conclusion in BROKEN


BROKEN = frozenset((Conclusion.FATAL, Conclusion.ACCEPTED, Conclusion.REFUSED, Conclusion.WRONG))


def judge(claims: Claims, target: Target, due: Due, outcome: Outcome, *, is_base_taken: bool = True) -> Judgement:
    """Return the judgement of an outcome.

    Args:
        claims: the parts of a value that the implementation claims to keep.
        target: the kind of message written or read.
        due: the requirement of the protocol.
        outcome: the outcome of the call.
        is_base_taken: whether the valid base value is accepted; if not, only fatal outcomes count.
    """
    if outcome.kind in ABSENT:
        return Judgement(Conclusion.NO_ANSWER)
    if outcome.kind in FATAL:  # before the base: no input may kill a reader, whether or not it reads the base
        return Judgement(Conclusion.FATAL)
    if not is_base_taken:
        return Judgement(Conclusion.INCONCLUSIVE)
    if due.result is Result.VALID and outcome.kind not in REFUSALS:
        return _compared(claims, target, due, outcome)
    return Judgement(_of_answer(target, due, is_refused=outcome.kind in REFUSALS))


def _of_answer(target: Target, due: Due, *, is_refused: bool) -> Conclusion:
    """Return the conclusion about an input that was accepted or refused, whatever the value or the bytes."""
    if due.result is Result.UNSPECIFIED:
        return Conclusion.OPEN
    if due.result is Result.INVALID:
        return Conclusion.KEPT if is_refused else Conclusion.ACCEPTED
    is_left = due.wire is not None and target.may_be_refused(due.wire)
    return Conclusion.OPEN if is_left else Conclusion.REFUSED


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


def _compared(claims: Claims, target: Target, due: Due, outcome: Outcome) -> Judgement:
    if outcome.kind is Kind.BYTES:
        return Judgement(Conclusion.KEPT if outcome.wire == due.wire else Conclusion.WRONG)
    is_same = due.value is NOT_COMPARED or outcome.value is due.value
    found = None if is_same else target.difference(claims, due.value, outcome.value)
    return Judgement(Conclusion.KEPT) if found is None else Judgement(Conclusion.WRONG, found)
