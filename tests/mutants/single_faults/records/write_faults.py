"""The faults of writers: numbers, refusals that are left out, what is lost, and streams that no reader takes."""

from __future__ import annotations

from collections.abc import Iterator

from tests.mutants.single_faults.records.changes import CHANGED_BATCHES, CHANGED_HEADERS, CHANGED_TEXTS
from tests.mutants.single_faults.records.entries import MESSAGE_CHECKS
from tests.mutants.single_faults.records.messages import CHANGED_MESSAGES
from tests.mutants.single_faults.records.read_faults import BATCH_NUMBERS, LENGTHS, VARINTS, VARLONG, Table
from tests.mutants.single_faults.records.reading import ALSO, FLAGS
from tests.mutants.single_faults.records.switch import WRITE, Step
from tests.mutants.single_faults.records.writing import CHECKS

OF_VARINTS = (
    *("one-byte", "cut-at-7", "cut-at-14", "cut-at-21", "cut-at-28", "unsigned", "sign-dropped"),
    *("negative-off-by-one", "as-int8", "as-int16", "overlong", "longest", "one-byte-more"),
)
OF_THE_VARLONG = (*(f"cut-at-{bits}" for bits in (32, 35, 42, 49, 56, 63)), "as-int32")
REFUSALS = ("range-left-out", "saturated", "null-as-minus-one", "null-as-zero")
OF_FIXED = (
    *REFUSALS,
    *("little-endian", "lower-half", "lowest-byte", "minus-one-as-zero", "zero-as-minus-one", "sign-dropped"),
    *("minus-one-refused", "zero-refused", "highest-refused"),
)
NUMBERS: Table = {
    **dict.fromkeys(VARINTS, OF_VARINTS),
    VARLONG: (*OF_VARINTS, *OF_THE_VARLONG),
    **{f"batch.{name}": OF_FIXED for name in BATCH_NUMBERS},
    "message.offset": OF_FIXED,
    "message.timestamp": OF_FIXED,
    "batch.length": ("itself-counted", "overhead-counted", "little-endian", "lower-half"),
    "batch.recordCount": ("one-more", "one-less", "little-endian", "lower-half", "lowest-byte"),
    "message.size": ("overhead-counted", "little-endian", "lower-half"),
    "message.key": ("little-endian", "lower-half", "lowest-byte", "one-more"),
    "message.value": ("little-endian", "lower-half", "lowest-byte", "one-more"),
    "record.length": ("itself-counted", "one-more", "one-less", "one-byte-behind"),
}
OF_NULLS = ("null-as-empty", "empty-as-null", "null-refused", "empty-refused")
LOST: Table = {
    **dict.fromkeys((*LENGTHS, "message.key", "message.value"), OF_NULLS),
    "header.key": (*(f"changed={name}" for name in CHANGED_TEXTS), "utf-16", "signs-counted"),
    "record.headers": tuple(f"changed={name}" for name in CHANGED_HEADERS),
    "batch": tuple(f"changed={name}" for name in CHANGED_BATCHES),
    "message": tuple(f"changed={name}" for name in CHANGED_MESSAGES),
    "field.batches": ("second-lost",),
    **{f"flag.{name}": ("dropped", "always", "refused") for name in ("timestampType", *FLAGS)},
    "message.timestampType": ("dropped", "always"),
    "batch.crc": (*(name for name in ALSO), "wrong"),
    "message.crc": ("wrong", "also-zero", "also-without-the-magic"),
    "batch.rest": ("00",),
}
LEFT_OUT: Table = {
    "check": tuple(CHECKS),
    "message.check": (*MESSAGE_CHECKS, "nested"),
    "record.timestampDelta": ("range-left-out", "saturated"),
    "record.offsetDelta": ("range-left-out", "saturated"),
    "record.attributes": ("range-left-out", "saturated"),
    "record.headers": ("null-as-none",),
    "header.key": ("null-as-empty", "null-taken"),
    "batch.codec": ("unknown-as-none",),
    "batch.magic": ("left-out",),
    "flag.timestampType": ("unknown-as-create",),
    "flag.unused": ("range-left-out",),
    "field.tail": ("written",),
}
STREAMS: Table = {
    "gzip.format": ("zlib", "deflate"),
    "gzip.header": ("method", "second-byte", "header-crc+crc-wrong"),
    "gzip.trailer": ("crc-wrong", "size-wrong", "big-endian"),
    "snappy.form": ("framed", "without-header"),
    "snappy.length": ("little-endian", "one-more", "one-less", "zero-behind"),
    "snappy.block": ("one-more", "one-less"),
    "lz4.header": ("linked", "version", "size-bits", "magic", "reserved", "dictionary", "block-size-3"),
    "lz4.header-checksum": ("wrong", "zero", "other-form"),
    "lz4.blocks": ("no-end-mark", "length-big-endian"),
    "lz4.frames": ("two", "skippable-first"),
    "zstd.header": ("window-of-268435456",),
    "zstd.frames": ("skippable-alone",),
    "gzip.stream": ("cut=1", "cut=4", "cut=8", "cut=9"),
    "lz4.stream": ("cut=1", "cut=4"),
    "zstd.stream": ("cut=1",),
    "snappy.stream": ("cut=1",),
}
LEGAL: Table = {
    "gzip.block": ("stored", "best", "fast", "fixed"),
    "gzip.header": ("name", "comment", "extra", "text", "header-crc", "extra+name+comment", "time", "system"),
    "gzip.members": ("two", "empty-first"),
    "snappy.form": ("raw",),
    "snappy.chunks": ("two", "large"),
    "snappy.block": ("literal", "long-literal"),
    "lz4.blocks": ("two", "stored"),
    "lz4.header": (
        "block-size-5",
        "block-size-6",
        "block-size-7",
        "content-size",
        "content-checksum",
        "block-checksum",
    ),
    "zstd.header": ("content-size", "checksum", "best", "raw-block", "size-of-8", "window-of-8388608"),
    "zstd.frames": ("two",),
    "batch.codec": ("gzip-as-none", "snappy-as-none", "lz4-as-none", "zstd-as-none"),
}
IN_CONTEXTS = {
    ("record.value", "null-as-empty"): ("second-batch", "second-record", "log-append", "transactional", "zstd"),
    ("record.offsetDelta", "cut-at-7"): ("second-batch", "log-append", "producer", "gzip", "deleteHorizon"),
    ("record.timestampDelta", "sign-dropped"): ("second-batch", "log-append", "deleteHorizon", "lz4"),
    ("batch.crc", "wrong"): ("second-batch", "control", "log-append", "snappy", "empty", "deleteHorizon"),
    ("batch.lastOffsetDelta", "lower-half"): ("second-batch", "empty", "producer", "gzip"),
    ("header.value", "null-as-empty"): ("second-record", "second-header", "zstd", "second-batch"),
    ("message.crc", "wrong"): ("in-a-wrapper", "magic-0", "second-message"),
    ("message.value", "null-as-empty"): ("in-a-wrapper", "magic-0", "second-message"),
}
KINDS = {"numbers": NUMBERS, "values": LOST, "refusals": LEFT_OUT, "streams": STREAMS}


def write_faults() -> Iterator[Step]:
    """Yield every fault of writers, and every legal variant."""
    for kind, table in KINDS.items():
        for place, deviations in table.items():
            yield from (Step(kind, place, deviation, WRITE) for deviation in deviations)
    for (place, deviation), contexts in IN_CONTEXTS.items():
        yield from (Step("contexts", place, deviation, WRITE, context) for context in contexts)
    for place, deviations in LEGAL.items():
        yield from (Step("legal", place, deviation, WRITE, legal=True) for deviation in deviations)
