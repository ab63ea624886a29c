"""The streams that wire types read from, and what they note on the way.

A `Reader` is a `BytesIO` that knows its size and its policy. The wire types never decide whether a leniency is
acceptable: they tell the reader of each *deviation*, and the reader's class is the policy. `Reader` is strict and
stops at the first one; `LenientReader` goes on, as Apache Kafka does, and keeps a list.

A *path* is a linked pair `(parent, key)`, rendered only when somebody reads it: building `"Topics[3].Name"` for each
field of each message would cost more than reading the field.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, NamedTuple, NoReturn

from reference.errors import Malformed, Reason, Refusal, Unencodable

Path = Any
"""The root (any string) or a pair `(parent, key)`; keys are field names and array indexes."""


class Span(NamedTuple):
    """What the bytes `[start, end)` are."""

    start: int
    end: int
    path: str
    role: str
    """length, count, marker, varint, number, payload, tag-count, tag, tag-size"""
    rule: str
    """The id of the rule that says what these bytes are."""


class Deviation(NamedTuple):
    """A place where bytes decode only because the reader is lenient."""

    rule: str
    offset: int
    path: str


def render_path(path: Path) -> str:
    """Write a path out: `Topics[0].Partitions[2].PartitionIndex`; the root is empty."""
    keys: list[str] = []
    while isinstance(path, tuple):
        path, key = path
        keys.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    return "".join(reversed(keys)).removeprefix(".")


class Reader(BytesIO):
    """A strict stream over `data`; with `trace`, every byte's meaning is kept in `spans`.

    >>> from reference.wire.numbers import INT16
    >>> INT16.parse_stream(Reader(bytes.fromhex("000b")))
    11
    """

    def __init__(self, data: bytes, *, trace: bool = False) -> None:
        super().__init__(data)
        self.size = len(data)
        self.spans: list[Span] | None = [] if trace else None

    def span(self, start: int, path: Path, role: str, rule: str) -> None:
        """Note what the bytes from `start` to here are; does nothing unless the reader traces."""
        if self.spans is not None:
            self.spans.append(Span(start, self.tell(), render_path(path), role, rule))

    def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> NoReturn:
        """No reader can go on here."""
        raise Malformed(rule, reason, offset, render_path(path), detail)

    def truncated(self, path: Path) -> NoReturn:
        """The input ends where more is needed."""
        self.malformed("input.truncated", Reason.TRUNCATED, self.size, path)

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """A reader may refuse here, or go on."""
        raise Malformed(rule, None, offset, render_path(path))

    def dead_end(self, rule: str, offset: int, path: Path) -> NoReturn:
        """A reader may refuse here or go on, and Apache Kafka refuses."""
        raise Malformed(rule, None, offset, render_path(path))

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Bytes that every reader must take, though no writer should write them."""


class LenientReader(Reader):
    """A stream whose deviations are collected: it reads what Apache Kafka reads."""

    def __init__(self, data: bytes, *, trace: bool = False) -> None:
        super().__init__(data, trace=trace)
        self.deviations: list[Deviation] = []

    def deviation(self, rule: str, offset: int, path: Path) -> None:
        """Keep it and go on."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))

    def dead_end(self, rule: str, offset: int, path: Path) -> NoReturn:
        """Keep it and stop, as Apache Kafka does."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))
        raise Malformed(rule, None, offset, render_path(path))

    def note(self, rule: str, offset: int, path: Path) -> None:
        """Keep it and go on."""
        self.deviations.append(Deviation(rule, offset, render_path(path)))


def refuse(reason: Refusal, path: Path, detail: str = "", rule: str = "") -> NoReturn:
    """Raise `Unencodable` for the value at `path`; `rule` where it is not the one that stands behind the reason."""
    raise Unencodable(reason, render_path(path), detail, rule)


def wrong_type(expected: str, value: object, path: Path) -> NoReturn:
    """Raise `Unencodable` for a value that is null or of the wrong Python type."""
    if value is None:
        refuse(Refusal.NULL_NOT_ALLOWED, path, f"expected {expected}")
    refuse(Refusal.WRONG_TYPE, path, f"expected {expected}, got {shown(value)}")


def shown(value: object) -> str:
    """The beginning of a value's `repr`, for errors: Python does not print integers of thousands of digits."""
    try:
        return f"{value!r:.80}"
    except ValueError:
        return f"{type(value).__name__} of too many digits to be shown"
