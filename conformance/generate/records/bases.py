"""The sound `records` fields that are tampered with: of each kind of batch and message one."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from conformance.generate.records.building import TIME, batch, message, record, wire, wrapper
from conformance.generate.records.edges import CODECS
from conformance.generate.records.edges.contexts import KINDS, batch_of_everything

OF_WRAPPERS = CODECS[:3]


class Base(NamedTuple):
    """A sound field of one batch or entry, which may stand behind another one."""

    name: str
    group: str
    value: dict[str, Any]
    before: bytes = b""
    is_context: bool = False
    """Whether it differs from another base in its context only: less is done to it."""

    @property
    def wire(self) -> bytes:
        """Its own bytes, without those before it."""
        return wire(self.value)


@cache
def record_bases() -> tuple[Base, ...]:
    """Return the sound fields that are tampered with.

    Raises:
        MissingLibrary: a codec needs a library that is not installed.
    """
    held = (
        record(key=b"key", value=b"value", headers=[("h", b"1"), ("i", None)]),
        record(1, timestampDelta=300, key=None, value=b"v" * 70),
    )
    plain = Base("plain", "batches", batch(*held, producerId=4711, producerEpoch=3, baseSequence=12))
    streams = [Base(f"in-{codec}", codec, batch(*held, compression=codec)) for codec in CODECS]
    sets = [
        Base(f"message-{magic}", "message-sets", message(5, magic=magic, key=b"k", value=b"value")) for magic in (0, 1)
    ]
    wrappers = [
        Base(f"wrapper-{magic}-{codec}", "message-sets", _wrapper(magic, codec))
        for magic in (0, 1)
        for codec in OF_WRAPPERS
    ]
    empty = Base("empty", "batches", batch(lastOffsetDelta=3) | {"records": []})
    return (plain, empty, *streams, *sets, *wrappers, *_contexts())


def _wrapper(magic: int, codec: str) -> dict[str, Any]:
    return wrapper(message(0, magic=magic, key=b"k"), message(1, magic=magic, value=b"w" * 30), codec=codec)


def _contexts() -> list[Base]:
    """Return fields of every kind of batch, and of what stands behind a first batch."""
    before = wire(batch())
    kinds = [kind for kind in KINDS if kind != "plain" and not kind.startswith("in-")]
    batches = [Base(kind, "batches", batch_of_everything(kind), is_context=True) for kind in kinds]
    batches += [Base("second-batch", "batches", batch_of_everything("plain"), before, is_context=True)]
    appended = message(5, key=b"k", value=b"value", timestampType="log-append", timestamp=TIME)
    behind = message(5, key=b"k", value=b"value")
    return [
        *batches,
        Base("message-log-append", "message-sets", appended, is_context=True),
        Base("message-behind-a-batch", "message-sets", behind, before, is_context=True),
    ]
