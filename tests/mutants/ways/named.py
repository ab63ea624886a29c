"""Ways by the cells of tables.

A cell has a group with its arguments, and the names of its ways or none for all, as `fixed/32 little-endian`. Behind a
name and a colon is another name of its way. A misstep of two ways has `&` between them, and a way at a place of its own
has the place and `@` before it, and `#` between the place and its only context.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from tests.mutants.ways import records, sections
from tests.mutants.ways.around import NUMBERS, PIECES, VALUES, header
from tests.mutants.ways.basics import constant
from tests.mutants.ways.batches import CHANGED, REFUSED
from tests.mutants.ways.bodies import ARRAYS, MARKERS, STRUCTS
from tests.mutants.ways.contents import EMPTY, content_names, length_names, length_way, raw_way, text_way
from tests.mutants.ways.numbers import (
    Range,
    change,
    fixed_names,
    fixed_way,
    varint_names,
    varint_way,
    zigzag_read,
    zigzag_written,
)
from tests.mutants.ways.proposals import ENCODINGS, HEADS
from tests.mutants.ways.streams import OWN
from tests.second_codec.ways import ContentWay, FixedWay, Misstep, StreamWay


class Group(NamedTuple):
    """Ways of one kind."""

    way: Callable[..., Any]
    """By name, side and arguments."""
    names: Callable[..., Iterable[str]] = lambda *_arguments: ()
    """Of all ways by side and arguments."""


def of(ways: Mapping[str, Any], names: Iterable[str] = ()) -> Group:
    """Return the group of ways by name."""
    every = tuple(names) or tuple(ways)
    return Group(lambda name, _side: ways[name], lambda _side: every)


def _range(bits: str, kind: str = "signed") -> Range:
    return Range(int(bits), kind == "signed")


GROUPS: dict[str, Group] = {
    "fixed": Group(
        lambda name, _side, *kind: fixed_way(name, _range(*kind)),
        lambda side, *kind: fixed_names(_range(*kind), side),
    ),
    "varint": Group(
        lambda name, _side, bits="32": varint_way(name, int(bits)),
        lambda side, bits="32": varint_names(int(bits), side),
    ),
    "zigzag": Group(
        lambda name, side, bits="32": (zigzag_read if side == "decode" else zigzag_written)(name, int(bits))
    ),
    "length": Group(lambda name, *_: length_way(name), length_names),
    "raw": Group(lambda name, *_: raw_way(name), lambda _side, kind="": content_names(kind)),
    "text": Group(lambda name, _side: text_way(name)),
    "value": Group(lambda name, _side, kind: ContentWay(value=VALUES[kind][name]), lambda _side, kind: VALUES[kind]),
    "piece": Group(lambda name, _side, kind: FixedWay(piece=PIECES[kind][name]), lambda _side, kind: PIECES[kind]),
    "header": Group(lambda name, _side: ContentWay(value=header(name))),
    "type": of(NUMBERS),
    "alone": Group(lambda name, _side: Misstep(name)),
    "sound": of({"content": ContentWay()}),
    "empty": of(EMPTY, ("empty-as-null", "empty-refused")),
    "entries": of(sections.ENTRIES, sections.CHANGES),
    "section": of(sections.SECTIONS),
    "stream": Group(lambda name, _side: StreamWay(name)),
    "set": Group(lambda name, _side: ContentWay(value=constant(int(name)))),
    "byte": Group(lambda name, _side: FixedWay(piece=constant(bytes([int(name) % 256])))),
    "number": Group(lambda name, _side: ContentWay(value=change(name, Range(32)))),
    "swap": Group(records.swapped),
    "flag": Group(records.flag),
    "dropped": Group(records.dropped),
    "key": of(records.KEYS),
    "record-length": of(records.LENGTHS),
    "record": of(records.RECORDS),
    "end": of(records.ENDS),
    "crc": of(records.CRCS),
    "own": of(OWN),
    "order": Group(lambda name, _side: ContentWay(value=constant(tuple(name.split(","))))),
    "check": Group(lambda name, _side, kind: records.CHECKS[kind][name]),
    "unchecked": Group(lambda name, _side: Misstep(f"check.{name}", records.LEFT_OUT)),
    "refused": Group(lambda name, _side, of: records.also(REFUSED[of][name]), lambda _side, of: REFUSED[of]),
    "changed": Group(lambda name, _side, of: ContentWay(value=CHANGED[of][name]), lambda _side, of: CHANGED[of]),
    "array": of(ARRAYS),
    "marker": of(MARKERS),
    "struct": of(STRUCTS),
    "head": of(HEADS),
    "encoding": of(ENCODINGS),
}


def ways_of(cell: str, side: str) -> dict[str, Any]:
    """Return the ways of a group by name."""
    head, *names = cell.split()
    group, *arguments = head.split("/")
    found = GROUPS[group]
    pairs = (each.partition(":") for each in names or found.names(side, *arguments))
    return {name: found.way(other or name, side, *arguments) for name, _, other in pairs}


def ways_at(cell: str, place: str, side: str) -> dict[str, Any]:
    """Return the ways of a cell by name, each a misstep if it has another place or is two."""
    first, _, rest = cell.partition(" & ")
    own, _, named = first.rpartition("@")
    found = ways_of(named, side)
    if not own and not rest:
        return found
    elsewhere, _, context = own.partition("#")
    also = misstep_of(rest, place, side) if rest else None
    missteps = {name: placed(elsewhere or place, way, context) for name, way in found.items()}
    return {name: replace(misstep, also=also) for name, misstep in missteps.items()}


@cache
def misstep_of(cell: str, place: str, side: str) -> Misstep:
    """Return the misstep of a cell at a place, named in full by the place without a cell."""
    [way] = ways_at(cell, place, side).values() if cell else [None]
    return placed(place, way)


def placed(place: str, way: Any, context: str = "") -> Misstep:
    """Return the misstep of a way, or of a misstep, in one context alone."""
    if not isinstance(way, Misstep):
        return Misstep(place, way, context=context)
    also = way.also and placed(place, way.also, context)
    return replace(way, context=context or way.context, also=also)
