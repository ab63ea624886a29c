"""The faults of readers: what is regular by place and deviation, the rest by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.mutants.single_faults.records.changes import (
    CHANGED_BATCHES,
    CHANGED_HEADERS,
    CHANGED_TEXTS,
    OPEN_BATCHES,
    REFUSED_BATCHES,
)
from tests.mutants.single_faults.records.messages import CHANGED_MESSAGES, REFUSED_MESSAGES
from tests.mutants.single_faults.records.reading import ALSO, FLAGS, PARTS
from tests.mutants.single_faults.records.switch import READ, Step

Table = Mapping[str, Sequence[str]]
"""Deviations by place."""

LENGTHS = ("record.key", "record.value", "header.value")
VARINTS = ("record.length", "record.offsetDelta", *LENGTHS, "record.headers", "header.key")
VARLONG = "record.timestampDelta"
OF_LENGTHS = (*("one-byte-more", "any-width", "one-byte", "cut-at-7", "cut-at-14", "unsigned", "not-zig-zag"),)
OF_DELTAS = (
    *("one-byte-more", "one-byte-less", "any-width", "one-byte", "cut-at-7", "cut-at-14", "cut-at-21", "cut-at-28"),
    *("unsigned", "not-zig-zag", "as-int16"),
)
OF_THE_VARLONG = (
    *(f"cut-at-{bits}" for bits in (32, 35, 42, 49, 56)),
    *("as-int32", "sign-dropped", "negative-off-by-one", "minus-one-as-zero", "minus-one-refused", "highest-refused"),
    "upper-half-refused",
)
BATCH_NUMBERS = (
    *("baseOffset", "partitionLeaderEpoch", "lastOffsetDelta", "baseTimestamp", "maxTimestamp", "producerId"),
    *("producerEpoch", "baseSequence"),
)
FIXED = (*(f"batch.{name}" for name in BATCH_NUMBERS), "message.offset", "message.timestamp")
OF_COUNTS = ("unsigned", "little-endian", "lower-half", "sign-dropped", "upper-half-refused")
OF_FIXED = (
    *OF_COUNTS,
    *("minus-one-as-zero", "minus-one-refused", "zero-refused", "highest-refused"),
)
OF_LAST_OFFSET = ("little-endian", "lower-half", "lowest-byte", "zero-refused", "highest-refused", "upper-half-refused")
NUMBERS: Table = {
    "record.length": (*OF_LENGTHS, "cut-at-21", "as-int16"),
    "record.key": (*OF_LENGTHS, "cut-at-21", "as-int16", "negative-off-by-one", "sign-dropped"),
    "record.value": (*OF_LENGTHS, "cut-at-21", "as-int16", "negative-off-by-one", "sign-dropped"),
    "header.key": (*OF_LENGTHS, "as-int16", "negative-off-by-one"),
    "header.value": (*OF_LENGTHS, "as-int16", "negative-off-by-one", "sign-dropped"),
    "record.headers": (*OF_LENGTHS, "negative-off-by-one", "sign-dropped"),
    "record.offsetDelta": (*OF_DELTAS, "ten-bytes"),
    VARLONG: (*OF_DELTAS, *OF_THE_VARLONG),
    **{place: OF_FIXED for place in FIXED if place != "batch.lastOffsetDelta"},
    "batch.lastOffsetDelta": OF_LAST_OFFSET,
    "batch.length": ("little-endian", "lower-half", "lowest-byte", "upper-half-refused"),
    "batch.recordCount": ("little-endian", "lower-half", "lowest-byte", "sign-dropped"),
    "message.key": OF_COUNTS,
    "message.value": OF_COUNTS,
    "message.wrapped": ("little-endian",),
}
OF_NULLS = ("null-refused", "null-as-empty", "empty-as-null", "empty-refused")
NULLS: Table = {
    **dict.fromkeys(("record.key", "record.value", "message.key"), OF_NULLS),
    "header.value": (*OF_NULLS, "beyond-cut", "beyond-as-null"),
    "message.value": (*OF_NULLS, "beyond-cut", "beyond-as-null"),
    "message.wrapped": ("beyond-cut",),
    "header.key": ("null-as-empty", "negative-as-empty"),
    "record.headers": ("negative-as-none", "minus-one-as-none", "too-many-cut"),
}
CODECS_AS = ("5-as-none", "6-as-none", "7-as-none", "5-as-gzip", "6-as-snappy", "7-as-lz4")
CHECKS: Table = {
    "batch.crc": (*PARTS, *ALSO),
    "batch.short": ("filled",),
    "batch.length": (
        *("zero-as-the-end", "negative-as-the-end", "short-as-a-part", "beyond-cut", "itself-counted"),
        "overhead-counted",
    ),
    "batch.magic": ("also-3", "also-255", "also-127", "without-0", "without-1"),
    "batch.codec": (*CODECS_AS, *(f"{number}-refused" for number in range(5)), "4-as-none", "1-as-none"),
    "batch.recordCount": (
        *("negative-as-none", "minus-one-as-none", "too-high", "one-too-high", "too-low", "last-one-cut"),
    ),
    "batch.rest": ("ignored", "zeros-ignored", "one-byte-ignored", "short-ignored"),
    "field.tail": ("refused", "dropped"),
    "record.length": (
        *("negative-ignored", "beyond-ignored", "ignored", "shorter-ignored", "longer-skipped"),
        *("longer-by-one-skipped", "zero-as-an-empty-record"),
    ),
    "message.crc": ("left-out", "high-half", "low-half", "last-byte", "also-zero", "also-without-the-magic"),
    "message.codec": (
        *CODECS_AS[:3],
        *("zstd-taken", "nested-taken", "0-refused", "1-refused", "2-refused", "3-refused"),
    ),
    "wrapper": ("null-as-empty", "empty-taken", "second-message-ignored", "short-as-the-end"),
    "wrapper.offset": (
        *("left-out", "zero-refused", "above-the-last-refused", "not-the-last-refused", "first-not-0-refused"),
        *("gaps-refused", "below-the-last-in-magic-0-refused"),
    ),
}
OF_FLAGS = ("refused", "dropped")
FLAGS_READ: Table = {
    **{f"flag.{name}": OF_FLAGS for name in ("timestampType", *FLAGS, *(f"unused-{bit}" for bit in range(7, 16)))},
    **{f"message.unused-{bit}": OF_FLAGS for bit in range(3, 8)},
    "message.timestampType": OF_FLAGS,
    "record.attributes": ("as-a-varint", "refused", "dropped", "unsigned"),
}
DROPPED = ("control-ABORT", "control-COMMIT", "control-type-2", "control-of-unknown-type", "control-of-two-records")
VALUES: Table = {
    "batch": (
        *(f"refused={name}" for name in REFUSED_BATCHES if name not in OPEN_BATCHES),
        *(f"dropped={name}" for name in (*DROPPED, "empty", "empty-with-producer")),
        *(f"changed={name}" for name in CHANGED_BATCHES),
    ),
    "record.headers": tuple(f"changed={name}" for name in CHANGED_HEADERS),
    "header.key": tuple(f"changed={name}" for name in CHANGED_TEXTS),
    "message": (
        *(f"refused={name}" for name in REFUSED_MESSAGES),
        *(f"changed={name}" for name in CHANGED_MESSAGES),
    ),
}
STREAMS: Table = {
    "gzip.format": ("zlib-taken", "deflate-taken"),
    "gzip.members": (
        "second-refused",
        "second-ignored",
        "third-ignored",
        "empty-as-the-end",
        "empty-refused",
        "last-only",
    ),
    "gzip.header": (
        *("second-byte-left-out", "method-left-out", "text-refused", "header-crc-refused", "extra-refused"),
        *("name-refused", "comment-refused", "time-refused", "extra-flags-refused", "system-refused"),
    ),
    "gzip.optional": (
        *("extra-not-skipped", "extra-big-endian", "name-not-skipped", "comment-not-skipped"),
        *("header-crc-not-skipped", "header-crc-left-out"),
    ),
    "gzip.block": ("stored-refused", "fixed-refused", "dynamic-refused"),
    "gzip.data": ("cut-taken",),
    "gzip.trailer": ("left-out", "crc-left-out", "size-left-out"),
    "snappy.form": ("raw-refused", "xerial-refused", "framed-taken", "without-versions"),
    "snappy.chunks": (
        *("second-refused", "second-ignored", "third-ignored", "empty-as-the-end", "empty-refused"),
        *("second-header-refused", "second-stream-ignored"),
    ),
    "snappy.length": ("little-endian", "lowest-byte", "zero-taken", "beyond-cut"),
    "snappy.block": (
        *("kind-0-refused", "kind-1-refused", "kind-2-refused", "length-left-out", "long-literal-refused"),
        *("literal-length-of-1-refused", "literal-length-of-2-refused", "literal-length-of-3-refused"),
        *("literal-length-big-endian", "offset-big-endian", "overlap-refused"),
    ),
    "lz4.header": (
        *(f"block-size-{code}-refused" for code in range(4, 8)),
        *("block-checksum-refused", "content-size-refused", "content-checksum-refused", "content-size-not-skipped"),
        *("version-taken", "size-bits-taken", "magic-taken", "reserved-taken", "dictionary-taken"),
        *("block-size-0-taken", "block-size-3-taken"),
    ),
    "lz4.header-checksum": ("right-one-only", "legacy-one-only", "left-out", "legacy-taken", "zero-taken"),
    "lz4.content-checksum": ("not-skipped", "cut-taken"),
    "lz4.blocks": (
        *("second-refused", "second-ignored", "third-ignored", "stored-refused", "stored-as-compressed"),
        *("larger-taken", "checksum-left-out", "checksum-not-skipped", "length-big-endian", "end-mark-left-out"),
    ),
    "lz4.block": (
        *("long-literal-refused", "long-match-refused", "literal-length-of-one-byte", "match-length-of-one-byte"),
        *("offset-big-endian", "overlap-refused", "match-one-shorter"),
    ),
    "lz4.frames": ("skippable-skipped",),
    "zstd.frames": ("second-refused", "second-ignored", "empty-as-the-end", "empty-refused"),
    "zstd.skippable": (
        *("refused", "first-refused", "behind-refused", "other-than-50-refused", "size-big-endian", "empty-refused"),
        "as-the-end",
    ),
    "zstd.header": (
        *(f"{name}-refused" for name in ("raw-block", "rle-block", "compressed-block", "several-blocks")),
        *(f"{name}-refused" for name in ("single-segment", "window", "content-size", "no-content-size")),
        *(
            f"{name}-refused"
            for name in ("checksum", "no-checksum", "size-of-1", "size-of-2", "size-of-4", "size-of-8")
        ),
        *(f"window-of-{1 << bits}-refused" for bits in (17, 20, 23, 24, 26)),
    ),
    "zstd.checksum": ("left-out",),
    "zstd.content-size": ("left-out",),
}
IN_BATCHES = (
    *("second-batch", "control", "log-append", "transactional", "deleteHorizon", "no-base-timestamp", "producer"),
    *("gzip", "snappy", "lz4", "zstd"),
)
IN_RECORDS = (*IN_BATCHES, "second-record")
IN_MESSAGES = ("in-a-wrapper", "second-message", "magic-0", "magic-1", "log-append", "second-batch")
IN_CONTEXTS: dict[tuple[str, str], Sequence[str]] = {
    ("batch.crc", "left-out"): (*IN_BATCHES, "empty"),
    ("batch.rest", "ignored"): ("second-batch", "control", "log-append", "deleteHorizon", "snappy", "zstd"),
    ("batch.recordCount", "one-too-high"): ("second-batch", "control", "transactional", "gzip", "lz4"),
    ("batch.lastOffsetDelta", "lower-half"): ("second-batch", "control", "log-append", "producer", "zstd", "empty"),
    ("record.length", "ignored"): ("second-batch", "control", "log-append", "deleteHorizon", "gzip", "second-record"),
    ("record.value", "null-as-empty"): IN_RECORDS,
    ("record.key", "null-refused"): ("second-batch", "log-append", "transactional", "lz4", "second-record"),
    ("record.offsetDelta", "cut-at-14"): ("second-batch", "control", "log-append", "deleteHorizon", "producer", "gzip"),
    ("record.timestampDelta", "sign-dropped"): ("second-batch", "control", "log-append", "deleteHorizon", "snappy"),
    ("record.timestampDelta", "cut-at-14"): ("transactional", "producer", "zstd", "second-batch"),
    ("header.value", "beyond-cut"): ("second-batch", "log-append", "transactional", "gzip", "zstd", "second-record"),
    ("header.value", "null-as-empty"): ("second-batch", "second-record", "second-header", "log-append", "lz4"),
    ("message.crc", "left-out"): IN_MESSAGES,
    ("message.value", "null-as-empty"): IN_MESSAGES,
    ("message.timestamp", "lower-half"): ("in-a-wrapper", "second-message", "log-append", "second-batch"),
    ("message.value", "beyond-cut"): ("in-a-wrapper", "second-message", "magic-0", "second-batch"),
}
LEGAL: Table = {
    **dict.fromkeys((*VARINTS, VARLONG), ("overlong-refused",)),
    **{
        place: ("below-minus-one-refused",)
        for place in FIXED
        if place not in {"message.offset", "batch.lastOffsetDelta"}
    },
    **dict.fromkeys(("message.key", "message.value"), ("below-null-refused",)),
    "batch": tuple(f"refused={name}" for name in OPEN_BATCHES),
    "batch.recordCount": ("bytes-behind-none-refused",),
    "message.crc": ("of-wrappers-compared",),
    "message.rest": ("refused",),
    "wrapper": ("other-magic-refused", "cut-message-refused"),
    "gzip.members": ("rest-refused",),
    "gzip.header": ("reserved-refused",),
    "snappy.form": ("other-versions-refused",),
    "snappy.chunks": ("rest-refused",),
    "lz4.header": ("linked-taken",),
    "lz4.content-checksum": ("compared",),
    "lz4.blocks": ("stored-end-refused",),
    "lz4.frames": ("second-read", "rest-refused"),
    "zstd.frames": ("rest-ignored",),
}
KINDS = {
    "numbers": NUMBERS,
    "nulls": NULLS,
    "checks": CHECKS,
    "flags": FLAGS_READ,
    "values": VALUES,
    "streams": STREAMS,
}


def read_faults() -> Iterator[Step]:
    """Yield every fault of readers, and every legal variant."""
    for kind, table in KINDS.items():
        for place, deviations in table.items():
            yield from (Step(kind, place, deviation, READ) for deviation in deviations)
    for (place, deviation), contexts in IN_CONTEXTS.items():
        yield from (Step("contexts", place, deviation, READ, context) for context in contexts)
    for place, deviations in LEGAL.items():
        yield from (Step("legal", place, deviation, READ, legal=True) for deviation in deviations)
    for place in LENGTHS:
        for deviation in ("below-null-refused", "below-null-as-empty"):
            yield Step("legal", place, deviation, READ, legal=True)
    for deviation in ("malformed-refused", "malformed-replaced"):
        yield Step("legal", "header.key", deviation, READ, legal=True)
