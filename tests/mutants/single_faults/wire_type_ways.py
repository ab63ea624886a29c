"""Which step of which wire type goes wrong, and how."""

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.mutants.single_faults import ways
from tests.mutants.single_faults.wrong import Way, Wrong
from tests.second_codec.steps import (
    HIGHEST_TEXT,
    TEXT,
    WIDTHS,
    ContentWay,
    FixedWay,
    LengthWay,
    NotTaken,
    VarintWay,
    double,
    signed,
    swap,
)

LIMIT = 2**31 - 1


def wrongs() -> Iterator[Wrong]:
    """Yield every fault and every legal variant."""
    for side in ("decode", "encode"):
        for name, place, found in (*_numbers(side), *_blobs(side), *_arrays(side), *_sections(side)):
            yield from (Wrong(side, place, way_name, way, name) for way_name, way in found.items())
    yield from _legal()


def _numbers(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    fixed = ways.fixed_readings if side == "decode" else ways.fixed_writings
    for name, width in WIDTHS.items():
        if "int" in name:
            yield name, "number", fixed(width, is_signed=not name.startswith("u"))
    varint = ways.varint_readings if side == "decode" else ways.varint_writings
    for name, bits in (("unsigned-varint", 32), ("unsigned-varlong", 64), ("varint", 32), ("varlong", 64)):
        yield name, "number", ways.without(varint(bits), "wrapped") | FOLDED[bits] if name[0] == "v" else varint(bits)
        yield name, "number", {"range-not-checked": None} if side == "encode" and name.startswith("v") else {}
    for name, pieces in (("bool", BOOLS), ("float64", FLOATS), ("uuid", UUIDS)):
        yield name, "number", {way: FixedWay(piece=change) for way, change in pieces.items()}
    if side == "decode":
        cut: dict[str, Way] = {"missing-bytes-as-zeros": FixedWay(pads=True)}
        cut["one-byte-less"] = FixedWay(more=-1, piece=padded)
        yield from ((name, "number", dict(cut)) for name in ("float64", "uuid"))


def padded(piece: bytes) -> bytes:
    return piece + b"\0"


def _blobs(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    lengths = ways.length_readings if side == "decode" else ways.length_writings
    for compact in ("", "compact-"):
        for kind, limit in (("string", HIGHEST_TEXT), ("bytes", LIMIT)):
            is_whole = (kind == "string") != (compact != "")
            content = (ways.contents if is_whole else ways.nothing)("" if kind == "string" else b"")
            nullable: dict[str, Way] = {**lengths(limit, nullable=True), **content}
            number = _of_length(side, compact, 2 if kind == "string" else 4) if is_whole or not compact else {}
            found = {**nullable, **_prefixed("length-", number)}
            beyond = BEYOND_TEXTS[compact] if kind == "string" else ()
            yield f"{compact}nullable-{kind}", "length", ways.without(found, "cut-at-21-bits", *beyond)
            if side == "decode":
                yield f"{compact}{kind}", "length", _never_null(compact, limit)
    if side == "decode":
        yield "compact-records", "length", _never_null("compact-", LIMIT)


BEYOND_TEXTS = {"": ("limit-missing", "cut-at-32768", "cut-at-16-bits"), "compact-": ("cut-at-32768", "cut-at-16-bits")}
"""Ways that differ on no text, by the form of its length."""


def _never_null(compact: str, limit: int) -> dict[str, LengthWay]:
    """Return the ways in which a reader mistakes a length that is never null."""
    is_short = not compact and limit == HIGHEST_TEXT
    beyond = ("lowest-taken", "limit-missing") if is_short else ("lowest-16",)
    return ways.without(ways.length_readings(limit, nullable=False), "refused-from", *beyond)


def _prefixed(prefix: str, found: Mapping[str, Way]) -> dict[str, Way]:
    return {f"{prefix}{name}": way for name, way in found.items()}


def _of_length(side: str, compact: str, width: int) -> Mapping[str, Way]:
    """Return the ways in which the number of a length goes wrong."""
    if compact:
        groups = ways.varint_readings() if side == "decode" else ways.varint_writings()
        return ways.without(groups, *BEYOND_LENGTHS[side])
    found = ways.fixed_readings(width) if side == "decode" else ways.fixed_writings(width)
    return ways.without(found, "lowest", "wrapped", "clamped", *(("highest",) if width > TEXT.width else ()))


BEYOND_LENGTHS = {
    "decode": ("above-21", "above-28", "above-31", "3-bytes", "4-bytes"),
    "encode": ("above-21", "above-28", "above-31", "cut-at-21", "cut-at-28", "cut-at-31", "wrapped"),
}
"""Ways that differ only for lengths of megabytes."""


def _arrays(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    lengths = ways.length_readings if side == "decode" else ways.length_writings
    for compact in ("", "compact-"):
        number = _prefixed("count-", _of_length(side, compact, 4))
        whole = LISTS if compact else {}
        found: dict[str, Way] = {**lengths(LIMIT, nullable=True), **whole, **number}
        yield f"{compact}nullable-array-of-int32", "count", ways.without(found, "cut-at-21-bits", "as-zeros")
        if side == "decode":
            yield f"{compact}array-of-string", "count", ways.without(_never_null(compact, LIMIT), "as-zeros")
            yield f"{compact}array-of-string", "element", _never_null(compact, HIGHEST_TEXT)
    elements = ways.without(_of_length(side, "compact-", TEXT.width), "zero-refused")
    yield "compact-array-of-string", "element", _prefixed("length-", elements)


def _sections(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    for part, found in ways.entries(side).items():
        yield "tag-section", f"section{part}", found
    if side == "decode":
        yield "tag-section", "section", {"section-count-not-checked": None}


def _refuse() -> Any:
    raise NotTaken


def _nan(change: Callable[[int], int]) -> Callable[[bytes], bytes]:
    """Return a change of the bits of a NaN."""

    def changed(piece: bytes) -> bytes:
        number = double(piece)
        return change(int.from_bytes(piece)).to_bytes(8) if number != number else piece  # noqa: PLR0124  # so is a NaN

    return changed


def _through_float32(piece: bytes) -> bytes:
    try:
        return struct.pack(">d", struct.unpack(">f", struct.pack(">f", double(piece)))[0])
    except OverflowError:
        return piece


SIGN_64, QUIET = 2**63, 2**51
FLOATS: dict[str, Callable[[bytes], bytes]] = {
    "little-endian": lambda piece: piece[::-1],
    "words-swapped": lambda piece: piece[4:] + piece[:4],
    "nan-without-payload": _nan(lambda _bits: 0x7FF8 << 48),
    "nan-quieted": _nan(lambda bits: bits | QUIET),
    "nan-without-sign": _nan(lambda bits: bits & ~SIGN_64),
    "nan-with-half-a-payload": _nan(lambda bits: bits >> 32 << 32 | QUIET),
    "nan-refused": _nan(lambda _bits: _refuse()),
    "nan-as-zero": _nan(lambda _bits: 0),
    "minus-zero-as-zero": lambda piece: bytes(8) if piece == b"\x80" + bytes(7) else piece,
    "denormals-as-zero": lambda piece: bytes(8) if piece[:2] == b"\0\0" else piece,
    "infinity-refused": lambda piece: _refuse() if abs(double(piece)) == math.inf else piece,
    "through-float32": _through_float32,
    "last-byte-zero": lambda piece: piece[:7] + b"\0",
    "sign-dropped": lambda piece: bytes([piece[0] & 0x7F]) + piece[1:],
    "as-integer": lambda piece: struct.pack(">d", int(double(piece))) if abs(double(piece)) < 2**53 else piece,
}
UUIDS: dict[str, Callable[[bytes], bytes]] = {
    "little-endian": lambda piece: piece[::-1],
    "halves-swapped": lambda piece: piece[8:] + piece[:8],
    "each-half-little-endian": lambda piece: piece[7::-1] + piece[:7:-1],
    "mixed-endian": lambda piece: piece[3::-1] + piece[5:3:-1] + piece[7:5:-1] + piece[8:],
    "first-half-twice": lambda piece: piece[:8] * 2,
    "second-half-zero": lambda piece: piece[:8] + bytes(8),
    "first-half-zero": lambda piece: bytes(8) + piece[8:],
    "version-set": lambda piece: piece[:6] + bytes([piece[6] & 0xF | 0x40]) + piece[7:],
    "variant-set": lambda piece: piece[:8] + bytes([piece[8] & 0x3F | 0x80]) + piece[9:],
    "zero-refused": lambda piece: piece if any(piece) else _refuse(),
    "all-ones-refused": lambda piece: _refuse() if piece == b"\xff" * 16 else piece,
}
BOOLS: dict[str, Callable[[bytes], bytes]] = {
    "inverted": lambda piece: bytes([piece == b"\0"]),
    "always-false": lambda _piece: b"\0",
    "always-true": lambda _piece: b"\1",
    "true-as-ff": lambda piece: b"\xff" if piece == b"\1" else piece,
    "true-as-two-bytes": lambda piece: b"\0\1" if piece == b"\1" else piece,
    "true-refused": lambda piece: _refuse() if piece == b"\1" else piece,
}
FOLDED: dict[int, dict[str, VarintWay]] = {
    bits: {
        "not-folded": VarintWay(number=lambda number, bits=bits: _folded(signed(number, bits))),  # type: ignore[misc]
        "sign-first": VarintWay(number=lambda number: _folded(-(number >> 1)) if number & 1 else number),
        "sign-dropped": VarintWay(number=lambda number: number & ~1),
    }
    for bits in (32, 64)
}


def _folded(number: int) -> int:
    return 2 * number if number >= 0 else -2 * number - 1


def _first(size: int) -> Callable[[Any], Any]:
    return lambda items: items and items[:size]


LISTS: dict[str, Way] = {
    "turned": ContentWay(value=lambda items: items and items[::-1]),
    "sorted": ContentWay(value=lambda items: items and sorted(items)),
    "first-alone": ContentWay(value=lambda items: items and items[:1]),
    "last-dropped": ContentWay(value=lambda items: items and items[:-1]),
    "repeated-dropped": ContentWay(value=lambda items: items and list(dict.fromkeys(items))),
    "zeros-dropped": ContentWay(value=lambda items: items and [item for item in items if item]),
    "empty-as-null": ContentWay(value=swap([], None)),
    "one-as-null": ContentWay(value=lambda items: None if items is not None and len(items) == 1 else items),
    **{f"cut-at-{size}": ContentWay(value=_first(size)) for size in ways.SIZES[1::3]},
}


def _legal() -> Iterator[Wrong]:
    """Yield what readers and writers may do, though others do not."""
    for name, bits in (("unsigned-varint", 32), ("unsigned-varlong", 64), ("varint", 32), ("varlong", 64)):
        refused = ways.VARINT_LEGAL | {"excess-bits-refused": ways.excess_refused(bits)}
        yield from (Wrong("decode", "number", way_name, way, name, legal=True) for way_name, way in refused.items())
    negative = LengthWay(of=ways.refuse_if(lambda length: length < -1))
    for name in ("nullable-string", "compact-nullable-bytes"):
        yield Wrong("decode", "length", "other-negative-refused", negative, name, legal=True)
    yield Wrong("decode", "count", "other-negative-refused", negative, "nullable-array-of-int32", legal=True)
    for way_name, other in (("other-bytes-refused", _refuse_odd), ("other-bytes-as-false", _odd_as_false)):
        yield Wrong("decode", "number", way_name, FixedWay(piece=other), "bool", legal=True)
    for way_name, change in (("malformed-refused", _strict), ("malformed-dropped", _ignored)):
        yield Wrong("decode", "length", way_name, ContentWay(raw=change), "string", legal=True)
    for way_name, merged in ways.LEGAL_SECTION.items():
        yield Wrong("decode", "section", way_name, ContentWay(value=merged), "tag-section", legal=True)
    yield from (Wrong("decode", *row, "tag-section", legal=True) for row in LEGAL_SECTIONS)
    yield Wrong("encode", "section", "section-order-not-checked", None, "tag-section", legal=True)


LEGAL_SECTIONS: tuple[tuple[str, str, Way], ...] = (
    ("section-tag", "beyond-31-bits-refused", VarintWay(refuses=ways.above(2**31 - 2))),
    ("section-count", "negative-refused", VarintWay(refuses=ways.above(2**31 - 1))),
    ("section-size", "overlong-refused", ways.VARINT_LEGAL["overlong-refused"]),
)


def _refuse_odd(piece: bytes) -> bytes:
    return _refuse() if piece > b"\1" else piece


def _odd_as_false(piece: bytes) -> bytes:
    return b"\0" if piece > b"\1" else piece


def _strict(raw: bytes) -> bytes:
    try:
        raw.decode()
    except UnicodeDecodeError:
        _refuse()
    return raw


def _ignored(raw: bytes) -> bytes:
    return raw.decode(errors="ignore").encode()
