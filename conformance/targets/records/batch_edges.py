"""Edges of batches, of their headers and records, and of fields with several batches, with none or a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.record_building import TIME, batch, record
from conformance.targets.records.edge import (
    HIGHEST_INT16,
    HIGHEST_INT32,
    HIGHEST_INT64,
    ONE,
    PRODUCER,
    SIZES,
    SMALLEST,
    RecordsEdge,
    field,
    one,
)
from reference import encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.targets.records.edge import Value

PARTS = (11, 16, 60)
"""The sizes of incomplete batches at the end of a field: no header, one without its magic, and a cut one."""
DAY = 86_400_000

OF_THREE_BYTES, OF_FOUR_BYTES = 1 << 20, 1 << 27
"""Lengths at which their varint gets its fourth byte, and its fifth."""
NULL_VALUE = "header-value-null"
COUNTS = (63, 64, 127, 128, 8191, 8192)
"""Counts of headers, and of records, at which a varint or a number of one byte grows."""
TEXTS = {
    "blanks": " h ",
    "cr-lf": "a\r\nb",
    "nul": "a\0b",
    "controls": "\x01\t\x7f",
    "upper-case": "HH",
    "byte-order-mark": "\ufeffh",
    "composed": "\xe9",
    "decomposed": "e\u0301",
    "three-bytes": "\u20ac",
    "four-bytes": "\N{GRINNING FACE}",
    **edges.CHANGED_TEXTS,
}
"""Keys of headers often changed by a reader."""


def batches() -> Iterator[RecordsEdge]:
    """Yield edges of the header of a batch."""
    yield RecordsEdge(SMALLEST, "batch.header-layout", field(batch()), needs=())
    yield RecordsEdge("key-and-value", "record.layout", one())
    yield RecordsEdge("two-records", "record.layout", field(batch(record(key=b"k"), record(1, key=b"l"))))
    yield from _numbers()
    yield from _flags()
    yield from _producers()
    yield RecordsEdge("offsets-behind-the-last-record", "batch.last-offset-delta", one(lastOffsetDelta=5), needs=ONE)
    highest_delta = one(lastOffsetDelta=HIGHEST_INT32)
    yield RecordsEdge("highest-last-offset-delta", "batch.last-offset-delta", highest_delta, needs=ONE)
    yield from _empty_batches()
    yield RecordsEdge("highest-timestamp-first", "batch.max-timestamp", timestamps(9, 0), needs=("two-records",))


def _numbers() -> Iterator[RecordsEdge]:
    yield RecordsEdge("leader-epoch", "batch.crc-scope", one(partitionLeaderEpoch=7), needs=ONE)
    for name, epoch in {"leader-epoch-0": 0, "highest-leader-epoch": HIGHEST_INT32}.items():
        value = one(partitionLeaderEpoch=epoch)
        yield RecordsEdge(name, "batch.header-layout", value, needs=("leader-epoch",))
    yield RecordsEdge("base-offset", "batch.crc-scope", one(baseOffset=1 << 40), needs=ONE)
    yield RecordsEdge("no-base-offset", "batch.header-layout", one(baseOffset=-1), needs=ONE)
    yield RecordsEdge("highest-offset", "batch.header-layout", one(baseOffset=HIGHEST_INT64), needs=ONE)
    for name, time in {"timestamp-zero": 0, "no-timestamp": -1, "highest-timestamp": HIGHEST_INT64}.items():
        value = one(baseTimestamp=time, maxTimestamp=time)
        yield RecordsEdge(name, "batch.header-layout", value, needs=ONE)
    distinct = {"baseOffset": 0x0102030405060708, "baseTimestamp": 0x1112131415161718}
    whole = one(**distinct, maxTimestamp=distinct["baseTimestamp"], partitionLeaderEpoch=0x21222324)
    yield RecordsEdge("bytes-that-differ", "batch.header-layout", whole, needs=("leader-epoch", "base-offset"))


def _flags() -> Iterator[RecordsEdge]:
    append, last = {"timestampType": "log-append"}, {"maxTimestamp": TIME + DAY}
    transactional = {"transactional": True, **PRODUCER}
    yield RecordsEdge("transactional", "batch.attributes", one(**transactional), needs=ONE)
    yield RecordsEdge("transactional-without-producer", "batch.attributes", one(transactional=True), needs=ONE)
    yield RecordsEdge("log-append", "batch.attributes", one(**append), needs=ONE)
    yield RecordsEdge("log-append-time", "batch.log-append-time", _log_append(), needs=("log-append", "two-records"))
    without = one(**append, maxTimestamp=-1)
    yield RecordsEdge("log-append-without-time", "batch.log-append-time", without, needs=("log-append",))
    both = one(**append, **transactional, **last)
    yield RecordsEdge("transactional-log-append", "batch.attributes", both, needs=("log-append", "transactional"))
    yield RecordsEdge("delete-horizon", "batch.delete-horizon", _with_horizon(), needs=("two-records",))
    both = one(**append, deleteHorizon=True, **last)
    yield RecordsEdge("delete-horizon-log-append", "batch.attributes", both, needs=("log-append", "delete-horizon"))
    based = field(batch(record(), record(1, timestampDelta=5), baseTimestamp=-1, maxTimestamp=4))
    yield RecordsEdge("no-base-timestamp", "record.timestamp-delta", based, needs=("no-timestamp", "two-records"))


def _producers() -> Iterator[RecordsEdge]:
    for name, numbers in {
        "producer": PRODUCER,
        "producer-zero": dict.fromkeys(PRODUCER, 0),
        "producer-highest": {"producerId": HIGHEST_INT64, "producerEpoch": HIGHEST_INT16, "baseSequence": 0},
        "producer-of-bytes-that-differ": {
            "producerId": 0x0102030405060708,
            "producerEpoch": 0x1112,
            "baseSequence": 0x21222324,
        },
        "producer-id-alone": {"producerId": 5},
        "producer-epoch-alone": {"producerEpoch": 5},
        "sequence-alone": {"baseSequence": 5},
        "sequence-that-wraps": PRODUCER | {"baseSequence": HIGHEST_INT32},
    }.items():
        yield RecordsEdge(name, "batch.producer", field(batch(record(), record(1), **numbers)), needs=("two-records",))


def _log_append() -> Value:
    held = record(key=b"k", timestampDelta=0), record(1, key=b"l", timestampDelta=3)
    return field(batch(*held, timestampType="log-append", maxTimestamp=TIME + DAY))


def _with_horizon() -> Value:
    held = record(key=b"k", timestampDelta=-DAY), record(1, key=b"l", timestampDelta=1 - DAY)
    return field(batch(*held, deleteHorizon=True, baseTimestamp=TIME + DAY, maxTimestamp=TIME + 1))


def _empty_batches() -> Iterator[RecordsEdge]:
    yield RecordsEdge("empty", "batch.empty", field(empty()))
    for name, changes in {
        "empty-with-producer": PRODUCER,
        "empty-transactional": {"transactional": True},
        "empty-log-append": {"timestampType": "log-append"},
        "empty-without-time": {"maxTimestamp": -1},
        "empty-of-many-offsets": {"lastOffsetDelta": 70_000},
    }.items():
        yield RecordsEdge(name, "batch.empty", field(empty() | changes), needs=("empty",))


def empty() -> Value:
    """Return a batch after the loss of all of its records."""
    return batch(baseOffset=4, lastOffsetDelta=3, baseTimestamp=-1, maxTimestamp=TIME) | {"records": []}


def timestamps(*deltas: int, **changes: int) -> Value:
    """Return a field of one batch of records with these timestamp deltas."""
    return field(batch(*(record(offset, timestampDelta=delta) for offset, delta in enumerate(deltas)), **changes))


def fields() -> Iterator[RecordsEdge]:
    """Yield fields of several batches, of none, and with a part of one."""
    yield RecordsEdge("no-batches", "field.empty", field())
    yield RecordsEdge("two-batches", "field.batches", field(batch(), batch(record(key=b"k"), baseOffset=1)))
    three = field(batch(), empty(), batch())
    yield RecordsEdge("empty-between", "field.batches", three, needs=("two-batches", "empty"))
    whole = encode_records(field(batch()))
    for size in PARTS:
        part = whole[:size]
        value = field(batch()) | {"partial": part}
        yield RecordsEdge(f"tail-of-{size}", "field.partial-tail", value, other_wire=whole + part)


def headers() -> Iterator[RecordsEdge]:
    """Yield edges of the headers of a record."""
    several: dict[str, tuple[str, Sequence[tuple[str, Any]]]] = {
        "header": ("record.layout", [("h", b"v")]),
        NULL_VALUE: ("header.value-null", [("h", None)]),
        "header-value-empty": ("header.value-null", [("h", b"")]),
        "header-key-empty": ("record.layout", [("", b"v")]),
        **{f"header-key-of-{name}": ("record.layout", [(text, b"v")]) for name, text in TEXTS.items()},
        **{f"header-key-of-{size}": ("record.layout", [("h" * size, b"v")]) for size in SIZES},
        **{f"header-value-of-{size}": ("record.layout", [("h", b"v" * size)]) for size in SIZES},
        "headers-in-order": ("header.order", [("b", b"1"), ("a", b"2"), ("c", b"3")]),
        "headers-repeated": ("header.repeated", [("h", b"1"), ("h", b"2"), ("h", b"1")]),
        **{f"headers-{count}": ("record.layout", [(f"h{at}", b"") for at in range(count)]) for count in COUNTS},
    }
    for name, (rule, pairs) in several.items():
        needs = (SMALLEST,) if name == "header" else ("header",)
        value = field(batch(record(key=b"k", headers=list(pairs))))
        yield RecordsEdge(name, rule, value, needs=needs, is_rule_alone=name == NULL_VALUE)


def records() -> Iterator[RecordsEdge]:
    """Yield edges of the records of a batch."""
    yield from _keys_and_values()
    yield from _deltas()
    for count in (127, 128, 300, 16_384):
        value = field(batch(*map(record, range(count))))
        yield RecordsEdge(f"records-{count}", "record.layout", value, needs=("two-records",))
    nulls = field(batch(record(key=b"k"), record(1, key=b"", value=b"")))
    yield RecordsEdge("second-key-and-value-empty", "record.null", nulls, needs=("two-records",))


def _keys_and_values() -> Iterator[RecordsEdge]:
    for name in ("key", "value"):
        other: Value = {"key": b"k", "value": b"v"}
        for what, part in {"null": None, "empty": b""}.items():
            value = field(batch(record(**other | {name: part})))
            yield RecordsEdge(f"{name}-{what}", "record.null", value, needs=ONE)
        for size in (*SIZES, OF_THREE_BYTES):
            value = field(batch(record(**other | {name: bytes(size)})))
            yield RecordsEdge(f"{name}-of-{size}", "record.layout", value, needs=ONE)
    value = field(batch(record(key=b"", value=b"")))
    yield RecordsEdge("key-and-value-empty", "record.null", value, needs=("key-empty", "value-empty"))


DELTAS = (1, 63, 64, -1, -64, -65, 1 << 31, (1 << 31) - 1, -(1 << 35), HIGHEST_INT64 - TIME)


def _deltas() -> Iterator[RecordsEdge]:
    rule, needs = "record.timestamp-delta", ("two-records",)
    for delta in (*DELTAS, *(1 << bits for bits in (13, 20, 27, 40, 47, 54))):
        yield RecordsEdge(f"timestamp-delta={delta}", rule, timestamps(0, delta), needs=needs)
    highest = timestamps(0, HIGHEST_INT64, baseTimestamp=0, maxTimestamp=HIGHEST_INT64)
    yield RecordsEdge("highest-timestamp-delta", rule, highest, needs=("two-records", "timestamp-zero"))
    for offsets in ((0, 2), (3, 4), (0, 63, 64), (0, 1 << 13), (0, 1 << 20), (0, OF_FOUR_BYTES), (0, (1 << 31) - 1)):
        value = field(batch(*map(record, offsets)))
        name = f"offsets={','.join(map(str, offsets))}"
        yield RecordsEdge(name, "record.offset-delta", value, needs=needs)


def unused() -> Iterator[RecordsEdge]:
    """Yield bits without a meaning, ignored by readers and not written by any writer."""
    for bits in (1, 0x100, 0x1FF):
        value = one(unusedAttributes=bits)
        name, wire = f"attributes-unused={bits:#x}", encode_records(value)
        yield RecordsEdge(name, "batch.attributes-unused", value, needs=ONE, other_wire=wire)
    for bits in (1, -1, -128):
        value = field(batch(record(attributes=bits, key=b"k")))
        name, wire = f"record-attributes={bits}", encode_records(value)
        yield RecordsEdge(name, "record.attributes-unused", value, other_wire=wire)
