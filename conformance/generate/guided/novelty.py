"""What is new: a kind of bytes that an implementation has not yet answered in this way.

An input touches rules: those of the spans of what is read from it, each with the magnitude of its bytes, and those that
it departs from. A trait is one of these with one answer: the outcome, and the class of what the implementation says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import Span, Verdict

DEPARTS = "departs"


class Answer(NamedTuple):
    """What an implementation did with an input.

    Attributes:
        direction: `decode`, or `encode` where its value was written, too.
        outcome: as a report names it.
        said: the class of what the implementation says; empty of an answer.
    """

    direction: str
    outcome: str
    said: str = ""


Touched = tuple[str, str]
Trait = tuple[Touched, Answer]


def touched(verdict: Verdict, spans: Iterable[Span]) -> frozenset[Touched]:
    """Return the rules that bytes touch, each with how it is touched.

    Args:
        verdict: on the bytes.
        spans: of the canonical bytes of the value that is read from them; none where there is no value.
    """
    kinds = {(span.rule, f"{span.role} of {magnitude(span.end - span.start)}") for span in spans}
    reason = verdict.reason.value if verdict.reason else ""
    return frozenset(kinds | {(rule, f"{DEPARTS} {reason}") for rule in verdict.rules})


def magnitude(count: int) -> int:
    """Return the number of bits of a number of bytes: 0, 1, 2 and 3, 4 to 7, ... are of one magnitude each."""
    return count.bit_length()


def traits(rules: Iterable[Touched], answers: Iterable[Answer]) -> Iterator[Trait]:
    """Yield every rule that is touched with every answer."""
    given = tuple(answers)
    for rule in rules:
        for answer in given:
            yield rule, answer
