"""Edge values of `records` fields: each is about one rule, and departs in one thing from a value before it.

A reader that does not take the value that an edge departs from tells nothing by the edge itself.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.records.building import (
    TIME,
    batch,
    holding,
    message,
    record,
    records_of,
    wrapper,
)
from conformance.generate.records.streams import equal_streams
from reference import encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator

Value = dict[str, Any]

CODECS = ("gzip", "snappy", "lz4", "zstd")
RULES_OF_CODECS = {"gzip": "codec.gzip", "snappy": "snappy.xerial", "lz4": "lz4.frame", "zstd": "zstd.frame"}
GROUPS = ("batches", *CODECS, "message-sets")
HIGHEST_INT16, HIGHEST_INT32, HIGHEST_INT64 = 2**15 - 1, 2**31 - 1, 2**63 - 1
SMALLEST = "smallest"
ONE = ("key-and-value",)
PARTS = (11, 16, 60)
"""The sizes of incomplete batches at the end of a field: no header, one without its magic, and one that is cut."""
COMPRESSIBLE = b"a" * 70_000
"""More than one block of lz4 and two of snappy."""


class RecordsEdge(NamedTuple):
    """One value of a field, and what it is about."""

    name: str
    rule: str
    value: Value
    group: str = "batches"
    needs: tuple[str, ...] = (SMALLEST,)
    """The names of the edges that this one departs from; none for the first ones."""
    other_wire: bytes | None = None
    """Bytes of the value that writers need not write; None: the canonical ones."""

    @property
    def wire(self) -> bytes:
        """The bytes that are read."""
        return encode_records(self.value) if self.other_wire is None else self.other_wire


@cache
def records_edges() -> tuple[RecordsEdge, ...]:
    """Return every edge value, each behind the one that it departs from.

    Raises:
        MissingLibrary: a codec needs a library that is not installed.
    """
    return (*_batches(), *_fields(), *_headers(), *_records(), *_unused(), *_compressed(), *_message_sets())


def _field(*batches: Value) -> Value:
    return {"batches": list(batches), "partial": b""}


def _one(**changes: Any) -> Value:
    return _field(batch(record(key=b"k", value=b"v"), **changes))


def _batches() -> Iterator[RecordsEdge]:
    """Yield what the header of a batch says."""
    yield RecordsEdge(SMALLEST, "batch.header-layout", _field(batch()), needs=())
    yield RecordsEdge("key-and-value", "record.layout", _one())
    yield RecordsEdge("two-records", "record.layout", _field(batch(record(key=b"k"), record(1, key=b"l"))))
    yield RecordsEdge("leader-epoch", "batch.crc-scope", _one(partitionLeaderEpoch=7), needs=ONE)
    yield RecordsEdge("base-offset", "batch.crc-scope", _one(baseOffset=1 << 40), needs=ONE)
    yield RecordsEdge("highest-offset", "batch.header-layout", _one(baseOffset=HIGHEST_INT64), needs=ONE)
    yield RecordsEdge("timestamp-zero", "batch.header-layout", _one(baseTimestamp=0, maxTimestamp=0), needs=ONE)
    yield RecordsEdge("no-timestamp", "batch.header-layout", _one(baseTimestamp=-1, maxTimestamp=-1), needs=ONE)
    highest = {"baseTimestamp": HIGHEST_INT64, "maxTimestamp": HIGHEST_INT64}
    yield RecordsEdge("highest-timestamp", "batch.header-layout", _one(**highest), needs=ONE)
    producer = {"producerId": 4711, "producerEpoch": 3, "baseSequence": 12}
    yield RecordsEdge("transactional", "batch.attributes", _one(transactional=True, **producer), needs=ONE)
    yield RecordsEdge("log-append", "batch.attributes", _one(timestampType="log-append"), needs=ONE)
    yield RecordsEdge("log-append-time", "batch.log-append-time", _log_append(), needs=("log-append", "two-records"))
    yield RecordsEdge("control", "batch.attributes", _control(b"\0\0\0\1"), needs=("transactional",))
    yield RecordsEdge("control-of-unknown-type", "control.unknown-type", _control(b"\0\0\x7f\xff"), needs=("control",))
    later = _control(b"\0\1\0\1\0\0")
    yield RecordsEdge("control-of-later-version", "control.key-later-version", later, needs=("control",))
    yield RecordsEdge("delete-horizon", "batch.delete-horizon", _with_horizon(), needs=("two-records",))
    for name, numbers in {
        "producer": producer,
        "producer-zero": dict.fromkeys(producer, 0),
        "producer-highest": {"producerId": HIGHEST_INT64, "producerEpoch": HIGHEST_INT16, "baseSequence": 0},
        "sequence-that-wraps": producer | {"baseSequence": HIGHEST_INT32},
    }.items():
        yield RecordsEdge(name, "batch.producer", _field(batch(record(), record(1), **numbers)), needs=("two-records",))
    yield RecordsEdge("offsets-behind-the-last-record", "batch.last-offset-delta", _one(lastOffsetDelta=5), needs=ONE)
    yield RecordsEdge("empty", "batch.empty", _field(_empty()))
    yield RecordsEdge("highest-timestamp-first", "batch.max-timestamp", _timestamps(9, 0), needs=("two-records",))


def _log_append() -> Value:
    held = record(key=b"k", timestampDelta=0), record(1, key=b"l", timestampDelta=3)
    return _field(batch(*held, timestampType="log-append", maxTimestamp=TIME + 86_400_000))


def _control(key: bytes) -> Value:
    marker = record(key=key, value=b"\0\0\0\0\0\1")
    return _field(batch(marker, control=True, transactional=True, producerId=4711, producerEpoch=3))


def _with_horizon() -> Value:
    horizon = TIME + 86_400_000
    held = record(key=b"k", timestampDelta=-86_400_000), record(1, key=b"l", timestampDelta=-86_399_999)
    return _field(batch(*held, deleteHorizon=True, baseTimestamp=horizon, maxTimestamp=TIME + 1))


def _empty() -> Value:
    return batch(baseOffset=4, lastOffsetDelta=3, baseTimestamp=-1, maxTimestamp=TIME) | {"records": []}


def _timestamps(*deltas: int) -> Value:
    return _field(batch(*(record(offset, timestampDelta=delta) for offset, delta in enumerate(deltas))))


def _fields() -> Iterator[RecordsEdge]:
    """Yield what several batches, none, and a part of one are."""
    yield RecordsEdge("no-batches", "field.empty", _field())
    yield RecordsEdge("two-batches", "field.batches", _field(batch(), batch(record(key=b"k"), baseOffset=1)))
    yield RecordsEdge(
        "empty-between", "field.batches", _field(batch(), _empty(), batch()), needs=("two-batches", "empty")
    )
    whole = encode_records(_field(batch()))
    for size in PARTS:
        part = whole[:size]
        value = _field(batch()) | {"partial": part}
        yield RecordsEdge(f"tail-of-{size}", "field.partial-tail", value, other_wire=whole + part)


def _headers() -> Iterator[RecordsEdge]:
    headers: dict[str, tuple[str, list[Any]]] = {
        "header": ("record.layout", [("h", b"v")]),
        "header-value-null": ("header.value-null", [("h", None)]),
        "header-value-empty": ("header.value-null", [("h", b"")]),
        "header-key-empty": ("record.layout", [("", b"v")]),
        "header-key-of-four-bytes": ("record.layout", [("\N{GRINNING FACE}", b"v")]),
        "headers-in-order": ("header.order", [("b", b"1"), ("a", b"2"), ("c", b"3")]),
        "headers-repeated": ("header.repeated", [("h", b"1"), ("h", b"2"), ("h", b"1")]),
        "headers-128": ("record.layout", [(f"h{number}", b"") for number in range(128)]),
    }
    for name, (rule, pairs) in headers.items():
        needs = (SMALLEST,) if name == "header" else ("header",)
        yield RecordsEdge(name, rule, _field(batch(record(key=b"k", headers=pairs))), needs=needs)


def _records() -> Iterator[RecordsEdge]:
    """Yield what the records of a batch say."""
    for name in ("key", "value"):
        other: Value = {"key": b"k", "value": b"v"}
        for what, part in {"null": None, "empty": b""}.items():
            value = _field(batch(record(**other | {name: part})))
            yield RecordsEdge(f"{name}-{what}", "record.null", value, needs=("key-and-value",))
        for size in (63, 64, 8191, 8192):
            value = _field(batch(record(**other | {name: bytes(size)})))
            yield RecordsEdge(f"{name}-of-{size}", "record.layout", value, needs=("key-and-value",))
    for delta in (1, 63, 64, -1, -64, -65, 1 << 31, (1 << 31) - 1, -(1 << 35), HIGHEST_INT64 - TIME):
        rule = "record.timestamp-delta"
        yield RecordsEdge(f"timestamp-delta={delta}", rule, _timestamps(0, delta), needs=("two-records",))
    for offsets in ((0, 2), (3, 4), (0, 63, 64), (0, 1 << 20)):
        value = _field(batch(*map(record, offsets)))
        yield RecordsEdge(
            f"offsets={','.join(map(str, offsets))}", "record.offset-delta", value, needs=("two-records",)
        )
    yield RecordsEdge("records-300", "record.layout", _field(batch(*map(record, range(300)))), needs=("two-records",))


def _unused() -> Iterator[RecordsEdge]:
    """Yield bits without a meaning, which readers ignore and no writer writes."""
    for bits in (1, 0x100, 0x1FF):
        value = _one(unusedAttributes=bits)
        yield RecordsEdge(
            f"attributes-unused={bits:#x}",
            "batch.attributes-unused",
            value,
            needs=ONE,
            other_wire=encode_records(value),
        )
    for bits in (1, -1, -128):
        value = _field(batch(record(attributes=bits, key=b"k")))
        name = f"record-attributes={bits}"
        yield RecordsEdge(name, "record.attributes-unused", value, other_wire=encode_records(value))


def _compressed() -> Iterator[RecordsEdge]:
    """Yield batches of each codec, in every form of stream that readers take."""
    held = record(key=b"k", value=b"v" * 40)
    several = [held, record(1, value=bytes(range(256))), record(2, headers=[("h", b"v"), ("h", None)])]
    for codec in CODECS:
        rule, value, own = RULES_OF_CODECS[codec], _field(batch(held, compression=codec)), (codec,)
        streams = [
            RecordsEdge(f"{codec}-{name}", of, value, codec, own, holding(stream, codec=codec))
            for name, of, stream in equal_streams(codec, records_of(held))
        ]
        yield from _first_of_codec(codec, value, streams)
        large = _field(batch(record(value=COMPRESSIBLE), record(1, value=b"v"), compression=codec))
        yield RecordsEdge(f"{codec}-large", rule, large, codec, (codec, "two-records"))
        needs = (codec, "two-records", "header", "value-null")
        yield RecordsEdge(f"{codec}-records", rule, _field(batch(*several, compression=codec)), codec, needs)
        both = _field(batch(held, compression=codec), batch(baseOffset=3))
        yield RecordsEdge(f"{codec}-and-plain", "field.batches", both, codec, (codec, "two-batches"))


def _first_of_codec(codec: str, value: Value, streams: list[RecordsEdge]) -> Iterator[RecordsEdge]:
    """Yield the smallest value of a codec and other streams of it; of zstd the size of the content comes first.

    Canonical streams of zstd do not have it, and that is a rule of its own.
    """
    if codec != "zstd":
        yield RecordsEdge(codec, RULES_OF_CODECS[codec], value, codec, ONE)
        yield from streams
        return
    with_size = next(edge for edge in streams if edge.name == "zstd-content-size")
    yield with_size._replace(needs=ONE)
    yield RecordsEdge(codec, "zstd.no-content-size", value, codec, (*ONE, with_size.name))
    yield from (edge for edge in streams if edge is not with_size)


def _message_sets() -> Iterator[RecordsEdge]:
    """Yield messages of magic 0 and 1, alone and in wrappers."""
    group = "message-sets"
    for magic in (0, 1):
        first = f"magic-{magic}"
        yield RecordsEdge(first, "message.layout", _field(message(magic=magic, key=b"k")), group, ())
        for name, part in {"key": None, "value": None}.items():
            changes: Value = {"key": b"k", name: part}
            value = _field(message(magic=magic, **changes))
            yield RecordsEdge(f"{first}-{name}-null", "message.layout", value, group, (first,))
        several = _field(message(3, magic=magic), message(4, magic=magic))
        yield RecordsEdge(f"{first}-several", "message.layout", several, group, (first,))
        for codec in CODECS[:3]:
            held = message(0, magic=magic, value=b"a" * 40), message(1, magic=magic, value=None)
            inner = f"{first}-{codec}"
            rule = "lz4.legacy-header-checksum" if (codec, magic) == ("lz4", 0) else "message.wrapper"
            needs = (first, codec) if codec == CODECS[0] else (f"{first}-{CODECS[0]}", codec)
            yield RecordsEdge(inner, rule, _field(wrapper(*held, codec=codec)), group, needs)
        gapped = [message(offset, magic=magic) for offset in (0, 2, 5)]
        offsets = _field(wrapper(*gapped, offset=105) if magic else wrapper(*gapped))
        yield RecordsEdge(f"{first}-offsets", "message.offsets", offsets, group, (f"{first}-gzip",))
    yield RecordsEdge("magic-1-log-append", "message.timestamps", _field(_appended()), group, ("magic-1-gzip",))
    mixed, needs = _field(message(), batch(baseOffset=1)), ("magic-1", "two-batches")
    yield RecordsEdge("magics-mixed", "field.mixed-magic", mixed, group, needs)


def _appended() -> Value:
    return wrapper(message(0), message(1), timestampType="log-append", timestamp=TIME + 5)
