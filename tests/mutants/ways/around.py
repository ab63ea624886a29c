"""Ways of frames, of stored messages and of wire types, by name."""

import math
import struct
from collections.abc import Callable
from typing import Any
from uuid import UUID

from conformance.codec.selection import parse_selection
from reference import TAGS, load_release
from tests.helpers.releases import BASE
from tests.mutants.ways.basics import constant, refuse, refuse_if, reversed_bytes
from tests.mutants.ways.contents import SIZES
from tests.second_codec.forms import double
from tests.second_codec.frames import HeaderAsked
from tests.second_codec.stored import TypeAsked, types_of
from tests.second_codec.ways import VarintWay, swap

NO_OP = 20
SIGN_64, QUIET = 2**63, 2**51


def _nan(change: Callable[[int], int]) -> Callable[[bytes], bytes]:
    """Return a change of the bits of a NaN."""
    return lambda piece: change(int.from_bytes(piece)).to_bytes(8) if math.isnan(double(piece)) else piece


def _through_float32(piece: bytes) -> bytes:
    try:
        return struct.pack(">d", struct.unpack(">f", struct.pack(">f", double(piece)))[0])
    except OverflowError:
        return piece


FLOATS: dict[str, Callable[[bytes], bytes]] = {
    "little-endian": reversed_bytes,
    "words-swapped": lambda piece: piece[4:] + piece[:4],
    "nan-without-payload": _nan(constant(0x7FF8 << 48)),
    "nan-quieted": _nan(lambda bits: bits | QUIET),
    "nan-without-sign": _nan(lambda bits: bits & ~SIGN_64),
    "nan-with-half-a-payload": _nan(lambda bits: bits >> 32 << 32 | QUIET),
    "nan-refused": refuse_if(lambda piece: math.isnan(double(piece))),
    "nan-as-zero": _nan(constant(0)),
    "minus-zero-as-zero": swap(b"\x80" + bytes(7), bytes(8)),
    "denormals-as-zero": lambda piece: bytes(8) if piece[:2] == b"\0\0" else piece,
    "infinity-refused": refuse_if(lambda piece: math.isinf(double(piece))),
    "through-float32": _through_float32,
    "last-byte-zero": lambda piece: piece[:7] + b"\0",
    "sign-dropped": lambda piece: bytes([piece[0] & 0x7F]) + piece[1:],
    "as-integer": lambda piece: struct.pack(">d", int(double(piece))) if abs(double(piece)) < 2**53 else piece,
}
UUIDS: dict[str, Callable[[bytes], bytes]] = {
    "little-endian": reversed_bytes,
    "halves-swapped": lambda piece: piece[8:] + piece[:8],
    "each-half-little-endian": lambda piece: piece[7::-1] + piece[:7:-1],
    "mixed-endian": lambda piece: UUID(bytes=piece).bytes_le,
    "first-half-twice": lambda piece: piece[:8] * 2,
    "second-half-zero": lambda piece: piece[:8] + bytes(8),
    "first-half-zero": lambda piece: bytes(8) + piece[8:],
    "version-set": lambda piece: piece[:6] + bytes([piece[6] & 0xF | 0x40]) + piece[7:],
    "variant-set": lambda piece: piece[:8] + bytes([piece[8] & 0x3F | 0x80]) + piece[9:],
    "zero-refused": refuse(bytes(16)),
    "all-ones-refused": refuse(b"\xff" * 16),
}
BOOLS: dict[str, Callable[[bytes], bytes]] = {
    "inverted": lambda piece: bytes([piece == b"\0"]),
    "always-false": constant(b"\0"),
    "always-true": constant(b"\1"),
    "true-as-ff": swap(b"\1", b"\xff"),
    "true-as-two-bytes": swap(b"\1", b"\0\1"),
    "true-refused": refuse(b"\1"),
}
OTHER_BOOLS: dict[str, Callable[[bytes], bytes]] = {
    "other-bytes-refused": refuse_if(lambda piece: piece > b"\1"),
    "other-bytes-as-false": lambda piece: b"\0" if piece > b"\1" else piece,
    "of-four-bytes": lambda piece: piece.rjust(4, b"\0"),
}
PIECES = {"float": FLOATS, "uuid": UUIDS, "bool": BOOLS, "other-bool": OTHER_BOOLS}
"""Changes of the bytes of a value."""


def _taken_as(change: Callable[[TypeAsked], int]) -> Callable[[TypeAsked], TypeAsked]:
    return lambda asked: asked._replace(record_type=change(asked))


def _one_as(wrong: int, other: int) -> Callable[[TypeAsked], TypeAsked]:
    return _taken_as(lambda asked: other if asked.record_type == wrong else asked.record_type)


def _unknown_as(other: Callable[[TypeAsked], int]) -> Callable[[TypeAsked], TypeAsked]:
    return _taken_as(lambda asked: asked.record_type if asked.message else other(asked))


def _next_below(asked: TypeAsked) -> int:
    return max((key for key in asked.names if key is not None and key < asked.record_type), default=-1)


def _cut(bits: int) -> Callable[[TypeAsked], TypeAsked]:
    return _taken_as(lambda asked: asked.record_type % 2**bits)


def _in_any_log(asked: TypeAsked) -> TypeAsked:
    return asked._replace(names={**types_of(load_release(BASE), "kafka-metadata"), **asked.names})


