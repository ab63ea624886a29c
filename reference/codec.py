"""Encode values and decode bytes, the public face of the wire types.

`encode` and `decode` are strict. `decode_leniently` reads as Apache Kafka does. `trace` never refuses bytes: it
returns everything that a lenient reader meets in them.

>>> from reference import load_release, encode, decode, minimal
>>> schema = load_release("4.3.0").schema("MetadataRequest", 12)
>>> encode(schema, minimal(schema)).hex()
'01010000'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reference.errors import Malformed
from reference.limits import UNLIMITED, Limits
from reference.protocols import wire_type_of
from reference.wire.stream import Deviation, LenientReader, Reader, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.schema import MessageSchema


@dataclass(frozen=True)
class Encoded:
    """The canonical bytes of a value, with the meaning of each."""

    schema: MessageSchema
    wire: bytes

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the bytes in order, without gaps or overlaps."""
        return _spans(self.schema, self.wire)


@dataclass(frozen=True)
class Decoded:
    """A value read from bytes.

    Attributes:
        schema: the schema of the message.
        wire: all bytes given to the reader.
        value: the value of the message's body.
        consumed: the number of bytes read.
    """

    schema: MessageSchema
    wire: bytes
    value: dict[str, Any]
    consumed: int

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the bytes in order, without gaps or overlaps."""
        return _spans(self.schema, self.wire)


def encode(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    """Return the canonical bytes of a message's body, without header and size.

    A value may have fields of other versions. They are dropped if they are ignorable or have their default value.

    Raises:
        Unencodable: the value has no bytes in this version. The error names the field and the reason.
    """
    return wire_type_of(schema).write(value)


def encode_with_spans(schema: MessageSchema, value: dict[str, Any]) -> Encoded:
    """Return the canonical bytes of a message's body, with the meaning of each byte.

    Raises:
        Unencodable: as `encode`.
    """
    return Encoded(schema, encode(schema, value))


def decode(schema: MessageSchema, wire: bytes) -> Decoded:
    """Read one message's body strictly, without bytes that another reader may refuse.

    Raises:
        Malformed: the bytes are invalid, or the protocol leaves their meaning open (then the reason is None).
    """
    reader = Reader(wire)
    value = wire_type_of(schema).read(reader)
    return Decoded(schema, wire, value, reader.end())


def decode_leniently(schema: MessageSchema, wire: bytes) -> tuple[dict[str, Any], int]:
    """Return the value that Apache Kafka reads, and the number of bytes read.

    Raises:
        Malformed: Apache Kafka rejects the bytes as well.
    """
    reader = LenientReader(wire, limits=schema.limits)
    value = wire_type_of(schema).read(reader)
    reader.check_limits()
    return value, reader.tell()


def _spans(schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    # A second reading: most callers never ask for spans, and a reader without them takes short cuts.
    reader = LenientReader(wire, trace=True)
    wire_type_of(schema).read(reader)
    return tuple(reader.spans or ())


@dataclass(frozen=True)
class Trace:
    """The findings of a lenient reader in bytes, valid or not.

    Attributes:
        spans: the meaning of each byte, up to the place where the reader stops.
        deviations: the deviations overlooked by the reader, in order.
        fault: the error that stops the reader before the end, or None if it reaches the end.
        refusal: the error of the readers of a release, for bytes readable to their end but beyond a limit of it.
        consumed: the number of bytes read, or with a fault the number of bytes before it.
    """

    spans: tuple[Span, ...]
    deviations: tuple[Deviation, ...]
    fault: Malformed | None
    refusal: Malformed | None
    consumed: int


def trace(wire: bytes, read: Callable[[LenientReader], Any], limits: Limits = UNLIMITED) -> Trace:
    """Trace any `wire` with the read function of a wire type. Bytes left over after `read` are a deviation."""
    reader = LenientReader(wire, trace=True, limits=limits)
    fault = None
    try:
        read(reader)
        consumed = reader.end()
    except Malformed as error:
        # The reader itself may stand inside a broken value; the spans end before it.
        fault, consumed = error, max((span.end for span in reader.spans or ()), default=0)
    return Trace(tuple(reader.spans or ()), tuple(reader.deviations), fault, reader.refusal, consumed)


def trace_message(schema: MessageSchema, wire: bytes) -> Trace:
    """Trace the bytes of a message's body and never refuse them."""
    return trace(wire, wire_type_of(schema).read, schema.limits)


def spans_up_to_fault(schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    """Return the meaning of each byte before the one where a lenient reader stops, or of all bytes."""
    return trace(wire, wire_type_of(schema).read).spans
