"""The header of a batch, and fields of several batches, of none, and with a part of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.records.building import TIME, batch, record
from conformance.generate.records.edge import (
    HIGHEST_INT16,
    HIGHEST_INT32,
    HIGHEST_INT64,
    ONE,
    PRODUCER,
    SMALLEST,
    RecordsEdge,
    field,
    one,
)
from reference import encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.records.edge import Value

PARTS = (11, 16, 60)
"""The sizes of incomplete batches at the end of a field: no header, one without its magic, and a cut one."""
DAY = 86_400_000


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
