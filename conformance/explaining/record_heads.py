"""What is said before the place where a reader of record batches stops, although it has not read it yet.

Readers look at the length, the magic byte and the codec of a batch before they read its header.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from conformance.explaining.fields import keys_of
from reference import Malformed, Span
from reference.records.batch import OVERHEAD
from reference.records.layouts import BATCH_HEADER, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1
from reference.records.message_set import SMALLEST_MESSAGE
from reference.records.records_field import LENGTH_AT, MAGIC_AT
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.layouts import Layout


def head_spans(wire: bytes, spans: Sequence[Span], fault: Malformed) -> list[Span]:
    """Return what the first bytes of a batch or message are, up to the one at which reading stops.

    Nothing if they have been read: then it stops somewhere behind them.
    """
    start = max((span.end for span in spans), default=0)
    path = fault.path.rpartition(".")[0]
    if not path or any(span.path.startswith(f"{path}.") for span in spans):
        return []
    reader = LenientReader(wire[start:], trace=True)
    with suppress(Malformed):
        for layout in _layouts(wire[start + MAGIC_AT : start + MAGIC_AT + 1]):
            layout.read(reader)
    whole = [
        span._replace(start=start + span.start, end=start + span.end, path=f"{path}.{span.path}")
        for span in reader.spans or ()
    ]
    return [span for span in whole if span.start <= fault.offset]


def _layouts(magic: bytes) -> Sequence[Layout]:
    """Return what a batch begins with, by its magic byte; a magic that nobody knows is that of a batch."""
    if magic == b"\0":
        return MESSAGE_ENTRY, MESSAGE_V0
    return (MESSAGE_ENTRY, MESSAGE_V1) if magic == b"\1" else (BATCH_HEADER,)


def end_of_entry(wire: bytes, path: str) -> int:
    """Return where the batch or message ends that a path is in; the end of the bytes if nobody knows.

    The bytes are a field, or what came out of a stream: then its last index counts.
    """
    index = next((key for key in keys_of(path) if isinstance(key, int)), None)
    start = 0
    for _ in range(0 if index is None else index + 1):
        length = int.from_bytes(wire[start + LENGTH_AT : start + OVERHEAD], "big", signed=True)
        if len(wire) - start < OVERHEAD or length < SMALLEST_MESSAGE:
            return len(wire)
        start += OVERHEAD + length
    return min(start, len(wire)) or len(wire)
