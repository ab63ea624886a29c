"""Sound `records` fields tampered with at every place of their structure, from a fixed list.

Each number, length, count and marker is replaced, outside and inside of a compressed stream; lengths around it and CRCs
are put right again, and once for each place left stale. Streams are cut and damaged; fields are cut at every byte.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.records.building import (
    HEADER,
    MAGIC,
    batch,
    message,
    record,
    sealed,
    sealed_message,
    wire,
    wrapper,
)
from conformance.generate.records.edges import CODECS
from conformance.generate.records.streams import unusual_streams
from reference import records_layers
from reference.records.compression import CODECS as COMPRESSIONS
from reference.records.compression import lz4
from reference.wire.signed_varints import VARINT, VARLONG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import Span

MAGIC_AT, OVERHEAD = 16, 12
NUMBERS = (0, 1, -1, -2, 63, 64, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**63 - 1, -(2**63))
NEAR = (1, -1)
SEALING = frozenset(("length", "size", "crc"))
"""Fields that a repair would put right again."""
SMALL = 2
"""Fields of so many bytes are changed bit by bit."""
TAILS = (b"\0", bytes(4), b"\xff" * 4)
ZEROS = (1, 11, 12, 13, 17, 19)
"""Zeros at the end of a field: up to 11 are an incomplete batch."""


class TamperedRecords(NamedTuple):
    """The bytes of a field, and what was done to make them."""

    name: str
    path: str
    wire: bytes
    base: str
    """The name of the sound field that they were made from."""


class Base(NamedTuple):
    """A sound field of one batch or entry."""

    name: str
    group: str
    value: dict[str, Any]

    @property
    def wire(self) -> bytes:
        """Its bytes."""
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
        for codec in ("gzip", "lz4")
    ]
    empty = Base("empty", "batches", batch(lastOffsetDelta=3) | {"records": []})
    return (plain, empty, *streams, *sets, *wrappers)


def _wrapper(magic: int, codec: str) -> dict[str, Any]:
    return wrapper(message(0, magic=magic, key=b"k"), message(1, magic=magic, value=b"w" * 30), codec=codec)


def tampered_records(base: Base) -> Iterator[TamperedRecords]:
    """Yield everything that is done to one base; the base itself comes first."""
    sound = base.wire
    yield TamperedRecords(base.name, "", sound, base.name)
    field, *streams = records_layers(sound)
    for name, path, data in _outside(base, sound, field.spans):
        yield TamperedRecords(f"{base.name}/{name}", path, data, base.name)
    for name, path, data in _of_stream(sound, field.spans) if streams else ():
        yield TamperedRecords(f"{base.name}/{name}", path, data, base.name)
    for stream in streams:
        for name, path, data in _other_streams(base, sound, field.spans, stream.wire):
            yield TamperedRecords(f"{base.name}/{name}", path, data, base.name)
        for name, path, data in _inside(base, sound, stream.wire, stream.spans):
            yield TamperedRecords(f"{base.name}/{name}", path, data, base.name)
    for name, data in _whole(base, sound):
        yield TamperedRecords(f"{base.name}/{name}", "", data, base.name)


def _outside(base: Base, sound: bytes, spans: Sequence[Span]) -> Iterator[tuple[str, str, bytes]]:
    """Yield a field with other numbers in header and records; the first one of each place with a stale CRC as well."""
    for span in spans:
        if base.value["compression"] != "none" and span.form == "raw":
            continue
        for index, (what, piece) in enumerate(_replacements(sound, span)):
            changed = sound[: span.start] + piece + sound[span.end :]
            if _member(span) in SEALING:
                yield f"{span.path}{what}", span.path, changed
                continue
            yield f"{span.path}{what}", span.path, sealed(changed)
            if not index:
                yield f"{span.path}{what}-stale", span.path, _with_length(changed)


def _inside(base: Base, sound: bytes, data: bytes, spans: Sequence[Span]) -> Iterator[tuple[str, str, bytes]]:
    """Yield a field with other numbers in what is compressed."""
    for span in spans:
        for what, piece in _replacements(data, span):
            changed = data[: span.start] + piece + data[span.end :]
            if base.value["magic"] < MAGIC and _member(span) not in SEALING:
                changed = _with_entry_resealed(changed, span, spans, len(changed) - len(data))
            yield f"{span.path}{what}", span.path, _with_stream(base, sound, changed)
    for tail in TAILS:
        yield f"inside+{tail.hex()}", "", _with_stream(base, sound, data + tail)
    for size in (0, 1, len(data) // 2, len(data) - 1):
        yield f"inside-cut-{size}", "", _with_stream(base, sound, data[:size])


def _of_stream(sound: bytes, spans: Sequence[Span]) -> Iterator[tuple[str, str, bytes]]:
    """Yield a field whose compressed stream is damaged."""
    parts = [span for span in spans if span.form == "raw"]
    start, end, path = parts[0].start, parts[-1].end, parts[0].path
    stream = sound[start:end]
    for at in sorted({0, 1, 2, *(span.start - start for span in parts), len(stream) // 2, len(stream) - 1}):
        for bit in (0, 7):
            flipped = stream[:at] + bytes([stream[at] ^ 1 << bit]) + stream[at + 1 :]
            yield f"stream^{at}.{bit}", path, _in_place(sound, start, end, flipped)
        yield f"stream-cut-{at}", path, _in_place(sound, start, end, stream[:at])
    for tail in TAILS:
        yield f"stream+{tail.hex()}", path, _in_place(sound, start, end, stream + tail)
    for codec in range(8):
        at = MAGIC_AT + 1 if sound[MAGIC_AT] < MAGIC else 22
        other = bytes([sound[at] & ~7 | codec])
        yield f"codec={codec}", path, sealed(sound[:at] + other + sound[at + 1 :])


def _other_streams(base: Base, sound: bytes, spans: Sequence[Span], data: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield a field with a stream that not every reader takes; a message with one of zstd, which came after them."""
    parts = [span for span in spans if span.form == "raw"]
    start, end, path = parts[0].start, parts[-1].end, parts[0].path
    if base.value["magic"] == MAGIC:
        for name, stream in unusual_streams(base.value["compression"], data):
            yield f"stream-{name}", path, _in_place(sound, start, end, stream)
        return
    at, zstd = MAGIC_AT + 1, COMPRESSIONS["zstd"]
    other = sound[:at] + bytes([sound[at] & ~7 | zstd.number]) + sound[at + 1 :]
    yield "stream-of-zstd", path, _in_place(other, start, end, zstd.compress(data))


