"""One reading of a `records` field, with its bound of decompression and its decompressed streams.

Compressed records have a reader of their own, of the same policy. Its deviations are also reported to the reader of the
field, at the first byte of the stream. Its errors have both places, in the field and in the decompressed bytes.
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
    """Bounds of a release's readers on a compressed stream, unknown to the protocol."""

    longest_record: int | None = None
    """The greatest length of a record or message, or None if the readers do not check unused lengths."""
    most_missing: int | None = None
    """The greatest number of bytes that may be missing from a cut skippable frame of zstd, or None for any number."""


UNBOUNDED = ReaderBounds()
OLDER = ReaderBounds(most_missing=(1 << 32) - 120)
"""The zstd of these releases returns the number of missing bytes as an int32. The last 119 are its error codes."""
NEWER = ReaderBounds(longest_record=0x7FFF_FFF7)


class MalformedRecords(Malformed):
    """Bytes without a valid meaning as a `records` field.

    Attributes:
        within: the index of the wrong byte in the decompressed records, or None outside compressed streams.
        exception: the class thrown by Apache Kafka's consumer, if it differs from that of the rule elsewhere.
    """

    def __init__(  # noqa: PLR0913  # the facts of an error
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
    """Bytes of unknown validity, whose compressed streams have more content than the bound allows."""


class Layer(NamedTuple):
    """The bytes of a field, or of one of its decompressed streams, with the meaning of each."""

    path: str
    """The path of the stream, such as `batches[0].records`; empty for the field itself."""
    wire: bytes
    spans: tuple[Span, ...]
    deviations: tuple[Deviation, ...] = ()
    """The deviations in these bytes overlooked by a lenient reader."""


@dataclass
class Reading:
    """A reader of a field, with the state of the whole field."""

    reader: Reader
    limit: int
    """The number of bytes that all compressed streams together may still have as contents."""
    check_crc: bool = True
    bounds: ReaderBounds = UNBOUNDED
    layers: list[Layer] = field(default_factory=list)
    declared: int = 0
    """The largest size declared in a compressed stream."""
    streams: dict[int, Stream | BadStream] = field(default_factory=dict)
    """The outcome of each compressed stream of the field itself, by its offset."""

    @property
    def tracing(self) -> bool:
        """Whether spans are kept."""
        return self.reader.spans is not None

    def decompress(self, decompressor: Callable[[Stream], None], start: int, end: int, path: Path) -> Stream:
        """Read the compressed stream `[start, end)` of the field with a function of a codec.

        Raises:
            BadStream: Apache Kafka does not read it; the error is kept in `streams`.
            BoundReached: the stream has too much content.
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
        self.limit -= stream.size  # it bounds all streams of the field together
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
        """Remove the span `[start, end)`, as spans of the compressed stream replace it."""
        if self.reader.spans is not None:
            self.reader.spans = [span for span in self.reader.spans if (span.start, span.end) != (start, end)]

    def within(self, start: int, end: int, read: Callable[[Reader], Any]) -> Any:
        """Read the bytes `[start, end)` of the field by a reader confined to them, or raise Malformed."""
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
        """Read the contents of the compressed stream at offset `start`, or raise Malformed."""
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
        if isinstance(inner, LenientReader) and isinstance(self.reader, LenientReader):
            self.reader.deviations += (each._replace(offset=place(each.offset)) for each in inner.deviations)

    def bad_stream(self, error: BadStream, start: int, path: Path) -> NoReturn:
        """Refuse a stream that Apache Kafka does not read."""
        if error.reason is None:
            self.unspecified(error.rule, start + error.offset, path, error.detail, error.exception)
        raise MalformedRecords(
            error.rule, error.reason, start + error.offset, render_path(path), error.detail, exception=error.exception
        ) from error

    def unspecified(self, rule: str, offset: int, path: Path, detail: str = "", exception: str = "") -> NoReturn:
        """Stop as Apache Kafka's consumer does, where other readers may continue."""
        if isinstance(self.reader, LenientReader):
            self.reader.deviation(rule, offset, path)
        raise MalformedRecords(rule, None, offset, render_path(path), detail, exception=exception)

    def _stop(self, offset: int, path: Path, detail: str) -> NoReturn:
        if isinstance(self.reader, LenientReader):
            self.reader.deviation(BEYOND_BOUND, offset, path)
        raise BoundReached(BEYOND_BOUND, None, offset, render_path(path), detail)


def reader_bounds(release: str) -> ReaderBounds:
    """Return the bounds of a release's readers."""
    return NEWER if bounds_records(release) else OLDER


def default_limit(wire: bytes) -> int:
    """Return the default limit for the contents of a field's compressed streams, in bytes."""
    return SMALLEST_BOUND + BOUND_FOR_EACH_BYTE * len(wire)


def _exception(error: Malformed) -> str:
    return error.exception if isinstance(error, MalformedRecords) else ""
