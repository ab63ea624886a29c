"""The one judgement: what an outcome is, by what the protocol asks.

    judge(claims, target, Due(Result.INVALID), outcome).conclusion   # KEPT, if it refused; ACCEPTED, if it did not

Writers and readers are judged alike: to a writer a value that has no bytes is what invalid bytes are to a reader. Which
rule is broken is for the case to say.
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
"""In the place of a value: whatever is read is right, or compared elsewhere."""


class Due(NamedTuple):
    """What the protocol asks.

    Attributes:
        result: to take it, to refuse it, or either.
        wire: the bytes that a writer has to write.
        value: what a reader has to read, as far as it claims to.
    """

    result: Result
    wire: bytes | None = None
    value: Any = NOT_COMPARED


TO_BE_REFUSED = Due(Result.INVALID)
LEFT_OPEN = Due(Result.UNSPECIFIED)


class Conclusion(Enum):
    """What an outcome is."""

    NO_ANSWER = auto()
    """Neither right nor wrong: not offered, not to be held, not run."""
    FATAL = auto()
    """A crash, a hang, too much memory; or a mistake of the adapter."""
    INCONCLUSIVE = auto()
    """It proves nothing: the valid value behind it is refused as well."""
    ACCEPTED = auto()
    """Invalid, and not refused."""
    REFUSED = auto()
    """Valid, and refused."""
    WRONG = auto()
    """Valid, and other bytes were written, or another value was read."""
    OPEN = auto()
    """Left open: accepted or refused."""
    KEPT = auto()
    """As it must be."""


class Judgement(NamedTuple):
    """A conclusion; of a value that was misread the difference."""

    conclusion: Conclusion
    difference: Difference | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a rule is broken."""
        return self.conclusion in BROKEN


BROKEN = frozenset((Conclusion.FATAL, Conclusion.ACCEPTED, Conclusion.REFUSED, Conclusion.WRONG))


def judge(claims: Claims, target: Target, due: Due, outcome: Outcome, *, is_base_taken: bool = True) -> Judgement:
    """Return what an outcome is.

    Args:
        claims: the parts of a value that the implementation claims to keep.
        target: what was written or read.
        due: what the protocol asks.
        outcome: what came.
        is_base_taken: whether the valid value behind it is taken; if not, only what is fatal counts.
    """
    if outcome.kind in ABSENT:
        return Judgement(Conclusion.NO_ANSWER)
    if outcome.kind in FATAL:
        return Judgement(Conclusion.FATAL)
    if not is_base_taken:
        return Judgement(Conclusion.INCONCLUSIVE)
    if due.result is Result.UNSPECIFIED:
        return Judgement(Conclusion.OPEN)
    if due.result is Result.INVALID:
        return Judgement(Conclusion.KEPT if outcome.kind in REFUSALS else Conclusion.ACCEPTED)
    return Judgement(Conclusion.REFUSED) if outcome.kind in REFUSALS else _compared(claims, target, due, outcome)


def due_of_refusal(verdict: Verdict | RecordsVerdict) -> Due:
    """Return what is asked of who gets bytes that are not sound: to refuse them if they are invalid, else either."""
    return TO_BE_REFUSED if verdict.result is Result.INVALID else LEFT_OPEN


def rule_of_death(verdict: Verdict | RecordsVerdict) -> str:
    """Return the rule that something fatal breaks: the only one that the bytes depart from, else survival."""
    alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
    return verdict.rules[0] if alone else SURVIVAL


def _compared(claims: Claims, target: Target, due: Due, outcome: Outcome) -> Judgement:
    if outcome.kind is Kind.BYTES:
        return Judgement(Conclusion.KEPT if outcome.wire == due.wire else Conclusion.WRONG)
    is_same = due.value is NOT_COMPARED or outcome.value is due.value
    found = None if is_same else target.difference(claims, due.value, outcome.value)
    return Judgement(Conclusion.KEPT) if found is None else Judgement(Conclusion.WRONG, found)
