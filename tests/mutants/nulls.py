"""Null written, read or marked wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.structs import NullableStruct
from tests.mutants.mutant import Converted, Mutant, same

if TYPE_CHECKING:
    from io import BytesIO

    from reference import FieldSchema
    from reference.wire.stream import Path, Reader


class CompactNullAsEmpty(Protocol):
    """A compact null array is written as an empty one."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = super().array(field, element)
        return Converted(array, lambda value: [] if value is None else value, same) if field.compact else array


class NullReadAsEmpty(Protocol):
    """A null array is read as an empty one."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return Converted(super().array(field, element), same, lambda value: value or [])


class ZeroForNullBytes(Protocol):
    """Null bytes and records are written with length 0 in versions that are not flexible."""

    def blob(self, field: FieldSchema) -> WireType:
        blob = super().blob(field)
        return blob if field.compact else Converted(blob, lambda value: b"" if value is None else value, same)


class NullAnywhere(Protocol):
    """Null is written and read for every string and array, whatever the version."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, nullable=True))

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return super().array(replace(field, nullable=True), element)


class NullReadAnywhere(NullAnywhere):
    """Null is read for every string and array, though not written."""


class MarkerMissing(Protocol):
    """A struct that may be null has no marker while it is present."""

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        struct = super().struct(field, body)
        return _OtherMarker(body, b"") if isinstance(struct, NullableStruct) else struct


class MarkerZeroForNull(Protocol):
    """A struct that may be null is marked 00 for null."""

    def struct(self, field: FieldSchema, body: WireType) -> WireType:
        struct = super().struct(field, body)
        return _OtherMarker(body, b"\1", b"\0") if isinstance(struct, NullableStruct) else struct


class _OtherMarker(WireType):
    def __init__(self, body: WireType, present: bytes, null: bytes = b"\xff") -> None:
        super().__init__()
        self.body, self.present, self.null = body, present, null

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        marker = stream.read(1)
        return None if marker == self.null else self.body._parse(stream, context, path)

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        stream.write(self.null if obj is None else self.present)
        return obj if obj is None else self.body._build(obj, stream, context, path)


MUTANTS = (
    Mutant(
        "compact-null-array-written-as-empty", "null.compact", "MetadataRequest-v9..10", writes=CompactNullAsEmpty()
    ),
    Mutant("null-array-read-as-empty", "null.compact", "MetadataRequest-v9", reads=NullReadAsEmpty()),
    Mutant(
        "null-bytes-as-length-zero",
        "null.legacy",
        "JoinGroupRequest-v5,FetchResponse-v11,ConsumerProtocolSubscription-v1",
        writes=ZeroForNullBytes(),
    ),
    Mutant(
        "null-read-where-not-allowed",
        "null.not-allowed",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        reads=NullReadAnywhere(),
    ),
    Mutant(
        "null-written-where-not-allowed",
        "null.not-written",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        writes=NullAnywhere(),
    ),
    Mutant("struct-marker-missing", "struct.marker", "ConsumerGroupHeartbeatResponse-v0..1", both=MarkerMissing()),
    Mutant(
        "struct-marker-zero-for-null", "struct.marker", "ConsumerGroupHeartbeatResponse-v0", both=MarkerZeroForNull()
    ),
)
