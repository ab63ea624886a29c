"""The moves of a search: from bytes that were kept, and their value, to other bytes of the same message.

Of the ways that a move offers, the one that was tried least often is taken; among equals, choices decide.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.cases import Bases
from conformance.generate.choices import pick
from conformance.generate.guided.places import at, places, ways, with_part, with_size
from conformance.generate.hostile import LONGEST, mutate
from conformance.generate.structure import insertions_at, sections, tag_tamperings
from conformance.generate.tampering import tamperings
from conformance.generate.values import value_generator
from reference import Unencodable, encode

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Sequence

    from conformance.generate.choices import Choices
    from conformance.generate.structure import Tampering
    from reference import Encoded, MessageSchema

    Make = Callable[[], bytes]

SPANS = 16
"""The spans and places of a large message that are looked at for one move."""

ATTEMPTS = 4
_INDEX = re.compile(r"\[\d+\]")


class Kept(NamedTuple):
    """An input that showed something new.

    Attributes:
        wire: its bytes.
        value: what Apache Kafka reads from them; None where it reads nothing, or nothing that can be written.
        encoded: the canonical bytes of the value.
    """

    wire: bytes
    value: dict[str, Any] | None = None
    encoded: Encoded | None = None


class Move(NamedTuple):
    """One way to make other bytes: its name, by which tries are counted, and how it is done."""

    name: str
    make: Make


def fresh(schema: MessageSchema, choices: Choices) -> bytes:
    """Return the encoding of a value that owes nothing to what was kept."""
    return encode(schema, value_generator(schema)(choices))


def least_tried(moves: Sequence[Move], tried: Counter[str], choices: Choices) -> bytes | None:
    """Return the bytes of the move whose name was tried least often, and count it; None where none can be made."""
    remaining = list(moves)
    for _ in range(ATTEMPTS):
        if not remaining:
            return None
        fewest = min(tried[move.name] for move in remaining)
        chosen = pick(choices, [move for move in remaining if tried[move.name] == fewest])
        tried[chosen.name] += 1
        with suppress(Unencodable):
            return chosen.make()
        remaining.remove(chosen)
    return None


def structural(encoded: Encoded, choices: Choices) -> list[Move]:
    """Return moves that tamper with the structure: some spans, tag sections, tags that trade places."""
    found = []
    for index in _some(range(len(encoded.spans)), choices):
        span = encoded.spans[index]
        for way, piece in tamperings(span, encoded.wire[span.start : span.end]):
            found.append(Move(f"{span.rule}/{way}", _spliced(encoded.wire, span.start, span.end, piece)))
    for index in _sections(encoded, choices):
        found += map(_made, insertions_at(encoded, index))
    found += map(_made, tag_tamperings(encoded))
    return found


def _sections(encoded: Encoded, choices: Choices) -> list[int]:
    """Return one tag section of each field that has some: elements of an array are alike."""
    by_field: dict[str, list[int]] = {}
    for index in sections(encoded):
        by_field.setdefault(_INDEX.sub("", encoded.spans[index].path), []).append(index)
    return [pick(choices, indexes) for indexes in by_field.values()]


def _made(tampering: Tampering) -> Move:
    return Move(f"{tampering.scope.name}/{tampering.way}", lambda: tampering.wire)


def first_inputs(schema: MessageSchema) -> list[bytes]:
    """Return the sound encodings that the deterministic hostile inputs of a message are made from."""
    bases = Bases.usual(schema)
    return [encode(schema, value) for value in (bases.minimal, bases.populated, bases.tagged) if value is not None]


def _spliced(wire: bytes, start: int, end: int, piece: bytes) -> Make:
    return lambda: wire[:start] + piece + wire[end:]


def edits(schema: MessageSchema, value: dict[str, Any], choices: Choices) -> list[Move]:
    """Return moves that write another value: a text, bytes or an array of another size, or null."""
    found = []
    for place in _some(list(places(schema, value)), choices):
        for way, size in ways(place, value):
            found.append(Move(f"{place.path}/{way}", _written(schema, partial(with_size, value, place, size))))
    return found


def splices(schema: MessageSchema, value: dict[str, Any], other: dict[str, Any], choices: Choices) -> Iterator[Move]:
    """Yield moves that put a part of another value in the place of this one's."""
    theirs = {place.path: place for place in _some(list(places(schema, other)), choices)}
    for place in _some(list(places(schema, value)), choices):
        if place.path in theirs:
            part = at(other, theirs[place.path].steps)
            yield Move(f"{place.path}/splice", _written(schema, partial(with_part, value, place, part)))


def _written(schema: MessageSchema, change: Callable[[], dict[str, Any]]) -> Make:
    return lambda: encode(schema, change())


def mutation(wire: bytes, choices: Choices) -> bytes:
    """Return bytes with a few random changes anywhere, most with pieces that lengths and tags are made of."""
    return mutate(wire[:LONGEST], choices)


def _some(items: Sequence[Any], choices: Choices) -> list[Any]:
    """Return all of a few items, else so many of them, in order of choice."""
    if len(items) <= SPANS:
        return list(items)
    return [pick(choices, items) for _ in range(SPANS)]
