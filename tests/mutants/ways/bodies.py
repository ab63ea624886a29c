"""Ways of arrays, markers and structs of bodies, by name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reference import TAGS, FieldSchema, StructType
from tests.mutants.ways.basics import refuse_if
from tests.second_codec.bodies import ElementsWay, MarkerWay, StructWay, Value


def keys_of(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def _sorted_by_key(element: FieldSchema, items: Any) -> Any:
    return items and sorted(items, key=lambda item: [str(item[name]) for name in keys_of(element)])


def _last_of_each_key(element: FieldSchema, items: Any) -> Any:
    keys = keys_of(element)
    return list({tuple(item[name] for name in keys): item for item in items}.values()) if items else items


def _last_of_alike(element: FieldSchema, items: Any) -> Any:
    """Return elements as in a dict by their first field."""
    if not items or not element.fields or keys_of(element):
        return items
    return list({str(item[element.fields[0].name]): item for item in items}.values())


def _keyed(order: Callable[[FieldSchema, Any], Any]) -> ElementsWay:
    return ElementsWay(of=lambda element, items: order(element, items) if keys_of(element) else items)


ARRAYS = {
    "sorted-by-key": _keyed(_sorted_by_key),
    "one-element-a-key": _keyed(_last_of_each_key),
    "one-element-a-name": ElementsWay(of=_last_of_alike),
}
MARKERS = {
    "missing": MarkerWay(b"", b"\xff"),
    "missing-or-zero": MarkerWay(b"", b"\0"),
    "zero-for-null": MarkerWay(b"\1", b"\0"),
    "as-of-an-array": MarkerWay(b"\2", b"\0"),
    "as-int16": MarkerWay(b"\0\1", b"\xff\xff"),
    "one-or-minus-one": MarkerWay(b"\1", b"\xff"),
    "always": MarkerWay(always=True),
    "others-refused": MarkerWay(refuses=lambda marker: marker not in {1, 0xFF}),
}


def _without_tags(struct: StructType, value: Value) -> Value:
    return value if struct.flexible else {name: item for name, item in value.items() if name != TAGS}


def _inflexible(struct: StructType) -> StructType:
    return replace(struct, flexible=False)


ZEROS: dict[str, Any] = {"int8": 0, "int16": 0, "int32": 0, "int64": 0, "string": "", "array": []}


def _zeroed(struct: StructType) -> StructType:
    """Return the struct with the zero of its type as the default of each tagged field."""
    fields = (
        replace(field, default=ZEROS.get(field.type, field.default)) if field.tag is not None else field
        for field in struct.fields
    )
    return replace(struct, fields=tuple(fields))


def _absent_nulls(struct: StructType, value: Value) -> set[str]:
    return {each.name for each in struct.absent_fields if each.name in value and value[each.name] is None}


def _nulls_dropped(struct: StructType, value: Value) -> Value:
    """Take a null in a field of other versions for its default."""
    nulls = _absent_nulls(struct, value)
    return {name: item for name, item in value.items() if name not in nulls}


def _nulls_refused(struct: StructType, value: Value) -> Value:
    """Refuse a null in a field of other versions, though the field is ignorable."""
    return refuse_if(lambda given: _absent_nulls(struct, given))(value)  # type: ignore[no-any-return]


STRUCTS = {
    "tags-lost-without-a-section": StructWay(given=_without_tags),
    "flexible": StructWay(of=lambda struct: replace(struct, flexible=True)),
    "not-flexible": StructWay(of=_inflexible),
    "not-flexible-if-empty": StructWay(of=lambda struct: struct if struct.fields else _inflexible(struct)),
    "tags-of-other-versions-forgotten": StructWay(of=lambda struct: replace(struct, tags_elsewhere=frozenset())),
    "zero-as-default": StructWay(of=_zeroed),
    "nulls-of-other-versions-dropped": StructWay(given=_nulls_dropped),
    "nulls-of-other-versions-refused": StructWay(given=_nulls_refused),
    "fields-of-other-versions-forgotten": StructWay(of=lambda struct: replace(struct, absent_fields=())),
}
