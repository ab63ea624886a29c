"""Ways of the mutants of record batches and message sets beyond those of single faults."""

import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from zlib import crc32

import lz4.frame
import zstandard
from crc32c import crc32c

from tests.mutants.single_faults.records.changes import edited
from tests.mutants.single_faults.records.number_ways import fixed_way, read_varints, written_varints
from tests.mutants.single_faults.records.read_ways import LEFT_OUT
from tests.mutants.ways.basics import constant
from tests.second_codec.records import COVERED, HEADER, MAGIC_AT, RecordsWay, RecordWay, Skipped
from tests.second_codec.steps import (
    CheckWay,
    ContentWay,
    CrcWay,
    FixedWay,
    Input,
    LengthWay,
    Misstep,
    VarintWay,
    swap,
)

Value = dict[str, Any]
TRANSACTIONAL, CONTROL = 1 << 4, 1 << 5
HIGHEST_TYPE = 6
"""The highest type of control records known to consumers."""
MOST = 17 << 20
"""More bytes, records or headers than any sound input has."""
PLAIN = "not-zig-zag"
IN_RECORDS = "[rh]e*"
"""Every varint of a record and of its headers."""


def skip(*_given: Any) -> Any:
    raise Skipped


def _allocated(size: int) -> int:
    if size > MOST:
        raise MemoryError
    return size


def _crc_way(covered: Callable[[bytes], bytes], sum_of: Callable[[bytes], int] = crc32c) -> CheckWay:
    """Return the way of a reader with another checksum alone."""
    return CheckWay(lambda _is_wrong, chunk: chunk[17:21] != sum_of(covered(chunk)).to_bytes(4))


def _flags_swapped(attributes: int) -> int:
    other = (attributes & TRANSACTIONAL) << 1 | (attributes & CONTROL) >> 1
    return attributes & ~(TRANSACTIONAL | CONTROL) | other


def _last_maximum(batch: Value) -> None:
    if batch["records"] and batch["timestampType"] == "create":
        batch["maxTimestamp"] = batch["baseTimestamp"] + batch["records"][-1]["timestampDelta"]


def _producer_swapped(batch: Value) -> None:
    sequence = batch["baseSequence"]
    batch["baseSequence"] = batch["producerEpoch"]
    batch["producerEpoch"] = sequence & 0x7FFF if sequence >= 0 else -1


def _at_the_horizon(batch: Value) -> None:
    if batch["deleteHorizon"]:
        batch["baseTimestamp"] = batch["maxTimestamp"]


def _has_unknown_type(batch: Value) -> bool:
    key = batch["records"][0]["key"] if batch["control"] and batch["records"] else None
    return int.from_bytes((key or bytes(4))[2:4]) > HIGHEST_TYPE


def _check(*patterns: str) -> Misstep:
    """Return the misstep of a writer without these checks."""
    *others, last = patterns
    misstep = Misstep(f"check.{last}", LEFT_OUT)
    for pattern in others:
        misstep = Misstep(f"check.{pattern}", LEFT_OUT, also=misstep)
    return misstep


def _in_order(*names: str) -> ContentWay:
    return ContentWay(value=constant(names))


def _plain(ways: Callable[..., Mapping[str, VarintWay]]) -> Misstep:
    """Return a misstep of every varint of records, one of them of 64 bits."""
    narrow = Misstep(IN_RECORDS, ways(32, PLAIN)[PLAIN])
    return Misstep("record.timestampDelta", ways(64, PLAIN)[PLAIN], also=narrow)


def _absolute_offsets(message: Value) -> None:
    """Give the messages of a wrapper of magic 1 their offsets in the log."""
    if message["magic"] == 1 and "messages" in message and message["offset"]:
        base = message["offset"] - message["messages"][-1]["offset"]
        for each in message["messages"]:
            each["offset"] += base


def _marker(source: Input) -> Value:
    """Read version and type of a marker, and nothing around them."""
    key = source.take(4)
    if not key.startswith(b"\0\0\0"):
        source.check("", True)  # noqa: FBT003  # it is no marker
    return {"attributes": 0, "timestampDelta": 0, "offsetDelta": 0, "key": key, "value": None, "headers": []}


def _room(size: Callable[[bytes], int]) -> CheckWay:
    return CheckWay(lambda _is_wrong, data: bool(_allocated(size(data))) and False)


def _size_of_snappy(data: bytes) -> int:
    if data.startswith(b"\x82SNAPPY\0"):
        return 0
    return Input(data).varint("") if data else 0


def _size_of_lz4(data: bytes) -> int:
    return int.from_bytes(data[6:14], "little") if len(data) > 14 and data[4] & 8 else 0


