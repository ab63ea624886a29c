"""The inputs that tell faults from the sound codec: values of fields, and bytes that are wrong in one thing.

Bytes are written by the writer with one of its steps done wrong and with its checks left out; what stands around that
step follows, so that nothing else is wrong. The same inputs come out each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.entries import CRCS
from tests.mutants.single_faults.records.read_faults import BATCH_NUMBERS, VARINTS, VARLONG, Table
from tests.mutants.single_faults.records.reading import ALSO
from tests.mutants.single_faults.records.switch import WRITE, Refused, Step, Switch
from tests.mutants.single_faults.records.write_faults import LEGAL as OTHER_STREAMS
from tests.mutants.single_faults.records.write_faults import STREAMS as WRONG_STREAMS
from tests.mutants.single_faults.records.writing import write_field

TIME = 1_700_000_000_000
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
SIZES = (64, 128, 8192, 16384, 32768, 65536, 70_000)
COUNTS = (64, 128, 1001, 8192, 16384)
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
    "record.length": (*OF_LENGTHS, "alone=0", "alone=-1", "one-more", "one-less", "one-byte-behind", "one-byte-missing"),
    "record.headers": (*OF_LENGTHS, "one-more", "one-less"),
    "record.attributes": ("=1", "=-1", "=-128"),
    **{f"batch.{name}": ("=0", "=-1", "=-2", "=258", "=-30000") for name in BATCH_NUMBERS},
    "batch.recordCount": ("one-more", "one-less", "=-1", "=-2", "=0", "=65537", "=16777216", "=2147483647"),
    "batch.length": ("=0", "=-1", "=13", "=14", "=48", "=-2147483648", "=65592", "one-more", "one-less", "overhead-counted"),
    "batch.magic": ("3", "-1", "127"),
    "batch.codec": ("5", "6", "7", "0", "1", "2", "3", "4"),
    "batch.crc": (*ALSO, *CRCS),
    "batch.rest": ("00", "01", "0000", "00" * 7, "0c000000010100", "0c000002010100"),
    "message.crc": (*CRCS, "also-zero", "also-without-the-magic"),
    "message.codec": ("1", "2", "3", "4", "5", "6", "7"),
    "message.key": ("=-1", "=-2", "one-more", "=65537", "=2147483647"),
    "message.value": ("=-1", "=-2", "one-more", "=65537", "=2147483647"),
    "message.wrapped": ("=-1", "=0", "one-more"),
    "message.offset": ("=0", "=1", "=-1", "=70000", "=5000000000"),
    "message.timestamp": ("=0", "=-1", "=-2", f"={2**63 - 1}", "=258"),
    "message.rest": ("00",),
    "wrapper": ("last-cut", "00000000000000000000000d", "00" * 12, "00" * 5),
    **{f"{codec}.stream": ("cut=1", "cut=4", "cut=8", "behind=00", "behind=616263", "behind=" + "00" * 24) for codec in CODECS[1:]},
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


def record(offset: int = 0, **changes: Any) -> Value:
    """Return a record."""
    names: Value = {"attributes": 0, "timestampDelta": 0, "offsetDelta": offset, "key": b"k", "value": b"v", "headers": []}
    return names | changes


def batch(*records: Value, **changes: Any) -> Value:
    """Return a batch whose other members follow from its records."""
    base = changes.get("baseTimestamp", TIME)
    value: Value = {
        "magic": 2,
        "baseOffset": 0,
        "partitionLeaderEpoch": -1,
        "compression": "none",
        "timestampType": "create",
        **dict.fromkeys(("transactional", "control", "deleteHorizon"), False),
        "unusedAttributes": 0,
        "lastOffsetDelta": max((each["offsetDelta"] for each in records), default=0),
        "baseTimestamp": base,
        "maxTimestamp": max((base + each["timestampDelta"] for each in records), default=-1),
        **dict.fromkeys(("producerId", "producerEpoch", "baseSequence"), -1),
        "records": list(records),
    }
    return value | changes


def message(offset: int = 0, magic: int = 1, **changes: Any) -> Value:
    """Return a message; with `messages`, a wrapper."""
    times = {"timestampType": "create", "timestamp": TIME} if magic else {}
    value = {"magic": magic, "offset": offset, "compression": "none", **times, "unusedAttributes": 0, "key": b"k"}
    return value | ({} if "messages" in changes else {"value": b"v"}) | changes


def wrapper(*messages: Value, codec: str = "gzip", **changes: Any) -> Value:
    """Return the wrapper of these messages."""
    first: Value = {"offset": messages[-1]["offset"], "magic": messages[0]["magic"], "key": None}
    return message(**first | {"compression": codec, "messages": list(messages)} | changes)


def _records() -> list[list[Value]]:
    """Return the records of small batches."""
    headers = [("h", b"v"), ("i", None), ("j", b"")]
    return [
        [record()],
        [record(key=None, value=None)],
        [record(key=b"", value=b"", headers=headers)],
        [record(headers=headers), record(1, timestampDelta=300, key=None, headers=[("h", b"1"), ("h", b"2"), ("h", b"1")])],
        [record(), record(1), record(2, value=None)],
        [record(3, timestampDelta=5), record(7, timestampDelta=1), record(70)],
        [record(0, timestampDelta=-1), record(300, timestampDelta=-70), record(20_000, timestampDelta=20_000)],
        [record(0), record(3_000_000, timestampDelta=3_000_000), record(300_000_000, timestampDelta=300_000_000)],
        [record(2_000_000_000, timestampDelta=-TIME)],
        [record(timestampDelta=2**40), record(1, timestampDelta=2**50), record(2, timestampDelta=2**57)],
        [record(value=b"vwxyz" * 30)],
        [record(key=b"key" * 50, headers=[("h" * 70, b"w" * 70), ("i", b"x" * 130)])],
        [record(value=bytes(range(256)) * 2, key=b"k" * 40)],
        [record(headers=[("\N{GRINNING FACE}", b"1"), ("\xe9", None), ("e\u0301", b""), ("\u20ac", b"2"), (" h ", b"3")])],
        [record(headers=[("a\0b", b"1"), ("", b"2"), ("a\r\nb", b""), ("\ufeffB", b"3"), ("HH", b"4"), ("B", b"5")])],
        [record(headers=[(b"\xff", b"v")])],
        [record(), record()],
        [record(), record(1, key=None, value=None)],
    ]


def _flags() -> list[Value]:
    """Return the other members of batches."""
    producer = {"producerId": 0x0102030405060708, "producerEpoch": 0x1112, "baseSequence": 0x21222324}
    return [
        {},
        producer,
        {**dict.fromkeys(producer, 0), "baseOffset": 1},
        {"transactional": True} | producer,
        {"transactional": True},
        {"producerId": 5},
        {"producerEpoch": 5},
        {"baseSequence": 5},
        {"producerId": 5, "producerEpoch": 1, "baseSequence": 2**31 - 1},
        {"producerId": 2**63 - 1, "producerEpoch": 2**15 - 1, "baseSequence": 2**31 - 1},
        {"timestampType": "log-append", "maxTimestamp": TIME + 1000},
        {"timestampType": "log-append", "maxTimestamp": -1},
        {"timestampType": "log-append", "transactional": True, "maxTimestamp": TIME} | producer,
        {"deleteHorizon": True},
        {"deleteHorizon": True, "timestampType": "log-append", "maxTimestamp": TIME},
        {"baseOffset": 0x0102030405060708, "partitionLeaderEpoch": 0x31323334},
        {"baseOffset": 2**63 - 1, "partitionLeaderEpoch": 2**31 - 1, "lastOffsetDelta": 0},
        {"baseOffset": -1, "partitionLeaderEpoch": 0},
        {"lastOffsetDelta": 0x41424344},
        {"lastOffsetDelta": 2**31 - 1},
        {"baseTimestamp": 0},
        {"baseTimestamp": 2**63 - 1},
        {"baseTimestamp": -1},
        {"baseTimestamp": 0x0102030405060708},
        *({"unusedAttributes": 1 << bit} for bit in range(9)),
    ]


def _controls() -> Iterator[Value]:
    """Yield control batches of each type and form."""
    producer: Value = {"control": True, "transactional": True, "producerId": 4711, "producerEpoch": 3}
    for number in range(8):
        key, value = b"\0\0\0" + bytes([number]), b"\0\0\0\0\0\x01" if number < 2 else b"\0\0\0\0\0\1\1\0"
        yield batch(record(key=key, value=value), **producer)
        yield batch(record(key=key, value=value), control=True)
    marker = record(key=b"\0\0\0\1", value=b"\0\0\0\0\0\1")
    for changes in (
        *({"key": b"\0\1\0\1\0\0"}, {"key": b"\0\0\0\1\0"}, {"value": b"\0\1\0\0\0\1\0"}, {"value": b"\0\0\0\0\0\1\0"}),
        *({"key": None}, {"value": None}, {"key": b"\0\0\0"}, {"value": b"\0\0"}, {"headers": [("h", None)]}),
        *({"timestampDelta": 300}, {"offsetDelta": 20_000}, {"timestampDelta": -300}, {"offsetDelta": 300}),
    ):
        yield batch(marker | changes, **producer)
    yield batch(marker, record(1, key=b"\0\0\0\0", value=marker["value"], timestampDelta=-300), **producer)
    yield batch(marker, **producer, baseSequence=7)
    yield batch(marker, **producer, timestampType="log-append", maxTimestamp=TIME)
    yield batch(marker, **producer, deleteHorizon=True)
    yield batch(**producer)
    yield from (batch(marker, **producer, compression=codec) for codec in CODECS[1:])


def _entries() -> Iterator[Value]:
    """Yield messages and wrappers."""
    for magic in (0, 1):
        for changes in (
            *({}, {"key": None}, {"key": b""}, {"value": None}, {"value": b""}, {"key": None, "value": None}),
            *({"value": b"v" * 300, "key": b"k" * 200}, {"unusedAttributes": 1}, {"unusedAttributes": 2}),
            *({"unusedAttributes": 4}, {"unusedAttributes": 8}, {"offset": 0x0102030405060708}, {"offset": 2**63 - 1}),
        ):
            yield message(**{"offset": 5, "magic": magic} | changes)
        held = message(0, magic), message(1, magic, key=None), message(2, magic, value=None, key=b"")
        for codec in CODECS[1:]:
            yield wrapper(*held, codec=codec)
            yield wrapper(message(0, magic, value=b"a" * 90), codec=codec)
        gapped = message(3, magic), message(5, magic, value=b""), message(9, magic)
        yield from (wrapper(*gapped, offset=offset) for offset in (9, 109, 0, 5))
        yield wrapper(*held, key=b"kk", unusedAttributes=1)
        yield wrapper(message(0, magic, compression="none") | {"unusedAttributes": 1}, message(1, magic))
        yield wrapper(message(0, magic), message(0, 1 - magic))
        yield wrapper(message(2, magic), message(1, magic))
        yield wrapper(wrapper(message(0, magic)))
        yield message(0, magic, compression="gzip", messages=[])
    for time in ({"timestamp": -1}, {"timestamp": 0}, {"timestamp": 2**63 - 1}, {"timestamp": 0x0102030405060708}):
        yield message(0, **time)
        yield message(0, **time, timestampType="log-append")
        yield wrapper(message(0, **time), message(1, timestamp=0x1112131415161718), timestampType="log-append")
        yield wrapper(message(0, **time, timestampType="log-append"), message(1), timestamp=5)


def values() -> Iterator[Value]:
    """Yield the values of small fields."""
    small = _records()
    yield from (field(batch(*records)) for records in small)
    for changes in _flags():
        yield from (field(batch(*records, **changes)) for records in (small[0], small[3]))
    for codec in CODECS[1:]:
        yield from (field(batch(*small[at], compression=codec)) for at in (0, 3, 6, 7, 9, 10, 11, 12))
    yield from map(field, _controls())
    empties: list[Value] = [{}, {"producerId": 3}, {"transactional": True}, {"timestampType": "log-append"}]
    for changes in (*empties, {"baseOffset": 4}, {"lastOffsetDelta": 70_000}, {"maxTimestamp": TIME}, {"compression": "gzip"}):
        yield field(batch(**changes))
    yield from map(field, _entries())
    yield from _several(small)
    yield from _drawn()


def _tampered() -> Iterator[Value]:
    """Yield the fields in which one step is done wrong: of each context a few."""
    small, flags = _records(), _flags()
    yield from (field(batch(*small[at])) for at in (0, 1, 2, 3, 4, 6, 7, 10, 11, 14))
    yield from (field(batch(*small[3], **flags[at])) for at in (1, 3, 10, 13, 15, 22))
    yield from (field(batch(*small[at], compression=codec)) for codec in CODECS[1:] for at in (0, 3, 7, 10))
    controls = list(_controls())
    yield from (field(controls[at]) for at in (0, 2, -7))
    yield from (field(batch(**changes)) for changes in ({}, {"producerId": 3, "lastOffsetDelta": 70_000}))
    first = batch(record(key=None))
    yield from (field(first, batch(*small[at], baseOffset=1)) for at in (0, 3, 6, 7))
    for magic in (0, 1):
        yield from (field(message(5, magic, **changes)) for changes in ({}, {"value": None}, {"key": b"k" * 70}))
        held = message(0, magic), message(1, magic, key=None), message(2, magic, value=None, key=b"")
        yield from (field(wrapper(*held, codec=codec)) for codec in CODECS[1:4])
        yield field(first, message(0, magic))
    yield field(wrapper(message(0), message(7, timestamp=5), timestampType="log-append"))


def _several(small: list[list[Value]]) -> Iterator[Value]:
    first = batch(record(key=None))
    yield field()
    for at in (0, 2, 3, 6, 7, 17):
        yield field(first, batch(*small[at], baseOffset=1))
        yield field(first, batch(*small[at], compression="gzip", lastOffsetDelta=2**31 - 1))
    yield field(message(0, 0, key=None), message(1, value=None))
    yield field(message(), first, message(1, 0))
    yield field(first, batch(), first)
    for size in (1, 11, 12, 16, 17, 40, 60):
        yield {"batches": [first], "partial": write_field(field(batch(record())), Switch())[:size]}
        yield {"batches": [], "partial": bytes(7) + b"\1\0\0\0\x38" + bytes(5) if size > 11 else bytes(size)}


def _drawn() -> Iterator[Value]:
    """Yield fields of drawn members."""
    random = Random(34)  # noqa: S311  # no secret
    small, flags = _records(), _flags()
    for _ in range(150):
        drawn = [
            batch(*random.choice(small), **random.choice(flags) | random.choice(flags) | {"compression": random.choice(CODECS)})
            for _ in range(random.choice((1, 1, 2)))
        ]
        yield field(*drawn)


def field(*batches: Value) -> Value:
    """Return the value of a field."""
    return {"batches": list(batches), "partial": b""}


def large_values() -> Iterator[Value]:
    """Yield fields with sizes and counts at the edges of their numbers."""
    for count in COUNTS:
        yield field(batch(record(headers=[("h", None)] * count)))
        yield field(batch(*map(record, range(count))))
    for size in SIZES:
        for name in ("key", "value"):
            yield field(batch(record(**{name: bytes(size)})))
            yield field(message(0, **{name: bytes(size)}))
        yield field(batch(record(headers=[("h" * size, None)])))
        yield field(batch(record(headers=[("h", b"w" * size)])))
        for codec in CODECS[1:]:
            yield field(batch(record(value=Random(size).randbytes(size)), compression=codec))  # noqa: S311
            yield field(batch(record(value=b"ab" * size), compression=codec))
    yield field(batch(record(value=bytes(1 << 20) + b"x" * 70_000), compression="lz4"))
    yield field(batch(record(key=bytes(3_000_000))))


def unwritable_values() -> Iterator[Value]:
    """Yield values of which a writer must refuse most."""
    for name in BATCH_NUMBERS:
        for number in (None, -2, -(2**15) - 1, 2**15, -(2**31) - 1, 2**31, -(2**63) - 1, 2**63, 2**64, 2**16, 2**32):
            yield field(batch(record()) | {name: number})
            yield field(batch(record(), timestampType="log-append") | {name: number})
    for name in ("timestampDelta", "offsetDelta", "attributes"):
        for number in (None, -2, 2**7, -129, 256, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 2**32, 2**64):
            held = batch(record(), record(1))
            held["records"][1][name] = number
            yield field(held | {"lastOffsetDelta": 2**31 - 1})
    bases = ({"baseTimestamp": 2**63 - 1}, {"baseTimestamp": -1}, {"baseTimestamp": 0}, {"baseOffset": 2**63 - 1})
    for changes in bases:
        for delta in (1, -1, -2, 2**62, -(2**63)):
            whole = batch(record(timestampDelta=delta), record(1), **changes)
            yield field(whole | {"maxTimestamp": min(whole["maxTimestamp"], 2**63 - 1)})
            yield field(whole | {"maxTimestamp": 2**63 - 1, "timestampType": "log-append"})
    for maximum in (TIME - 1, TIME + 1, -1, 0, None):
        yield field(batch(record(), maxTimestamp=maximum))
    yield from _unwritable_parts()


def _unwritable_parts() -> Iterator[Value]:
    """Yield values of other parts that no writer may write."""
    for offsets in ((1, 0), (0, 0), (-1,), (0, -1), (5,)):
        yield field(batch(*map(record, offsets), lastOffsetDelta=1))
    yield field(batch(record(), lastOffsetDelta=-1))
    yield field(batch(baseOffset=2**63 - 1, lastOffsetDelta=1))
    yield from (field(batch(compression=codec)) for codec in CODECS[1:])
    for changes in ({"headers": None}, {"headers": [(None, b"v")]}, {"headers": [(None, None)]}):
        yield field(batch(record(**changes)))
    other = ({"compression": "brotli"}, {"timestampType": "none"}, {"magic": 3}, {"unusedAttributes": 512}, {"unusedAttributes": -1})
    yield from (field(batch(record(), **changes)) for changes in other)
    for name in ("offset", "timestamp"):
        for number in (None, -2, 2**63, -(2**63) - 1, 2**64):
            yield field(message(**{name: number}))
            yield field(wrapper(message(), message(1, **({name: number} if name == "timestamp" else {}))))
    yield field(wrapper(message(0), message(5), offset=3))
    yield {"batches": [batch(record())], "partial": b"\0" * 5}


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
    wires = (_attempt(value, switch) for switch in switches for value in _tampered() if _applies(switch.step, value))
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
    """Yield every input, those first in which nothing or this step is wrong."""
    yield from sound_inputs()
    yield from damaged_inputs(place)
    for other in places():
        if other != place:
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
