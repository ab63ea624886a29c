"""Which step of which wire type goes wrong, and how."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.mutants.single_faults import ways
from tests.mutants.single_faults.steps import HIGHEST_TEXT, Content, Fixed, Length, Plan, Refused, Varint, double, signed

WIDTHS = {"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint16": 2, "uint32": 4, "float64": 8, "uuid": 16}
"""The bytes of each type of a fixed width."""
Way = Fixed | Varint | Length | Content | None
LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Wrong:
    """One step of one wire type that is done otherwise."""

    wire_type: str
    side: str
    place: str
    way_name: str
    way: Way
    legal: bool = False

    @property
    def name(self) -> str:
        return f"{self.wire_type}/{self.side}/{self.place}/{self.way_name}"

    @property
    def about(self) -> str:
        return f"{self.place} is {'read' if self.side == 'decode' else 'written'} so: {self.way_name.replace('-', ' ')}"

    @property
    def plan(self) -> Plan:
        return Plan(self.way_name if self.way is None else self.place, self.way)


def wrongs() -> Iterator[Wrong]:
    """Yield every fault and every legal variant."""
    for side in ("decode", "encode"):
        for name, place, found in (*_numbers(side), *_blobs(side), *_arrays(side), *_sections(side)):
            yield from (Wrong(name, side, place, way_name, way) for way_name, way in found.items())
    yield from _legal()


def _numbers(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    fixed = ways.fixed_readings if side == "decode" else ways.fixed_writings
    for name, width in WIDTHS.items():
        if "int" in name:
            yield name, "number", fixed(width, is_signed=not name.startswith("u"))
    varint = ways.varint_readings if side == "decode" else ways.varint_writings
    for name, bits in (("unsigned-varint", 32), ("unsigned-varlong", 64), ("varint", 32), ("varlong", 64)):
        yield name, "number", varint(bits) | (FOLDED[bits] if name.startswith("v") else {})
        yield name, "number", {"range-not-checked": None} if side == "encode" and name.startswith("v") else {}
    for name, pieces in (("bool", BOOLS), ("float64", FLOATS), ("uuid", UUIDS)):
        yield name, "number", {way: Fixed(piece=change) for way, change in pieces.items()}
    if side == "decode":
        cut: dict[str, Way] = {"missing-bytes-as-zeros": Fixed(pads=True), "one-byte-less": Fixed(more=-1, piece=padded)}
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
            number = _of_length(side, compact, 2 if kind == "string" else 4)
            yield f"{compact}nullable-{kind}", "length", {**nullable, **_prefixed("length-", number)}
            if side == "decode":
                yield f"{compact}{kind}", "length", lengths(limit, nullable=False)
        if side == "decode":
            yield f"{compact}records", "length", lengths(LIMIT, nullable=False)


def _prefixed(prefix: str, found: Mapping[str, Way]) -> dict[str, Way]:
    return {f"{prefix}{name}": way for name, way in found.items()}


def _of_length(side: str, compact: str, width: int) -> Mapping[str, Way]:
    """Return the ways in which the number of a length goes wrong."""
    if compact:
        return ways.varint_readings() if side == "decode" else ways.varint_writings()
    return ways.fixed_readings(width) if side == "decode" else ways.fixed_writings(width)


def _arrays(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    lengths = ways.length_readings if side == "decode" else ways.length_writings
    for compact in ("", "compact-"):
        number = _prefixed("count-", _of_length(side, compact, 4))
        whole = LISTS if compact else {}
        yield f"{compact}nullable-array-of-int32", "count", {**lengths(LIMIT, nullable=True), **whole, **number}
        if side == "decode":
            yield f"{compact}array-of-string", "count", lengths(LIMIT, nullable=False)
            yield f"{compact}array-of-string", "element", lengths(HIGHEST_TEXT, nullable=False)
        yield f"{compact}array-of-string", "element", _prefixed("length-", _of_length(side, compact, 2))


def _sections(side: str) -> Iterator[tuple[str, str, Mapping[str, Way]]]:
    for part, found in ways.entries(side).items():
        yield "tag-section", f"section{part}", found
    yield "tag-section", "section", {NOT_CHECKED[side]: None}


NOT_CHECKED = {"decode": "section-count-not-checked", "encode": "section-order-not-checked"}


def _refuse() -> Any:
    raise Refused


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
    "infinity-refused": lambda piece: _refuse() if piece[1:] == b"\xf0" + bytes(6) and piece[0] & 0x7F == 0x7F else piece,
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
FOLDED: dict[int, dict[str, Varint]] = {
    bits: {
        "not-folded": Varint(number=lambda number, bits=bits: _folded(signed(number, bits))),  # type: ignore[misc]
        "sign-first": Varint(number=lambda number: _folded(-(number >> 1)) if number & 1 else number),
        "sign-dropped": Varint(number=lambda number: number & ~1),
    }
    for bits in (32, 64)
}


def _folded(number: int) -> int:
    return 2 * number if number >= 0 else -2 * number - 1


LISTS: dict[str, Way] = {
    "turned": Content(value=lambda items: items and items[::-1]),
    "sorted": Content(value=lambda items: items and sorted(items)),
    "first-alone": Content(value=lambda items: items and items[:1]),
    "last-dropped": Content(value=lambda items: items and items[:-1]),
    "repeated-dropped": Content(value=lambda items: items and list(dict.fromkeys(items))),
    "zeros-dropped": Content(value=lambda items: items and [item for item in items if item]),
    "empty-as-null": Content(value=ways.swap([], None)),
    "one-as-null": Content(value=lambda items: None if items is not None and len(items) == 1 else items),
    **{f"cut-at-{size}": Content(value=lambda items, size=size: items and items[:size]) for size in ways.SIZES[1::3]},
}


def _legal() -> Iterator[Wrong]:
    """Yield what readers and writers may do, though others do not."""
    for name, bits in (("unsigned-varint", 32), ("unsigned-varlong", 64), ("varint", 32), ("varlong", 64)):
        refused = ways.VARINT_LEGAL | {"excess-bits-refused": ways.excess_refused(bits)}
        yield from (Wrong(name, "decode", "number", way_name, way, legal=True) for way_name, way in refused.items())
    negative = Length(of=ways.refuse_if(lambda length: length < -1))
    for name in ("nullable-string", "compact-nullable-bytes"):
        yield Wrong(name, "decode", "length", "other-negative-refused", negative, legal=True)
    yield Wrong("nullable-array-of-int32", "decode", "count", "other-negative-refused", negative, legal=True)
    for way_name, other in (("other-bytes-refused", _refuse_odd), ("other-bytes-as-false", _odd_as_false)):
        yield Wrong("bool", "decode", "number", way_name, Fixed(piece=other), legal=True)
    for way_name, change in (("malformed-refused", _strict), ("malformed-dropped", _ignored)):
        yield Wrong("string", "decode", "length", way_name, Content(raw=change), legal=True)
    for way_name, merged in ways.LEGAL_SECTION.items():
        yield Wrong("tag-section", "decode", "section", way_name, Content(value=merged), legal=True)
    yield from (Wrong("tag-section", "decode", *row, legal=True) for row in LEGAL_SECTIONS)


LEGAL_SECTIONS: tuple[tuple[str, str, Way], ...] = (
    ("section-tag", "beyond-31-bits-refused", Varint(refuses=ways.above(2**31 - 2))),
    ("section-count", "negative-refused", Varint(refuses=ways.above(2**31 - 1))),
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
