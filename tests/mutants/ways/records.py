"""Ways of record batches and message sets, by name: checks, checksums, flags and the ends of records."""

from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

from crc32c import crc32c

from tests.mutants.ways.basics import constant, refuse_if
from tests.mutants.ways.batches import REFUSED_BATCHES
from tests.second_codec.records import COVERED, HEADER, RecordsWay, RecordWay
from tests.second_codec.streams import CODECS
from tests.second_codec.ways import CheckWay, ContentWay, CrcWay, never, swap

Ways = Mapping[str, Any]
LEFT_OUT = CheckWay(never)


def also(test: Callable[..., Any]) -> CheckWay:
    """Return the way of a stricter check."""
    return CheckWay(lambda is_wrong, *facts: is_wrong or bool(test(*facts)))


def unless(test: Callable[..., Any]) -> CheckWay:
    """Return the way of a laxer check."""
    return CheckWay(lambda is_wrong, *facts: is_wrong and not test(*facts))


OTHER_CRCS: Mapping[str, Callable[[bytes], bytes]] = {
    "also-zero": lambda chunk: bytes(4),
    "also-ones": lambda chunk: b"\xff" * 4,
    "also-crc-32": lambda chunk: crc32(chunk[COVERED]).to_bytes(4),
    "also-little-endian": lambda chunk: crc32c(chunk[COVERED]).to_bytes(4, "little"),
    "also-inverted": lambda chunk: (crc32c(chunk[COVERED]) ^ 0xFFFFFFFF).to_bytes(4),
    "also-of-the-header": lambda chunk: crc32c(chunk[21:HEADER]).to_bytes(4),
    "also-of-the-records": lambda chunk: crc32c(chunk[HEADER:]).to_bytes(4),
    "also-without-attributes": lambda chunk: crc32c(chunk[23:]).to_bytes(4),
    "also-from-the-magic": lambda chunk: crc32c(chunk[16:17] + chunk[COVERED]).to_bytes(4),
    "also-from-the-leader-epoch": lambda chunk: crc32c(chunk[12:17] + chunk[COVERED]).to_bytes(4),
    "also-without-the-last-byte": lambda chunk: crc32c(chunk[21:-1]).to_bytes(4),
}
"""Checksums accepted by a reader beside the right one."""
PARTS = {
    "left-out": slice(0, 0),
    "high-half": slice(0, 2),
    "low-half": slice(2, 4),
    "first-byte": slice(0, 1),
    "last-byte": slice(3, 4),
}
"""The compared part of a checksum."""
BATCH_CRC, MESSAGE_CRC = slice(17, 21), slice(12, 16)


def _same_part(part: slice, stored: slice, covered: int, sum_of: Callable[[bytes], int]) -> CheckWay:
    return unless(lambda chunk: chunk[stored][part] == sum_of(chunk[covered:]).to_bytes(4)[part])


def _offset(test: Callable[[Any, list[int]], Any]) -> CheckWay:
    return also(lambda wrapper, offsets: offsets and test(wrapper, offsets))


def _other_magic(wrapper: Any, messages: list[Any]) -> bool:
    return any(each["magic"] != wrapper["magic"] for each in messages)


