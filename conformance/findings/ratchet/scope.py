"""What a run can say anything about: the pairs that it tests, and those that only other releases have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.findings.patterns import matches
from conformance.implementation.driver import offered
from reference import load_release, primitives, releases

if TYPE_CHECKING:
    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.patterns import Pair
    from conformance.suite.run import Run


@dataclass(frozen=True)
class Scope:
    """The scope of one run over everything that an implementation offers."""

    run: Run

    @cached_property
    def tested(self) -> frozenset[Pair]:
        """Every pair of the run, and every wire type."""
        pairs = {(schema.message, schema.version) for schema in self.run.schemas}
        return frozenset(pairs | {(name, 0) for name in primitives()})

    @cached_property
    def elsewhere(self) -> dict[str, frozenset[Pair]]:
        """By the name of another committed release: what the implementation offers of it."""
        others = [load_release(name) for name in releases() if name != self.run.session.release.name]
        return {
            release.name: frozenset(
                (schema.message, schema.version)
                for schema in offered(self.run.session.implementation, release.schemas())
            )
            for release in others
        }

    def is_elsewhere(self, entry: KnownFailure, pattern: str) -> bool:
        """Whether one pattern of an entry is about pairs that other releases have, and this one has not."""
        if any(matches(pattern, *pair) for pair in self.tested):
            return False
        return any(
            matches(pattern, *pair)
            for release, pairs in self.elsewhere.items()
            if entry.is_about(release)
            for pair in pairs
        )

    def differs(self, pair: Pair) -> bool:
        """Whether another release has that pair with other fields, be it in other versions of the message."""
        return any(
            load_release(release).schema(*pair) != self.run.session.release.schema(*pair)
            for release, pairs in self.elsewhere.items()
            if pair in pairs and pair in self.tested
        )

    @cached_property
    def everywhere(self) -> frozenset[Pair]:
        """What the implementation offers of any release."""
        return self.tested.union(*self.elsewhere.values())
