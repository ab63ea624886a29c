"""Ways to tamper with the bytes of one span, by kind of span.

A span of a valid encoding has a role and a rule: a length, a count, a marker, a tag, a size, a text. Each kind has a
list of other bytes with a history of bugs in codecs. Some kinds are known to KIP-482's drafts only: zig-zag lengths,
int16 tags, end marks, interleaved headers.

A mistakable number is taken for the valid one by a reader with one wrong step, which then accepts the whole input. Its
high bits are wrong, or its sign; it continues in zero bytes beyond the allowed number of bytes, or into the bytes after
it.
"""

from __future__ import annotations

from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from reference.definitions.model import INTEGER_RANGES
from reference.proposals.kip482_first_draft import HIGHEST_TAG
from reference.proposals.kip482_second_draft import TAG_HEADER, interleave
from reference.wire.numbers import INT16
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES, VARINT
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from reference import MessageSchema, Span

    Ways = Iterable[tuple[str, bytes]]

Item = TypeVar("Item")

MASK_32 = 2**32 - 1
LOWEST_32, HIGHEST_32 = INTEGER_RANGES["int32"]
WIDTHS = {16: 3, 32: 5, 64: 10}
"""The largest number of bytes of a varint, by its number of bits."""

BROKEN_TEXTS = (
    ("no-continuation", b"\xc3\x28"),
    ("lone-continuation", b"\x80"),
    ("surrogate", b"\xed\xa0\x80"),
    ("overlong-slash", b"\xc0\xaf"),
    ("beyond-unicode", b"\xf5\x80\x80\x80"),
    ("nul", b"\0"),
)
END_MARKS = (
    ("end-missing", b""),
    ("end-twice", b"\0\0"),
    ("end-overlong", b"\x80\x00"),
    ("end-minus-one", VARINT.write(-1)),
    ("end-one", VARINT.write(1)),
)

CUTS = (7, 8, 14, 15, 16, 21, 24, 28)
"""The bits above which a number is wrong: those of bytes and words, and of one to four bytes of a varint."""
MOST_THAT_GO_ON = 4
"""The most bytes of a varint of 32 bits before its last one."""
TOO_LONG = {"six-bytes": 6, "ten-bytes": 10, "eleven-bytes": 11}
"""Numbers of bytes beyond the limit of a varint of 32 bits, by name."""
OPEN_AT_THE_END = "open-at-the-end"
OPEN = b"\x81"
"""A varint cut by the end of the input.

With zeros after it, it would be 1, the length or count of no field here.
"""
SHARE = 10
"""One in so many of some changes is tried with each version of a message, all of them with ten versions."""
COUNTED = frozenset(("length", "count"))
"""Roles of numbers with the length or count of the content after them."""
SMALL_SECTION = b"\1\5\2\1\2"
"""A tag section whose numbers can each continue into the bytes after them."""


def tamperings(span: Span, piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield pairs of the name of a change and other bytes for one span, by kind of span."""
    if span.rule in _OF_DRAFTS:
        yield from _OF_DRAFTS[span.rule](piece)
    elif span.role in COUNTED and span.form == "fixed":
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


def _written(prefix: str, numbers: Mapping[str, int], write: Callable[[int], bytes]) -> Ways:
    return ((f"{prefix}-{name}", write(number)) for name, number in numbers.items())


def _legacy_lengths(piece: bytes) -> Ways:
    bits = 8 * len(piece)
    length = int.from_bytes(piece, "big", signed=True)
    lowest, highest = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    others = {"null": -1, "minus-two": -2, "lowest": lowest, "highest": highest}
    others |= {"one-more": min(length + 1, highest), "one-less": max(length - 1, -1)}
    return _written("length", others, lambda number: number.to_bytes(len(piece), "big", signed=True))


def _varints(piece: bytes) -> Iterator[tuple[str, bytes]]:
    number = _bits(piece) & MASK_32
    yield from _varint_forms(number)
    others = {"zero": 0, "one-more": number + 1, "one-less": max(number - 1, 0), "huge": 2**31 - 1}
    others |= {"wraps": 2**31, "negative": 2**31 + 1, "minus-one": MASK_32, "too-long-a-string": 32_769}
    yield from _written("varint", others, unsigned_varint)


def _varint_forms(number: int) -> Iterator[tuple[str, bytes]]:
    """Yield other forms of the varint of a number of 32 bits."""
    shortest, five = unsigned_varint(number), padded(number, 5)
    yield "varint-overlong", padded(number, len(shortest) + 1)
    yield "varint-overlong-five-bytes", five
    yield "varint-six-bytes", padded(number, 6)
    yield "varint-excess-bits", five[:-1] + bytes([five[-1] | 0x10])


def _encoded(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the longest form, a longer one, and bits beyond the last one, for each width.

    A span does not have its own width, so every width is tried.
    """
    number = _bits(piece)
    yield "encoded-overlong", padded(number, len(piece) + 1)
    for bits, length in WIDTHS.items():
        yield f"encoded-{bits}-longest", padded(number, length)
        yield f"encoded-{bits}-too-long", padded(number, length + 1)
        others = {"surplus-bit": number % 2**bits | 2**bits, "beyond": 2**bits}
        others |= {"highest": 2**bits - 1, "lowest": 2 ** (bits - 1)}
        yield from _written(f"encoded-{bits}", others, unsigned_varint)


def _bits(piece: bytes) -> int:
    """Return the bits of a varint of any number of bytes, as a number."""
    return sum((byte & 0x7F) << 7 * index for index, byte in enumerate(piece))


def padded(number: int, length: int) -> bytes:
    """Return the unsigned varint of a number in `length` bytes."""
    groups = [number >> 7 * index & 0x7F for index in range(length)]
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])