CHECKS: dict[str, Ways] = {
    "any": {"left-out": LEFT_OUT, "refused": also(bool)},
    "crc": {name: _same_part(part, BATCH_CRC, 21, crc32c) for name, part in PARTS.items()}
    | {name: unless(lambda chunk, of=of: chunk[BATCH_CRC] == of(chunk)) for name, of in OTHER_CRCS.items()},
    "message-crc": {name: _same_part(part, MESSAGE_CRC, 16, crc32) for name, part in PARTS.items()}
    | {
        "also-zero": unless(lambda chunk: chunk[MESSAGE_CRC] == bytes(4)),
        "also-without-the-magic": unless(lambda chunk: chunk[MESSAGE_CRC] == crc32(chunk[17:]).to_bytes(4)),
        "of-wrappers-compared": also(lambda chunk: chunk[MESSAGE_CRC] != crc32(chunk[16:]).to_bytes(4)),
    },
    "number": {f"also-{number}": unless(lambda given, number=number: given == number) for number in (3, 127, 255)}
    | {f"without-{number}": also(lambda given, number=number: given == number) for number in range(5)}
    | {"zstd-taken": unless(lambda number: number == CODECS.index("zstd") + 1)},
    "rest": {
        "zeros-ignored": unless(lambda rest: not any(rest)),
        "one-byte-ignored": unless(lambda rest: len(rest) == 1),
        "short-ignored": unless(lambda rest: len(rest) < 7),
    },
    "count": {"bytes-behind-none-refused": also(lambda count, left: count <= 0 and left)},
    "messages": {"other-magic-refused": also(_other_magic)},
    "offset": {
        "zero-refused": _offset(lambda wrapper, offsets: wrapper["offset"] == 0 and offsets[-1] > 0),
        "above-the-last-refused": _offset(lambda wrapper, offsets: wrapper["offset"] > offsets[-1]),
        "not-the-last-refused": _offset(lambda wrapper, offsets: wrapper["offset"] != offsets[-1]),
        "first-not-0-refused": _offset(lambda _wrapper, offsets: offsets[0] != 0),
        "gaps-refused": _offset(lambda _wrapper, offsets: offsets[-1] - offsets[0] != len(offsets) - 1),
        "below-the-last-in-magic-0-refused": _offset(
            lambda wrapper, offsets: not wrapper["magic"] and wrapper["offset"] < offsets[-1]
        ),
    },
}
"""Ways of checks by the kind of their facts."""
LENGTHS: Ways = {
    "zero-as-the-end": ContentWay(value=swap(0, None)),
    "negative-as-the-end": ContentWay(value=lambda length: None if length < 0 else length),
    "short-as-a-part": ContentWay(value=lambda length: None if length < 14 else length),
}
ENDS: Ways = {
    "too-high": RecordsWay(ends=lambda missing, left: missing <= 0 or not left),
    "one-too-high": RecordsWay(ends=lambda missing, left: missing <= 0 or (missing == 1 and not left)),
    "last-one-cut": RecordsWay(drops_last=True),
    "as-many-as-there-are": RecordsWay(ends=lambda _missing, left: not left),
}


def _all_that_is_left(length: int, left: int) -> int:
    return left if length < 0 else length


EMPTY_RECORD: dict[str, Any] = dict.fromkeys(("attributes", "timestampDelta", "offsetDelta"), 0) | {
    "key": None,
    "value": None,
    "headers": [],
}
RECORDS: Ways = {
    "negative-ignored": RecordWay(_all_that_is_left, takes=constant(value=True)),
    "beyond-ignored": RecordWay(is_bound=False, takes=constant(value=True)),
    "ignored": RecordWay(_all_that_is_left, is_bound=False, limits=False, takes=constant(value=True)),
    "not-compared": RecordWay(limits=False, takes=constant(value=True)),
    "shorter-ignored": RecordWay(limits=False, takes=lambda over: over >= 0),
    "longer-skipped": RecordWay(skips=2**31),
    "longer-by-one-skipped": RecordWay(skips=1),
    "zero-as-an-empty-record": RecordWay(empty=EMPTY_RECORD),
}


def flag(name: str, _side: str, number: str) -> Any:
    """Return a way of the attributes with one bit refused, dropped or always set."""
    bit = 1 << int(number)
    changes: dict[str, Callable[[int], int]] = {
        "dropped": lambda given: given & ~bit,
        "always": lambda given: given | bit,
    }
    return ContentWay(value=changes[name]) if name in changes else also(lambda given: given & bit)


def _written(of: Callable[[bytes], bytes]) -> CrcWay:
    return CrcWay(lambda _right, chunk: of(chunk))


def _xor(bits: int) -> CrcWay:
    return CrcWay(lambda right, _chunk: (int.from_bytes(right) ^ bits).to_bytes(4))


CRCS: Ways = {
    "wrong": _xor(1),
    "wrong-high": _xor(1 << 31),
    **{f"wrong-byte-{index}": _xor(1 << 32 - 8 * index) for index in (1, 2, 3)},
    **{name: _written(of) for name, of in OTHER_CRCS.items()},
    "also-without-the-magic": CrcWay(lambda _right, body: crc32(body[1:]).to_bytes(4)),
}
"""Ways of a written checksum."""
KEYS: Ways = {
    "malformed-refused": ContentWay(value=refuse_if(lambda key: isinstance(key, bytes))),
    "malformed-replaced": ContentWay(value=lambda key: key.decode(errors="replace") if isinstance(key, bytes) else key),
}


def swapped(name: str, _side: str) -> ContentWay:
    """Return the way of one number taken for another one, as `5/0`."""
    one, other = map(int, name.split("/"))
    return ContentWay(value=swap(one, other))


def dropped(name: str, _side: str) -> ContentWay:
    """Return the way of a reader without some batches."""
    test = REFUSED_BATCHES[name]
    return ContentWay(value=lambda batch: None if test(batch) else batch)
