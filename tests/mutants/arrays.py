"""Counts of arrays that are wrong, and elements that do not keep their places."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

from reference import FieldSchema, Malformed
from reference.paths import Path
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength
from reference.wire.message import RELEASED
from tests.mutants.mutant import Converted, Lie, Lying, Mutant, same
from tests.mutants.strings import shifted


def _array_of(*, compact: bool) -> Lying:
    return Lying(array=lambda field, array: RELEASED.array(replace(field, compact=compact), array.element))


def _counts(count: type[CompactLength]) -> Lying:
    def lie(field: FieldSchema, array: Any) -> WireType:
        if not field.compact:
            return RELEASED.array(field, array.element)
        return Array(count("count", "array.compact-count", nullable=field.nullable), array.element)

    return Lying(array=lie)


class _TwoBytes(CompactLength):
    def write_to(self, obj: int | None, stream: BytesIO, path: Path = "") -> None:
        number = 0 if obj is None else obj + 1
        if number >= 0x80:
            super().write_to(obj, stream, path)
            return
        stream.write(bytes([number | 0x80, 0]))


class _BytesCounted(Lie):
    """The prefix of an array counts bytes, not elements."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not obj:
            super().write_to(obj, stream, path)
            return
        assert isinstance(self.inner, Array)
        elements = b"".join(self.inner.element.write(item) for item in obj)
        self.inner.count.write_to(len(elements), stream, path)
        stream.write(elements)


def _sorted_by_key(element: FieldSchema, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(items, key=lambda item: [str(item[name]) for name in _keys(element)])


def _last_of_each_key(element: FieldSchema, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({tuple(item[name] for name in _keys(element)): item for item in items}.values())


def _last_of_alike(field: FieldSchema, array: WireType) -> WireType:
    """An array whose elements are put into a dict by their first field."""
    inner = field.element
    if inner is None or not inner.fields or _keys(inner):
        return array
    first = inner.fields[0].name
    return Converted(array, same, lambda items: items and list({str(item[first]): item for item in items}.values()))


def _keys(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def _int32_counted(field: FieldSchema, array: WireType) -> WireType:
    return array if field.element is None or field.element.type != "int32" else _BytesCounted(array)


def _map_key_arrays(order: Callable[[FieldSchema, Any], Any], *, read: bool) -> Lying:
    def lie(field: FieldSchema, array: WireType) -> WireType:
        inner = field.element
        if inner is None or not _keys(inner):
            return array

        def ordered(items: Any) -> Any:
            return items and order(inner, items)

        return Converted(array, same, ordered) if read else Converted(array, ordered, same)

    return Lying(array=lie)


class _SmallCounts(Lie):
    """A count is kept as an int16."""

    def read(self, stream: Any, path: Path = "") -> Any:
        items = super().read(stream, path)
        if items and len(items) > HIGHEST_INT16:
            raise Malformed("count.within-input", None, 0, "")
        return items


HIGHEST_INT16 = 0x7FFF


MUTANTS = (
    Mutant(
        "count-as-int16",
        "array.count",
        "DeleteGroupsRequest-v1",
        reads=Lying(array=lambda _, array: _SmallCounts(array)),
    ),
    Mutant(
        "compact-count-as-int16",
        "array.compact-count",
        "ListGroupsRequest-v5",
        reads=Lying(array=lambda _, array: _SmallCounts(array)),
    ),
    Mutant(
        "int32-count-for-compact-array",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        both=_array_of(compact=False),
    ),
    Mutant(
        "compact-count-without-plus-one",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        both=_counts(shifted(0)),
    ),
    Mutant(
        "compact-count-for-legacy-array",
        "array.count",
        "MetadataRequest-v8,DeleteGroupsRequest-v1",
        both=_array_of(compact=True),
    ),
    Mutant("overlong-varints", "varint.shortest", "MetadataRequest-v9", writes=_counts(_TwoBytes)),
    Mutant(
        "array-prefix-counts-bytes",
        "array.count",
        "DeleteRecordsRequest-v1,ConsumerProtocolAssignment-v1,OffsetFetchRequest-v5",
        writes=Lying(array=_int32_counted),
    ),
    Mutant(
        "map-key-array-written-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        writes=_map_key_arrays(_sorted_by_key, read=False),
    ),
    Mutant(
        "map-key-array-read-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        reads=_map_key_arrays(_sorted_by_key, read=True),
    ),
    Mutant(
        "one-element-a-key",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,AlterConfigsRequest-v0",
        reads=_map_key_arrays(_last_of_each_key, read=True),
    ),
    Mutant(
        "one-element-a-name",
        "array.all-elements",
        "FetchResponse-v11..12,OffsetFetchResponse-v5",
        reads=Lying(array=_last_of_alike),
    ),
)
