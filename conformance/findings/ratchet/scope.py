"""The pairs that a run tests, and those that only other releases have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.findings.patterns import matches
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
        return frozenset(pairs | {(name, 0) for name in other_names()})

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
        if any(matches(pattern, *pair) for pair in self.tested):
            return False
        return any(
            matches(pattern, *pair)
            for release, pairs in self.elsewhere.items()
            if entry.is_about(release)
            for pair in pairs
        )

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
        return self.tested.union(*self.elsewhere.values())


def _pairs(schemas: Iterable[MessageSchema]) -> frozenset[Pair]:
    return frozenset((schema.message, schema.version) for schema in schemas)
