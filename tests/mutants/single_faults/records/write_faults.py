"""The faults of writers: numbers, refusals that are left out, what is lost, and streams that no reader takes."""

from __future__ import annotations

from collections.abc import Iterator

from tests.mutants.single_faults.records.changes import CHANGED_BATCHES, CHANGED_HEADERS
from tests.mutants.single_faults.records.entries import MESSAGE_CHECKS
from tests.mutants.single_faults.records.messages import CHANGED_MESSAGES
from tests.mutants.single_faults.records.read_faults import BATCH_NUMBERS, LENGTHS, VARLONG, Table
from tests.mutants.single_faults.records.reading import ALSO, FLAGS
from tests.mutants.single_faults.records.switch import WRITE, Step
from tests.mutants.single_faults.records.writing import CHECKS

OF_VARINTS = (*("one-byte", "cut-at-7", "cut-at-14", "unsigned", "overlong", "one-byte-more"),)
OF_DELTAS = (*OF_VARINTS, "cut-at-21", "cut-at-28", "as-int16")
OF_NULLABLE = (*OF_VARINTS, "sign-dropped", "negative-off-by-one", "as-int16")
OF_THE_VARLONG = (
    *(f"cut-at-{bits}" for bits in (32, 35, 42, 49, 56, 63)),
    "as-int32",
    "sign-dropped",
    "negative-off-by-one",
)
REFUSALS = ("range-left-out", "saturated", "null-as-minus-one")
OF_FIXED = (*REFUSALS, "little-endian", "lower-half", "minus-one-as-zero", "zero-as-minus-one")
NUMBERS: Table = {
    "record.length": (*OF_VARINTS, "itself-counted", "one-more", "one-less", "one-byte-behind"),
    "record.key": (*OF_NULLABLE, "cut-at-21"),
    "record.value": (*OF_NULLABLE, "cut-at-21"),
    "header.value": OF_NULLABLE,
    "header.key": (*OF_VARINTS, "as-int16"),
    "record.headers": OF_VARINTS,
    "record.offsetDelta": OF_DELTAS,
    VARLONG: (*OF_DELTAS, *OF_THE_VARLONG),
    **{f"batch.{name}": OF_FIXED for name in BATCH_NUMBERS if name not in {"baseOffset", "lastOffsetDelta"}},
    "batch.baseOffset": OF_FIXED[2:],
    "batch.lastOffsetDelta": (*REFUSALS, "little-endian", "lower-half", "zero-as-minus-one"),
    "message.offset": OF_FIXED,
    "message.timestamp": OF_FIXED,
    "batch.length": ("itself-counted", "overhead-counted", "little-endian", "lower-half"),
    "batch.recordCount": ("one-more", "one-less", "little-endian", "lowest-byte"),
    "message.size": ("overhead-counted", "little-endian", "lower-half"),
    "message.key": ("little-endian", "lower-half", "lowest-byte", "one-more"),
    "message.value": ("little-endian", "lower-half", "lowest-byte", "one-more"),
}
TEXTS = ("stripped", "cut-at-nul", "crlf-as-lf", "composed", "ascii-only", "two-byte-signs-only")
OF_NULLS = ("null-as-empty", "empty-as-null", "null-refused", "empty-refused")
LOST: Table = {
    **dict.fromkeys((*LENGTHS, "message.key", "message.value"), OF_NULLS),
    "header.key": (*(f"changed={name}" for name in TEXTS), "utf-16", "signs-counted"),
    "record.headers": tuple(f"changed={name}" for name in CHANGED_HEADERS),
    "batch": tuple(f"changed={name}" for name in CHANGED_BATCHES),
    "message": tuple(f"changed={name}" for name in CHANGED_MESSAGES),
    "field.batches": ("second-lost",),
    **{f"flag.{name}": ("dropped", "always") for name in ("timestampType", *FLAGS)},
    "message.timestampType": ("dropped", "always"),
    "batch.crc": (*(name for name in ALSO), "wrong"),
    "message.crc": ("wrong", "also-zero", "also-without-the-magic"),
    "batch.rest": ("00",),
}
LEFT_OUT: Table = {
    "check": tuple(name for name in CHECKS if name != "timestamp-beyond-63-bits"),  # its maximum is too low as well
    "message.check": (*MESSAGE_CHECKS, "nested"),
    "record.timestampDelta": ("range-left-out", "saturated"),
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
    "gzip.block": ("stored", "fast", "fixed"),
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
