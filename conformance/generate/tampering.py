"""Ways to tamper with the bytes of one span, by what they are.

A span of a sound encoding has a role and a rule: a length, a count, a marker, a tag, a size, a text. For each there is
a list of other bytes that codecs have been wrong about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.kip482_bytes import TAMPERINGS
from conformance.generate.varints import padded, varint_forms
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Span

MASK_32 = 2**32 - 1


def tamperings(span: Span, piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other bytes for one span, each with the name of the change; they depend on the kind of span."""
    if span.rule in TAMPERINGS:
        yield from TAMPERINGS[span.rule](piece)
    elif span.role in {"length", "count"} and span.form == "fixed":
        yield from _legacy_lengths(piece)
    elif span.rule == "struct.marker":
        yield from ((f"marker-{marker:02x}", bytes([marker])) for marker in (0x00, 0x01, 0x02, 0x7F, 0x80, 0xFE, 0xFF))
    elif span.form == "coded-varint":
        yield from _encoded(piece)
    elif span.form == "varint":
        yield from _varints(piece)
    elif span.rule == "bool.byte":
        yield from ((f"bool-{byte:02x}", bytes([byte])) for byte in (0x02, 0x7F, 0x80, 0xFF))
    elif span.rule == "string.utf8":
        yield from ((name, broken[: len(piece)].ljust(len(piece), b"a")) for name, broken in BROKEN_TEXTS if piece)


WIDTHS = {16: 3, 32: 5, 64: 10}
"""The largest number of bytes of a varint of so many bits."""

BROKEN_TEXTS = (
    ("no-continuation", b"\xc3\x28"),
    ("lone-continuation", b"\x80"),
    ("surrogate", b"\xed\xa0\x80"),
    ("overlong-slash", b"\xc0\xaf"),
    ("beyond-unicode", b"\xf5\x80\x80\x80"),
    ("nul", b"\0"),
)


def _legacy_lengths(piece: bytes) -> Iterator[tuple[str, bytes]]:
    bits = 8 * len(piece)
    length = int.from_bytes(piece, "big", signed=True)
    numbers = {
        "null": -1,
        "minus-two": -2,
        "lowest": -(2 ** (bits - 1)),
        "highest": 2 ** (bits - 1) - 1,
        "one-more": min(length + 1, 2 ** (bits - 1) - 1),
        "one-less": max(length - 1, -1),
    }
    for name, number in numbers.items():
        yield f"length-{name}", number.to_bytes(len(piece), "big", signed=True)


def _varints(piece: bytes) -> Iterator[tuple[str, bytes]]:
    number = sum((byte & 0x7F) << 7 * index for index, byte in enumerate(piece)) & MASK_32
    yield from varint_forms(number)
    others = {"zero": 0, "one-more": number + 1, "one-less": max(number - 1, 0), "huge": 2**31 - 1}
    others |= {"wraps": 2**31, "negative": 2**31 + 1, "minus-one": MASK_32, "too-long-a-string": 32_769}
    for name, other in others.items():
        yield f"varint-{name}", unsigned_varint(other)


def _encoded(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """For each width, as a span does not tell its own: the longest form, a longer one, bits beyond the last one."""
    number = sum((byte & 0x7F) << 7 * index for index, byte in enumerate(piece))
    yield "encoded-overlong", padded(number, len(piece) + 1)
    for bits, length in WIDTHS.items():
        yield f"encoded-{bits}-longest", padded(number, length)
        yield f"encoded-{bits}-too-long", padded(number, length + 1)
        yield f"encoded-{bits}-surplus-bit", unsigned_varint(number % 2**bits | 2**bits)
        yield f"encoded-{bits}-beyond", unsigned_varint(2**bits)
        yield f"encoded-{bits}-highest", unsigned_varint(2**bits - 1)
        yield f"encoded-{bits}-lowest", unsigned_varint(2 ** (bits - 1))
