"""The streams that wire types read from, and what they note on the way.

A `Reader` is a `BytesIO` that knows its size and its policy. The wire types never decide whether a leniency is
acceptable: they tell the reader of each *deviation*, and the reader's class is the policy. `Reader` is strict and
stops at the first one; `LenientReader` goes on, as Apache Kafka does, and keeps a list.

`StreamReader` is the strict reader over a stream of somebody else's, for construct.
"""

from __future__ import annotations

from io import SEEK_END, BytesIO
from sys import maxsize
from typing import BinaryIO, Literal, NamedTuple, NoReturn

from reference.errors import Malformed, Reason, Refusal, Unencodable
from reference.limits import UNLIMITED, Limits
from reference.paths import Path, render_path

Form = Literal["fixed", "varint", "coded-varint", "raw"]
"""How bytes hold their value: in a fixed width; as a varint of the number, or of its zig-zag number; as a
varint whose bits a proposal arranges in its own way; or raw, as texts and bytes do."""


class Span(NamedTuple):
    """What the bytes `[start, end)` are."""

    start: int
    end: int
    path: str
    role: str
    """length, count, marker, varint, number, payload, tag-count, tag, tag-size"""
    rule: str
    """The id of the rule that says what these bytes are."""
    form: Form
    """How these bytes hold their value."""


class Deviation(NamedTuple):
    """A place where bytes decode only because the reader is lenient."""

    rule: str
    offset: int
    path: str


class Reader(BytesIO):
    """A strict stream over `data`; with `trace`, every byte's meaning is kept in `spans`.

    >>> from reference.wire.numbers import INT16
    >>> INT16.parse_stream(Reader(bytes.fromhex("000b")))
    11
    """

    limits = UNLIMITED
    """A strict reader has none, for the protocol has none."""

    def __init__(self, data: bytes, *, trace: bool = False) -> None:
        super().__init__(data)
        self.size = len(data)
        self.spans: list[Span] | None = [] if trace else None

    def span(self, start: int, path: Path, role: str, rule: str, form: Form) -> None:  # a span
        """Keep what the bytes from `start` to here are; does nothing unless the reader traces."""
        if self.spans is not None:
            self.spans.append(Span(start, self.tell(), render_path(path), role, rule, form))

    def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> NoReturn:
        """No reader can go on here."""
        raise Malformed(rule, reason, offset, render_path(path), detail)

    def truncated(self, path: Path) -> NoReturn:
        """The input ends where more is needed."""
        self.malformed("input.truncated", Reason.TRUNCATED, self.size, path)

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """A reader may refuse here, or go on."""
        raise Malformed(rule, None, offset, render_path(path))

    def unspecified_rejected(self, rule: str, offset: int, path: Path) -> NoReturn:
        """A reader may refuse here or go on, and Apache Kafka refuses."""
        raise Malformed(rule, None, offset, render_path(path))

    def beyond_limit(self, rule: str, offset: int, path: Path) -> None:
        """Something is beyond a limit of this reader, which the protocol does not have."""

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Bytes that every reader must take, though no writer should write them."""

    def end(self, path: Path = "") -> int:
        """Return how many bytes have been read: a reader may refuse any that follow."""
        consumed = self.tell()
        if consumed != self.size:
            self.deviation("input.trailing-bytes", consumed, path)
        return consumed


class LenientReader(Reader):
    """A stream whose deviations are collected: it reads what Apache Kafka reads, within the limits of a release."""

    def __init__(self, data: bytes, *, trace: bool = False, limits: Limits = UNLIMITED) -> None:
        super().__init__(data, trace=trace)
        self.limits = limits
        self.deviations: list[Deviation] = []
        self.refusal: Malformed | None = None
        """Of what Apache Kafka refuses, although it can be read to its end."""

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """Keep it and go on."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))

    def unspecified_rejected(self, rule: str, offset: int, path: Path) -> NoReturn:
        """Keep it and stop, as Apache Kafka does."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))
        raise Malformed(rule, None, offset, render_path(path))

    def beyond_limit(self, rule: str, offset: int, path: Path) -> None:
        """Keep it, and go on: what follows may be invalid for every reader."""
        self.deviation(rule, offset, path)
        self.refusal = self.refusal or Malformed(rule, None, offset, render_path(path))

    def check_limits(self) -> None:
        """Raise Malformed if anything was beyond a limit."""
        if self.refusal is not None:
            raise self.refusal

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Keep it and go on."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))


def refuse(reason: Refusal, path: Path, detail: str = "", rule: str = "") -> NoReturn:
    """Raise `Unencodable` for the value at `path`; `rule` where it is not the one that stands behind the reason."""
    raise Unencodable(reason, render_path(path), detail, rule)


def wrong_type(expected: str, value: object, path: Path) -> NoReturn:
    """Raise `Unencodable` for a value that is null or of the wrong Python type; null for a bool is the latter."""
    if value is None and expected != "bool":
        refuse(Refusal.NULL_NOT_ALLOWED, path, f"expected {expected}")
    refuse(Refusal.WRONG_TYPE, path, f"expected {expected}, got {shown(value)}")


def shown(value: object) -> str:
    """The beginning of a value's `repr`, for errors: Python does not print integers of thousands of digits."""
    try:
        return f"{value!r:.80}"
    except ValueError:
        return f"{type(value).__name__} of too many digits to be shown"


class StreamReader(Reader):
    """A strict reader over a binary stream that belongs to somebody else, for construct.

    It reads nothing ahead: afterwards the stream stands behind the last byte that was read. Offsets are the stream's
    own, or count from here if the stream, such as a socket's, cannot be sought. Nor is its size known then, so that
    counts are compared with nothing: the input ends where the stream does.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(b"")
        self._stream = stream
        try:
            self._position = stream.tell()
            self.size = stream.seek(0, SEEK_END)
            stream.seek(self._position)
        except OSError:
            self._position = 0
            self.size = maxsize

    def read(self, size: int | None = -1, /) -> bytes:
        """Read from the stream."""
        data = self._stream.read(-1 if size is None else size)
        self._position += len(data)
        return data

    def tell(self) -> int:
        """Return where the stream stands."""
        return self._position

    def truncated(self, path: Path) -> NoReturn:
        """The stream has ended where more is needed."""
        self.malformed("input.truncated", Reason.TRUNCATED, self._position, path)
