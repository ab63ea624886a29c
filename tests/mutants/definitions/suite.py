"""Mutants against the suite, its deterministic checks on the message up to the first violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import Decoded
from conformance.codec.driver import Implementation
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from reference import CodecError, completed, load_release
from reference.resolution import resolve
from reference.wire.stream import Reader
from tests.mutants.definitions.mutants import DefinitionMutant, mutants_of
from tests.mutants.definitions.runner import SIDES
from tests.mutants.definitions.trial import SchemaCodec
from tests.mutants.definitions.vectors import source_of
from tests.mutants.kit.samples import of_each, rank
from tests.reference.evolution.mutations import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import MessageSchema
    from tests.mutants.definitions.table import Key

BOTH = "both"
DIRECTIONS = (*SIDES, BOTH)
EACH, DRAWN = 2, 2_000
"""The number of mutants of each class in the covering sample, and the number drawn from all."""


class SuiteTrial(NamedTuple):
    """A mutant, and the direction of its fault."""

    mutant: DefinitionMutant
    direction: str

    def __str__(self) -> str:
        return f"{self.mutant}, {self.direction}"


Trials = tuple[SuiteTrial, ...]
"""The mistakes of one codec, all of one message."""


def covering(trials: Iterable[SuiteTrial]) -> list[SuiteTrial]:
    """Return two trials of each class of change, type, compactness, depth and direction."""
    return [trial for those in of_each(trials, _class, str) for trial in those[:EACH]]


def _class(trial: SuiteTrial) -> tuple[object, ...]:
    place = trial.mutant.place
    form = place.field.type.startswith("["), place.is_flexible, place.depth
    return trial.mutant.kind, _type(trial.mutant), form, trial.direction


def _type(mutant: DefinitionMutant) -> str:
    element = mutant.place.field.element_type
    return "struct" if element[:1].isupper() else element


def trials_of(pairs: Iterable[tuple[str, MessageSchema]], equivalent: set[Key]) -> Iterator[SuiteTrial]:
    """Yield every mutant of those pairs in every direction with an effect, and equal codecs once."""
    seen: set[object] = set()
    for release, schema in pairs:
        source = source_of(schema, release)
        for mutant in mutants_of(release, schema.message, schema.version):
            key = source, mutant.key
            hidden = {side for side in SIDES if (mutant.kind, side) in equivalent}
            if key not in seen and len(hidden) < len(SIDES):
                seen.add(key)
                yield from (SuiteTrial(mutant, direction) for direction in DIRECTIONS if direction not in hidden)


def by_message(trials: Iterable[SuiteTrial]) -> list[SuiteTrial]:
    """Return trials in the order of messages, so that the expected results of a message are made once."""
    return sorted(trials, key=lambda each: (each.mutant.release, str(each.mutant.schema), str(each)))


def pairs_of(trials: Iterable[SuiteTrial], count: int) -> list[Trials]:
    """Return so many pairs of trials of one message, in two fields or in two directions, drawn by their names."""
    pairs = list[Trials]()
    for those in of_each(trials, lambda trial: (trial.mutant.release, str(trial.mutant.schema)), str):
        pairs += [pair for pair in zip(those[::2], those[1::2], strict=False) if _are_apart(*pair)]
    return sorted(pairs, key=lambda pair: rank(name_of(pair)))[:count]


def _are_apart(first: SuiteTrial, second: SuiteTrial) -> bool:
    one, other = f"{first.mutant.place.path}.", f"{second.mutant.place.path}."
    are_two_fields = not one.startswith(other) and not other.startswith(one)
    return are_two_fields or {first.direction, second.direction} == set(SIDES)


def name_of(trials: Trials) -> str:
    """Return the name of a codec with one mistake or more."""
    return " + ".join(map(str, trials))


def first_violation(*trials: SuiteTrial) -> str | None:
    """Return the case and the rule of the first violation, or None."""
    violation = next(violations_of(trials), None)
    return None if violation is None else f"{violation.case.name}: {violation.rule}"


def violations_of(trials: Trials) -> Iterator[Violation]:
    """Yield the violations of the deterministic checks of a message by a codec."""
    mutant = trials[0].mutant
    session = Session(Implementation(adapter_of(trials)), load_release(mutant.release))
    events = run_message(session, mutant.schema, frozenset({BODIES}))
    return (event for event in events if isinstance(event, Violation))


def _changed(trials: Trials, side: str) -> MessageSchema:
    """Return the schema of a direction, the change of a later field first, as it moves no earlier one."""
    schema, release = trials[0].mutant.schema, load_release(trials[0].mutant.release)
    mutants = [trial.mutant for trial in trials if trial.direction in {side, BOTH}]
    definition = release.definition(schema.message)
    for mutant in sorted(mutants, key=lambda each: -each.place.number):
        definition = rewritten(definition, mutant.place.number, mutant.change.rewrite)
    return resolve(definition, schema.version) if mutants else schema


def adapter_of(trials: Trials) -> LoadedAdapter:
    """Return a strict adapter of the one message, with faults in the directions of the trials only."""
    schema = trials[0].mutant.schema
    reads, writes = (SchemaCodec.of(_changed(trials, side)) for side in SIDES)

    def decode(_schema: MessageSchema, data: bytes) -> Decoded:
        reader = Reader(data)
        return Decoded(reads.wire_type.read(reader), reader.end())

    pairs = {schema.message: frozenset({schema.version})}
    return LoadedAdapter(
        spec="",
        name=name_of(trials),
        version="0",
        supported={"encode": pairs, "decode": pairs},
        encode=lambda _schema, value: writes.wire_type.write(completed(writes.schema, value)),
        decode=decode,
        rejections=(CodecError,),
        capabilities=frozenset({"unknown-tags", "absent-fields", "partial-values"}),
    )
