"""The bytes that tell faults from the sound codec: sound ones, and those that are wrong in one thing.

Bytes are written by the writer with one of its steps done wrong and with its checks left out; what stands around that
step follows, so that nothing else is wrong. The same inputs come out each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.entries import CRCS
from tests.mutants.single_faults.records.read_faults import BATCH_NUMBERS, VARINTS, VARLONG, Table
from tests.mutants.single_faults.records.reading import ALSO
from tests.mutants.single_faults.records.switch import WRITE, Refused, Step, Switch
from tests.mutants.single_faults.records.values import (
    CODECS,
    batch,
    field,
    large_values,
    record,
    tampered_values,
    values,
)
from tests.mutants.single_faults.records.write_faults import LEGAL as OTHER_STREAMS
from tests.mutants.single_faults.records.write_faults import STREAMS as WRONG_STREAMS
from tests.mutants.single_faults.records.writing import write_field

CONTEXTS: dict[str, Callable[[Value], bool]] = {
    "": lambda batch: True,
    "second-batch": lambda batch: True,
    "second-record": lambda batch: len(batch.get("records", ())) > 1,
    "second-header": lambda batch: any(len(each["headers"]) > 1 for each in batch.get("records", ())),
    "in-a-wrapper": lambda batch: "messages" in batch,
    "second-message": lambda batch: "messages" in batch,
}
"""The contexts in which alone a step is done wrong, and which batches have them."""
OTHER_NUMBERS = ("=0", "=1", "=-1", "=-2", "=-53", "=64", "=300", "=-300", "=20000", "=3000000", "=400000000")
PADDED = ("overlong", "longest", "one-byte-more", "ten-bytes", "eleven-bytes")
OF_LENGTHS = ("=-1", "=-2", "=-53", "+1", "+2", "+64", *PADDED)
DAMAGES: Table = {
    **dict.fromkeys(VARINTS, OF_LENGTHS),
    "record.offsetDelta": (*OTHER_NUMBERS, *PADDED),
    VARLONG: (*OTHER_NUMBERS, "=5000000000", "=-5000000000", f"={2**62}", f"={-(2**63)}", *PADDED),
    "record.length": (
        *OF_LENGTHS,
        "alone=0",
        "alone=-1",
        "one-more",
        "one-less",
        "one-byte-behind",
        "one-byte-missing",
    ),
    "record.headers": (*OF_LENGTHS, "one-more", "one-less"),
    "record.attributes": ("=1", "=-1", "=-128"),
    **{f"batch.{name}": ("=0", "=-1", "=-2", "=258", "=-30000") for name in BATCH_NUMBERS},
    "batch.recordCount": ("one-more", "one-less", "=-1", "=-2", "=0", "=65537", "=16777216", "=2147483647"),
    "batch.length": (
        "=0",
        "=-1",
        "=13",
        "=14",
        "=48",
        "=-2147483648",
        "=65592",
        "one-more",
        "one-less",
        "overhead-counted",
    ),
    "batch.magic": ("3", "-1", "127"),
    "batch.codec": ("5", "6", "7", "0", "1", "2", "3", "4"),
    "batch.crc": (*ALSO, *CRCS),
    "batch.rest": ("00", "01", "0000", "00" * 7, "0c000000010100", "0c000002010100"),
    "message.crc": (*CRCS, "of-wrappers-wrong", "also-zero", "also-without-the-magic"),
    "message.codec": ("1", "2", "3", "4", "5", "6", "7"),
    "message.key": ("=-1", "=-2", "one-more", "=65537", "=2147483647"),
    "message.value": ("=-1", "=-2", "one-more", "=65537", "=2147483647"),
    "message.wrapped": ("=-1", "=0", "one-more"),
    "message.offset": ("=0", "=1", "=-1", "=70000", "=5000000000"),
    "message.timestamp": ("=0", "=-1", "=-2", f"={2**63 - 1}", "=258"),
    "message.rest": ("00",),
    "wrapper": ("last-cut", "00000000000000000000000d", "00" * 12, "00" * 5),
    **{
        f"{codec}.stream": ("cut=1", "cut=4", "cut=8", "behind=00", "behind=616263", "behind=" + "00" * 24)
        for codec in CODECS[1:]
    },
}
ALL_STREAMS: Table = {
    "gzip.members": ("two", "three", "empty-first", "empty-between", "empty-last"),
    "gzip.header": ("reserved", "extra-flags", "header-crc+crc-wrong", "extra+header-crc"),
    "gzip.trailer": ("crc-wrong-high", "size-wrong-high"),
    "gzip.stream": ("cut=9", "cut=2"),
    "snappy.form": ("version-9", "version-0"),
    "snappy.chunks": ("three", "empty-first", "empty-between", "empty-last", "two-streams"),
    "snappy.length": ("zero",),
    "lz4.blocks": ("three", "four", "large", "checksum-wrong", "stored-end"),
    "lz4.header": ("block-checksum+content-size", "block-size-0", "content-checksum+block-checksum"),
    "lz4.content-checksum": ("wrong", "missing"),
    "zstd.frames": (
        *("three", "empty-first", "empty-between", "empty-last", "skippable-first", "skippable-last", "skippable-5f"),
        "skippable-empty",
        "skippable-between",
    ),
    "zstd.header": (
        *("rle-block", "several-blocks", "size-of-1", "size-of-2", "size-of-4"),
        *(f"window-of-{1 << bits}" for bits in (17, 20, 24, 26, 27, 28)),
    ),
    "zstd.checksum": ("wrong", "missing"),
    "zstd.content-size": ("wrong",),
}
PAIRS = (
    ("lz4.header", "block-checksum", "lz4.blocks", "checksum-wrong"),
    ("lz4.header", "content-checksum", "lz4.content-checksum", "wrong"),
    ("lz4.header", "content-checksum", "lz4.content-checksum", "missing"),
    ("zstd.header", "checksum", "zstd.checksum", "wrong"),
    ("zstd.header", "checksum", "zstd.checksum", "missing"),
    ("zstd.header", "size-of-8", "zstd.content-size", "wrong"),
    ("lz4.header", "block-size-7", "lz4.blocks", "large"),
    ("lz4.header", "block-size-5", "lz4.blocks", "three"),
)
"""A form of a stream, and what is wrong in it."""


TOGETHER = {
    "field": ("batch",),
    "record": ("record", "header"),
    "header": ("record", "header"),
    "wrapper": ("wrapper", "message"),
    "message": ("wrapper", "message"),
}
"""Parts whose damages show faults of one another; any other part stands alone."""


class Input(NamedTuple):
    """Bytes of a field, and the step by which they are made; its place is empty for sound ones."""

    wire: bytes
    place: str


class _Pair(Switch):
    """A switch with two steps: one that gives a stream its form, and one that is wrong in it."""

    def __init__(self, *steps: Step) -> None:
        super().__init__(steps[0])
        self.other = steps[1]

    def at(self, place: str) -> str:
        return super().at(place) or (self.other.deviation if place == self.other.place else "")


@cache
def sound_inputs() -> tuple[Input, ...]:
    """Return the bytes of all fields in which nothing is wrong."""
    wires = (_attempt(value, Switch()) for value in (*values(), *large_values()))
    return _once((wire, "") for written in wires for wire in written)


@cache
def damaged_inputs(place: str) -> tuple[Input, ...]:
    """Return the bytes of fields in which this step is done wrong, or a stream has another form."""
    steps = [
        Step("", place, deviation, WRITE, context)
        for table in (DAMAGES, ALL_STREAMS, WRONG_STREAMS, OTHER_STREAMS)
        for deviation in table.get(place, ())
        for context in (CONTEXTS if table is DAMAGES else ("",))
    ]
    switches = [Switch(step) for step in steps]
    switches += [
        _Pair(Step("", of_form, form, WRITE), Step("", inner, wrong, WRITE))
        for of_form, form, inner, wrong in PAIRS
        if inner == place
    ]
    wires = (
        _attempt(value, switch) for switch in switches for value in tampered_values() if _applies(switch.step, value)
    )
    large = _of_four_mib() if place == "lz4.header" else ()
    return _once((wire, place) for written in (*wires, large) for wire in written)


@cache
def places() -> tuple[str, ...]:
    """Return every place at which inputs are damaged."""
    return tuple(dict.fromkeys((*DAMAGES, *ALL_STREAMS, *WRONG_STREAMS, *OTHER_STREAMS)))


def _once(written: Iterable[tuple[bytes, str]]) -> tuple[Input, ...]:
    """Return each input once, the shortest first."""
    found = dict(written)
    return tuple(Input(wire, found[wire]) for wire in sorted(found, key=lambda wire: (len(wire), wire)))


def inputs(place: str) -> Iterator[Input]:
    """Yield the inputs for a fault at a place: sound ones, those damaged there, those damaged in the same part."""
    yield from sound_inputs()
    yield from damaged_inputs(place)
    part = place.partition(".")[0]
    for other in places():
        if other != place and other.partition(".")[0] in TOGETHER.get(part, (part,)):
            yield from damaged_inputs(other)


def _of_four_mib() -> Iterator[bytes]:
    value = field(batch(record(value=b"ab" * 200_000), compression="lz4"))
    for size in ("block-size-5", "block-size-6", "block-size-7"):
        yield from _attempt(value, _Pair(Step("", "lz4.header", size, WRITE), Step("", "lz4.blocks", "large", WRITE)))


def _applies(step: Step, value: Value) -> bool:
    """Say whether a step is done for a value at all; saves most of the time."""
    part = step.place.partition(".")[0]
    if part in CODECS:
        return any(each["compression"] == part for each in value["batches"])
    has = CONTEXTS[step.context]
    if not any(map(has, value["batches"][1:] if step.context == "second-batch" else value["batches"])):
        return False
    magics = {each["magic"] for each in value["batches"]}
    if part in {"message", "wrapper"} or step.context in {"in-a-wrapper", "second-message"}:
        return bool(magics & {0, 1})
    return 2 in magics


def _attempt(value: Value, switch: Switch) -> Iterator[bytes]:
    try:
        yield write_field(value, switch, checked=False)
    except (Refused, ValueError, OverflowError, TypeError):
        return
