"""Codecs with two mistakes: two mutants of one message, in different fields or directions."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from reference import load_release
from reference.resolution import resolve
from tests.mutants.definitions.runner import SIDES
from tests.mutants.definitions.suite import BOTH, adapter_with, drawn
from tests.reference.evolution.mutations import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.codec.loaded_adapter import LoadedAdapter
    from reference import MessageSchema
    from tests.mutants.definitions.suite import SuiteTrial


class MutantPair(NamedTuple):
    """Two mutants of one message."""

    first: SuiteTrial
    second: SuiteTrial

    def __str__(self) -> str:
        return f"{self.first} + {self.second}"

    def adapter(self) -> LoadedAdapter:
        """Return an adapter with the mistakes of both."""
        return adapter_with(str(self), self.first.mutant.schema, {side: self._changed(side) for side in SIDES})

    def _changed(self, side: str) -> MessageSchema:
        """Return the schema of a direction; the change of a later field comes first, as it moves no earlier one."""
        mutants = [each.mutant for each in self if each.direction in {side, BOTH}]
        schema = self.first.mutant.schema
        definition = load_release(self.first.mutant.release).definition(schema.message)
        for mutant in sorted(mutants, key=lambda each: -each.place.number):
            definition = rewritten(definition, mutant.place.number, mutant.change.rewrite)
        return resolve(definition, schema.version)


def pairs_of(trials: Iterable[SuiteTrial], count: int) -> list[MutantPair]:
    """Return so many pairs, drawn by the names of their mutants."""
    by_message: defaultdict[tuple[str, str], list[SuiteTrial]] = defaultdict(list)
    for trial in trials:
        by_message[trial.mutant.release, str(trial.mutant.schema)].append(trial)
    pairs = list[MutantPair]()
    for those in by_message.values():
        ordered = drawn(those, len(those))
        pairs += [pair for pair in map(MutantPair, ordered[::2], ordered[1::2]) if _are_apart(pair)]
    return drawn(pairs, count)


def _are_apart(pair: MutantPair) -> bool:
    one, other = (each.mutant.place.path for each in pair)
    are_two_fields = one != other and not f"{one}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{one}.")
    return are_two_fields or {each.direction for each in pair} == set(SIDES)
