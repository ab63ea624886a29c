"""The pairs that a run tests, those that it leaves to another run, and those that only other releases have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.findings.patterns import matches, matches_any
from conformance.implementation.selection import offered, other_names
from reference import load_release, releases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.patterns import Pair
    from conformance.suite.run import Run
    from reference import MessageSchema


@dataclass(frozen=True)
class Scope:
    """The scope of one run of an implementation."""

    run: Run

    @cached_property
    def tested(self) -> frozenset[Pair]:
        """All pairs of the run, and what is no message."""
        pairs = {(schema.message, schema.version) for schema in self.run.schemas}
        return frozenset(pairs | {(name, 0) for name in other_names() if name not in self.run.shared.others})

    @cached_property
    def shared(self) -> frozenset[Pair]:
        """The pairs that the run leaves to that of its base release, and what is no message."""
        named = (pair.rpartition("-v") for pair in self.run.shared.pairs)
        pairs = {(message, int(version)) for message, _, version in named}
        return frozenset(pairs | {(name, 0) for name in self.run.shared.others})

    @property
    def selected(self) -> frozenset[Pair]:
        """All pairs that were selected, whichever run tests them."""
        return self.tested | self.shared

    @cached_property
    def elsewhere(self) -> dict[str, frozenset[Pair]]:
        """The pairs that the implementation offers of each other committed release, by its name.

        A harness says only what it has of the release of the run: of another, it may have all that this one lacks.
        """
        implementation, release = self.run.session.implementation, self.run.session.release
        others = [load_release(name) for name in releases() if name != release.name]
        elsewhere = {other.name: _pairs(offered(implementation, other.schemas())) for other in others}
        if not implementation.is_over_bridge:
            return elsewhere
        own = _pairs(release.schemas())
        return {other.name: elsewhere[other.name] | (_pairs(other.schemas()) - own) for other in others}

    def is_elsewhere(self, entry: KnownFailure, pattern: str) -> bool:
        """Return whether a pattern of an entry matches only pairs of other releases."""
        if any(matches(pattern, *pair) for pair in self.selected):
            return False
        return any(
            matches(pattern, *pair)
            for release, pairs in self.elsewhere.items()
            if entry.is_about(release)
            for pair in pairs
        )

    def is_shared(self, entry: KnownFailure, pattern: str) -> bool:
        """Return whether the run of the base release decides: it has an entry of that kind for a pair of the pattern.

        A failure of a shared pair is one there, too, with the same entry or with one that is about that release alone.
        """
        rivals = [each for each in self.run.known_of_base if (each.rule, each.outcome) == (entry.rule, entry.outcome)]
        pairs = [pair for pair in self.shared if matches(pattern, *pair)]
        return any(matches_any(rival.messages, *pair) for rival in rivals for pair in pairs)

    def differs(self, pair: Pair) -> bool:
        """Return whether another release has the pair with other fields, in this or other versions of the message."""
        return any(
            load_release(release).schema(*pair) != self.run.session.release.schema(*pair)
            for release, pairs in self.elsewhere.items()
            if pair in pairs and pair in self.tested
        )

    @cached_property
    def everywhere(self) -> frozenset[Pair]:
        """All pairs that the implementation offers of any release."""
        return self.selected.union(*self.elsewhere.values())


def _pairs(schemas: Iterable[MessageSchema]) -> frozenset[Pair]:
    return frozenset((schema.message, schema.version) for schema in schemas)
