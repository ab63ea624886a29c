"""Ways of record batches alone or of whole streams in mutants, by name."""

import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from zlib import crc32

import lz4.frame
import zstandard
from crc32c import crc32c

from tests.mutants.ways.basics import allocated, constant, skip
from tests.mutants.ways.batches import edited
from tests.second_codec.records import COVERED, HEADER, MAGIC_AT, RecordsWay, RecordWay
from tests.second_codec.steps import Input
from tests.second_codec.ways import CheckWay, ContentWay, CrcWay, FixedWay, LengthWay

Value = dict[str, Any]
TRANSACTIONAL, CONTROL = 1 << 4, 1 << 5
HIGHEST_TYPE = 6
"""The highest type of control records known to consumers."""
MOST = 17 << 20
"""More bytes, records or headers than any sound input has."""
BOMB = 1 << 25


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
    return CheckWay(lambda _is_wrong, data: bool(allocated(MOST)(size(data))) and False)


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
        return len(zlib.decompressobj(31).decompress(data, BOMB))
    return 0


def _inflated_by_zstd(data: bytes) -> int:
    with suppress(zstandard.ZstdError):
        return len(zstandard.ZstdDecompressor().stream_reader(data).read(BOMB))
    return 0


def _linked(stream: bytes) -> bytes:
    """Return a frame of several blocks with links, and any of magic 0 unchanged, as the library refuses it."""
    with suppress(RuntimeError):
        return lz4.frame.compress(lz4.frame.decompress(stream), block_linked=True, store_size=False)  # type: ignore[no-any-return]
    return stream


def _refused_if(found: Callable[[Any], Any]) -> CheckWay:
    return CheckWay(lambda _is_wrong, given: bool(found(given)))


def _other_crc(covered: Callable[[bytes], bytes], sum_of: Callable[[bytes], int] = crc32c) -> CheckWay:
    """Return the way of a reader with another checksum alone."""
    return _refused_if(lambda chunk: chunk[17:21] != sum_of(covered(chunk)).to_bytes(4))


OWN: Mapping[str, Any] = {
    "flags-swapped": ContentWay(value=_flags_swapped),
    "maximum-of-the-last-record": ContentWay(value=edited(_last_maximum)),
    "producer-fields-swapped": ContentWay(value=edited(_producer_swapped)),
    "base-at-the-horizon": ContentWay(value=edited(_at_the_horizon)),
    "last-offset-of-the-count": ContentWay(
        value=edited(lambda batch: batch.update(lastOffsetDelta=len(batch["records"]) - 1))
    ),
    "absolute-offsets": ContentWay(value=edited(_absolute_offsets)),
    "headers-lost": ContentWay(value=constant([])),
    "codecs-above-4-as-none": ContentWay(value=lambda number: number if number < 5 else 0),
    "short-batch-as-a-part": ContentWay(
        value=lambda chunk: None if chunk[MAGIC_AT] == 2 and len(chunk) < HEADER else chunk
    ),
    "linked": ContentWay(raw=_linked),
    "crc-from-the-base-offset": CrcWay(lambda _right, chunk: crc32c(chunk[:17] + chunk[COVERED]).to_bytes(4)),
    "crc-32-alone": _other_crc(lambda chunk: chunk[COVERED], crc32),
    "crc-from-the-magic-alone": _other_crc(lambda chunk: chunk[16:17] + chunk[COVERED]),
    "unused-bits-refused": _refused_if(lambda attributes: attributes >> 7),
    "unknown-control-type-refused": _refused_if(_has_unknown_type),
    "nothing-refused": _refused_if(lambda data: not data),
    "mixed-magics-refused": _refused_if(lambda batches: len({batch["magic"] for batch in batches}) > 1),
    "wrappers-refused": _refused_if(lambda message: "messages" in message),
    "optional-fields-refused": _refused_if(lambda data: any(data[3:4])),
    "other-block-sizes-refused": _refused_if(lambda data: data[5:6] not in (b"@", b"")),
    "bad-stream-skipped": CheckWay(skip),
    "markers": RecordsWay(ends=lambda _missing, left: not left, record=_marker),
    "room-for-a-count": FixedWay(number=allocated(MOST)),
    "room-for-a-length": LengthWay(of=allocated(MOST)),
    "room-for-a-record": RecordWay(lambda length, _left: allocated(MOST)(length)),
    "room-for-a-block-of-snappy": _room(_size_of_snappy),
    "room-for-a-frame-of-lz4": _room(_size_of_lz4),
    "room-for-the-window-of-zstd": _room(_window_of_zstd),
    "all-of-gzip": _room(_inflated),
    "all-of-zstd": _room(_inflated_by_zstd),
}
