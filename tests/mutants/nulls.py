"""Null strings, bytes and arrays, written or read wrong."""

from dataclasses import replace
from typing import Any

from reference import FieldSchema, Malformed
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.stream import Reader
from tests.mutants.mutant import Converted, Lie, Mutant, same


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


class EmptyReadAsNull(Protocol):
    """An empty string that may be null is read as null."""

    def string(self, field: FieldSchema) -> WireType:
        string = super().string(field)
        return Converted(string, same, lambda value: value or None) if field.nullable else string


class NullAnywhere(Protocol):
    """Null is written for every string and array, whatever the version."""

    def string(self, field: FieldSchema) -> WireType:
        return super().string(replace(field, nullable=True))

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return super().array(replace(field, nullable=True), element)


class NullReadAnywhere(Protocol):
    """Null is read for every string and array, whatever the version; other negative lengths are not."""

    def string(self, field: FieldSchema) -> WireType:
        return _OrNull(super().string(field))

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return _OrNull(super().array(field, element))


class _OrNull(Lie):
    def read(self, stream: Reader, path: Path = "") -> Any:
        try:
            return super().read(stream, path)
        except Malformed as error:
            if error.rule != "null.not-allowed":
                raise
        return None


MUTANTS = (
    Mutant(
        "compact-null-array-written-as-empty", "null.compact", "MetadataRequest-v9..10", writes=CompactNullAsEmpty()
    ),
    Mutant("null-array-read-as-empty", "null.compact", "MetadataRequest-v9", reads=NullReadAsEmpty()),
    Mutant("empty-string-read-as-null", "null.legacy", "JoinGroupRequest-v5", reads=EmptyReadAsNull()),
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
)
