"""Values to bytes and back: the public face of the wire types.

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
from reference.protocols import message_type
from reference.wire.stream import Deviation, LenientReader, Reader, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.schema import MessageSchema


@dataclass(frozen=True)
class Encoded:
    """The canonical bytes of a value, and what each of them is."""

    schema: MessageSchema
    wire: bytes

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Every byte's meaning, in order; no gaps, no overlaps."""
        return _spans(self.schema, self.wire)


@dataclass(frozen=True)
class Decoded:
    """What a reader makes of bytes."""

    schema: MessageSchema
    wire: bytes
    value: dict[str, Any]
    consumed: int

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Every byte's meaning, in order; no gaps, no overlaps."""
        return _spans(self.schema, self.wire)


def encode(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    """The canonical bytes of `value`: the message's body, without header and size.

    Fields of other versions may be given: they are dropped if they are ignorable or at their defaults.

    Raises:
        Unencodable: the value has no bytes in this version; says which field, and why.
    """
    return message_type(schema).write(value)


def encode_with_spans(schema: MessageSchema, value: dict[str, Any]) -> Encoded:
    """As `encode`, with the meaning of each byte.

    Raises:
        Unencodable: as `encode`.
    """
    return Encoded(schema, encode(schema, value))


def decode(schema: MessageSchema, wire: bytes) -> Decoded:
    """Read one message's body, strictly: only bytes that every reader must accept.

    Raises:
        Malformed: the bytes are invalid, or the protocol leaves open what they are (then its reason is None).
    """
    reader = Reader(wire)
    value = message_type(schema).read(reader)
    return Decoded(schema, wire, value, reader.end())


def decode_leniently(schema: MessageSchema, wire: bytes) -> tuple[dict[str, Any], int]:
    """Read as Apache Kafka does: the value, and how many bytes it takes.

    Raises:
        Malformed: Apache Kafka rejects the bytes as well.
    """
    reader = LenientReader(wire, limits=schema.limits)
    value = message_type(schema).read(reader)
    reader.check_limits()
    return value, reader.tell()


def _spans(schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    reader = LenientReader(wire, trace=True)
    message_type(schema).read(reader)
    return tuple(reader.spans or ())


@dataclass(frozen=True)
class Trace:
    """What a lenient reader meets in bytes, sound or not.

    Attributes:
        spans: the meaning of each byte up to where it stops.
        deviations: the places that it overlooks, in order.
        fault: why it stops before the end; None if it does not.
        refusal: what the readers of a release refuse, although it can be read to its end.
        consumed: how many bytes are read; with a fault, how many are before it.
    """

    spans: tuple[Span, ...]
    deviations: tuple[Deviation, ...]
    fault: Malformed | None
    refusal: Malformed | None
    consumed: int


def trace(wire: bytes, read: Callable[[LenientReader], Any], limits: Limits = UNLIMITED) -> Trace:
    """Read `wire` by a function that takes a reader; bytes that it leaves are a deviation. Never refuses bytes."""
    reader = LenientReader(wire, trace=True, limits=limits)
    fault = None
    try:
        read(reader)
        consumed = reader.end()
    except Malformed as error:
        fault, consumed = error, max((span.end for span in reader.spans or ()), default=0)
    return Trace(tuple(reader.spans or ()), tuple(reader.deviations), fault, reader.refusal, consumed)


def trace_message(schema: MessageSchema, wire: bytes) -> Trace:
    """Read a message's body leniently, with the meaning of each byte; never refuses bytes."""
    return trace(wire, message_type(schema).read, schema.limits)


def spans_up_to_fault(schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    """The meaning of each byte that a lenient reader reads before it can go on no more; of all bytes if it can."""
    return trace(wire, message_type(schema).read).spans
