"""The faults of readers of records, and the legal variants, as ways by kind, place and name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

from crc32c import crc32c

from tests.mutants.single_faults.records.changes import (
    CHANGED_BATCHES,
    CHANGED_HEADERS,
    CHANGED_MESSAGES,
    CHANGED_TEXTS,
    OPEN_BATCHES,
    REFUSED_BATCHES,
    REFUSED_MESSAGES,
    edited,
    text_alone,
)
from tests.mutants.single_faults.records.number_ways import Ways, fixed, read_varints
from tests.mutants.single_faults.records.stream_ways import READ_LEGAL, READ_STREAMS
from tests.mutants.ways.basics import constant, refuse_if
from tests.second_codec.records import COVERED, FLAGS, HEADER, LOG_APPEND, RecordsWay, RecordWay
from tests.second_codec.steps import CheckWay, ContentWay, FixedWay, LengthWay, Misstep, never, swap
from tests.second_codec.streams import CODECS

Table = Mapping[str, Ways]
"""Ways by place."""

LENGTHS = ("record.key", "record.value", "header.value")
VARINTS = ("record.length", "record.offsetDelta", *LENGTHS, "record.headers", "header.key")
VARLONG = "record.timestampDelta"
WIDTHS = {
    **{f"batch.{name}": 64 for name in ("baseOffset", "baseTimestamp", "maxTimestamp", "producerId")},
    **{f"batch.{name}": 32 for name in ("partitionLeaderEpoch", "lastOffsetDelta", "baseSequence")},
    "batch.producerEpoch": 16,
}
"""The bits of the numbers of batches."""
MESSAGE_NUMBERS = {"message.offset": 64, "message.timestamp": 64}
UNUSED = range(7, 16)
OF_LENGTHS = ("one-byte-more", "any-width", "one-byte", "cut-at-7", "cut-at-14", "unsigned", "not-zig-zag")
OF_DELTAS = (*OF_LENGTHS, "one-byte-less", "cut-at-21", "cut-at-28", "as-int16")
OF_THE_VARLONG = (
    *(f"cut-at-{bits}" for bits in (32, 35, 42, 49, 56)),
    *("as-int32", "sign-dropped", "negative-off-by-one", "minus-one-as-zero", "minus-one-refused", "highest-refused"),
    "upper-half-refused",
)
OF_COUNTS = ("unsigned", "little-endian", "lower-half", "sign-dropped", "upper-half-refused")
OF_FIXED = (*OF_COUNTS, "minus-one-as-zero", "minus-one-refused", "zero-refused", "highest-refused")
OF_LAST_OFFSET = ("little-endian", "lower-half", "lowest-byte", "zero-refused", "highest-refused", "upper-half-refused")
NUMBERS: Table = {
    "record.length": read_varints(32, *OF_LENGTHS, "cut-at-21", "as-int16"),
    **{
        place: read_varints(32, *OF_LENGTHS, "cut-at-21", "as-int16", "negative-off-by-one", "sign-dropped")
        for place in ("record.key", "record.value")
    },
    "header.key": read_varints(32, *OF_LENGTHS, "as-int16", "negative-off-by-one"),
    "header.value": read_varints(32, *OF_LENGTHS, "as-int16", "negative-off-by-one", "sign-dropped"),
    "record.headers": read_varints(32, *OF_LENGTHS, "negative-off-by-one", "sign-dropped"),
    "record.offsetDelta": read_varints(32, *OF_DELTAS, "ten-bytes"),
    VARLONG: read_varints(64, *OF_DELTAS, *OF_THE_VARLONG),
    **{place: fixed(bits, *OF_FIXED) for place, bits in (WIDTHS | MESSAGE_NUMBERS).items()},
    "batch.lastOffsetDelta": fixed(32, *OF_LAST_OFFSET),
    "batch.length": fixed(32, "little-endian", "lower-half", "lowest-byte", "upper-half-refused"),
    "batch.recordCount": fixed(32, "little-endian", "lower-half", "lowest-byte", "sign-dropped"),
    "message.key": fixed(32, *OF_COUNTS),
    "message.value": fixed(32, *OF_COUNTS),
    "message.wrapped": fixed(32, "little-endian"),
}


def _at_least_zero(number: int) -> int:
    return max(number, 0)


OF_NULLS: Ways = {
    "null-refused": LengthWay(of=refuse_if(lambda length: length < 0)),
    "null-as-empty": LengthWay(of=_at_least_zero),
    "empty-as-null": ContentWay(value=lambda value: value or None),
    "empty-refused": LengthWay(of=refuse_if(lambda length: length == 0)),
}
BEYOND: Ways = {
    "beyond-cut": LengthWay(is_bound=False),
    "beyond-as-null": LengthWay(is_bound=False, beyond=constant(None)),
}
AS_NONE: Ways = {
    "negative-as-none": LengthWay(of=_at_least_zero),
    "minus-one-as-none": LengthWay(of=swap(-1, 0)),
}
NULLS: Table = {
    **dict.fromkeys(("record.key", "record.value", "message.key"), OF_NULLS),
    "header.value": OF_NULLS | BEYOND,
    "message.value": OF_NULLS | BEYOND,
    "message.wrapped": {"beyond-cut": LengthWay(is_bound=False)},
    "header.key": {"null-as-empty": LengthWay(of=swap(-1, 0)), "negative-as-empty": LengthWay(of=_at_least_zero)},
    "record.headers": AS_NONE | {"too-many-cut": LengthWay(is_bound=False)},
}


def _also(test: Callable[..., Any]) -> CheckWay:
    """Return the way of a stricter check."""
    return CheckWay(lambda is_wrong, *facts: is_wrong or bool(test(*facts)))


def _unless(test: Callable[..., Any]) -> CheckWay:
    """Return the way of a laxer check."""
    return CheckWay(lambda is_wrong, *facts: is_wrong and not test(*facts))


def _all_that_is_left(length: int, left: int) -> int:
    return left if length < 0 else length


def _always(_over: int) -> bool:
    return True


LEFT_OUT = CheckWay(never)

ALSO: Mapping[str, Callable[[bytes], bytes]] = {
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


def _same_part(part: slice, stored: slice, covered: int, sum_of: Callable[[bytes], int]) -> CheckWay:
    return _unless(lambda chunk: chunk[stored][part] == sum_of(chunk[covered:]).to_bytes(4)[part])


def _as_none(*numbers: int) -> Ways:
    return {f"{number}-as-none": ContentWay(value=swap(number, 0)) for number in numbers}


def _refused(*numbers: int) -> Ways:
    return {f"{number}-refused": _also(lambda given, number=number: given == number) for number in numbers}


def _offset(test: Callable[[Any, list[int]], Any]) -> CheckWay:
    return _also(lambda wrapper, offsets: offsets and test(wrapper, offsets))


BATCH_CRC, MESSAGE_CRC = slice(17, 21), slice(12, 16)
CHECKS: Table = {
    "batch.crc": {name: _same_part(part, BATCH_CRC, 21, crc32c) for name, part in PARTS.items()}
    | {name: _unless(lambda chunk, of=of: chunk[BATCH_CRC] == of(chunk)) for name, of in ALSO.items()},
    "batch.short": {"filled": LEFT_OUT},
    "batch.length": {
        "zero-as-the-end": ContentWay(value=swap(0, None)),
        "negative-as-the-end": ContentWay(value=lambda length: None if length < 0 else length),
        "short-as-a-part": ContentWay(value=lambda length: None if length < 14 else length),
        "beyond-cut": LengthWay(is_bound=False),
        "itself-counted": FixedWay(number=lambda length: length - 4),
        "overhead-counted": FixedWay(number=lambda length: length - 12),
    },
    "batch.magic": {f"also-{number}": _unless(lambda magic, number=number: magic == number) for number in (3, 255, 127)}
    | {f"without-{number}": _also(lambda magic, number=number: magic == number) for number in (0, 1)},
    "batch.codec": {
        f"{number}-as-{name}": ContentWay(value=swap(number, index))
        for number, name, index in ((5, "gzip", 1), (6, "snappy", 2), (7, "lz4", 3))
    }
    | _as_none(5, 6, 7, 4, 1)
    | _refused(*range(5)),
    "batch.recordCount": {
        "negative-as-none": ContentWay(value=_at_least_zero),
        "minus-one-as-none": ContentWay(value=swap(-1, 0)),
        "too-high": RecordsWay(ends=lambda missing, left: missing <= 0 or not left),
        "one-too-high": RecordsWay(ends=lambda missing, left: missing <= 0 or (missing == 1 and not left)),
        "too-low": Misstep("batch.rest", LEFT_OUT),
        "last-one-cut": RecordsWay(drops_last=True),
    },
    "batch.rest": {
        "ignored": LEFT_OUT,
        "zeros-ignored": _unless(lambda rest: not any(rest)),
        "one-byte-ignored": _unless(lambda rest: len(rest) == 1),
        "short-ignored": _unless(lambda rest: len(rest) < 7),
    },
    "field.tail": {"refused": _also(bool), "dropped": ContentWay(value=constant(b""))},
    "record.length": {
        "negative-ignored": RecordWay(_all_that_is_left, takes=_always),
        "beyond-ignored": RecordWay(is_bound=False, takes=_always),
        "ignored": RecordWay(_all_that_is_left, is_bound=False, limits=False, takes=_always),
        "shorter-ignored": RecordWay(limits=False, takes=lambda over: over >= 0),
        "longer-skipped": RecordWay(skips=2**31),
        "longer-by-one-skipped": RecordWay(skips=1),
        "zero-as-an-empty-record": RecordWay(
            empty=dict.fromkeys(("attributes", "timestampDelta", "offsetDelta"), 0)
            | {"key": None, "value": None, "headers": []}
        ),
    },
    "message.crc": {
        **{
            name: _same_part(PARTS[name], MESSAGE_CRC, 16, crc32)
            for name in ("left-out", "high-half", "low-half", "last-byte")
        },
        "also-zero": _unless(lambda chunk: chunk[MESSAGE_CRC] == bytes(4)),
        "also-without-the-magic": _unless(lambda chunk: chunk[MESSAGE_CRC] == crc32(chunk[17:]).to_bytes(4)),
    },
    "message.codec": {
        **_as_none(5, 6, 7),
        "zstd-taken": _unless(lambda number: number == CODECS.index("zstd") + 1),
        "nested-taken": Misstep("message.nested", LEFT_OUT),
        **_refused(*range(4)),
    },
    "wrapper": {
        "null-as-empty": Misstep("wrapper.null", LEFT_OUT),
        "empty-taken": Misstep("wrapper.messages", LEFT_OUT),
        "second-message-ignored": Misstep("wrapper.messages", ContentWay(value=lambda messages: messages[:1])),
        "short-as-the-end": Misstep("wrapper.short", LEFT_OUT),
    },
    "wrapper.offset": {
        "left-out": LEFT_OUT,
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


def _flag(place: str, bit: int, context: str = "") -> Ways:
    return {
        "refused": Misstep(place, _also(lambda attributes: attributes >> bit & 1), context=context),
        "dropped": Misstep(place, ContentWay(value=lambda attributes: attributes & ~(1 << bit)), context=context),
    }


FLAG_BITS = {"timestampType": LOG_APPEND, **FLAGS}
FLAGS_READ: Table = {
    **{f"flag.{name}": _flag("batch.attributes", bit) for name, bit in FLAG_BITS.items()},
    **{f"flag.unused-{bit}": _flag("batch.attributes", bit) for bit in UNUSED},
    **{f"message.unused-{bit}": _flag("message.attributes", bit, "magic-0" * (bit == 3)) for bit in range(3, 8)},
    "message.timestampType": _flag("message.attributes", 3, "magic-1"),
    "record.attributes": {
        "as-a-varint": Misstep("record.attributes-as-a-varint"),
        "refused": FixedWay(refuses=bool),
        "dropped": FixedWay(number=constant(0)),
        "unsigned": FixedWay(number=lambda number: number % 256),
    },
}
DROPPED = (
    *("control-ABORT", "control-COMMIT", "control-type-2", "control-of-unknown-type", "control-of-two-records"),
    *("empty", "empty-with-producer"),
)


def _dropping(test: Callable[[Any], Any]) -> ContentWay:
    return ContentWay(value=lambda batch: None if test(batch) else batch)


VALUES: Table = {
    "batch": {f"refused={name}": _also(test) for name, test in REFUSED_BATCHES.items() if name not in OPEN_BATCHES}
    | {f"dropped={name}": _dropping(REFUSED_BATCHES[name]) for name in DROPPED}
    | {f"changed={name}": ContentWay(value=edited(change)) for name, change in CHANGED_BATCHES.items()},
    "record.headers": {f"changed={name}": ContentWay(value=change) for name, change in CHANGED_HEADERS.items()},
    "header.key": {f"changed={name}": ContentWay(value=text_alone(change)) for name, change in CHANGED_TEXTS.items()},
    "message": {f"refused={name}": _also(test) for name, test in REFUSED_MESSAGES.items()}
    | {f"changed={name}": ContentWay(value=edited(change)) for name, change in CHANGED_MESSAGES.items()},
}
KINDS: Mapping[str, Table] = {
    "numbers": NUMBERS,
    "nulls": NULLS,
    "checks": CHECKS,
    "flags": FLAGS_READ,
    "values": VALUES,
    "streams": READ_STREAMS,
}
"""The faults by kind."""
BELOW_NULL: Ways = {
    "below-null-refused": LengthWay(of=refuse_if(lambda length: length < -1)),
    "below-null-as-empty": LengthWay(of=lambda length: 0 if length < -1 else length),
}


def _other_magic(wrapper: Any, messages: list[Any]) -> bool:
    return any(each["magic"] != wrapper["magic"] for each in messages)


LEGAL: Table = {
    **{place: read_varints(32, "overlong-refused") for place in VARINTS},
    VARLONG: read_varints(64, "overlong-refused"),
    **{
        place: fixed(bits, "below-minus-one-refused")
        for place, bits in (WIDTHS | MESSAGE_NUMBERS).items()
        if place not in {"message.offset", "batch.lastOffsetDelta"}
    },
    **{place: {"below-null-refused": BELOW_NULL["below-null-refused"]} for place in ("message.key", "message.value")},
    **{place: read_varints(32, "overlong-refused") | BELOW_NULL for place in LENGTHS},
    "header.key": read_varints(32, "overlong-refused")
    | {
        "malformed-refused": ContentWay(value=refuse_if(lambda key: isinstance(key, bytes))),
        "malformed-replaced": ContentWay(
            value=lambda key: key.decode(errors="replace") if isinstance(key, bytes) else key
        ),
    },
    "batch": {f"refused={name}": _also(test) for name, test in OPEN_BATCHES.items()},
    "batch.recordCount": {"bytes-behind-none-refused": _also(lambda count, left: count <= 0 and left)},
    "message.crc": {"of-wrappers-compared": _also(lambda chunk: chunk[MESSAGE_CRC] != crc32(chunk[16:]).to_bytes(4))},
    "message.rest": {"refused": _also(bool)},
    "wrapper": {
        "other-magic-refused": Misstep("wrapper.messages", _also(_other_magic)),
        "cut-message-refused": Misstep("wrapper.cut", _also(bool)),
    },
    **READ_LEGAL,
}
"""The legal variants."""
IN_BATCHES = (
    *("second-batch", "control", "log-append", "transactional", "deleteHorizon", "no-base-timestamp", "producer"),
    *("gzip", "snappy", "lz4", "zstd"),
)
IN_RECORDS = (*IN_BATCHES, "second-record")
IN_MESSAGES = ("in-a-wrapper", "second-message", "magic-0", "magic-1", "log-append", "second-batch")
IN_CONTEXTS: Mapping[tuple[str, str, str], Sequence[str]] = {
    ("checks", "batch.crc", "left-out"): (*IN_BATCHES, "empty"),
    ("checks", "batch.rest", "ignored"): ("second-batch", "control", "log-append", "deleteHorizon", "snappy", "zstd"),
    ("checks", "batch.recordCount", "one-too-high"): ("second-batch", "control", "transactional", "gzip", "lz4"),
    ("numbers", "batch.lastOffsetDelta", "lower-half"): (
        *("second-batch", "control", "log-append", "producer", "zstd", "empty"),
    ),
    ("checks", "record.length", "ignored"): (
        *("second-batch", "control", "log-append", "deleteHorizon", "gzip", "second-record"),
    ),
    ("nulls", "record.value", "null-as-empty"): IN_RECORDS,
    ("nulls", "record.key", "null-refused"): ("second-batch", "log-append", "transactional", "lz4", "second-record"),
    ("numbers", "record.offsetDelta", "cut-at-14"): (
        *("second-batch", "control", "log-append", "deleteHorizon", "producer", "gzip"),
    ),
    ("numbers", VARLONG, "sign-dropped"): ("second-batch", "control", "log-append", "deleteHorizon", "snappy"),
    ("numbers", VARLONG, "cut-at-14"): ("transactional", "producer", "zstd", "second-batch"),
    ("nulls", "header.value", "beyond-cut"): (
        *("second-batch", "log-append", "transactional", "gzip", "zstd", "second-record"),
    ),
    ("nulls", "header.value", "null-as-empty"): ("second-batch", "second-record", "second-header", "log-append", "lz4"),
    ("checks", "message.crc", "left-out"): IN_MESSAGES,
    ("nulls", "message.value", "null-as-empty"): IN_MESSAGES,
    ("numbers", "message.timestamp", "lower-half"): ("in-a-wrapper", "second-message", "log-append", "second-batch"),
    ("nulls", "message.value", "beyond-cut"): ("in-a-wrapper", "second-message", "magic-0", "second-batch"),
}
"""Faults by kind, place and name in one context of a reader alone."""
