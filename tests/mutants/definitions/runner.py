"""Every mutant of some messages against the vectors, several messages at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.selection import parse_selection
from conformance.vectors.enumeration.pairs import base_release
from reference import load_release, releases
from tests.helpers.sweeps import cost
from tests.mutants.definitions.mutants import mutants_of
from tests.mutants.definitions.vectors import Kills, SchemaCodec, kills_of, source_of, statements_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference import MessageSchema
    from tests.mutants.definitions.mutants import DefinitionMutant, MutantKind
    from tests.mutants.definitions.vectors import Statements

READING, WRITING = "reading", "writing"
SIDES = (READING, WRITING)
Pairs = list[tuple[str, "MessageSchema"]]
"""Schemas, each with its release."""


class UnsoundVectors(Exception):
    """Raised when an unchanged codec fails a vector, so that no verdict has a meaning."""


class HiddenMutant(NamedTuple):
    """A mutant hidden by some readers or the writer, with its place."""

    release: str
    message: str
    version: int
    path: str
    kind: MutantKind
    kills: Kills

    def __str__(self) -> str:
        return f"{self.release} {self.message}-v{self.version} {self.path}: {self.kind}"


class Count(NamedTuple):
    """The number of mutants of a kind tried on one side, and the survivors by reader (a writer has one)."""

    tried: int
    strict: int
    stream: int


@dataclass
class VectorRun:
    """The results of a run over mutants."""

    tried: Counter[MutantKind] = field(default_factory=Counter)
    survivors: list[HiddenMutant] = field(default_factory=list)

    def add(self, other: VectorRun) -> None:
        """Add the results of other mutants."""
        self.tried.update(other.tried)
        self.survivors += other.survivors

    def counts(self) -> dict[tuple[MutantKind, str], Count]:
        """Return the counts of each kind and side with a survivor."""
        strict, stream, writing = (self._by_kind(reader) for reader in Kills._fields)
        found = {}
        for kind, tried in self.tried.items():
            found[kind, READING] = Count(tried, strict[kind], stream[kind])
            found[kind, WRITING] = Count(tried, writing[kind], writing[kind])
        return {key: count for key, count in found.items() if count.strict or count.stream}

    def hidden_from(self, readers: Iterable[str]) -> list[HiddenMutant]:
        """Return the mutants not killed by any of these parts of `Kills`."""
        return [each for each in self.survivors if not any(getattr(each.kills, name) for name in readers)]

    def _by_kind(self, reader: str) -> Counter[MutantKind]:
        return Counter(each.kind for each in self.hidden_from([reader]))


def pairs_by_message(messages: Sequence[str] = ()) -> list[Pairs]:
    """Return the selected pairs of every release by message, the most costly first and with the base release's first.

    Args:
        messages: selections, as --messages takes them; none: every pair.
    """
    selectors, found = parse_selection(messages), dict[str, Pairs]()
    for name in sorted(releases(), key=lambda name: name != base_release()):
        for schema in load_release(name).schemas():
            if not selectors or any(each.matches(schema.message, schema.version) for each in selectors):
                found.setdefault(schema.message, []).append((name, schema))
    return sorted(found.values(), key=lambda pairs: -sum(cost(schema) for _, schema in pairs))


def results_of_message(pairs: Pairs) -> VectorRun:
    """Try every mutant of a message, and pairs with the same layout and vectors once.

    Raises:
        UnsoundVectors: the unchanged codec fails a vector.
    """
    results = VectorRun()
    seen: set[object] = set()
    for release, schema in pairs:
        source = source_of(schema, release)
        statements = statements_of(schema, source)
        _check_sound(schema, statements)
        for mutant in mutants_of(release, schema.message, schema.version):
            if (key := (source, mutant.key)) not in seen:
                seen.add(key)
                _try(mutant, statements, results)
    return results


def _check_sound(schema: MessageSchema, statements: Statements) -> None:
    found = kills_of(schema, SchemaCodec.of(schema), statements)
    if any(found):
        raise UnsoundVectors(f"{schema}: {found}")


def _try(mutant: DefinitionMutant, statements: Statements, results: VectorRun) -> None:
    found = kills_of(mutant.schema, SchemaCodec.of(mutant.changed), statements)
    results.tried[mutant.kind] += 1
    if None in found:
        schema = mutant.schema
        results.survivors.append(
            HiddenMutant(mutant.release, schema.message, schema.version, mutant.place.path, mutant.kind, found)
        )
