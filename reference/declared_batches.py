"""Batches of magic 2 and their records, declared in the combinators of the library construct.

As `reference.declared`, this shares no code with the reference's own encoding, but for the compression codecs.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import crc32c
from construct import (
    Adapter,
    Bit,
    BitsInteger,
    BitStruct,
    ChecksumError,
    Const,
    ExprAdapter,
    Flag,
    FocusedSeq,
    Mapping,
    Prefixed,
    Rebuild,
    Struct,
    Terminated,
    Tunnel,
    ValidationError,
    this,
)

from reference.declared import (
    INT32,
    INT64,
    Data,
    Elements,
    Fields,
    Int8,
    Int16,
    Int32,
    Int64,
    NotNull,
    Sized,
    Text,
    Valid,
    ZigZag,
    integer,
    is_a,
    typed,
)
from reference.declared_messages import message
from reference.records.compression import CODECS, NAMES, NONE
from reference.records.compression.base import BadStream, BeyondBound, Stream
from reference.release import load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from construct import Construct

    from reference.records.compression.base import Codec

# Records


class HeaderKey(Text):
    """The key of a header, UTF-8. A function writes bytes that are none, since readers may return them."""

    def _encode(self, obj: Any, context: Any, path: str) -> Any:
        return obj if isinstance(obj, bytes) else super()._decode(obj, context, path)


Varint, Varlong = ZigZag(INT32), ZigZag(INT64)

Header = Valid(
    ExprAdapter(
        Struct("key" / typed(HeaderKey(Data(NotNull(Varint))), str, bytes), "value" / Data(Varint)),
        lambda obj, _: (obj.key, obj.value),
        lambda obj, _: {"key": obj[0], "value": obj[1]},
    ),
    "a pair of key and value",
    lambda obj: isinstance(obj, list | tuple) and len(obj) == 2,
)

Record = Prefixed(
    Varint,
    Fields(
        "attributes" / Int8,
        "timestampDelta" / Varlong,
        "offsetDelta" / Varint,
        "key" / Data(Varint),
        "value" / Data(Varint),
        "headers" / Sized(NotNull(Varint), Elements(this.length, Header), list, tuple),
        Terminated,
    ),
)

# What batches and messages have in common


class Flat(Adapter):  # type: ignore[misc]  # construct is not typed
    """Nested structs as one plain dict, with their names and no others. Construct cannot embed a struct any more."""

    def __init__(self, subcon: Construct) -> None:
        super().__init__(subcon)
        self.names = [*names_of(subcon)]

    def _decode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        merged = dict(self._merged(obj))
        return {name: merged[name] for name in self.names}

    def _merged(self, obj: Any) -> Iterator[tuple[str, Any]]:
        for name, item in obj.items():
            yield from self._merged(item) if name in NESTED else [(name, item)]

    def _encode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        if not isinstance(obj, dict) or obj.keys() != set(self.names):
            raise ValidationError(f"expected a dict of {', '.join(self.names)}", path)
        flat = dict(obj)
        flat |= dict.fromkeys(NESTED, flat)
        return flat


NESTED = ("content", "covered", "attributes")


def names_of(subcon: Construct) -> Iterator[str]:
    """Yield the names in nested structs, but for counts."""
    while not hasattr(subcon, "subcons"):
        subcon = subcon.subcon
    for each in subcon.subcons:
        if each.name in NESTED:
            yield from names_of(each.subcon)
        elif each.name and not isinstance(each.subcon, Rebuild):
            yield each.name


class Sealed(Tunnel):  # type: ignore[misc]
    """A checksum, and the bytes that it covers. Construct's Checksum comes after its bytes."""

    def __init__(self, checksum: Callable[[bytes], int], subcon: Construct) -> None:
        super().__init__(subcon)
        self.checksum = checksum

    def _decode(self, data: bytes, context: Any, path: str) -> bytes:
        if self._encode(data[4:], context, path) != data:
            raise ChecksumError("wrong checksum", path)
        return data[4:]

    def _encode(self, data: bytes, context: Any, path: str) -> bytes:
        return self.checksum(data).to_bytes(4, "big") + data


class ValidWhole(Valid):
    """A construct of objects with rules on several parts, checked after writing, when all types are right."""

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        self.subcon._build(obj, stream, context, path)
        return self._decode(obj, context, path)


class While(Elements):
    """Elements for as long as there are more. Construct's GreedyRange takes an error for the end."""

    def __init__(self, more: Callable[[Any, str], bool], subcon: Construct) -> None:
        super().__init__(None, subcon)
        self.more = more

    def _parse(self, stream: Any, context: Any, path: str) -> list[Any]:
        items: list[Any] = []
        while self.more(stream, path):
            items.append(self.subcon._parsereport(stream, context, f"{path} -> {len(items)}"))
        return items


