"""Bytes of a message, explained: a table with a row for each span, or plain hex with a caret under one byte.

   offset  bytes   role     path      rule
   0       00 07   length   ClientId  string.length
-> 2       6b 69   payload  ClientId  string.payload
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference.proposals.kip482_second_draft import TAG_HEADER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reference import Span

BYTES_IN_A_LINE = 16
MAXIMUM_BYTES = 64
HEADINGS = ("offset", "bytes", "role", "path", "rule")
ARROW, NO_ARROW = "-> ", "   "


class Row(NamedTuple):
    """The bytes of one span and their meaning."""

    offset: int
    """The index of the first byte."""
    wire: bytes
    role: str
    path: str
    """Of the field; empty for the message itself."""
    rule: str
    marked: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON, bytes in hex."""
        return {**self._asdict(), "wire": self.wire.hex()}


def rows_of(wire: bytes, spans: Iterable[Span]) -> tuple[Row, ...]:
    """Return one row for each span of `wire` that is not empty."""
    return tuple(
        Row(span.start, wire[span.start : span.end], span.role, span.path, span.rule)
        for span in spans
        if span.end > span.start
    )


def mark(rows: Iterable[Row], rule: str, offset: int | None) -> tuple[Row, ...]:
    """Return the rows with those of `rule` marked; if there is none, with the one that has the byte at `offset`."""
    rows = tuple(rows)
    if any(row.rule == rule for row in rows):
        return tuple(row._replace(marked=row.rule == rule) for row in rows)
    if offset is None:
        return rows
    return tuple(row._replace(marked=row.offset <= offset < row.offset + len(row.wire)) for row in rows)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table, headings first; marked rows have an arrow."""
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    for index, line in enumerate(cells):
        arrow = ARROW if index and rows[index - 1].marked else NO_ARROW
        yield arrow + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cells(row: Row) -> tuple[str, ...]:
    return str(row.offset), _cut(row.wire), _role(row), row.path or "the message", row.rule


def _role(row: Row) -> str:
    """Return the role; with the length and the tag that the header of an entry weaves into one number (KIP-482)."""
    if row.role != "tag-header":
        return row.role
    header = TAG_HEADER.parse(row.wire)
    return f"{row.role}: length {header.length}, tag {header.tag}"


def _cut(wire: bytes) -> str:
    shown = wire[:BYTES_IN_A_LINE].hex(" ")
    return shown if len(wire) <= BYTES_IN_A_LINE else f"{shown} ... ({len(wire)} bytes)"


def plain_hex(wire: bytes, caret: int | None = None, start: int = 0) -> Iterator[str]:
    """Yield lines of 16 bytes in hex; a line with a caret follows the one that has the byte at index `caret`.

    The first line begins at index `start`. At most 64 bytes are shown. A `caret` behind the last byte stands under the
    last byte.
    """
    if not wire[start:]:
        yield "no bytes"
        return
    caret = None if caret is None else min(caret, len(wire) - 1)
    for at in range(start, min(len(wire), start + MAXIMUM_BYTES), BYTES_IN_A_LINE):
        yield wire[at : at + BYTES_IN_A_LINE].hex(" ")
        if caret is not None and at <= caret < at + BYTES_IN_A_LINE:
            yield f"{'   ' * (caret - at)}^^ byte {caret}"
    if len(wire) > start + MAXIMUM_BYTES:
        yield f"... ({len(wire)} bytes)"
