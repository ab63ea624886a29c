"""What the earlier cases of a check have shown, on which later ones rest."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from conformance.codec.outcome import Outcome


class Blame(NamedTuple):
    """A rule and the field where it is broken."""

    rule: str
    path: str = ""


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
