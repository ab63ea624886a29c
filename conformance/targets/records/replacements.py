"""Other bytes at one place of a batch or message.

Numbers, lengths and texts are replaced, and the lengths around them follow.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.origin import MISTAKEN
from conformance.generate.tampering import COUNTED, mistakable_pieces
from reference.records.layouts import OVERHEAD
from reference.wire.signed_varints import VARINT, VARLONG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import Span

NUMBERS = (0, 1, -1, -2, 63, 64, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**63 - 1, -(2**63))
NEAR = (1, -1)
LARGE = 2**31 - 1
BELOW_ZERO = (-1, -2, -53)
SMALL = 2
"""The most bytes of a field changed bit by bit."""
_IN_RECORD = re.compile(r"(.*records\[\d+\])\.(?!length$)")


class Replacement(NamedTuple):
    """Other bytes at a place."""

    sign: str
    way: str
    """The sign and the change, as in `Origin`."""
    start: int
    end: int
    piece: bytes

    def within(self, data: bytes) -> bytes:
        """Return all bytes with the other ones at their place."""
        return data[: self.start] + self.piece + data[self.end :]


def replacements(data: bytes, span: Span) -> Iterator[Replacement]:
    """Yield all replacements of a number or a text."""
    for sign, way, piece in _pieces(data, span):
        yield Replacement(sign, way, span.start, span.end, piece)


def near_replacements(data: bytes, span: Span) -> Iterator[Replacement]:
    """Yield a few other lengths and counts, and nothing for other numbers."""
    if span.role not in COUNTED and not span.path.endswith(("recordCount", ".length")):
        return
    piece = data[span.start : span.end]
    width = len(piece)
    now = VARINT.parse(piece) if span.form == "varint" else int.from_bytes(piece, "big", signed=True)
    for number in (now + 1, now - 1, LARGE):
        written = VARINT.write(number) if span.form == "varint" else number.to_bytes(width, "big", signed=True)
        yield Replacement("=", str(number), span.start, span.end, written)


def mistaken(data: bytes, spans: Sequence[Span], index: int) -> Iterator[Replacement]:
    """Yield one number that a reader with one wrong step takes for the valid one, another one at each place."""
    span = spans[index]
    if ways := list(mistakable_pieces(span, data[span.start : span.end])):
        way, piece = ways[index % len(ways)]
        yield Replacement(MISTAKEN, way, span.start, span.end, piece)


def without_content(data: bytes, spans: Sequence[Span], index: int) -> Iterator[Replacement]:
    """Yield a length below 0 in place of the length and the bytes of a key or value of a record or header."""
    length = spans[index]
    if length.role != "length" or length.form != "varint" or length.path.endswith("].length"):
        return
    has_bytes = index + 1 < len(spans) and spans[index + 1].path == length.path
    end = spans[index + 1].end if has_bytes else length.end
    now = VARINT.parse(data[length.start : length.end])
    for number in BELOW_ZERO:
        if number != now and (has_bytes or number == BELOW_ZERO[-1]):
            yield Replacement("=", f"{number}-alone", length.start, end, VARINT.write(number))


def replaced(data: bytes, spans: Sequence[Span], path: str, other: Replacement) -> bytes:
    """Return the bytes with other ones at a place.

    The length of the record around the place follows.
    """
    within, changed = _IN_RECORD.match(path), other.within(data)
    growth = len(other.piece) - (other.end - other.start)
    if not growth or within is None:
        return changed
    length = next(span for span in spans if span.path == f"{within[1]}.length")
    number = VARINT.parse(data[length.start : length.end]) + growth
    return changed[: length.start] + VARINT.write(number) + changed[length.end :]


def _pieces(data: bytes, span: Span) -> Iterator[tuple[str, str, bytes]]:
    piece = data[span.start : span.end]
    if span.form == "varint":
        yield from _varints(piece, long=span.role == "varint")
    elif span.form == "fixed":
        yield from _fixed(piece)
    else:
        yield "+", "00", piece + b"\0"
        yield from [("-", "1", piece[:-1]), ("^", "01", piece[:-1] + bytes([piece[-1] ^ 1]))] if piece else []


def _varints(piece: bytes, *, long: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield other numbers, other forms of the same number, and forms without a number."""
    form, width = (VARLONG, 10) if long else (VARINT, 5)
    now = form.parse(piece)
    numbers = (*(LONG_NUMBERS if long else NUMBERS), *(now + step for step in NEAR))
    held = (number for number in dict.fromkeys(numbers) if -form.highest - 1 <= number <= form.highest)
    yield from (("=", str(number), form.write(number)) for number in held if number != now)
    unfinished = piece[:-1] + bytes([piece[-1] | 0x80])
    if len(piece) < width:
        yield "-", "overlong", unfinished + b"\0"
        yield "-", "longest", unfinished + b"\x80" * (width - 1 - len(piece)) + b"\0"
        filled = unfinished.ljust(width - 1, b"\x80")
        yield "-", "excess", filled + (b"\x02" if long else b"\x10")
        yield "-", "too-long", filled + b"\x80\0"


def _fixed(piece: bytes) -> Iterator[tuple[str, str, bytes]]:
    width, now = len(piece), int.from_bytes(piece, "big", signed=True)
    highest = (1 << 8 * width - 1) - 1
    # A reader adds the overhead to a length: some of these sums are 0, or overflow.
    numbers = (0, 1, -1, -2, -OVERHEAD, highest, -highest - 1, highest - OVERHEAD, *(now + step for step in NEAR))
    for number in dict.fromkeys(numbers):
        if number != now and -highest - 1 <= number <= highest:
            yield "=", str(number), number.to_bytes(width, "big", signed=True)
    for bit in range(8 * width if width <= SMALL else 0):
        yield "^", f"bit{bit}", (int.from_bytes(piece, "big") ^ 1 << bit).to_bytes(width, "big")
