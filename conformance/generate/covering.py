"""The choice of one case of each kind."""

from __future__ import annotations

from collections.abc import Hashable


class Covering(set[Hashable]):
    """The kinds of cases kept so far, so that each is tried once."""

    def keeps(self, *kinds: Hashable) -> bool:
        """Return whether all of these kinds are new, and add them if they are."""
        is_new = self.isdisjoint(kinds)
        self.update(kinds if is_new else ())
        return is_new
