"""The proof of an equivalent mutant, its agreement with the definition's own codec on any bytes and any value.

Both are asked about 10,000 drawn values and 10,000 tampered bytes, beside every vector. Where the protocol leaves a
reader free, either answer is right.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated
from conformance.generate.hostile_bodies import hostile_cases, mutated_sample
from conformance.generate.unusual_values import absent_cases, unencodable_variations
from reference import Malformed, encode
from reference.wire.stream import Reader
from tests.mutants.definitions.mutants import mutants_of
from tests.mutants.definitions.runner import READING, WRITING
from tests.mutants.definitions.vectors import SchemaCodec, differs, kills_of, source_of, statements_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from reference import MessageSchema
    from tests.mutants.definitions.mutants import DefinitionMutant, MutantKind

DRAWN = 10_000
"""The number of drawn values, and that of tampered bytes."""

SMALL = 256
"""The greatest size of drawn messages, in pieces of so many bytes, as a large one takes minutes."""

Value = dict[str, Any]


class Refutation(NamedTuple):
    """An input with different results of a mutant and its definition's codec."""

    side: str
    input: str
    """The name of a vector, of a value, or of bytes."""


def one_of_each(pairs: Iterable[tuple[str, MessageSchema]], kinds: Collection[MutantKind]) -> list[DefinitionMutant]:
    """Return a mutant of each kind, drawn by its name from small messages."""
    chosen: dict[MutantKind, tuple[tuple[int, bytes], DefinitionMutant]] = {}
    for release, schema in pairs:
        pieces = len(encode(schema, populated(schema))) // SMALL
        for mutant in mutants_of(release, schema.message, schema.version):
            rank = pieces, sha256(str(mutant).encode()).digest()
            if mutant.kind in kinds and (mutant.kind not in chosen or rank < chosen[mutant.kind][0]):
                chosen[mutant.kind] = rank, mutant
    return [mutant for _, mutant in chosen.values()]


def refutations(mutant: DefinitionMutant, drawn: int = DRAWN) -> Iterator[Refutation]:
    """Yield every difference of a mutant from the codec of its definition, the vectors first."""
    schema = mutant.schema
    pair = _Pair(schema, SchemaCodec.of(schema), SchemaCodec.of(mutant.changed))
    yield from _by_vectors(mutant, pair)
    for name, value in _values(schema, drawn):
        yield from pair.of_value(name, value)
    for name, wire in islice(_tampered(schema, drawn), drawn):
        yield from pair.of_bytes(name, wire)


def _by_vectors(mutant: DefinitionMutant, pair: _Pair) -> Iterator[Refutation]:
    statements = statements_of(mutant.schema, source_of(mutant.schema, mutant.release))
    found = kills_of(mutant.schema, pair.changed, statements)
    for side, name in ((READING, found.stream), (WRITING, found.writing)):
        if name is not None:
            yield Refutation(side, name)


class _Pair(NamedTuple):
    """The codec of a definition and a mutant of it, asked the same."""

    schema: MessageSchema
    sound: SchemaCodec
    changed: SchemaCodec

    def of_value(self, name: str, value: Value) -> Iterator[Refutation]:
        wire = self.sound.write(value)
        if self.changed.write(value) != wire:
            yield Refutation(WRITING, name)
        if wire is not None:
            yield from self.of_bytes(name, wire)

    def of_bytes(self, name: str, wire: bytes) -> Iterator[Refutation]:
        if _is_left_open(self.sound, wire):
            return
        expected, actual = self.sound.read(wire), self.changed.read(wire)
        if expected is None or actual is None:
            is_same = expected is actual
        else:
            is_same = expected[1] == actual[1] and not differs(self.schema, expected[0], actual[0])
        if not is_same:
            yield Refutation(READING, name)
        if expected is not None and self.sound.write(expected[0]) != self.changed.write(expected[0]):
            yield Refutation(WRITING, name)


def _is_left_open(codec: SchemaCodec, wire: bytes) -> bool:
    try:
        codec.wire_type.read(Reader(wire))
    except Malformed as error:
        return error.reason is None
    return False


def _values(schema: MessageSchema, drawn: int) -> Iterator[tuple[str, Value]]:
    """Yield every refused value or value with a field of another version, then drawn ones, some with such fields."""
    for _, variation in chain(absent_cases(schema), unencodable_variations(schema)):
        yield variation.name, variation.value
    for index in range(drawn):
        yield f"drawn-{index}", sample(schema, f"proof/{index}", absent=bool(index % 2))


def _tampered(schema: MessageSchema, drawn: int) -> Iterator[tuple[str, bytes]]:
    """Yield the hostile inputs of the suite, then mutated encodings of drawn values."""
    for case in hostile_cases(schema):
        yield case.name, case.wire
    for index in range(drawn):
        yield f"tampered-{index}", mutated_sample(schema, f"proof/{index}", f"proof/{schema}/{index}")
