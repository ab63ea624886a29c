"""Counts of arrays that are wrong, and elements that do not keep their places."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

from reference import FieldSchema
from reference.paths import Path
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength
from reference.wire.message import Protocol
from tests.mutants.mutant import Converted, Lie, Mutant, same
from tests.mutants.strings import ShiftedCompactLength


class LegacyCountForCompactArray(Protocol):
    """The count of an array is an int32 in flexible versions too."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return super().array(replace(field, compact=False), element)


class CompactCountForLegacyArray(Protocol):
    """The count of an array is compact in versions that are not flexible, too."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return super().array(replace(field, compact=True), element)


def _counts(count: type[CompactLength]) -> type[Protocol]:
    class Lying(Protocol):
        def array(self, field: FieldSchema, element: WireType) -> WireType:
            if not field.compact:
                return super().array(field, element)
            return Array(count("count", "array.compact-count", nullable=field.nullable), element)

    return Lying


class _WithoutPlusOne(ShiftedCompactLength):
    shift = 0


class _TwoBytes(CompactLength):
    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        number = 0 if obj is None else obj + 1
        if number >= 0x80:
            super().write_to(obj, stream, path)
            return
        stream.write(bytes([number | 0x80, 0]))
        return


class CountsBytes(Protocol):
    """The prefix of an array of int32 counts bytes, not elements."""

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = super().array(field, element)
        if field.element is None or field.element.type != "int32":
            return array
        return _BytesCounted(array)


class _BytesCounted(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not obj:
            super().write_to(obj, stream, path)
            return
        assert isinstance(self.inner, Array)
        elements = b"".join(self.inner.element.write(item) for item in obj)
        self.inner.count.write_to(len(elements), stream, path)
        stream.write(elements)
        return


def _sorted_by_key(element: FieldSchema, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(items, key=lambda item: [str(item[name]) for name in _keys(element)])


def _last_of_each_key(element: FieldSchema, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({tuple(item[name] for name in _keys(element)): item for item in items}.values())


def _keys(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def _map_key_arrays(order: Callable[[FieldSchema, Any], Any]) -> type[Protocol]:
    class Lying(Protocol):
        def array(self, field: FieldSchema, element: WireType) -> WireType:
            array = super().array(field, element)
            inner = field.element
            if inner is None or not _keys(inner):
                return array
            return Converted(array, lambda items: items and order(inner, items), same)

    return Lying


class _ReadAs(Protocol):
    """What another protocol does on writing is done on reading."""

    def __init__(self, writing: type[Protocol]) -> None:
        self.writing = writing()

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        array = self.writing.array(field, element)
        return Converted(array.inner, same, array.before) if isinstance(array, Converted) else array


Sorted = _map_key_arrays(_sorted_by_key)
Deduplicated = _map_key_arrays(_last_of_each_key)

MUTANTS = (
    Mutant(
        "int32-count-for-compact-array",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        both=LegacyCountForCompactArray(),
    ),
    Mutant(
        "compact-count-without-plus-one",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        both=_counts(_WithoutPlusOne)(),
    ),
    Mutant(
        "compact-count-for-legacy-array",
        "array.count",
        "MetadataRequest-v8,DeleteGroupsRequest-v1",
        both=CompactCountForLegacyArray(),
    ),
    Mutant("overlong-varints", "varint.shortest", "MetadataRequest-v9", writes=_counts(_TwoBytes)()),
    Mutant(
        "array-prefix-counts-bytes",
        "array.count",
        "DeleteRecordsRequest-v1,ConsumerProtocolAssignment-v1,OffsetFetchRequest-v5",
        writes=CountsBytes(),
    ),
    Mutant(
        "map-key-array-written-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        writes=Sorted(),
    ),
    Mutant(
        "map-key-array-read-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        reads=_ReadAs(Sorted),
    ),
    Mutant(
        "one-element-a-key",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,AlterConfigsRequest-v0",
        reads=_ReadAs(Deduplicated),
    ),
)
