"""The part that all codecs share: a stream while it is decompressed, its errors, and its bound.

A decompressor reads a stream to its end, however much of it the records need, and never makes more than `limit` bytes.
It notes what Apache Kafka overlooks, and stops where Apache Kafka stops.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reference.errors import CodecError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

KAFKA_EXCEPTION = "KafkaException"


class Piece(NamedTuple):
    """What the bytes `[start, end)` of a compressed stream are."""

    start: int
    end: int
    role: str
    rule: str


@dataclass
class Stream:
    """A compressed stream while it is read."""

    wire: bytes
    limit: int
    """How many bytes may come out of it."""
    most_missing: int | None = None
    """How many bytes may be missing of a skippable frame of zstd whose cut goes unnoticed; None: any number."""
    at: int = 0
    """Where reading stands."""
    chunks: list[bytes] = field(default_factory=list)
    size: int = 0
    """Of everything that came out."""
    declared: int = 0
    """The largest number of bytes that the stream says a reader needs, for what comes out or to look back into."""
    notes: list[tuple[str, int]] = field(default_factory=list)
    """Rules that the stream departs from although Apache Kafka reads it, each with a place."""
    pieces: list[Piece] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many bytes have not been read."""
        return len(self.wire) - self.at

    @property
    def data(self) -> bytes:
        """Everything that came out so far."""
        return b"".join(self.chunks)

    def take(self, count: int, role: str, rule: str, *, detail: str = "the stream ends early") -> bytes:
        """Read so many bytes.

        Raises:
            BadStream: there are fewer.
        """
        if self.left < count:
            raise BadStream(self, len(self.wire), detail)
        start = self.at
        self.at += count
        if count:
            self.pieces.append(Piece(start, self.at, role, rule))
        return self.wire[start : self.at]

    def declare(self, size: int) -> None:
        """Note that the stream says a size, true or not."""
        self.declared = max(self.declared, size)

    def put(self, data: bytes) -> None:
        """Add bytes that came out.

        Raises:
            BeyondBound: there are too many.
        """
        self.size += len(data)
        if self.size > self.limit:
            raise BeyondBound(self.limit)
        self.chunks.append(data)


class BadStream(CodecError):
    """A compressed stream that Apache Kafka does not read to its end.

    Attributes:
        stream: what was read of it.
        offset: index of the first byte that is wrong.
        detail: what is wrong there.
        rule: the id of the rule that it departs from.
        reason: why it is invalid; None where other readers may read on.
        exception: the class that Apache Kafka throws.
        whole: how many bytes came out of the members, chunks and frames before it, if it may be something else's bytes
            than those of one more; 0 otherwise.
    """

    def __init__(  # noqa: PLR0913  # what is known of an error
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
    """More would come out of a stream than the caller's bound allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} bytes come out of the stream")
        self.limit = limit


@dataclass(frozen=True)
class Codec:
    """One codec of the protocol."""

    number: int
    """In the lowest three bits of the attributes."""
    name: str
    rule: str
    compress: Callable[[bytes], bytes]
    decompress: Callable[[Stream], None]
    """Read a stream to its end into itself; raise BadStream, or BeyondBound."""
    open: Callable[[Stream], None]
    """Read as much as Apache Kafka reads before the first record is asked for."""
