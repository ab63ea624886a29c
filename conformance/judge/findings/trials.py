"""What a case asks of an implementation, and the events that come of it.

A case gives what it asks, gets the outcomes, and yields events. Whoever runs it counts, records or shows them: no check
counts anything by itself.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from conformance.codec.asks import Ask
    from conformance.codec.outcome import Outcome
    from conformance.judge.findings.lines import Limit
    from conformance.judge.findings.violations import Blame, CodecCase, Violation


BLAMED = 3
"""After so many random cases of one appearance, all of which break one rule, others are taken to break it, too."""


class Standing:
    """What the earlier cases of a check have shown, on which later ones rest."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        """The names of bases that were read as they are."""
        self.values: dict[bytes, bool] = {}
        """The canonical bytes of values behind hostile bytes that were judged, and whether one was wrong."""
        self.failed: set[tuple[str, str]] = set()
        """(direction, name) of cases that broke a rule."""
        self.is_presumed = False
        """Whether all that is asked for is presumed to be right: to tell what will be asked."""
        self._blamed: defaultdict[Hashable, list[Blame]] = defaultdict(list)
        self._answers: dict[Hashable, Outcome] = {}

    def has(self, base: str) -> bool:
        """Return whether a base was read as it is."""
        return self.is_presumed or base in self.taken

    def presumed(self) -> Standing:
        """Return what will have been shown if all is right from here on."""
        presumed = Standing()
        presumed.is_presumed, presumed.values = True, dict(self.values)
        return presumed

    def known_blame(self, appearance: Hashable | None) -> Blame | None:
        """Return what random cases that look like this break, if enough of them were looked into."""
        blames = self._blamed[appearance]
        return blames[0] if len(blames) >= BLAMED and len({blame.rule for blame in blames}) == 1 else None

    def blame(self, appearance: Hashable | None, blame: Blame) -> None:
        """Take in what a random case breaks that was looked into."""
        if appearance is not None:
            self._blamed[appearance].append(blame)

    def once(self, asked: Hashable, ask: Callable[[], Outcome]) -> Outcome:
        """Return the outcome of something that is asked again and again to make cases smaller."""
        if asked not in self._answers:
            self._answers[asked] = ask()
        return self._answers[asked]


class Tried(Struct, frozen=True, tag="tried"):
    """One call for a case, and its outcome; it took so many milliseconds."""

    case: CodecCase
    ask: Ask
    outcome: Outcome
    milliseconds: float


class Judged(Struct, frozen=True, tag="judged"):
    """Cases of a sort that count as tested; an empty sort: they count as part of others."""

    sort: str
    count: int = 1


class RulesTried(Struct, frozen=True, tag="rules-tried"):
    """Rules of which a violation, and nothing else, would have been seen."""

    rules: frozenset[str]

    @classmethod
    def of(cls, *rules: str) -> RulesTried:
        """Return some rules."""
        return cls(frozenset(rules))


EDGE_VALUES, GENERATED_VALUES = "edge values", "generated values"
"""Sorts of cases of which some succeed with every codec."""

HOSTILE_INPUTS, INVALID_INPUTS = "hostile inputs", "invalid inputs"
UNENCODABLE_VALUES, AFTER_A_REFUSAL = "unencodable values", "messages after a refusal"
INVALID_FRAMES, INVALID_STORED = "invalid frames", "invalid stored messages"
MADE_FROM_BASES = frozenset(
    (HOSTILE_INPUTS, INVALID_INPUTS, UNENCODABLE_VALUES, AFTER_A_REFUSAL, INVALID_FRAMES, INVALID_STORED)
)
"""The sorts of cases that are made from valid values which the implementation may refuse."""


class Skipped(Struct, frozen=True, tag="skipped"):
    """Cases of a sort in a pair that prove nothing, since the valid value behind them is refused as well."""

    sort: str
    pair: str
    count: int = 1


class Beyond(Struct, frozen=True, tag="beyond"):
    """A sound value that was refused, and is beyond a limit which the implementation declares."""

    limit: str


class LeftOpen(Struct, frozen=True, tag="left-open"):
    """What was done with something that these rules leave open; and what was read, if it is another value."""

    rules: tuple[str, ...]
    accepts: bool
    reading: str = ""


class Reasoned(Struct, frozen=True, tag="reasoned"):
    """The reason of the reference for a rejection, and the one that was given."""

    reference: str
    given: str


class Tamed(Struct, frozen=True, tag="tamed"):
    """A field of a pair in which the bases have another value than the usual one."""

    pair: str
    path: str


class Untried(Struct, frozen=True, tag="untried"):
    """Something that was not asked, with the outcome that says why."""

    direction: str
    message: str
    outcome: Outcome


class Replied(Struct, frozen=True, tag="replied"):
    """What came from a program behind a port for a frame that is about a message."""

    message: str
    outcome: Outcome


class Waited(Struct, frozen=True, tag="waited"):
    """Seconds that inputs without an answer have taken."""

    seconds: float


if TYPE_CHECKING:
    Event: TypeAlias = (
        Tried
        | Judged
        | RulesTried
        | Skipped
        | Beyond
        | Limit
        | LeftOpen
        | Reasoned
        | Tamed
        | Untried
        | Replied
        | Waited
        | Violation
    )
    """What comes of cases; a `Violation` is what `Broken` is the event of in files."""
