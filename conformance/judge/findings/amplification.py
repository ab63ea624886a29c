"""Amplification: how much memory or time hostile bytes take, for each of them that is sent.

What a process took, or asked for as it ended, is in the text of its outcome. A limit that was reached is a lower bound.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.outcome import Kind
from conformance.judge.findings.events import NOT_SOUND, Answered, Noted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.judge.findings.violations import Violation

MEBIBYTE = 2**20

_TAKEN = re.compile(r"(?:allocated|took|grew by|\A)\s?([\d,]+) MiB")
_ASKED = re.compile(r"allocat\w*(?: of)? (\d+)[ -]byte")
_LIMIT = re.compile(r"limit ([\d,]+) MiB")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?) (?:seconds|s)\b")


class Amplification(NamedTuple):
    """What some bytes took.

    Attributes:
        sent: how many bytes they are.
        memory: bytes that were taken, or asked for; 0: it was no question of memory.
        seconds: that they took; 0: it was no question of time.
        is_least: whether a limit ended it: it may take more.
    """

    sent: int
    memory: int = 0
    seconds: float = 0.0
    is_least: bool = False

    @property
    def factor(self) -> float:
        """Bytes of memory, or seconds, for each byte."""
        return (self.memory or self.seconds) / max(self.sent, 1)

    def __str__(self) -> str:
        least = "at least " if self.is_least else ""
        if self.memory:
            taken = f"{self.memory / MEBIBYTE:,.0f} MiB"
            return f"{least}{self.factor:,.0f} bytes of memory for each byte sent ({taken} for {self.sent:,})"
        return f"{least}{self.factor:,.3f} seconds for each byte sent ({self.seconds:g} s for {self.sent:,})"


def amplification_of(violation: Violation) -> Amplification | None:
    """Return what the bytes of a case took; None if they are unknown, or nobody was harmed by that."""
    wire, observation = violation.case.wire, violation.observation
    if not wire or not isinstance(observation, Answered | Noted):
        return None
    text = observation.said
    if observation.outcome == Kind.TIMED_OUT:
        if violation.expectation.what not in NOT_SOUND:
            return None  # to be silent is not to work
        seconds = _SECONDS.search(text)
        return None if seconds is None else Amplification(len(wire), seconds=float(seconds[1]), is_least=True)
    taken, asked, limit = _TAKEN.search(text), _ASKED.search(text), _LIMIT.search(text)
    is_of_memory = observation.outcome == Kind.EXHAUSTED_MEMORY and (taken or asked or limit)
    if not is_of_memory and not (observation.outcome == Kind.CRASHED and asked):
        return None
    if taken or asked:
        memory = max(_number(taken) * MEBIBYTE, _number(asked))
        return Amplification(len(wire), memory)
    return Amplification(len(wire), _number(limit) * MEBIBYTE, is_least=True)


def _number(match: re.Match[str] | None) -> int:
    return 0 if match is None else int(match[1].replace(",", ""))


def largest(violations: Iterable[Violation]) -> Amplification | None:
    """Return the largest of memory among some cases, else of time; None: nothing is known of any."""
    found = [each for each in map(amplification_of, violations) if each is not None]
    return max(found, key=lambda each: (bool(each.memory), each.factor), default=None)
