"""Valid `records` fields to tamper with, one of each kind of batch and message."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from conformance.generate.records.building import TIME, batch, message, record, wire, wrapper
from conformance.generate.records.contexts import RULES, batch_of_everything
from conformance.generate.records.edge import RULES_OF_CODECS
from conformance.generate.records.records_edges import CODECS

OF_WRAPPERS = CODECS[:3]


class Base(NamedTuple):
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
def record_bases() -> tuple[Base, ...]:
    """Return the valid fields to tamper with."""
    held = (
        record(key=b"key", value=b"value", headers=[("h", b"1"), ("i", None)]),
        record(1, timestampDelta=300, key=None, value=b"v" * 70),
    )
    plain = batch(*held, producerId=4711, producerEpoch=3, baseSequence=12)
    empty = batch(lastOffsetDelta=3) | {"records": []}
    return (
        Base("plain", "batches", plain, "record.layout"),
        Base("empty", "batches", empty, "batch.empty"),
        *(Base(f"in-{codec}", codec, batch(*held, compression=codec), RULES_OF_CODECS[codec]) for codec in CODECS),
        *(_message(magic) for magic in (0, 1)),
        *(_wrapper(magic, codec) for magic in (0, 1) for codec in OF_WRAPPERS),
        *_contexts(),
    )


def _message(magic: int) -> Base:
    value = message(5, magic=magic, key=b"k", value=b"value")
    return Base(f"message-{magic}", "message-sets", value, "message.layout")


def _wrapper(magic: int, codec: str) -> Base:
    held = message(0, magic=magic, key=b"k"), message(1, magic=magic, value=b"w" * 30)
    return Base(f"wrapper-{magic}-{codec}", "message-sets", wrapper(*held, codec=codec), "message.wrapper")


def _contexts() -> list[Base]:
    """Return fields of every kind of batch, and fields after a first batch."""
    before, everything = wire(batch()), batch_of_everything("plain")
    kinds = {kind: rule for kind, rule in RULES.items() if not kind.startswith("in-")}
    batches = [
        Base(kind, "batches", batch_of_everything(kind), rule, context_of="plain") for kind, rule in kinds.items()
    ]
    appended = message(5, key=b"k", value=b"value", timestampType="log-append", timestamp=TIME)
    after_batch = message(5, key=b"k", value=b"value")
    return [
        *batches,
        Base("second-batch", "batches", everything, "field.batches", before, context_of="plain"),
        Base("message-log-append", "message-sets", appended, "message.timestamps", context_of="message-1"),
        Base(
            "message-behind-a-batch",
            "message-sets",
            after_batch,
            "field.mixed-magic",
            before,
            context_of="message-1",
        ),
    ]
