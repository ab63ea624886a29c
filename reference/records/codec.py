"""Encode and decode whole `records` fields, the public face of this package.

>>> wire = bytes.fromhex(
...     "0000000000000000 00000038 ffffffff 02 c428857f 0000 00000000 0000018bcfe56800 0000018bcfe56800"
...     "ffffffffffffffff ffff ffffffff 00000001 0c000000010100"
... )
>>> value = decode_records(wire)
>>> value["batches"][0]["records"][0]["timestampDelta"]
0
>>> encode_records(value) == wire
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Malformed
from reference.records.reading import Layer, Reading, default_limit
from reference.records.records_field import read_field, write_field
from reference.wire.stream import LenientReader, Reader

if TYPE_CHECKING:
    from reference.wire.stream import Span


def encode_records(value: dict[str, Any]) -> bytes:
    """Return the bytes of a whole field. Compressed batches have the bytes of this project's compressors.

    Raises:
        Unencodable: the value has no bytes. The error names the part and the reason.
    """
    return write_field(value)


def decode_records(wire: bytes, *, limit: int | None = None) -> dict[str, Any]:
    """Read a whole field strictly, without bytes that another reader may refuse.

    Args:
        wire: the field, without its length.
        limit: the highest number of bytes from its compressed streams, by default 16 MiB and 64 for each byte of
            `wire`.

    Raises:
        Malformed: the bytes are invalid; or their meaning is open, or the limit is reached (then the reason is None).
    """
    return read_field(Reading(Reader(wire), default_limit(wire) if limit is None else limit))


class RecordsTrace(NamedTuple):
    """The findings of a lenient reader in a field, valid or not.

    Attributes:
        layers: the field and the contents of its compressed streams, with the meaning of each byte.
        fault: the error that stops the reader before the end, or None if it reaches the end.
    """

    layers: tuple[Layer, ...]
    fault: Malformed | None


def trace_records(wire: bytes, *, limit: int | None = None, check_crc: bool = True) -> RecordsTrace:
    """Trace a whole field leniently and never refuse its bytes."""
    reader = LenientReader(wire, trace=True)
    reading = Reading(reader, default_limit(wire) if limit is None else limit, check_crc)
    fault = None
    try:
        read_field(reading)
    except Malformed as error:
        fault = error
    field = Layer("", wire, tuple(reader.spans or ()), tuple(reader.deviations))
    return RecordsTrace((field, *reading.layers), fault)


def records_layers(wire: bytes, *, limit: int | None = None) -> tuple[Layer, ...]:
    """Return the field and the contents of its compressed streams, with the meaning of each byte.

    Invalid bytes have a meaning up to the place where Apache Kafka's consumer stops.
    """
    return trace_records(wire, limit=limit).layers


def records_spans(wire: bytes) -> tuple[Span, ...]:
    """Return the meaning of each byte of a field. A compressed stream has the spans of its own format."""
    return records_layers(wire)[0].spans
