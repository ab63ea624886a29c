"""The bytes to tell faults from the sound codec, sound ones and those wrong in one thing.

The writer has one of its steps done wrong and its checks left out. The bytes around that step follow from it, so that
nothing else is wrong. The same inputs come out each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from tests.mutants.single_faults.records.steps import DAMAGE, WRITE, Table, tables
from tests.mutants.single_faults.records.values import batch, field, large_values, record, tampered_values, values
from tests.mutants.ways.named import placed
from tests.mutants.ways.records import LEFT_OUT
from tests.second_codec.records import write_field
from tests.second_codec.steps import Output
from tests.second_codec.streams import CODECS
from tests.second_codec.ways import SOUND, Misstep, NotTaken

Value = dict[str, Any]
NO_CHECKS = Misstep("check.*", LEFT_OUT)
CONTEXTS: dict[str, Callable[[Value], bool]] = {
    "": lambda batch: True,
    "second-batch": lambda batch: True,
    "second-record": lambda batch: len(batch.get("records", ())) > 1,
    "second-header": lambda batch: any(len(each["headers"]) > 1 for each in batch.get("records", ())),
    "in-a-wrapper": lambda batch: "messages" in batch,
    "second-message": lambda batch: "messages" in batch,
}
"""The contexts in which alone a step is done wrong, and their batches."""
TOGETHER = {
    "field": ("batch",),
    "record": ("record", "header"),
    "header": ("record", "header"),
    "wrapper": ("wrapper", "message"),
    "message": ("wrapper", "message"),
}
"""Parts with damages that show faults of one another, as any other part stands alone."""


class Input(NamedTuple):
    """Bytes of a field and the step of their writing, with no place for sound ones."""

    wire: bytes
    place: str


@cache
def sound_inputs() -> tuple[Input, ...]:
    """Return the bytes of all sound fields."""
    wires = (_attempt(value, SOUND) for value in (*values(), *large_values()))
    return _once((wire, "") for written in wires for wire in written)


@cache
def damaged_inputs(place: str) -> tuple[Input, ...]:
    """Return the bytes of fields with this step done wrong, or with another form of stream."""
    of_stream = place.partition(".")[0] in CODECS
    contexts = [""] if of_stream else list(CONTEXTS)
    ways = [way for table in TABLES for way in table.get(place, {}).values()]
    wires = (
        _attempt(value, placed(place, way, context))
        for way in ways
        for context in contexts
        for value in tampered_values()
        if _applies(place, context, value)
    )
    large = _of_four_mib() if place == "lz4.header" else ()
    return _once((wire, place) for written in (*wires, large) for wire in written)


OF_STREAMS: Table = {
    place: ways for place, ways in tables()["legal", WRITE].items() if place.partition(".")[0] in CODECS
}
TABLES: list[Table] = [tables()[DAMAGE, WRITE], tables()["streams", WRITE], OF_STREAMS]


@cache
def places() -> tuple[str, ...]:
    """Return every place of damaged inputs."""
    return tuple(dict.fromkeys(place for table in TABLES for place in table))


def _once(written: Iterable[tuple[bytes, str]]) -> tuple[Input, ...]:
    """Return each input once, the shortest first."""
    found = dict(written)
    return tuple(Input(wire, found[wire]) for wire in sorted(found, key=lambda wire: (len(wire), wire)))


def inputs(place: str) -> Iterator[Input]:
    """Yield the inputs for a fault at a place, sound ones, those damaged there, and those damaged in the same part."""
    yield from sound_inputs()
    yield from damaged_inputs(place)
    part = place.partition(".")[0]
    for other in places():
        if other != place and other.partition(".")[0] in TOGETHER.get(part, (part,)):
            yield from damaged_inputs(other)


def _of_four_mib() -> Iterator[bytes]:
    value = field(batch(record(value=b"ab" * 200_000), compression="lz4"))
    large = placed("lz4.blocks", tables()[DAMAGE, WRITE]["lz4.blocks"]["large"])
    for size in ("block-size-5", "block-size-6", "block-size-7"):
        yield from _attempt(value, and_also(placed("lz4.header", tables()["legal", WRITE]["lz4.header"][size]), large))


def and_also(misstep: Misstep, other: Misstep) -> Misstep:
    return replace(misstep, also=and_also(misstep.also, other) if misstep.also else other)


def _applies(place: str, context: str, value: Value) -> bool:
    """Return whether a step is done for a value at all, as a check to save most of the time."""
    part = place.partition(".")[0]
    if part in CODECS:
        return any(each["compression"] == part for each in value["batches"])
    has = CONTEXTS[context]
    if not any(map(has, value["batches"][1:] if context == "second-batch" else value["batches"])):
        return False
    magics = {each["magic"] for each in value["batches"]}
    if part in {"message", "wrapper"} or context in {"in-a-wrapper", "second-message"}:
        return bool(magics & {0, 1})
    return 2 in magics


def _attempt(value: Value, misstep: Misstep) -> Iterator[bytes]:
    try:
        yield write_field(Output(and_also(misstep, NO_CHECKS) if misstep.place else NO_CHECKS), value)
    except (NotTaken, ValueError, OverflowError, TypeError):
        return
