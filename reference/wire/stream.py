r"""The readers of bytes, with their policies and notes.

A `Reader` is a `BytesIO` with a size and a policy. A wire type never decides whether a leniency is acceptable: it
reports each *deviation* to the reader, and the reader's class is the policy. `Reader` is strict and stops at the first
deviation. `LenientReader` continues, as Apache Kafka does, and keeps a list.
>>> from reference.wire.numbers import BOOL
>>> reader = LenientReader(b"\x02", trace=True)
>>> BOOL.read(reader, "Flag"), reader.deviations
(True, [Deviation(rule='bool.other-than-0-1', offset=0, path='Flag')])
>>> reader.spans
[Span(start=0, end=1, path='Flag', role='number', rule='bool.byte', form='fixed')]
"""

from __future__ import annotations

from io import BytesIO
from typing import Literal, NamedTuple, NoReturn

from reference.errors import Malformed, Reason, Refusal, Unencodable
from reference.limits import UNLIMITED, Limits
from reference.paths import Path, render_path

Form = Literal["fixed", "varint", "coded-varint", "raw"]
"""The encoding of the value in a span.

`fixed` is a fixed width; `varint` a varint of the number, or of its zig-zag number; `coded-varint` a varint with bits
arranged by a proposal; `raw` the bytes of a text or of bytes.
"""


class Span(NamedTuple):
    """The meaning of the bytes `[start, end)`."""

    start: int
    end: int
    path: str
    role: str
    """length, count, marker, varint, number, payload, tag-count, tag, tag-size"""
    rule: str
    """The id of the rule about these bytes."""
    form: Form
    """The encoding of the value in these bytes."""


class Deviation(NamedTuple):
    """A place where bytes decode only because the reader is lenient."""

    rule: str
    offset: int
    path: str


class Reader(BytesIO):
    """A strict reader of `data`. With `trace`, it keeps every byte's meaning in `spans`.

    >>> from reference.wire.numbers import INT16
    >>> INT16.read(Reader(bytes.fromhex("000b")))
    11
    """

    limits = UNLIMITED
    """A strict reader has no limits, since the protocol has none."""

    def __init__(self, data: bytes, *, trace: bool = False) -> None:
        super().__init__(data)
        self.size = len(data)
        self.spans: list[Span] | None = [] if trace else None

    def span(self, start: int, path: Path, role: str, rule: str, form: Form) -> None:
        """Keep the meaning of the bytes from `start` to the current position, if the reader traces."""
        if self.spans is not None:
            self.spans.append(Span(start, self.tell(), render_path(path), role, rule, form))

    def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> NoReturn:
        """Refuse bytes that no reader can read."""
        raise Malformed(rule, reason, offset, render_path(path), detail)

    def truncated(self, path: Path) -> NoReturn:
        """Refuse an input that ends inside a value."""
        self.malformed("input.truncated", Reason.TRUNCATED, self.size, path)

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """Report a place where readers may refuse or continue."""
        raise Malformed(rule, None, offset, render_path(path))

    def unspecified_rejected(self, rule: str, offset: int, path: Path) -> NoReturn:
        """Report a place where readers may refuse or continue, and Apache Kafka refuses."""
        raise Malformed(rule, None, offset, render_path(path))

    def beyond_limit(self, rule: str, offset: int, path: Path) -> None:
        """Report a number beyond a limit of this reader, though not of the protocol."""

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Report bytes that every reader must accept, though no writer should write them."""

    def end(self, path: Path = "") -> int:
        """Return the number of bytes read. Further bytes are a deviation, since a reader may refuse them."""
        consumed = self.tell()
        if consumed != self.size:
            self.deviation("input.trailing-bytes", consumed, path)
        return consumed


class LenientReader(Reader):
    """A reader that collects deviations, and reads all that Apache Kafka reads within the limits of a release."""

    def __init__(self, data: bytes, *, trace: bool = False, limits: Limits = UNLIMITED) -> None:
        super().__init__(data, trace=trace)
        self.limits = limits
        self.deviations: list[Deviation] = []
        self.refusal: Malformed | None = None
        """The error of Apache Kafka about the first number beyond a limit, if there is one."""

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """Keep the deviation and continue."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))

    def unspecified_rejected(self, rule: str, offset: int, path: Path) -> NoReturn:
        """Keep the deviation and stop, as Apache Kafka does."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))
        raise Malformed(rule, None, offset, render_path(path))

    def beyond_limit(self, rule: str, offset: int, path: Path) -> None:
        """Keep the deviation and continue, since later bytes may be invalid for every reader."""
        self.deviation(rule, offset, path)
        self.refusal = self.refusal or Malformed(rule, None, offset, render_path(path))

    def check_limits(self) -> None:
        """Raise Malformed if anything was beyond a limit."""
        if self.refusal is not None:
            raise self.refusal

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Keep the deviation and continue."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))


def refuse(reason: Refusal, path: Path, detail: str = "", rule: str = "") -> NoReturn:
    """Raise `Unencodable` for the value at `path`, by `rule` if it is not the rule of the reason."""
    raise Unencodable(reason, render_path(path), detail, rule)


def wrong_type(expected: str, value: object, path: Path) -> NoReturn:
    """Raise `Unencodable` for a value that is null or of the wrong Python type, which includes null for a bool."""
    if value is None and expected != "bool":
        refuse(Refusal.NULL_NOT_ALLOWED, path, f"expected {expected}")
    refuse(Refusal.WRONG_TYPE, path, f"expected {expected}, got {shown(value)}")


def shown(value: object) -> str:
    """Return the beginning of a value's `repr`, for errors."""
    try:
        return f"{value!r:.80}"
    except ValueError:
        # Python refuses to print integers of thousands of digits
        return f"{type(value).__name__} of too many digits to be shown"