def _entry_lengths(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other lengths of an entry.

    They are other forms, other numbers, and the number in the forms of faulty writers.
    """
    number: int = VARINT.parse(piece)
    yield from _varint_forms(_bits(piece))
    others = {"zero": 0, "one-more": number + 1, "one-less": number - 1, "with-tag": number + 2, "negative": -number}
    others |= {"minus-one": -1, "highest": HIGHEST_32, "lowest": LOWEST_32}
    yield from _written("entry-length", others, VARINT.write)
    yield "entry-length-unsigned", unsigned_varint(number)


def _entry_tags(piece: bytes) -> Iterator[tuple[str, bytes]]:
    number: int = INT16.parse(piece)
    others = {"zero": 0, "one-more": min(number + 1, HIGHEST_TAG), "one-less": max(number - 1, 0)}
    others |= {"highest": HIGHEST_TAG, "minus-one": -1, "lowest": -HIGHEST_TAG - 1}
    yield from _written("tag", others, INT16.write)
    yield "tag-little-endian", piece[::-1]
    yield "tag-one-byte", piece[1:]


def _headers(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other interleaved headers, with other lengths, other tags, both swapped, and other forms."""
    length, tag = TAG_HEADER.parse(piece)
    others = {"one-more": (length + 1, tag), "one-less": (max(length - 1, 0), tag), "no-length": (0, tag)}
    others |= {"long": (HIGHEST_32, tag), "long-by-32-bits": (HIGHEST_32 + 1, tag), "next-tag": (length, tag + 1)}
    others |= {"tag-zero": (length, 0), "tag-of-32-bits": (length, HIGHEST_32 + 1), "swapped": (tag, length)}
    yield from _written("header", {name: interleave(*pair) for name, pair in others.items()}, unsigned_varint)
    header = interleave(length, tag)
    last = padded(header, MAXIMUM_LONG_BYTES)
    yield "header-not-woven", unsigned_varint(length) + unsigned_varint(tag)
    yield "header-overlong", padded(header, len(piece) + 1)
    yield "header-ten-bytes", last
    yield "header-65-bits", last[:-1] + b"\x02"
    yield "header-eleven-bytes", padded(header, MAXIMUM_LONG_BYTES + 1)


_OF_DRAFTS: Mapping[str, Callable[[bytes], Ways]] = MappingProxyType({
    "kip-482-first-draft.buffer": lambda _: END_MARKS,
    "kip-482-first-draft.end-mark": lambda _: END_MARKS,
    "kip-482-first-draft.length": _entry_lengths,
    "kip-482-first-draft.nested-buffer": lambda _: END_MARKS,
    "kip-482-first-draft.tag": _entry_tags,
    "kip-482-second-draft.tag-header": _headers,
})  # fmt: skip
"""The tamperings with the bytes of a span, by its rule."""


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


def mistakable_pieces(span: Span, piece: bytes) -> Ways:
    """Return other bytes of a length, count, tag or size, by the name of the fault; none of other spans."""
    if span.form == "varint":
        return mistakable_varints(_bits(piece))
    return mistakable_numbers(piece) if span.role in COUNTED else ()


def mistakable(wire: bytes, spans: Iterable[Span]) -> Iterator[tuple[Span, str, bytes]]:
    """Yield a valid encoding with each of its lengths, counts, tags and sizes replaced, by the span and the way."""
    for span in spans:
        if span.form == "varint":
            yield span, OPEN_AT_THE_END, wire[: span.start] + OPEN
        for way, other in mistakable_pieces(span, wire[span.start : span.end]):
            yield span, way, wire[: span.start] + other + wire[span.end :]


def share_of(schema: MessageSchema, items: Iterable[Item]) -> Iterator[Item]:
    """Return a share of the items, by API key and version: the messages together cover all of them."""
    return islice(items, ((schema.api_key or 0) + schema.version) % SHARE, None, SHARE)
