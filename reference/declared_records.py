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
from functools import partial
from typing import TYPE_CHECKING, Any

from construct import (
    Adapter,
    BitStruct,
    Const,
    Error,
    FocusedSeq,
    GreedyBytes,
    Padding,
    Peek,
    Prefixed,
    RangeError,
    Struct,
    Switch,
    Terminated,
    ValidationError,
)

from reference.declared import INT32, Data, Int8, Int32, Int64, Valid, bytes_left, is_a, typed
from reference.declared_batches import (
    Batch,
    Flat,
    Sealed,
    TimestampType,
    ValidWhole,
    While,
    codec_name,
    decompressed,
    has_numbers,
    unused,
)
from reference.records.compression import CODECS, NAMES, NONE, lz4

if TYPE_CHECKING:
    from construct import Construct


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
