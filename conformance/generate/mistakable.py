"""Numbers of lengths, counts, tags and sizes, taken for the valid ones by a reader with one wrong step.

A number of a valid encoding is replaced, and nothing else. In some its high bits are wrong, or its sign: a reader
accepts the whole input if it cuts the number. Some continue in zero bytes beyond the allowed number of bytes: a reader
without a limit accepts them. Some have a last byte announcing another one, into the bytes after it: a reader accepts
them if it ends after a fixed number of bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.tampering import padded
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import Span

CUTS = (7, 8, 14, 15, 16, 21, 24, 28)
"""The bits above which a number is wrong: those of bytes and words, and of one to four bytes of a varint."""
MOST_THAT_GO_ON = 4
"""The most bytes of a varint of 32 bits before its last one."""
TOO_LONG = {"six-bytes": 6, "ten-bytes": 10, "eleven-bytes": 11}
"""Numbers of bytes beyond the limit of a varint of 32 bits, by name."""
OPEN = b"\x81"
"""A varint cut by the end of the input.

With zeros after it, it would be 1, the length or count of no field here.
"""
COUNTED = frozenset(("length", "count"))


def mistakable_varints(number: int) -> Iterator[tuple[str, bytes]]:
    """Yield pairs of the name of a fault and the bytes of another unsigned varint."""
    yield from ((f"plus-{1 << bits}", unsigned_varint(number + (1 << bits))) for bits in CUTS)
    yield from ((name, padded(number, count)) for name, count in TOO_LONG.items())
    for count in range(len(unsigned_varint(number)), MOST_THAT_GO_ON + 1):
        form = padded(number, count)
        yield f"goes-on-after-{count}", form[:-1] + bytes([form[-1] | 0x80])


def mistakable_numbers(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other numbers of the same fixed width, higher by one bit, and with the other sign."""
    width, number = len(piece), int.from_bytes(piece)
    higher = (bits for bits in CUTS if bits < 8 * width - 1 and not number >> bits & 1)
    yield from ((f"plus-{1 << bits}", (number + (1 << bits)).to_bytes(width)) for bits in higher)
    yield "other-sign", (number ^ 1 << 8 * width - 1).to_bytes(width)


def mistakable(wire: bytes, spans: Iterable[Span]) -> Iterator[tuple[Span, str, bytes]]:
    """Yield a valid encoding with each of its lengths, counts, tags and sizes replaced, by the span and the way."""
    for span in spans:
        piece = wire[span.start : span.end]
        if span.form == "varint":
            number = sum((byte & 0x7F) << 7 * index for index, byte in enumerate(piece))
            others = mistakable_varints(number)
            yield span, "open-at-the-end", wire[: span.start] + OPEN
        elif span.role in COUNTED:
            others = mistakable_numbers(piece)
        else:
            continue
        for way, other in others:
            yield span, way, wire[: span.start] + other + wire[span.end :]
