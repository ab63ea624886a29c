"""The common part of all codecs, a stream with its errors and its bound.

A decompressor reads a stream to its end, however much of it the records need, and never makes more than `limit` bytes.
It notes every fault overlooked by Apache Kafka, and stops where Apache Kafka stops.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reference.errors import CodecError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

KAFKA_EXCEPTION = "KafkaException"


class Piece(NamedTuple):
    """The meaning of the bytes `[start, end)` of a compressed stream."""

    start: int
    end: int
    role: str
    rule: str


@dataclass
class Stream:
    """A compressed stream during its reading."""

    wire: bytes
    limit: int
    """The highest number of bytes it may have as content."""
    most_missing: int | None = None
    """The greatest number of bytes that may be missing from a cut skippable frame of zstd, or None for any number."""
    at: int = 0
    """The offset of the next byte to read."""
    chunks: list[bytes] = field(default_factory=list)
    size: int = 0
    """The number of bytes decompressed so far."""
    declared: int = 0
    """The largest number of bytes declared in the stream for a reader, as content or as a window to look back into."""
    notes: list[tuple[str, int]] = field(default_factory=list)
    """Rules violated by the stream although Apache Kafka reads it, each with an offset."""
    pieces: list[Piece] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The number of bytes not yet read."""
        return len(self.wire) - self.at

    @property
    def data(self) -> bytes:
        """All bytes decompressed so far."""
        return b"".join(self.chunks)

    def take(self, count: int, role: str, rule: str, *, detail: str = "the stream ends early") -> bytes:
        """Read `count` bytes, or raise BadStream if there are fewer."""
        if self.left < count:
            raise BadStream(self, len(self.wire), detail)
        start = self.at
        self.at += count
        if count:
            self.pieces.append(Piece(start, self.at, role, rule))
        return self.wire[start : self.at]

    def declare(self, size: int) -> None:
        """Note a size declared in the stream, true or not."""
        self.declared = max(self.declared, size)

    def put(self, data: bytes) -> None:
        """Add decompressed bytes, or raise BeyondBound if there are too many."""
        self.size += len(data)
        if self.size > self.limit:
            raise BeyondBound(self.limit)
        self.chunks.append(data)


class BadStream(CodecError):
    """A compressed stream that Apache Kafka does not read to its end.

    Attributes:
        stream: the stream up to the fault.
        offset: the index of the first wrong byte.
        detail: the fault at that byte.
        rule: the id of the violated rule.
        reason: why the stream is invalid, or None if other readers may continue.
        exception: the class thrown by Apache Kafka.
        whole: the number of bytes decompressed from whole members, chunks and frames before the fault, or 0 unless the
            bytes there may belong to something else.
    """

    def __init__(  # noqa: PLR0913  # the facts of an error
        self,
        stream: Stream,
        offset: int,
        detail: str,
        *,
        rule: str = "codec.corrupt",
        exception: str = KAFKA_EXCEPTION,
        whole: int = 0,
    ) -> None:
        super().__init__(detail)
        self.stream = stream
        self.offset = offset
        self.detail = detail
        self.rule = rule
        self.reason = Reason.COMPRESSION if rule == "codec.corrupt" else None
        self.exception = exception
        self.whole = whole


class BeyondBound(CodecError):
    """More content in a stream than the caller's bound allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} bytes come out of the stream")
        self.limit = limit


@dataclass(frozen=True)
class Codec:
    """One codec of the protocol."""

    number: int
    """The number in the lowest three bits of the attributes."""
    name: str
    rule: str
    compress: Callable[[bytes], bytes]
    decompress: Callable[[Stream], None]
    """Read a stream to its end; raise BadStream or BeyondBound."""
    open: Callable[[Stream], None]
    """Read as much of a stream as Apache Kafka does before its first record."""
