"""Which of two cases of a finding tells more about its cause: the one that occurs in practice, not the shortest."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from conformance.implementation.outcome import FATAL

CLAIMS = ("minus-one", "excess-bits", "length-highest", "highest", "wraps", "negative", "huge")
"""How the names of cases end that claim a length or a count of many gigabytes, the largest claim first."""

_SENTINEL = re.compile(r"(^|[=/-])(-1|null)$|ErrorCode=1$")
_NUMBER = re.compile(r"=-?(\d+)$")
_FATAL = {str(kind) for kind in FATAL}


class Grade(IntEnum):
    """Kinds of cases, the most telling first."""

    NAMED = 0
    MUTATED = 1
    DRAWN = 2


class Telling(NamedTuple):
    """How much a case tells: the smaller, the more."""

    grade: Grade
    is_elsewhere: bool
    """Whether the case is about another field than the one where the rule is broken."""
    noise: int
    """0 for what occurs in practice; of other numbers the digits; of allocations how far they are from the largest."""


def telling(name: str, outcome: str, *, deterministic: bool, is_elsewhere: bool) -> Telling:
    """Return how much a case of that name tells about that outcome."""
    if not deterministic or name.startswith("mutated-"):
        return Telling(Grade.MUTATED if deterministic else Grade.DRAWN, is_elsewhere, 0)
    return Telling(Grade.NAMED, is_elsewhere, 0 if is_elsewhere and outcome not in _FATAL else _noise(name, outcome))


def _noise(name: str, outcome: str) -> int:
    if outcome in _FATAL:
        return next((number for number, claim in enumerate(CLAIMS) if name.endswith(claim)), len(CLAIMS))
    number = _NUMBER.search(name)
    return 0 if _SENTINEL.search(name) else 1 + len(number[1]) if number else 1
