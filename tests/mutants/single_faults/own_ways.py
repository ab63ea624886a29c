"""The ways for a fault at one place of a frame, of a stored message or of a wire type, and no other."""

import math
import struct
from collections.abc import Callable, Mapping
from typing import Any

from reference import TAGS, load_release
from tests.helpers.releases import BASE
from tests.mutants.single_faults import ways
from tests.second_codec.steps import ContentWay, FixedWay, LengthWay, VarintWay, double, swap
from tests.second_codec.stored import TypeAsked, types_of

Way = FixedWay | VarintWay | LengthWay | ContentWay | None
"""The way of a step, or None for a step without a number, named in full."""
NO_OP = 20
SIGN_64, QUIET = 2**63, 2**51
SHIFTS = (-8, -4, -2, -1, 1, 2, 4, 8)


def _shifted(shift: int) -> FixedWay:
    return FixedWay(number=lambda number: number + shift)


def _value(change: Callable[[Any], Any]) -> ContentWay:
    return ContentWay(value=change)


def _taken_as(change: Callable[[TypeAsked], int]) -> ContentWay:
    return _value(lambda asked: asked._replace(record_type=change(asked)))


def _one_as(wrong: int, other: int) -> ContentWay:
    return _taken_as(lambda asked: other if asked.record_type == wrong else asked.record_type)


def _unknown_as(other: Callable[[TypeAsked], int]) -> ContentWay:
    return _taken_as(lambda asked: asked.record_type if asked.message else other(asked))


def _next_below(asked: TypeAsked) -> int:
    return max((key for key in asked.names if key is not None and key < asked.record_type), default=-1)


def _cut(bits: int) -> ContentWay:
    return _taken_as(lambda asked: asked.record_type % 2**bits)


def _in_any_log(asked: TypeAsked) -> TypeAsked:
    return asked._replace(names={**types_of(load_release(BASE), "kafka-metadata"), **asked.names})


def _written(change: Callable[..., list[Any]]) -> ContentWay:
    """Return a way of the numbers of a head, by the schema and the numbers one by one."""
    return _value(lambda given: (given[0], change(given[0], *given[1])))


def _pieces(changes: Mapping[str, Callable[[bytes], bytes]]) -> dict[str, Way]:
    return {name: FixedWay(piece=change) for name, change in changes.items()}


def _nan(change: Callable[[int], int]) -> Callable[[bytes], bytes]:
    """Return a change of the bits of a NaN."""
    return lambda piece: change(int.from_bytes(piece)).to_bytes(8) if math.isnan(double(piece)) else piece


def _through_float32(piece: bytes) -> bytes:
    try:
        return struct.pack(">d", struct.unpack(">f", struct.pack(">f", double(piece)))[0])
    except OverflowError:
        return piece


def _first(size: int) -> ContentWay:
    return _value(lambda items: items and items[:size])


def _is_malformed(raw: bytes) -> bool:
    return raw.decode(errors="replace").encode() != raw