TYPES: dict[str, Callable[[TypeAsked], TypeAsked]] = {
    **{f"{number}-as-no-op": _one_as(number, NO_OP) for number in (6, 13, 16, 29, 30, 31, 32, 127, 128, 255, 256)},
    "unknown-as-no-op": _unknown_as(constant(NO_OP)),
    "unknown-as-the-first": _unknown_as(constant(0)),
    "unknown-as-the-next-below": _unknown_as(_next_below),
    **{f"cut-at-{bits}-bits": _cut(bits) for bits in (5, 6, 7, 8)},
    "those-of-another-log-too": _in_any_log,
    "zero-refused": _taken_as(lambda asked: asked.record_type or -1),
    "feature-level-refused": _one_as(12, -1),
    "above-15-refused": _taken_as(lambda asked: asked.record_type if asked.record_type <= 15 else -1),
}
"""Changes of the type of a record."""
KNOWN = {schema.api_key for schema in load_release(BASE).schemas() if schema.kind == "metadata"}
NUMBERS = {"unknown-as-no-op": VarintWay(number=lambda number: number if number in KNOWN else NO_OP)}
"""Ways of the number of a type."""


def _written(change: Callable[..., list[Any]]) -> Callable[[Any], Any]:
    """Return a change of the numbers of a head, by the schema and the numbers one by one."""
    return lambda given: (given[0], change(given[0], *given[1]))


WRITTEN: dict[str, Callable[[Any], Any]] = {
    "first-0": _written(lambda _schema, _first, *others: [0, *others]),
    "first-plus-one": _written(lambda _schema, first, *others: [first + 1, *others]),
    "version-for-type": _written(lambda schema, first, *others: [first if others else schema.version, *others]),
    "type-and-version-swapped": _written(lambda _schema, first, *others: [first, *others[::-1]]),
    "version-0": _written(lambda _schema, *numbers: [*numbers[:2], *[0] * len(numbers[2:])]),
    "version-plus-one": _written(lambda _schema, *numbers: [*numbers[:2], *(each + 1 for each in numbers[2:])]),
    "type-plus-one": _written(
        lambda _schema, *numbers: [*numbers[:1], *(each + 1 for each in numbers[1:2]), *numbers[2:]]
    ),
}
"""Changes of the numbers before a written message."""


def _first(size: int) -> Callable[[Any], Any]:
    return lambda items: items and items[:size]


VALUES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "type": TYPES,
    "written-numbers": WRITTEN,
    "read-numbers": {
        "type-and-version-swapped": lambda numbers: [numbers[0], *numbers[:0:-1]],
        "frame-version-0-taken": lambda numbers: [numbers[0] or 1, *numbers[1:]],
        "frame-version-2-taken": lambda numbers: [1 if numbers[0] == 2 else numbers[0], *numbers[1:]],
        "higher-frame-versions-taken": lambda numbers: [min(numbers[0], 1), *numbers[1:]],
    },
    "version": {
        "plus-one": lambda version: version + 1,
        "minus-one": lambda version: version - 1,
        "lowest": constant(0),
        "highest": constant(2**15 - 1),
        "highest-refused": refuse(4),
        "3-refused": refuse(3),
    },
    "behind": {
        "ignored": constant(b""),
        "zeros-ignored": lambda behind: behind if any(behind) else b"",
        "one-byte-ignored": lambda behind: behind if len(behind) != 1 else b"",
        "from-two-bytes-ignored": lambda behind: behind[:1] if len(behind) == 1 else b"",
    },
    "answer": {
        "version-0": lambda answer: (answer[0], 0),
        "no-version": lambda answer: (answer[0], None),
        "message-in-small-letters": lambda answer: (answer[0].lower(), answer[1]),
    },
    "tagged": {
        "unknown-tags-refused": refuse_if(lambda value: TAGS in value),
        "unknown-tags-dropped": lambda value: {name: item for name, item in value.items() if name != TAGS},
    },
    "list": {
        "turned": lambda items: items and items[::-1],
        "sorted": lambda items: items and sorted(items),
        "first-alone": _first(1),
        "last-dropped": _first(-1),
        "repeated-dropped": lambda items: items and list(dict.fromkeys(items)),
        "zeros-dropped": lambda items: items and [item for item in items if item],
        "empty-as-null": swap([], None),
        "one-as-null": lambda items: None if items is not None and len(items) == 1 else items,
        **{f"cut-at-{size}": _first(size) for size in SIZES[1::3]},
    },
    "signed-numbers": {
        "written": lambda given: (given[0], [2 * number for number in given[1]]),
        "read": lambda numbers: [number // 2 if number % 2 == 0 else -1 for number in numbers],
    },
    "uuid-value": {"zero-as-null": lambda value: value if value.int else None},
}
"""Changes of values by their kind."""


def header(name: str) -> Callable[[HeaderAsked], HeaderAsked]:
    """Return the change to a version of the header, as `1/MetadataRequest-v9` or `at-most-1`."""
    if name.startswith("at-most-"):
        return lambda asked: asked._replace(header=min(asked.header, int(name.removeprefix("at-most-"))))
    version, _, selection = name.partition("/")
    [selector] = parse_selection([selection])

    def changed(asked: HeaderAsked) -> HeaderAsked:
        is_wrong = selector.matches(asked.schema.message, asked.schema.version)
        return asked._replace(header=int(version)) if is_wrong else asked

    return changed
