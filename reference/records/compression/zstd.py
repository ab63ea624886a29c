"""Zstandard (RFC 8878), one or more frames.

Apache Kafka writes one frame without the size of its content. Skippable frames may stand between others.

    28 b5 2f fd   00   58   00   ...
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import zstandard

from reference.records.compression.base import BadStream, Stream

MAGIC = bytes.fromhex("28b52ffd")
SKIPPABLE = bytes.fromhex("2a4d18")
"""The end of the magic of a skippable frame; its first byte is from 50 to 5f."""
SKIPPABLE_HEADER = 8
"""The bytes of the magic and of the size of a skippable frame."""
WIDEST_WINDOW = 1 << 27
INPUT = 256
"""The number of bytes given to the decompressor at once, so few that its output hardly exceeds the bound."""
BUFFER = (128 << 10) + 3
"""The number of bytes that Java's stream reads at once. It notices a cut frame only if it reads again inside it."""
SHORTEST_HEADER, LONGEST_HEADER = 6, 18
"""The bytes of magic, descriptor, window, dictionary and size."""
SINGLE_SEGMENT = 0x20
SMALLEST_WINDOW = 10
"""The power of two of the smallest window."""
RULE = "zstd.frame"


def compress(data: bytes) -> bytes:
    """Return one frame without the size of its content."""
    compressor = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    frame: bytes = compressor.compress(data) + compressor.flush()
    return frame


def open_stream(stream: Stream) -> None:
    """Read nothing, since Apache Kafka's stream opens on any bytes."""


def decompress(stream: Stream) -> None:
    """Read all frames."""
    frames = 0
    while stream.left:
        start, whole = stream.at, stream.size
        try:
            _frame(stream)
        except BadStream as error:
            error.whole = 0 if _begins_frame(stream.wire, start) else whole
            raise
        except _Cut as error:
            if not frames or not _goes_unnoticed(stream, start):
                raise BadStream(stream, start, "a frame that ends early", whole=whole) from error
            stream.notes.append(("codec.trailing-bytes", start))
            stream.take(stream.left, "payload", "codec.trailing-bytes")
        frames += 1
    if not frames:
        raise BadStream(stream, 0, "an empty stream", exception="InvalidRecordException")


class _Cut(Exception):
    """A frame that ends early."""


def _goes_unnoticed(stream: Stream, start: int) -> bool:
    if start % BUFFER == 0 or start // BUFFER != (len(stream.wire) - 1) // BUFFER:
        return False
    return stream.most_missing is None or _missing(stream.wire, start) <= stream.most_missing


def _missing(wire: bytes, start: int) -> int:
    """Return the number of missing bytes in a skippable frame, or 0 for other frames."""
    head = wire[start : start + SKIPPABLE_HEADER]
    if len(head) < SKIPPABLE_HEADER or not _is_skippable(head[:4]):
        return 0
    return int.from_bytes(head[4:], "little") - (len(wire) - start - SKIPPABLE_HEADER)


def _begins_frame(wire: bytes, at: int) -> bool:
    magic = wire[at : at + 4]
    return magic == MAGIC or _is_skippable(magic)


def _is_skippable(magic: bytes) -> bool:
    return len(magic) == len(MAGIC) and magic[0] >> 4 == 5 and magic[1:] == SKIPPABLE  # noqa: PLR2004  # 50 to 5f


def _frame(stream: Stream) -> None:
    start = stream.at
    _note_sizes(stream)
    decompressor = zstandard.ZstdDecompressor(max_window_size=WIDEST_WINDOW).decompressobj()
    at = start
    while not decompressor.eof:
        piece = stream.wire[at : at + INPUT]
        if not piece:
            raise _Cut
        at += len(piece)
        stream.put(_fed(stream, zstandard, decompressor, piece, start))
    stream.take(at - len(decompressor.unused_data) - start, "payload", RULE)


def _note_sizes(stream: Stream) -> None:
    """Note the window and the content size declared in the header of a frame."""
    head = stream.wire[stream.at : stream.at + LONGEST_HEADER]
    if len(head) < SHORTEST_HEADER or not head.startswith(MAGIC):
        return
    descriptor, next_byte = head[4:SHORTEST_HEADER]
    if not descriptor & SINGLE_SEGMENT:
        exponent, eighths = divmod(next_byte, 8)
        stream.declare((1 << SMALLEST_WINDOW + exponent) // 8 * (8 + eighths))
    with suppress(zstandard.ZstdError):
        size = zstandard.get_frame_parameters(head).content_size
        stream.declare(0 if size == zstandard.CONTENTSIZE_UNKNOWN else size)


def _fed(stream: Stream, zstandard: Any, decompressor: Any, piece: bytes, start: int) -> bytes:
    try:
        data: bytes = decompressor.decompress(piece)
    except zstandard.ZstdError as error:
        rule = "zstd.window" if "too much memory" in str(error) else "codec.corrupt"
        raise BadStream(stream, start, str(error), rule=rule) from error
    return data