ON_FRAMES: dict[str, Mapping[str, Way]] = {
    "shifts": {f"{shift:+}": _shifted(shift) for shift in SHIFTS},
    "odd-numbers": {
        "little-endian": FixedWay(piece=lambda piece: piece[::-1]),
        "one-byte-less": FixedWay(more=-1, piece=lambda piece: piece[-1:]),
        "plus-one": _shifted(1),
    },
    "numbers-swapped": {"swapped": _value(lambda names: names[::-1])},
}
ON_STORED: dict[str, Mapping[str, Way]] = {
    "prefixes": {
        **{f"cut-at-{bits}-bits": FixedWay(number=ways.low(bits)) for bits in (1, 2, 3, 4)},
        "plus-one": _shifted(1),
        "minus-one": _shifted(-1),
        "one-byte": FixedWay(more=-1, piece=lambda piece: piece[-1:]),
        "four-bytes": FixedWay(more=2, piece=lambda piece: piece[-2:] if len(piece) > 2 else b"\0\0" + piece),
        "twice": FixedWay(more=2, piece=lambda piece: piece * 2 if len(piece) == 2 else piece[2:]),
        "left-out": FixedWay(more=-2, piece=lambda _piece: b""),
    },
    "tagged": {
        "unknown-tags-refused": _value(ways.refuse_if(lambda value: TAGS in value)),
        "unknown-tags-dropped": _value(lambda value: {name: item for name, item in value.items() if name != TAGS}),
    },
    "types": {
        **{f"{number}-as-no-op": _one_as(number, NO_OP) for number in (6, 13, 16, 29, 30, 31, 32, 127, 128, 255, 256)},
        "unknown-as-no-op": _unknown_as(lambda _asked: NO_OP),
        "unknown-as-the-first": _unknown_as(lambda _asked: 0),
        "unknown-as-the-next-below": _unknown_as(_next_below),
        **{f"cut-at-{bits}-bits": _cut(bits) for bits in (5, 6, 7, 8)},
        "those-of-another-log-too": _value(_in_any_log),
        "zero-refused": _taken_as(lambda asked: asked.record_type or -1),
        "feature-level-refused": _one_as(12, -1),
        "above-15-refused": _taken_as(lambda asked: asked.record_type if asked.record_type <= 15 else -1),
    },
    "versions": {
        "plus-one": _value(lambda version: version + 1),
        "minus-one": _value(lambda version: version - 1),
        "lowest": _value(lambda _version: 0),
        "highest": _value(lambda _version: 2**15 - 1),
        "highest-refused": _value(ways.refuse(4)),
        "3-refused": _value(ways.refuse(3)),
    },
    "read-numbers": {
        "type-and-version-swapped": _value(lambda numbers: [numbers[0], *numbers[:0:-1]]),
        "frame-version-0-taken": _value(lambda numbers: [numbers[0] or 1, *numbers[1:]]),
        "frame-version-2-taken": _value(lambda numbers: [1 if numbers[0] == 2 else numbers[0], *numbers[1:]]),
        "higher-frame-versions-taken": _value(lambda numbers: [min(numbers[0], 1), *numbers[1:]]),
    },
    "behind": {
        "ignored": _value(lambda _behind: b""),
        "zeros-ignored": _value(lambda behind: behind if any(behind) else b""),
        "one-byte-ignored": _value(lambda behind: behind if len(behind) != 1 else b""),
        "from-two-bytes-ignored": _value(lambda behind: behind[:1] if len(behind) == 1 else b""),
    },
    "answers": {
        "version-0": _value(lambda answer: (answer[0], 0)),
        "no-version": _value(lambda answer: (answer[0], None)),
        "message-in-small-letters": _value(lambda answer: (answer[0].lower(), answer[1])),
    },
    "written-numbers": {
        "first-0": _written(lambda _schema, _first, *others: [0, *others]),
        "first-plus-one": _written(lambda _schema, first, *others: [first + 1, *others]),
        "version-for-type": _written(lambda schema, first, *others: [first if others else schema.version, *others]),
        "type-and-version-swapped": _written(lambda _schema, first, *others: [first, *others[::-1]]),
        "version-0": _written(lambda _schema, *numbers: [*numbers[:2], *[0] * len(numbers[2:])]),
        "version-plus-one": _written(lambda _schema, *numbers: [*numbers[:2], *(each + 1 for each in numbers[2:])]),
        "type-plus-one": _written(
            lambda _schema, *numbers: [*numbers[:1], *(each + 1 for each in numbers[1:2]), *numbers[2:]]
        ),
    },
    "bodies": {
        "line-behind": ContentWay(raw=lambda body: body + b"\n"),
        "zero-behind": ContentWay(raw=lambda body: body + b"\0"),
        "last-byte-lost": ContentWay(raw=lambda body: body[:-1]),
        "left-out-if-zeros": ContentWay(raw=lambda body: body if any(body) else b""),
    },
}
ON_WIRE_TYPES: dict[str, Mapping[str, Way]] = {
    "floats": _pieces(
        {
            "little-endian": lambda piece: piece[::-1],
            "words-swapped": lambda piece: piece[4:] + piece[:4],
            "nan-without-payload": _nan(lambda _bits: 0x7FF8 << 48),
            "nan-quieted": _nan(lambda bits: bits | QUIET),
            "nan-without-sign": _nan(lambda bits: bits & ~SIGN_64),
            "nan-with-half-a-payload": _nan(lambda bits: bits >> 32 << 32 | QUIET),
            "nan-refused": ways.refuse_if(lambda piece: math.isnan(double(piece))),
            "nan-as-zero": _nan(lambda _bits: 0),
            "minus-zero-as-zero": swap(b"\x80" + bytes(7), bytes(8)),
            "denormals-as-zero": lambda piece: bytes(8) if piece[:2] == b"\0\0" else piece,
            "infinity-refused": ways.refuse_if(lambda piece: math.isinf(double(piece))),
            "through-float32": _through_float32,
            "last-byte-zero": lambda piece: piece[:7] + b"\0",
            "sign-dropped": lambda piece: bytes([piece[0] & 0x7F]) + piece[1:],
            "as-integer": lambda piece: struct.pack(">d", int(double(piece))) if abs(double(piece)) < 2**53 else piece,
        }
    ),
    "uuids": _pieces(
        {
            "little-endian": lambda piece: piece[::-1],
            "halves-swapped": lambda piece: piece[8:] + piece[:8],
            "each-half-little-endian": lambda piece: piece[7::-1] + piece[:7:-1],
            "mixed-endian": lambda piece: piece[3::-1] + piece[5:3:-1] + piece[7:5:-1] + piece[8:],
            "first-half-twice": lambda piece: piece[:8] * 2,
            "second-half-zero": lambda piece: piece[:8] + bytes(8),
            "first-half-zero": lambda piece: bytes(8) + piece[8:],
            "version-set": lambda piece: piece[:6] + bytes([piece[6] & 0xF | 0x40]) + piece[7:],
            "variant-set": lambda piece: piece[:8] + bytes([piece[8] & 0x3F | 0x80]) + piece[9:],
            "zero-refused": ways.refuse(bytes(16)),
            "all-ones-refused": ways.refuse(b"\xff" * 16),
        }
    ),
    "bools": _pieces(
        {
            "inverted": lambda piece: bytes([piece == b"\0"]),
            "always-false": lambda _piece: b"\0",
            "always-true": lambda _piece: b"\1",
            "true-as-ff": swap(b"\1", b"\xff"),
            "true-as-two-bytes": swap(b"\1", b"\0\1"),
            "true-refused": ways.refuse(b"\1"),
        }
    ),
    "folded": {
        "sign-first": VarintWay(number=lambda number: max(number - 2, 0) if number & 1 else number),
        "sign-dropped": VarintWay(number=lambda number: number & ~1),
    },
    "cut-off": {
        "missing-bytes-as-zeros": FixedWay(pads=True),
        "one-byte-less": FixedWay(more=-1, piece=lambda piece: piece + b"\0"),
    },
    "lists": {
        "turned": _value(lambda items: items and items[::-1]),
        "sorted": _value(lambda items: items and sorted(items)),
        "first-alone": _first(1),
        "last-dropped": _first(-1),
        "repeated-dropped": _value(lambda items: items and list(dict.fromkeys(items))),
        "zeros-dropped": _value(lambda items: items and [item for item in items if item]),
        "empty-as-null": _value(swap([], None)),
        "one-as-null": _value(lambda items: None if items is not None and len(items) == 1 else items),
        **{f"cut-at-{size}": _first(size) for size in ways.SIZES[1::3]},
    },
}
LEGAL: dict[str, Mapping[str, Way]] = {
    "overlong": {"overlong-refused": ways.VARINT_LEGAL["overlong-refused"]},
    "six-groups": {"six-groups-of-zeros-refused": ways.VARINT_LEGAL["six-groups-of-zeros-refused"]},
    "other-negative": {"other-negative-refused": LengthWay(of=ways.refuse_if(lambda length: length < -1))},
    "odd-bools": _pieces(
        {
            "other-bytes-refused": ways.refuse_if(lambda piece: piece > b"\1"),
            "other-bytes-as-false": lambda piece: b"\0" if piece > b"\1" else piece,
        }
    ),
    "malformed": {
        "malformed-refused": ContentWay(raw=ways.refuse_if(_is_malformed)),
        "malformed-dropped": ContentWay(raw=lambda raw: raw.decode(errors="ignore").encode()),
    },
    "odd-sections": {name: _value(change) for name, change in ways.LEGAL_SECTION.items()},
    "beyond-31-bits": {"beyond-31-bits-refused": VarintWay(refuses=ways.above(2**31 - 2))},
    "negative": {"negative-refused": VarintWay(refuses=ways.above(2**31 - 1))},
}
"""Differences allowed to readers and writers."""
PLAIN = {**ON_FRAMES, **ON_STORED, **ON_WIRE_TYPES, **LEGAL}