def _window_of_zstd(data: bytes) -> int:
    return 1 << 10 + (data[5] >> 3) if len(data) > 5 and not data[4] & 0x20 else 0


def _inflated(data: bytes) -> int:
    with suppress(zlib.error):
        return len(zlib.decompressobj(31).decompress(data, 1 << 25))
    return 0


def _inflated_by_zstd(data: bytes) -> int:
    with suppress(zstandard.ZstdError):
        return len(zstandard.ZstdDecompressor().stream_reader(data).read(1 << 25))
    return 0


ALWAYS_TAKEN = RecordWay(limits=False, takes=lambda _over: True)
AS_CREATED = ContentWay(value=lambda attributes: attributes & ~8)
CREATED = Misstep("batch.attributes", AS_CREATED, also=Misstep("message.attributes", AS_CREATED, context="magic-1"))


def _linked(stream: bytes) -> bytes:
    """Return a frame of several blocks with links, and any of magic 0 unchanged, as the library refuses it."""
    with suppress(RuntimeError):
        return lz4.frame.compress(lz4.frame.decompress(stream), block_linked=True, store_size=False)  # type: ignore[no-any-return]
    return stream


BEYOND_SKIPPED = LengthWay(is_bound=False, beyond=skip)
VALUE_FIRST = ("attributes", "timestampDelta", "offsetDelta", "value", "key", "headers")
OFFSET_FIRST = ("attributes", "offsetDelta", "timestampDelta", "key", "value", "headers")
NOTHING = VarintWay(form=constant(b""))
WRITES: Mapping[str, Misstep] = {
    "base-offset-not-written": Misstep("batch.baseOffset", fixed_way("=0", 64)),
    "flags-swapped": Misstep("batch.attributes", ContentWay(value=_flags_swapped)),
    "crc-from-the-base-offset": Misstep(
        "batch.crc", CrcWay(lambda _right, chunk: crc32c(chunk[:17] + chunk[COVERED]).to_bytes(4))
    ),
    "max-timestamp-of-the-last-record": Misstep("batch", ContentWay(value=edited(_last_maximum))),
    "last-offset-one-more": Misstep("batch.lastOffsetDelta", fixed_way("+1", 32)),
    "producer-id-not-written": Misstep("batch.producerId", fixed_way("=-1", 64)),
    "producer-fields-swapped": Misstep("batch", ContentWay(value=edited(_producer_swapped))),
    "numbers-below-none-written": _check("*-below-none", "offset-beyond-63-bits"),
    "any-max-timestamp-written": _check("maximum-too-*"),
    "last-offset-below-the-records-written": _check("offset-beyond-the-last", "last-offset-delta-below-0"),
    "timestamps-beyond-64-bits-written": _check("timestamp-below-64-bits", "timestamp-beyond-63-bits"),
    "offset-deltas-in-any-order-written": _check("offsets-that-do-not-ascend", "offset-delta-below-0"),
    "plain-varints": _plain(written_varints),
    "plain-varints-written": _plain(written_varints),
    "fixed-numbers-in-records": Misstep("zigzag-fixed"),
    "value-before-key": Misstep("record.fields", _in_order(*VALUE_FIRST)),
    "value-before-key-written": Misstep("record.fields", _in_order(*VALUE_FIRST)),
    "headers-not-written": Misstep("record.headers", ContentWay(value=constant([]))),
    "offset-before-timestamp": Misstep("record.fields", _in_order(*OFFSET_FIRST)),
    "timestamp-deltas-not-written": Misstep("record.timestampDelta", written_varints(64, "=0")["=0"]),
    "offset-deltas-not-written": Misstep("record.offsetDelta", written_varints(32, "=0")["=0"]),
    "markers-for-control-records-written": Misstep(
        "record.fields",
        _in_order("key", "value"),
        context="control",
        also=Misstep("record.[klv]*", NOTHING, context="control"),
    ),
    "lz4-linked-blocks": Misstep("lz4.stream", ContentWay(raw=_linked)),
    "value-before-key-in-messages": Misstep("message.fields", ContentWay(value=lambda names: names[::-1])),
    "null-in-messages-written-as-empty": Misstep("message.[kv]*", ContentWay(value=swap(None, b""))),
    "absolute-offsets-in-wrappers": Misstep("message", ContentWay(value=edited(_absolute_offsets))),
}
READS: Mapping[str, Misstep] = {
    "flags-swapped": WRITES["flags-swapped"],
    "unused-bits-of-a-batch-refused": Misstep("batch.attributes", CheckWay(lambda _, attributes: attributes >> 7 > 0)),
    "crc-32-of-a-batch": Misstep("batch.crc", _crc_way(lambda chunk: chunk[COVERED], crc32)),
    "crc-from-the-magic": Misstep("batch.crc", _crc_way(lambda chunk: chunk[16:17] + chunk[COVERED])),
    "short-batch-taken-for-a-part": Misstep(
        "field.entry",
        ContentWay(value=lambda chunk: None if chunk[MAGIC_AT] == 2 and len(chunk) < HEADER else chunk),
    ),
    "last-offset-one-more": Misstep("batch.lastOffsetDelta", fixed_way("+-1", 32)),
    "last-offset-of-the-count": Misstep(
        "batch", ContentWay(value=edited(lambda batch: batch.update(lastOffsetDelta=len(batch["records"]) - 1)))
    ),
    "crc-not-checked": Misstep("*.crc", LEFT_OUT),
    "codec-5-as-none": Misstep("batch.codec", ContentWay(value=lambda number: number if number < 5 else 0)),
    "empty-wrapper-read": Misstep("wrapper.[mn]*", LEFT_OUT),
    "producer-fields-swapped": WRITES["producer-fields-swapped"],
    "sequence-read-as-0": Misstep("batch.baseSequence", FixedWay(number=lambda number: max(number, 0))),
    "timestamp-type-not-read": CREATED,
    "log-append-time-not-applied": CREATED,
    "delete-horizon-not-looked-at": Misstep("batch", ContentWay(value=edited(_at_the_horizon))),
    "unknown-control-type-refused": Misstep("batch", CheckWay(lambda _, batch: _has_unknown_type(batch))),
    "second-batch-not-read": Misstep("field.batches", ContentWay(value=lambda batches: batches[:1])),
    "empty-field-refused": Misstep("field", CheckWay(lambda _, data: not data)),
    "mixed-magics-refused": Misstep(
        "field.batches", CheckWay(lambda _, batches: len({batch["magic"] for batch in batches}) > 1)
    ),
    "bad-later-batch-ignored": Misstep("field.batches", RecordsWay(drops_last=True)),
    "plain-varints": _plain(read_varints),
    "plain-varints-read": _plain(read_varints),
    "fixed-numbers-in-records": Misstep("zigzag-fixed"),
    "value-before-key": WRITES["value-before-key"],
    "offset-before-timestamp": WRITES["offset-before-timestamp"],
    "markers-for-control-records-read": Misstep(
        "batch.recordCount",
        RecordsWay(ends=lambda _missing, left: not left, record=_marker),
        context="control",
        also=Misstep("batch.rest", LEFT_OUT, context="control"),
    ),
    "records-as-many-as-there-are": Misstep("batch.recordCount", RecordsWay(ends=lambda _missing, left: not left)),
    "room-for-the-count-of-records": Misstep("batch.recordCount", FixedWay(number=_allocated)),
    "room-for-lengths-and-headers": Misstep(
        IN_RECORDS,
        LengthWay(of=_allocated),
        also=Misstep("record.length", RecordWay(lambda length, _left: _allocated(length))),
    ),
    "length-of-a-record-not-compared": Misstep("record.length", ALWAYS_TAKEN),
    "record-that-reaches-beyond-itself-skipped": Misstep("[rh]e*.[kv]*", BEYOND_SKIPPED),
    "gzip-without-optional-fields": Misstep("gzip.stream", CheckWay(lambda _, data: any(data[3:4]))),
    "batch-of-a-bad-stream-skipped": Misstep("stream", CheckWay(skip)),
    "lz4-blocks-of-other-sizes-refused": Misstep("lz4.stream", CheckWay(lambda _, data: data[5:6] not in (b"@", b""))),
    "room-for-a-block-of-snappy": Misstep("snappy.stream", _room(_size_of_snappy)),
    "room-for-a-frame-of-lz4": Misstep("lz4.stream", _room(_size_of_lz4)),
    "room-for-the-window-of-zstd": Misstep("zstd.stream", _room(_window_of_zstd)),
    "all-of-a-gzip-bomb": Misstep("gzip.stream", _room(_inflated)),
    "all-of-a-zstd-bomb": Misstep("zstd.stream", _room(_inflated_by_zstd)),
    "null-in-messages-read-as-empty": Misstep("message.[kv]*", LengthWay(of=lambda length: max(length, 0))),
    "message-that-reaches-beyond-itself-skipped": Misstep("message.[kvw]*", BEYOND_SKIPPED),
    "wrappers-refused": Misstep("message", CheckWay(lambda _, message: "messages" in message)),
}
"""By the name of the mutant."""
