"""One reading of a `records` field: the bound of decompression, whether CRCs are checked, and what was decompressed.

Compressed records are read by a reader of their own, of the same policy. What it notes counts for the reader of the
field, at the first byte of the compressed stream; errors say the place in the decompressed bytes as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Malformed, Reason
from reference.limits import bounds_records
from reference.paths import Path, render_path
from reference.records.compression.base import BadStream, BeyondBound, Stream
from reference.wire.stream import Deviation, LenientReader, Reader, Span

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

SMALLEST_BOUND = 16 << 20
BOUND_FOR_EACH_BYTE = 64
BEYOND_BOUND = "codec.beyond-bound"


class ReaderBounds(NamedTuple):
    """What the readers of a release refuse of a compressed stream, though the protocol has no such bound."""

    longest_record: int | None = None
    """The longest record or message; None: they look at no length that they do not need."""
    most_missing: int | None = None
    """How many bytes may be missing of a skippable frame of zstd whose cut goes unnoticed; None: any number."""


UNBOUNDED = ReaderBounds()
OLDER = ReaderBounds(most_missing=(1 << 32) - 120)
"""The zstd of these releases returns the number of missing bytes as an int32. The last 119 are its error codes."""
NEWER = ReaderBounds(longest_record=0x7FFF_FFF7)


class MalformedRecords(Malformed):
    """Bytes that are not a valid `records` field.

    Attributes:
        within: index of the wrong byte in the decompressed records; None if it is not inside of a compressed stream.
        exception: the class that Apache Kafka's consumer throws, where it is not what the rule leads to elsewhere.
    """

    def __init__(  # noqa: PLR0913  # what is known of an error
        self,
        rule: str,
        reason: Reason | None,
        offset: int,
        path: str,
        detail: str = "",
        *,
        within: int | None = None,
        exception: str = "",
    ) -> None:
        super().__init__(rule, reason, offset, path, detail)
        self.within = within
        self.exception = exception


class BoundReached(Malformed):
    """More comes out of the compressed streams of a field than the bound allows: nobody knows whether it is valid."""


class Layer(NamedTuple):
    """Bytes with the meaning of each: the field itself, or what came out of one of its compressed streams."""

    path: str
    """Of the batch or message that the stream belongs to; empty for the field."""
    wire: bytes
    spans: tuple[Span, ...]
    deviations: tuple[Deviation, ...] = ()
    """The places in these bytes that a lenient reader overlooks."""


@dataclass
class Reading:
    """A reader of a field, and everything that holds for the whole field."""

    reader: Reader
    limit: int
    """How many bytes may come out of all compressed streams together."""
    check_crc: bool = True
    bounds: ReaderBounds = UNBOUNDED
    layers: list[Layer] = field(default_factory=list)
    declared: int = 0
    """The largest size that a compressed stream says."""
    streams: dict[int, Stream | BadStream] = field(default_factory=dict)
    """The outcome of each compressed stream of the field itself, by the place where it begins."""

    @property
    def tracing(self) -> bool:
        """Whether spans are kept."""
        return self.reader.spans is not None

    def decompress(self, decompressor: Callable[[Stream], None], start: int, end: int, path: Path) -> Stream:
        """Read the compressed stream `[start, end)` of the field with one of the functions of a codec.

        Raises:
            MalformedRecords: Apache Kafka does not read it; the stream so far is in `streams`.
            BoundReached: too much comes out.
        """
        stream = Stream(self.reader.getvalue()[start:end], self.limit, self.bounds.most_missing)
        try:
            self._run(decompressor, stream)
        except BadStream as error:
            self.streams[start] = error
            self._trace(stream, start, path)
            raise
        except BeyondBound as error:
            self._stop(start, path, str(error))
        self.streams[start] = stream
        self.limit -= stream.size
        for rule, offset in stream.notes:
            self.reader.deviation(rule, start + offset, path)
        self._trace(stream, start, path)
        return stream

    def _run(self, decompressor: Callable[[Stream], None], stream: Stream) -> None:
        try:
            decompressor(stream)
        finally:
            self.declared = max(self.declared, stream.declared)

    def _trace(self, stream: Stream, start: int, path: Path) -> None:
        if self.reader.spans is not None:
            rendered = render_path(path)
            self.reader.spans += (
                Span(start + piece.start, start + piece.end, rendered, piece.role, piece.rule, "raw")
                for piece in stream.pieces
            )
            self.reader.spans.sort(key=lambda span: span.start)

    def open_span(self, start: int, end: int) -> None:
        """Take back the span `[start, end)`, of a stream that is looked into."""
        if self.reader.spans is not None:
            self.reader.spans = [span for span in self.reader.spans if (span.start, span.end) != (start, end)]

    def within(self, start: int, end: int, read: Callable[[Reader], Any]) -> Any:
        """Read the bytes `[start, end)` of the field by a reader that cannot go beyond them.

        Raises:
            Malformed: the reader does not go on.
        """
        inner = type(self.reader)(self.reader.getvalue()[start:end], trace=self.tracing)
        try:
            return read(inner)
        except Malformed as error:
            raise MalformedRecords(
                error.rule, error.reason, start + error.offset, error.path, error.detail, exception=_exception(error)
            ) from error
        finally:
            self._take_over(inner, lambda offset: start + offset)
            if self.reader.spans is not None:
                self.reader.spans += (
                    span._replace(start=start + span.start, end=start + span.end) for span in inner.spans or ()
                )

    def inside(self, data: bytes, start: int, path: Path, read: Callable[[Reader], Any]) -> Any:
        """Read what came out of the stream that begins at `start`.

        Raises:
            Malformed: the reader does not go on.
        """
        inner = type(self.reader)(data, trace=self.tracing)
        try:
            return read(inner)
        except Malformed as error:
            detail = f"at byte {error.offset} of the decompressed records {error.detail}".rstrip()
            raise MalformedRecords(
                error.rule, error.reason, start, error.path, detail, within=error.offset, exception=_exception(error)
            ) from error
        finally:
            self._take_over(inner, lambda _: start)
            if inner.spans is not None:
                deviations = tuple(inner.deviations) if isinstance(inner, LenientReader) else ()
                self.layers.append(Layer(render_path(path), data, tuple(inner.spans), deviations))

    def _take_over(self, inner: Reader, place: Callable[[int], int]) -> None:
        """Keep the deviations of a reader of a part, at their places in the field."""
        if isinstance(inner, LenientReader) and isinstance(self.reader, LenientReader):
            self.reader.deviations += (each._replace(offset=place(each.offset)) for each in inner.deviations)

    def bad_stream(self, error: BadStream, start: int, path: Path) -> NoReturn:
        """Stop at a stream that Apache Kafka does not read."""
        if error.reason is None:
            self.unspecified(error.rule, start + error.offset, path, error.detail, error.exception)
        raise MalformedRecords(
            error.rule, error.reason, start + error.offset, render_path(path), error.detail, exception=error.exception
        ) from error

    def unspecified(self, rule: str, offset: int, path: Path, detail: str = "", exception: str = "") -> NoReturn:
        """Stop where Apache Kafka's consumer stops, although other readers may go on."""
        if isinstance(self.reader, LenientReader):
            self.reader.deviation(rule, offset, path)
        raise MalformedRecords(rule, None, offset, render_path(path), detail, exception=exception)

    def _stop(self, offset: int, path: Path, detail: str) -> NoReturn:
        """Stop without a verdict: the bound is reached."""
        if isinstance(self.reader, LenientReader):
            self.reader.deviation(BEYOND_BOUND, offset, path)
        raise BoundReached(BEYOND_BOUND, None, offset, render_path(path), detail)


def reader_bounds(release: str) -> ReaderBounds:
    """Return what the readers of a release refuse."""
    return NEWER if bounds_records(release) else OLDER


def default_limit(wire: bytes) -> int:
    """Return how many bytes may come out of the compressed streams of a field, unless the caller says otherwise."""
    return SMALLEST_BOUND + BOUND_FOR_EACH_BYTE * len(wire)


def _exception(error: Malformed) -> str:
    return error.exception if isinstance(error, MalformedRecords) else ""
