"""The evidence of a check's earlier cases, used by its later ones."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from conformance.targets import Blame

Found = TypeVar("Found")


BLAMED = 3
"""The number of analysed random cases of one appearance after which a common rule is presumed.

If all of them break one rule, further cases of this appearance are presumed to break it, too. The search for the rule
is the expensive part.
"""


class Standing:
    """The evidence of a check's earlier cases, used by its later ones."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        """The names of bases read without a difference."""
        self.values: dict[bytes, bool] = {}
        """The canonical bytes of judged values, each with whether a rule was broken."""
        self.failed: set[tuple[str, str]] = set()
        """(direction, name) of cases that broke a rule."""
        self.is_presumed = False
        """Whether every base is presumed to be accepted, to predict the next requests."""
        self._blamed: defaultdict[Hashable, list[Blame]] = defaultdict(list)
        self._found: dict[Hashable, Any] = {}

    def has(self, base: str) -> bool:
        """Return whether a base was read without a difference."""
        return self.is_presumed or base in self.taken

    def presumed(self) -> Standing:
        """Return the standing of a check in which everything is right from here on."""
        presumed = Standing()
        presumed.is_presumed, presumed.values = True, dict(self.values)
        return presumed

    def known_blame(self, appearance: Hashable | None) -> Blame | None:
        """Return the blame of an appearance, or None if too few of its cases were analysed.

        It is None as well if its cases break several rules.
        """
        blames = self._blamed[appearance]
        # Cases of several rules look the same: then each case has to be analysed.
        return blames[0] if len(blames) >= BLAMED and len({blame.rule for blame in blames}) == 1 else None

    def blame(self, appearance: Hashable | None, blame: Blame) -> None:
        """Add the blame of an analysed random case."""
        if appearance is not None:
            self._blamed[appearance].append(blame)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return the result of the first call of `find` for the key in this check.

        Steps that make cases smaller try the same input again and again.
        """
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found
