"""Bytes and records, a length followed by opaque bytes (rules 1.1.9, 1.1.10).

Two bytes `ca fe` are `00 00 00 02 ca fe`, compact `03 ca fe`. A message's codec does not look into record batches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Reason
from reference.wire.base import WireType
from reference.wire.lengths import Length, length_of
from reference.wire.stream import Reader, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path


class Blob(WireType):
    """A length followed by as many bytes, with the length's null for None.

    >>> blob("bytes", compact=False, nullable=False).write(bytes.fromhex("cafe")).hex()
    '00000002cafe'
    """

    def __init__(self, type_name: str, length: Length) -> None:
        self.type_name = type_name
        self.length = length
        self.nullable = length.nullable
        self.payload_rule = f"{type_name}.payload"

    def read(self, stream: Reader, path: Path = "") -> bytes | None:
        start = stream.tell()
        length = self.length.read(stream, path)
        if length is None:
            return None
        data = stream.read(length)
        if len(data) != length:
            stream.malformed("length.within-input", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes")
        if stream.spans is not None:
            stream.span(stream.tell() - length, path, "payload", self.payload_rule, "raw")
        return data

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None and self.nullable:
            self.length.write_to(None, stream, path)
            return
        if not isinstance(obj, bytes):
            wrong_type(self.type_name, obj, path)
        self.length.write_to(len(obj), stream, path)
        stream.write(obj)


def blob(type_name: str, *, compact: bool, nullable: bool) -> Blob:
    """Return the type of a `bytes` or `records` field."""
    return Blob(type_name, length_of(type_name, compact=compact, nullable=nullable))
