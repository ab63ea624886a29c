"""Ways by the cells of tables.

A cell has a group with its arguments, and the names of its ways or none for all, as `fixed/32 little-endian`. Behind a
name and a colon is another name of its way. A misstep of two ways has `&` between them, and a way at a place of its own
has the place and `@` before it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from tests.mutants.ways import sections
from tests.mutants.ways.around import NUMBERS, PIECES, VALUES, header
from tests.mutants.ways.bodies import ARRAYS, MARKERS, STRUCTS
from tests.mutants.ways.contents import EMPTY, content_names, length_names, length_way, raw_way, text_way
from tests.mutants.ways.numbers import (
    Range,
    fixed_names,
    fixed_way,
    varint_names,
    varint_way,
    zigzag_read,
    zigzag_written,
)
from tests.mutants.ways.proposals import ENCODINGS, HEADS
from tests.second_codec.steps import ContentWay, FixedWay, Misstep


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
    "alone": Group(lambda _name, _side: None),
    "sound": of({"content": ContentWay()}),
    "empty": of(EMPTY, ("empty-as-null", "empty-refused")),
    "entries": of(sections.ENTRIES, sections.CHANGES),
    "section": of(sections.SECTIONS),
    "array": of(ARRAYS),
    "marker": of(MARKERS),
    "struct": of(STRUCTS),
    "head": of(HEADS),
    "encoding": of(ENCODINGS),
}


def ways_of(cell: str, side: str) -> dict[str, Any]:
    """Return the ways of a cell by name, None for a step without a way."""
    head, *names = cell.split()
    group, *arguments = head.split("/")
    found = GROUPS[group]
    pairs = (each.partition(":") for each in names or found.names(side, *arguments))
    return {name: found.way(other or name, side, *arguments) for name, _, other in pairs}


@cache
def misstep_of(cell: str, place: str, side: str) -> Misstep:
    """Return the misstep of a cell at a place."""
    first, _, rest = cell.partition(" & ")
    own, _, named = first.rpartition("@")
    [way] = ways_of(named, side).values() if named else [None]
    return Misstep(own or place, way, misstep_of(rest, place, side) if rest else None)
