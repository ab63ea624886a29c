"""The contents of a `records` field, declared in the combinators of the library construct.

These are batches of magic 2 with their records, messages of magic 0 and 1, and records of control. The names of values
are those of `reference.decode_records`.

>>> batch = bytes.fromhex(
...     "0000000000000000 00000038 ffffffff 02 c428857f 0000 00000000 0000018bcfe56800 0000018bcfe56800"
...     "ffffffffffffffff ffff ffffffff 00000001 0c000000010100"
... )
>>> RECORDS.build(RECORDS.parse(batch)) == batch
True

As `reference.declared`, this shares no code with the reference's own encoding, but for the compression codecs.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import cache, partial
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
    Error,
    ExprAdapter,
    Flag,
    FocusedSeq,
    GreedyBytes,
    Mapping,
    Padding,
    Peek,
    Prefixed,
    RangeError,
    Rebuild,
    Struct,
    Switch,
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
    bytes_left,
    integer,
    is_a,
    message,
    typed,
)
from reference.records.compression import CODECS, NAMES, NONE, lz4
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

# Messages of magic 0 and 1

CODECS_OF_MESSAGES = NAMES[:-1]
"""All but zstd, which came later."""
LEGACY_LZ4 = replace(
    CODECS["lz4"],
    compress=partial(lz4.compress, legacy=True),
    decompress=partial(lz4.decompress, legacy=True),
)
"""The codec of messages of magic 0, with other checksums."""


def single(magic: int) -> Construct:
    """Return a message, whatever its value is."""
    types = (
        ["unusedAttributes" / unused(4), "timestampType" / TimestampType] if magic else ["unusedAttributes" / unused(5)]
    )
    content = Struct(
        "magic" / Const(magic, Int8),
        "attributes" / BitStruct(*types, "compression" / codec_name(CODECS_OF_MESSAGES)),
        *(["timestamp" / Int64] if magic else []),
        "key" / Data(Int32),
        "value" / Data(Int32),
        Terminated,
    )
    entry = Struct("offset" / Int64, "content" / Prefixed(Int32, Sealed(zlib.crc32, content)))
    return ValidWhole(Flat(entry), "numbers from -1", has_numbers)


class Wrapper(Adapter):  # type: ignore[misc]
    """A message whose value is a compressed message set, if it has a codec. Its value has `messages` then."""

    def __init__(self, magic: int) -> None:
        super().__init__(single(magic))
        self.relative = magic > 0
        self.codecs = CODECS if magic else CODECS | {"lz4": LEGACY_LZ4}
        plain = Valid(single(magic), "a message without a codec", lambda entry: entry["compression"] == NONE)
        self.set = typed(While(lambda stream, _: bytes_left(stream) > 0, plain), list, tuple)

    def _decode(self, obj: Any, context: Any, path: str) -> Any:
        if obj["compression"] == NONE:
            return obj
        stored = obj.pop("value")
        if stored is None:
            raise ValidationError("a wrapper without a value", path)
        messages = self.set.parse(decompressed(self.codecs[obj["compression"]], stored, path))
        return self._wrapped({**obj, "messages": messages}, path)

    def _encode(self, obj: Any, context: Any, path: str) -> Any:
        if not isinstance(obj, dict) or obj.get("compression") in (None, NONE):
            return obj
        if obj["compression"] not in CODECS_OF_MESSAGES or "messages" not in obj or "value" in obj:
            raise ValidationError("expected a wrapper with a codec and messages", path)
        data = self.set.build(obj["messages"])
        value = self.codecs[obj["compression"]].compress(data)
        return {name: item for name, item in self._wrapped(obj, path).items() if name != "messages"} | {"value": value}

    def _wrapped(self, obj: Any, path: str) -> Any:
        """Return a wrapper with messages, and with the offset of the last one if they are relative to it."""
        if not obj["messages"]:
            raise ValidationError("a wrapper without messages", path)
        last = obj["messages"][-1]["offset"]
        if self.relative and is_a(obj["offset"], (int,)) and obj["offset"] != 0 and obj["offset"] < last:
            raise ValidationError(f"the offset of a wrapper below {last}, that of its last message", path)
        return obj


# The field

HEAD = 17
"""The bytes up to the magic, which are the same in every format."""


def has_more(stream: Any, path: str) -> bool:
    """Return whether a whole batch follows. A broker may cut the last one, and a reader ignores it."""
    here = stream.tell()
    head = stream.read(HEAD)
    stream.seek(here)
    if len(head) < 12:
        return False
    length = int.from_bytes(head[8:12], "big", signed=True)
    if length < 14 or (len(head) == HEAD and (head[16] > 2 or length + 12 not in INT32)):
        raise RangeError(f"a batch of {length} bytes, with the head {head.hex()}", path)
    return len(head) == HEAD and 12 + length <= bytes_left(stream)


def magic_of(here: Any) -> Any:
    """Return the magic of a batch that is read or written."""
    magic = here.entry.get("magic") if here._building else here.magic
    return magic if is_a(magic, (int,)) else None


Entry = typed(
    FocusedSeq(
        "entry",
        "magic" / Peek(FocusedSeq("magic", Padding(HEAD - 1), "magic" / Int8)),
        "entry" / Switch(magic_of, {0: Wrapper(0), 1: Wrapper(1), 2: Batch}, Error),
    ),
    dict,
)


class WholeField(Adapter):  # type: ignore[misc]
    """A whole field. Nobody writes the part of a batch at its end."""

    def _decode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        return {"batches": obj.batches, "partial": obj.partial}

    def _encode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        if not isinstance(obj, dict) or not {"batches"} <= obj.keys() <= {"batches", "partial"} or obj.get("partial"):
            raise ValidationError("expected a dict of batches, without a part of a batch", path)
        return {"batches": obj["batches"], "partial": b""}


RECORDS = WholeField(Struct("batches" / typed(While(has_more, Entry), list, tuple), "partial" / GreedyBytes))
