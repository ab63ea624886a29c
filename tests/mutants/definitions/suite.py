"""Mutants against the suite: its deterministic checks on the message, up to the first violation."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from conformance.adapter import Decoded
from conformance.codec.driver import Implementation
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from reference import CodecError, completed, load_release
from reference.wire.stream import Reader
from tests.mutants.definitions.mutants import DefinitionMutant, mutants_of
from tests.mutants.definitions.runner import SIDES
from tests.mutants.definitions.trial import SchemaCodec
from tests.mutants.definitions.vectors import source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reference import MessageSchema
    from tests.mutants.definitions.table import Key

Named = TypeVar("Named")
BOTH = "both"
DIRECTIONS = (*SIDES, BOTH)
EACH, DRAWN = 2, 2_000
"""How many mutants of each class are in the covering sample, and how many are drawn from all."""


class SuiteTrial(NamedTuple):
    """A mutant, and the direction in which it is wrong."""

    mutant: DefinitionMutant
    direction: str

    def __str__(self) -> str:
        return f"{self.mutant}, {self.direction}"


def covering(trials: Iterable[SuiteTrial]) -> list[SuiteTrial]:
    """Return two trials of each class: what is changed, of which type, compact or not, how deep, which direction."""
    classes: dict[object, list[SuiteTrial]] = defaultdict(list)
    for trial in trials:
        place = trial.mutant.place
        form = place.field.type.startswith("["), place.is_flexible, place.depth
        classes[trial.mutant.kind, _type(trial.mutant), form, trial.direction].append(trial)
    return [trial for those in classes.values() for trial in sorted(those, key=_rank)[:EACH]]


def drawn(trials: Iterable[Named], count: int = DRAWN) -> list[Named]:
    """Return as many trials, drawn by their names: the same as long as the definitions are."""
    return sorted(trials, key=_rank)[:count]


def _rank(trial: object) -> bytes:
    return sha256(str(trial).encode()).digest()


def _type(mutant: DefinitionMutant) -> str:
    element = mutant.place.field.element_type
    return "struct" if element[:1].isupper() else element


def trials_of(pairs: Iterable[tuple[str, MessageSchema]], equivalent: set[Key]) -> Iterator[SuiteTrial]:
    """Yield every mutant of those pairs in every direction that may show; those that are the same codec once."""
    seen: set[object] = set()
    for release, schema in pairs:
        source = source_of(schema, release)
        for mutant in mutants_of(release, schema.message, schema.version):
            key = source, mutant.key
            hidden = {side for side in SIDES if (mutant.kind, side) in equivalent}
            if key not in seen and len(hidden) < len(SIDES):
                seen.add(key)
                yield from (SuiteTrial(mutant, direction) for direction in DIRECTIONS if direction not in hidden)


def tried(trials: Sequence[SuiteTrial]) -> Iterator[tuple[SuiteTrial, str | None]]:
    """Yield each trial and what killed the mutant, by message, as what is expected of a message is made once."""
    for trial in sorted(trials, key=lambda each: (each.mutant.release, str(each.mutant.schema), str(each))):
        yield trial, first_violation(trial)


def first_violation(trial: SuiteTrial) -> str | None:
    """Return the case and the rule of the first violation; None if there is none."""
    schema, release = trial.mutant.schema, load_release(trial.mutant.release)
    session = Session(Implementation(adapter_of(trial)), release)
    events = run_message(session, schema, frozenset({BODIES}))
    violation = next((event for event in events if isinstance(event, Violation)), None)
    return None if violation is None else f"{violation.case.name}: {violation.rule}"


def adapter_of(trial: SuiteTrial) -> LoadedAdapter:
    """Return an adapter of the one message, which reads strictly; it is wrong in the direction of the trial only."""
    schema, changed = trial.mutant.schema, trial.mutant.changed
    return adapter_with(
        str(trial), schema, {side: changed if trial.direction in {side, BOTH} else schema for side in SIDES}
    )


def adapter_with(name: str, schema: MessageSchema, schemas: Mapping[str, MessageSchema]) -> LoadedAdapter:
    """Return an adapter of one message, with the schema of each direction."""
    reads, writes = (SchemaCodec.of(schemas[side]) for side in SIDES)

    def decode(_schema: MessageSchema, data: bytes) -> Decoded:
        reader = Reader(data)
        return Decoded(reads.wire_type.read(reader), reader.end())

    pairs = {schema.message: frozenset({schema.version})}
    return LoadedAdapter(
        spec="",
        name=name,
        version="0",
        supported={"encode": pairs, "decode": pairs},
        encode=lambda _schema, value: writes.wire_type.write(completed(writes.schema, value)),
        decode=decode,
        rejections=(CodecError,),
        capabilities=frozenset({"unknown-tags", "absent-fields", "partial-values"}),
    )
