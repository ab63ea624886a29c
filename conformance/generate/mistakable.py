"""Numbers of lengths, counts, tags and sizes that a reader with one wrong step takes for the sound one.

A number of a sound encoding is replaced, and nothing else. Its high bits are wrong, or its sign: a reader that cuts it
accepts the whole input. Or it goes on in more bytes than it may have, all of them zero: a reader without that limit
does. Or its last byte says that it goes on, into the bytes behind it: a reader does that ends after so many bytes.
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
"""The bytes of a varint of 32 bits after which the last one may follow."""
TOO_LONG = {"six-bytes": 6, "ten-bytes": 10, "eleven-bytes": 11}
"""More bytes than a varint of 32 bits may have, by name."""
OPEN = b"\x81"
"""A varint that the input cuts: with zeros behind it, it would be 1, which is the length or count of nothing."""
COUNTED = frozenset(("length", "count"))


def mistakable_varints(number: int) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of other unsigned varints, each with the name of what is wrong with it."""
    yield from ((f"plus-{1 << bits}", unsigned_varint(number + (1 << bits))) for bits in CUTS)
    yield from ((name, padded(number, count)) for name, count in TOO_LONG.items())
    for count in range(len(unsigned_varint(number)), MOST_THAT_GO_ON + 1):
        form = padded(number, count)
        yield f"goes-on-after-{count}", form[:-1] + bytes([form[-1] | 0x80])


def mistakable_numbers(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other numbers of the same fixed width: higher by one bit, and with the other sign."""
    width, number = len(piece), int.from_bytes(piece)
    higher = (bits for bits in CUTS if bits < 8 * width - 1 and not number >> bits & 1)
    yield from ((f"plus-{1 << bits}", (number + (1 << bits)).to_bytes(width)) for bits in higher)
    yield "other-sign", (number ^ 1 << 8 * width - 1).to_bytes(width)


def mistakable(wire: bytes, spans: Iterable[Span]) -> Iterator[tuple[Span, str, bytes]]:
    """Yield a sound encoding with each of its lengths, counts, tags and sizes replaced, by the span and the way."""
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