def decompressed(codec: Codec, data: bytes, path: str) -> bytes:
    """Return the content of a stream without any fault, up to 16 MiB and 64 bytes for each byte."""
    stream = Stream(data, (16 << 20) + 64 * len(data))
    try:
        codec.decompress(stream)
    except (BadStream, BeyondBound) as error:
        raise ValidationError(f"not a stream of {codec.name}: {error}", path) from error
    if stream.notes:
        raise ValidationError(f"a stream of {codec.name} that some readers refuse", path)
    return stream.data


TimestampType = Mapping(Bit, {"create": 0, "log-append": 1})


def codec_name(names: tuple[str, ...]) -> Construct:
    """Return the name of a codec, in three bits."""
    return Mapping(BitsInteger(3), {name: number for number, name in enumerate(names)})


def unused(bits: int) -> Construct:
    """Return unused bits, which readers ignore."""
    return integer(BitsInteger(bits), range(1 << bits))


# Batches of magic 2


class Compressed(Tunnel):  # type: ignore[misc]
    """What a codec has compressed. Construct's Compressed has the codec of a Python module, chosen once."""

    def _decode(self, data: bytes, context: Any, path: str) -> bytes:
        name = context.attributes.compression
        return data if name == NONE else decompressed(CODECS[name], data, path)

    def _encode(self, data: bytes, context: Any, path: str) -> bytes:
        return data if context.compression == NONE else CODECS[context.compression].compress(data)


Bool = typed(Flag, bool)

Covered = Struct(
    "attributes"
    / BitStruct(
        "unusedAttributes" / unused(9),
        "deleteHorizon" / Bool,
        "control" / Bool,
        "transactional" / Bool,
        "timestampType" / TimestampType,
        "compression" / codec_name(NAMES),
    ),
    "lastOffsetDelta" / Int32,
    "baseTimestamp" / Int64,
    "maxTimestamp" / Int64,
    "producerId" / Int64,
    "producerEpoch" / Int16,
    "baseSequence" / Int32,
    "recordCount" / Rebuild(Int32, lambda here: len(here.records) if isinstance(here.records, list | tuple) else -1),
    "records"
    / Compressed(
        FocusedSeq("records", "records" / typed(Elements(this._.recordCount, Record), list, tuple), Terminated)
    ),
)


def has_numbers(batch: dict[str, Any]) -> bool:
    """Return whether no number of a batch or message is below -1."""
    return all(item >= -1 for item in batch.values() if is_a(item, (int,)))


def obeys_rules(batch: dict[str, Any]) -> bool:
    """Return whether offsets, timestamps and the numbers from -1 of a batch fit together."""
    records = batch["records"]
    deltas = [record["offsetDelta"] for record in records]
    last = max((batch["lastOffsetDelta"], *deltas))
    return (
        has_numbers(batch)
        and all(one < other for one, other in pairwise((-1, *deltas)))
        and batch["lastOffsetDelta"] == last >= 0
        and batch["baseOffset"] + last in INT64
        and (batch["compression"] == NONE or len(records) > 0)
        and (batch["timestampType"] != "create" or not records or has_timestamps(batch))
    )


def has_timestamps(batch: dict[str, Any]) -> bool:
    """Return whether the highest timestamp of a batch is that of a record, and none is below -1."""
    times: list[int] = [batch["baseTimestamp"] + record["timestampDelta"] for record in batch["records"]]
    return min(times) >= -1 and bool(max(times) == batch["maxTimestamp"])


class ControlChecked(Adapter):  # type: ignore[misc]
    """A batch whose records, if they are of control, have a meaning. Writers may write others."""

    def _decode(self, obj: Any, context: Any, path: str) -> Any:
        for record in obj["records"] if obj["control"] else ():
            kind = ControlKey.parse(record["key"] or b"").type
            if kind in control_values():
                control_values()[kind].parse(record["value"] or b"")
        return obj

    def _encode(self, obj: Any, context: Any, path: str) -> Any:
        return obj


ControlVersion = Valid(Int16, "a version from 0", lambda obj: obj >= 0)
ControlKey = Struct("version" / ControlVersion, "type" / Int16)
Marker = Struct("version" / ControlVersion, "coordinatorEpoch" / Int32)
KRAFT = ("LeaderChangeMessage", "SnapshotHeaderRecord", "SnapshotFooterRecord", "KRaftVersionRecord", "VotersRecord")


@cache
def control_values() -> dict[int, Construct]:
    """Return the values of records of control, by type: two markers, and messages of version 0."""
    release = load_release(newest_release())
    return {0: Marker, 1: Marker} | {2 + at: message(release.schema(name, 0)) for at, name in enumerate(KRAFT)}


Content = Struct(
    "partitionLeaderEpoch" / Int32,
    "magic" / Const(2, Int8),
    "covered" / Sealed(crc32c.crc32c, Covered),
)
Batch = ControlChecked(
    ValidWhole(
        Flat(Struct("baseOffset" / Int64, "content" / Prefixed(Int32, Content))),
        "offsets, timestamps and numbers that fit together",
        obeys_rules,
    )
)
