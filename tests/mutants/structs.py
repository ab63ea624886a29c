"""Markers of structs that may be null, written or read wrong."""

from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from reference import FieldSchema
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.stream import Reader
from reference.wire.structs import NullableStruct, TaggedNullableStruct
from tests.mutants.mutant import Mutant


@dataclass(frozen=True, eq=False)
class OtherMarkers(Protocol):
    """A struct that may be null is marked otherwise."""

    present: bytes
    null: bytes
    kind: type[WireType] = NullableStruct

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        struct = super().struct(field, body)
        return _Marked(body, self.present, self.null) if isinstance(struct, self.kind) else struct


class _Marked(WireType):
    def __init__(self, body: WireType, present: bytes, null: bytes) -> None:
        super().__init__()
        self.body, self.present, self.null = body, present, null

    def read(self, stream: Reader, path: Path = "") -> Any:
        start = stream.tell()
        if stream.read(len(self.null)) == self.null:
            return None
        stream.seek(start + len(self.present))
        return self.body.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        stream.write(self.null if obj is None else self.present)
        if obj is not None:
            self.body.write_to(obj, stream, path)


class MarkersEverywhere(Protocol):
    """A struct has a marker though it may not be null."""

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        return super().struct(replace(field, nullable=True), body)


def _mutant(name: str, present: str, null: str) -> Mutant:
    lie = OtherMarkers(bytes.fromhex(present), bytes.fromhex(null))
    pairs = "ConsumerGroupHeartbeatResponse-v0..1,DescribeTopicPartitionsRequest-v0"
    return Mutant(name, "struct.marker", pairs, both=lie)


def _tagged(name: str, present: str, null: str) -> Mutant:
    lie = OtherMarkers(bytes.fromhex(present), bytes.fromhex(null), TaggedNullableStruct)
    return Mutant(name, "struct.tagged-marker", "ConsumerGroupMemberMetadataValue-v0", both=lie)


MUTANTS = (
    _mutant("struct-marker-missing", "", "ff"),
    _mutant("struct-marker-zero-for-null", "01", "00"),
    _mutant("struct-marker-as-of-an-array", "02", "00"),
    _mutant("struct-marker-as-int16", "0001", "ffff"),
    Mutant(
        "struct-marker-where-never-null",
        "struct.marker",
        "RemotePartitionDeleteMetadataRecord-v0",
        both=MarkersEverywhere(),
    ),
    _tagged("tagged-struct-marker-as-positional", "01", "ff"),
    _tagged("tagged-struct-marker-missing", "", "00"),
    _tagged("tagged-struct-marker-as-int16", "0001", "ffff"),
)
