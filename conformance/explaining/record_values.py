"""What the bytes of one span of record batches say: types and short texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.explaining.values import NULL, Said, payload_text, quoted, timestamp_text
from reference.records import attributes as bits
from reference.records.compression import NONE
from reference.records.numbers import read_varint, read_varlong
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from reference import Span

INTEGERS = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}
"""The types of numbers of a fixed width, by their number of bytes."""

STREAMS = (".records", ".messages")
"""How the paths of compressed streams end."""


def describe(span: Span, piece: bytes) -> Said:
    """Return what the bytes of a span say."""
    name = span.path.rpartition(".")[2]
    if span.path.endswith(STREAMS):
        return Said("compressed-stream", payload_text(piece, is_text=False))
    if span.role == "payload":
        return (
            Said("bytes", _content(piece)) if name != "partial" else Said("bytes", payload_text(piece, is_text=False))
        )
    if span.form == "varint":
        return _varint(span, piece, name)
    return _fixed(span, piece, name)


def _varint(span: Span, piece: bytes, name: str) -> Said:
    reader = LenientReader(piece)
    if span.role == "varint" and name == "timestampDelta":
        return Said("varlong", str(read_varlong(reader, "", span.rule)))
    number = read_varint(reader, "", span.role, span.rule)
    is_null = number < 0 and span.role == "length" and name in {"key", "value"}
    return Said("varint", NULL if is_null else str(number))


def _fixed(span: Span, piece: bytes, name: str) -> Said:
    if name == "crc":
        return Said("uint32", piece.hex())
    type_, number = INTEGERS.get(len(piece), "bytes"), int.from_bytes(piece, "big", signed=True)
    if span.role == "length":
        return Said(type_, NULL if number < 0 else str(number))
    if name == "attributes":
        return Said(type_, _attributes(span, number))
    return Said(type_, timestamp_text(number) if "timestamp" in name.lower() else str(number))


def _attributes(span: Span, number: int) -> str:
    """Return the codec, the type of the timestamp and the flags; of a record, whose attributes are unused, a number."""
    if span.rule == "record.attributes-unused":
        return str(number)
    flags = [name for name, bit in bits.FLAGS.items() if span.rule == "batch.attributes" and number & bit]
    codec = bits.codec_name(number) or f"codec {number & bits.CODEC_BITS}"
    codec = "no compression" if codec == NONE else codec
    return ", ".join((f"{number}: {codec}", f"{bits.timestamp_type(number)} time", *flags))


def _content(piece: bytes) -> str:
    """Return a key or a value: as a text if it is one that can be shown."""
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return payload_text(piece, is_text=False)
    return quoted(text) if text.isprintable() else payload_text(piece, is_text=False)
