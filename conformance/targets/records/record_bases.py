"""Valid `records` fields to tamper with, one of each kind of batch and message.

Some differ in their context only: in the kind of batch around the same records, or in a batch before them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.record_building import TIME, batch, message, record, wire, wrapper
from conformance.targets.records.control_edges import ABORT, COMMIT, MARKER
from conformance.targets.records.edge import CODECS, OF_WRAPPERS, PRODUCER, RULES_OF_CODECS, RecordsEdge, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.records.edge import Value

HEADERS = [("h", b"v"), ("i", None), ("j", b"")]
KINDS: dict[str, Value] = {
    "plain": {},
    "log-append": {"timestampType": "log-append", "maxTimestamp": TIME + 5},
    "transactional": {"transactional": True, **PRODUCER},
    "producer": PRODUCER,
    "delete-horizon": {"deleteHorizon": True},
    "no-base-timestamp": {"baseTimestamp": -1, "maxTimestamp": 2_999_999},
    "control": {"control": True, "transactional": True, **PRODUCER, "baseSequence": -1},
    **{f"in-{codec}": {"compression": codec} for codec in CODECS},
}
"""Kinds of batches by name, with the fields of each."""
RULES = {
    "log-append": "batch.attributes",
    "transactional": "batch.attributes",
    "producer": "batch.producer",
    "delete-horizon": "batch.delete-horizon",
    "no-base-timestamp": "record.timestamp-delta",
    "control": "batch.attributes",
}
"""The rule of each kind of batch without a codec."""
OF_EVERYTHING = ("two-records", "header-value-null", "header-value-empty", "key-null", "value-null", "key-empty")
PLAIN = "everything-plain"


class RecordsBase(NamedTuple):
    """A valid field of one batch or entry, optionally after another one."""

    name: str
    group: str
    value: dict[str, Any]
    rule: str
    """Its rule, for places without a more specific one."""
    before: bytes = b""
    context_of: str = ""
    """The name of the base with another context only.

    It gets fewer changes if a reader accepts that base.
    """

    @property
    def wire(self) -> bytes:
        """Its own bytes, without those before it."""
        return wire(self.value)


@cache
def record_bases() -> tuple[RecordsBase, ...]:
    """Return the valid fields to tamper with."""
    held = (
        record(key=b"key", value=b"value", headers=[("h", b"1"), ("i", None)]),
        record(1, timestampDelta=300, key=None, value=b"v" * 70),
    )
    plain = batch(*held, producerId=4711, producerEpoch=3, baseSequence=12)
    empty = batch(lastOffsetDelta=3) | {"records": []}
    return (
        RecordsBase("plain", "batches", plain, "record.layout"),
        RecordsBase("empty", "batches", empty, "batch.empty"),
        *(
            RecordsBase(f"in-{codec}", codec, batch(*held, compression=codec), RULES_OF_CODECS[codec])
            for codec in CODECS
        ),
        *(_message(magic) for magic in (0, 1)),
        *(_wrapper(magic, codec) for magic in (0, 1) for codec in OF_WRAPPERS),
        *_in_contexts(),
    )


def _message(magic: int) -> RecordsBase:
    value = message(5, magic=magic, key=b"k", value=b"value")
    return RecordsBase(f"message-{magic}", "message-sets", value, "message.layout")


def _wrapper(magic: int, codec: str) -> RecordsBase:
    held = message(0, magic=magic, key=b"k"), message(1, magic=magic, value=b"w" * 30)
    return RecordsBase(f"wrapper-{magic}-{codec}", "message-sets", wrapper(*held, codec=codec), "message.wrapper")


def _in_contexts() -> list[RecordsBase]:
    """Return fields of every kind of batch, and fields after a first batch."""
    before, of_batch, of_message = wire(batch()), batch_of_everything("plain"), message(5, key=b"k", value=b"value")
    appended = of_message | {"timestampType": "log-append"}
    plain, first, group = "plain", "message-1", "message-sets"
    return [
        *(RecordsBase(kind, "batches", batch_of_everything(kind), RULES[kind], context_of=plain) for kind in RULES),
        RecordsBase("second-batch", "batches", of_batch, "field.batches", before, plain),
        RecordsBase("message-log-append", group, appended, "message.timestamps", context_of=first),
        RecordsBase("message-behind-a-batch", group, of_message, "field.mixed-magic", before, first),
    ]


def batch_of_everything(kind: str) -> Value:
    """Return a batch of one kind, with nulls, empty values, and deltas of several bytes in its records."""
    is_control, earlier = kind == "control", 300 if kind == "no-base-timestamp" else -300
    # The keys of control records have a fixed form, so none of them is null or empty.
    keys = (COMMIT, b"\0\0\x7f\xff", ABORT) if is_control else (b"k", None, b"")
    values = (MARKER, None, MARKER) if is_control else (b"v", None, b"")
    held = (
        record(0, key=keys[0], value=values[0], headers=HEADERS),
        record(20_000, timestampDelta=earlier, key=keys[1], value=values[1]),
        record(70_000, timestampDelta=3_000_000, key=keys[2], value=values[2], headers=HEADERS[1:]),
    )
    return batch(*held, **KINDS[kind])


def contexts() -> Iterator[RecordsEdge]:
    """Yield batches of each kind with everything in their records, and one after another batch."""
    for kind in KINDS:
        edge = kind.removeprefix("in-")
        needs = OF_EVERYTHING if kind == "plain" else (PLAIN, edge)
        group = edge if edge in CODECS else "batches"
        rule = (RULES | RULES_OF_CODECS).get(edge, "record.layout")
        yield RecordsEdge(f"everything-{kind}", rule, field(batch_of_everything(kind)), group, needs)
    second = field(batch(), batch_of_everything("plain") | {"baseOffset": 1})
    yield RecordsEdge("everything-in-a-second-batch", "field.batches", second, needs=(PLAIN, "two-batches"))
