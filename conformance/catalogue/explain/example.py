"""What a worked example consists of, and how one of bytes or of a value is made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import (
    Encoded,
    MessageSchema,
    Result,
    Span,
    Unencodable,
    encode,
    encode_with_spans,
    judge,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM_TEXT = 160


class Row(NamedTuple):
    """A few bytes and what they are."""

    offset: int
    wire: bytes
    path: str
    role: str
    marked: bool
    """Whether they are what the rule is about."""


@dataclass(frozen=True)
class Example:
    """One example: what it is, its bytes if it has any, and what is to be said about it."""

    title: str
    notes: tuple[str, ...]
    wire: bytes | None = None
    rows: tuple[Row, ...] = ()
    mark: int | None = None
    """The index of the first wrong byte."""


@dataclass(frozen=True)
class Worked:
    """What is right, and what departs from the rule; one of the two may be missing."""

    right: Example | None
    wrong: Example | None = None


@dataclass(frozen=True)
class Base:
    """A sound value and its bytes, from which wrong ones are made."""

    name: str
    path: str
    value: dict[str, Any]
    encoded: Encoded

    @property
    def schema(self) -> MessageSchema:
        """Of what message and version."""
        return self.encoded.schema

    @property
    def wire(self) -> bytes:
        """Its canonical bytes."""
        return self.encoded.wire

    @property
    def title(self) -> str:
        """As `MetadataRequest v9, Topics=null`."""
        return f"{title_of(self.schema)}, {self.name}"


def base_of(schema: MessageSchema, value: dict[str, Any], name: str = "minimal", path: str = "") -> Base:
    """A value as a base."""
    return Base(name, path, value, encode_with_spans(schema, value))


def title_of(schema: MessageSchema) -> str:
    """As `MetadataRequest v9`."""
    return f"{schema.message} v{schema.version}"


def right(base: Base, rule: str, *notes: str, at: int | None = None) -> Example:
    """Sound bytes, what each of them is, and what is read; those of the rule, or at that index, are marked."""
    rows = rows_of(base.wire, base.encoded.spans, rule)
    if at is not None:
        rows = tuple(row._replace(marked=row.offset <= at < row.offset + len(row.wire)) for row in rows)
    return Example(base.title, (f"value: {shown(base.schema, base.value)}", *notes), base.wire, rows)


def wrong(base: Base, wire: bytes, what: str) -> Example:
    """Bytes that depart from those of `base`, and the verdict on them."""
    notes = verdict_notes(base.schema, wire)
    return Example(f"{title_of(base.schema)}, {what}", notes, wire, mark=first_difference(base.wire, wire))


def refused(schema: MessageSchema, value: Any, what: str) -> Example:
    """A value without bytes, and why it has none."""
    try:
        notes = (f"written as {hexed(encode(schema, value))}",)
    except Unencodable as error:
        notes = (f"refused: {error}",)
    return Example(f"{title_of(schema)}, {what}", (f"value: {cut(repr(value))}", *notes))


def rows_of(wire: bytes, spans: Iterable[Span], rule: str) -> tuple[Row, ...]:
    """The annotated dump of some bytes."""
    present = (span for span in spans if span.end > span.start)
    return tuple(
        Row(each.start, wire[each.start : each.end], each.path, each.role, each.rule == rule) for each in present
    )


def verdict_notes(schema: MessageSchema, wire: bytes) -> tuple[str, ...]:
    """What the oracle says of some bytes, in two or three lines."""
    verdict = judge(schema, wire)
    rules = f" ({', '.join(dict.fromkeys(verdict.rules))})" if verdict.rules else ""
    reader = "a lenient reader" if verdict.apache_kafka is None else "Apache Kafka"
    if verdict.result is Result.INVALID:
        where = f", in {verdict.path}" if verdict.path else ""
        return (f"verdict: invalid{rules}: {verdict.reason} at byte {verdict.offset}{where}", f"{reader}: rejects")
    said = {Result.VALID: "valid", Result.UNSPECIFIED: "left open"}[verdict.result]
    if verdict.value is None:
        return (f"verdict: {said}{rules}", f"{reader}: rejects")
    written = "cannot write it" if verdict.canonical is None else f"writes {hexed(verdict.canonical)}"
    return (
        f"verdict: {said}{rules}",
        f"{reader}: accepts {verdict.consumed} of {len(wire)} bytes, and {written}",
        f"value: {shown(schema, verdict.value)}",
    )


def shown(schema: MessageSchema, value: Any) -> str:
    """The JSON form of a value, cut if it is long."""
    return cut(json.dumps(to_json(schema, value)))


def hexed(wire: bytes) -> str:
    """Bytes in pairs of digits, cut if they are many."""
    return cut(wire.hex(" ")) or "nothing"


def cut(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}... ({len(text)} characters)"


def first_difference(one: bytes, other: bytes) -> int:
    """The index of the first byte of `other` that is not that of `one`; its length if there is none."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (left, right_) in pairs if left != right_), min(len(one), len(other)))