def _whole(base: Base, sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the field cut, with zeros behind it, twice, and with a damaged batch behind a sound one."""
    if base.name in {"plain", "message-1"}:
        yield from ((f"cut-{size}", sound[:size]) for size in range(len(sound)))
    yield from ((f"zeros-{size}", sound + bytes(size)) for size in ZEROS)
    yield "twice", sound + sound
    yield "twice-second-damaged", sound + sound[:-1] + bytes([sound[-1] ^ 0xFF])
    yield "twice-second-cut", sound + sound[:-1]


def _replacements(data: bytes, span: Span) -> Iterator[tuple[str, bytes]]:
    piece = data[span.start : span.end]
    if span.form == "varint":
        yield from _varints(piece, long=span.role == "varint")
    elif span.form == "fixed":
        yield from _fixed(piece)
    else:
        yield "+00", piece + b"\0"
        yield from [("-1", piece[:-1]), ("^01", piece[:-1] + bytes([piece[-1] ^ 1]))] if piece else []


def _varints(piece: bytes, *, long: bool) -> Iterator[tuple[str, bytes]]:
    """Yield other numbers, and other bytes that say the same number, or none."""
    form, width = (VARLONG, 10) if long else (VARINT, 5)
    now = form.parse(piece)
    numbers = (*(LONG_NUMBERS if long else NUMBERS), *(now + step for step in NEAR))
    yield from ((f"={number}", form.write(number)) for number in dict.fromkeys(numbers) if number != now)
    unfinished = piece[:-1] + bytes([piece[-1] | 0x80])
    if len(piece) < width:
        yield "-overlong", unfinished + b"\0"
        yield "-longest", unfinished + b"\x80" * (width - 1 - len(piece)) + b"\0"
        filled = unfinished.ljust(width - 1, b"\x80")
        yield "-excess", filled + (b"\x02" if long else b"\x10")
        yield "-too-long", filled + b"\x80\0"


def _fixed(piece: bytes) -> Iterator[tuple[str, bytes]]:
    width, now = len(piece), int.from_bytes(piece, "big", signed=True)
    highest = (1 << 8 * width - 1) - 1
    numbers = (0, 1, -1, -2, -OVERHEAD, highest, -highest - 1, highest - OVERHEAD, *(now + step for step in NEAR))
    for number in dict.fromkeys(numbers):
        if number != now and -highest - 1 <= number <= highest:
            yield f"={number}", number.to_bytes(width, "big", signed=True)
    for bit in range(8 * width if width <= SMALL else 0):
        yield f"^bit{bit}", (int.from_bytes(piece, "big") ^ 1 << bit).to_bytes(width, "big")


def _member(span: Span) -> str:
    return span.path.rpartition(".")[2]


def _with_length(data: bytes) -> bytes:
    """Return one batch or message with its length made right, and its CRC as it was."""
    return data[:8] + (len(data) - OVERHEAD).to_bytes(4, "big", signed=True) + data[OVERHEAD:]


def _with_entry_resealed(data: bytes, span: Span, spans: Sequence[Span], growth: int) -> bytes:
    """Return a message set in which the message around a changed place has the right size and CRC."""
    prefix = span.path.rpartition(".")[0] + "."
    own = [other for other in spans if other.path.startswith(prefix)]
    start, end = own[0].start, own[-1].end + growth
    return data[:start] + sealed_message(data[start:end]) + data[end:]


def _with_stream(base: Base, sound: bytes, data: bytes) -> bytes:
    """Return the base with these bytes in its compressed stream."""
    codec, magic = base.value["compression"], base.value["magic"]
    stream = lz4.compress(data, legacy=True) if (codec, magic) == ("lz4", 0) else COMPRESSIONS[codec].compress(data)
    if magic == MAGIC:
        return sealed(sound[:HEADER] + stream)
    field = records_layers(sound)[0]
    parts = [span for span in field.spans if span.form == "raw"]
    return _in_place(sound, parts[0].start, parts[-1].end, stream)


def _in_place(sound: bytes, start: int, end: int, stream: bytes) -> bytes:
    """Return a batch or message with another stream, sealed; in a message the length before it is made right."""
    if sound[MAGIC_AT] == MAGIC:
        return sealed(sound[:start] + stream + sound[end:])
    return sealed(sound[: start - 4] + len(stream).to_bytes(4, "big") + stream + sound[end:])
