"""A schema aligned with the SCHEMA of one of aiokafka's classes, and conversions of whole messages.

Fields are matched by position, since aiokafka has names of its own. Three things have another form there:

- a struct is a tuple, and a tag section is its last field, a dict;
- an array of structs of one field may be an array of just that field's values (topics in MetadataRequest);
- a few fields in a row may form a tuple of their own (counts and assignments in CreatePartitionsRequest).

A field with another type in the same place goes through unchanged, so that the bytes show it. Known tagged fields do
not exist in aiokafka. Values other than their defaults are `Unrepresentable`. When read they are at their defaults, and
their bytes are among the unknown tags, as aiokafka's user gets them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from aiokafka.protocol.types import Array, CompactArray, CompactBytes, CompactString, Schema, TaggedFields

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters._mapping import SAME, Conversion, Convert, array
from conformance.adapters.aiokafka.aiokafka_messages import fields_of, struct_of
from reference import TAGS, is_default
from reference.values.defaults import fresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema, MessageSchema


class FieldAccess(NamedTuple):
    """The functions to take the content of one of aiokafka's fields out of a struct's value, and to put it in."""

    take: Callable[[Any], Any]
    put: Callable[[Any, dict[str, Any]], None]


@cache
def mapping_of(schema: MessageSchema) -> tuple[Any, Convert, Convert]:
    """Return aiokafka's class for a message at one version, and the conversions of values to it and back.

    If aiokafka does not have it, or has it with other fields, it raises `Unsupported`.
    """
    struct = struct_of(schema.message, schema.version)
    return (struct, *_struct(schema.body, fields_of(struct)))


def _struct(struct: FieldSchema, theirs: Schema) -> tuple[Convert, Convert]:
    remaining = iter([field for field in struct.fields if field.tag is None])
    places = list(_places(struct, theirs, remaining))
    left = [field.name for field in remaining]
    if left:
        raise Unsupported(f"aiokafka's {struct.struct_name} lacks the fields {', '.join(left)}")
    return _struct_to_aiokafka(struct, places, theirs), _struct_from_aiokafka(struct, places)


def _places(struct: FieldSchema, theirs: Schema, remaining: Iterator[FieldSchema]) -> Iterator[FieldAccess]:
    for name, their_type in zip(theirs.names, theirs.fields, strict=True):
        if isinstance(their_type, Schema):
            yield _group(list(_places(struct, their_type, remaining)))
        elif their_type is TaggedFields:
            yield FieldAccess(_tags_to_aiokafka, _put_tags)
        else:
            ours = next(remaining, None)
            if ours is None:
                raise Unsupported(f"aiokafka's {struct.struct_name} has one field more than the definition, {name}")
            yield _field_place(ours.name, _field(ours, their_type))


def _group(places: list[FieldAccess]) -> FieldAccess:
    """Return the place of some fields in a row with a tuple of their own."""

    def take(value: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(place.take(value) for place in places)

    def put(items: tuple[Any, ...], value: dict[str, Any]) -> None:
        for place, item in zip(places, items, strict=True):
            place.put(item, value)

    return FieldAccess(take, put)


def _field_place(name: str, conversion: Conversion) -> FieldAccess:
    to, back = conversion

    def take(value: dict[str, Any]) -> Any:
        try:
            return value[name] if to is None else to(value[name])
        except Unrepresentable as error:
            raise error.under(name) from None

    def put(item: Any, value: dict[str, Any]) -> None:
        value[name] = item if back is None else back(item)

    return FieldAccess(take, put)


def _tags_to_aiokafka(value: dict[str, Any]) -> dict[int, bytes]:
    pairs = value.get(TAGS, ())
    tags = dict(pairs)
    if len(tags) != len(pairs):
        raise Unrepresentable("aiokafka's tag section is a dict: a tag is there once", TAGS)
    return tags


def _put_tags(tags: dict[int, bytes], value: dict[str, Any]) -> None:
    if tags:
        value[TAGS] = list(tags.items())


def _field(ours: FieldSchema, their_type: Any) -> Conversion:
    item, is_array = ours.item, ours.element is not None
    if isinstance(their_type, Array) != is_array:
        raise Unsupported(f"{ours.name} is {ours.type} of {item.type}; in aiokafka it is {type_name(their_type)}")
    return array(_item(item, their_type.array_of)) if is_array else _item(item, their_type)


def _item(ours: FieldSchema, their_type: Any) -> Conversion:
    is_struct = ours.type == "struct"
    if is_struct and isinstance(their_type, Schema):
        return Conversion(*_struct(ours, their_type))
    if is_struct and len(ours.fields) == 1 and not ours.flexible:
        return _bare(ours.fields[0], their_type)
    if is_struct or isinstance(their_type, Schema):
        raise Unsupported(f"{ours.name} is {ours.type}; in aiokafka it is {type_name(their_type)}")
    return SAME


def _bare(only: FieldSchema, their_type: Any) -> Conversion:
    """Return the conversion between a struct of one field and that field's value alone."""
    place = _field_place(only.name, _field(only, their_type))

    def from_aiokafka(item: Any) -> dict[str, Any]:
        value: dict[str, Any] = {}
        place.put(item, value)
        return value

    def to_aiokafka(value: Any) -> Any:
        if value is None:
            raise Unrepresentable(f"aiokafka has {only.name} alone here, and no struct that could be null")
        if type(value) is dict and value.get(TAGS):
            raise Unrepresentable(f"aiokafka has {only.name} alone here, and no struct that could have tags", TAGS)
        return place.take(value) if type(value) is dict else value

    return Conversion(to_aiokafka, from_aiokafka)


def _struct_to_aiokafka(struct: FieldSchema, places: list[FieldAccess], theirs: Schema) -> Convert:
    names = frozenset(field.name for field in struct.fields)
    tagged = [field for field in struct.fields if field.tag is not None]
    expected = names | {TAGS} if TaggedFields in theirs.fields else names

    def to_aiokafka(value: Any) -> Any:
        if type(value) is not dict:
            return value
        if value.keys() != names:
            _check_keys(value, names, expected)
        for field in tagged:
            if not is_default(field, value[field.name]):
                raise Unrepresentable("aiokafka has no known tagged fields", field.name)
        return tuple(place.take(value) for place in places)

    return to_aiokafka


def _check_keys(value: dict[str, Any], names: frozenset[str], expected: frozenset[str]) -> None:
    for name in names - value.keys():
        raise Unrepresentable("aiokafka's classes have no defaults", name)
    for name in value.keys() - expected:
        if name != TAGS or value[name]:
            raise Unrepresentable("aiokafka's class has no such field", name)


def _struct_from_aiokafka(struct: FieldSchema, places: list[FieldAccess]) -> Convert:
    tagged = [field for field in struct.fields if field.tag is not None]

    def from_aiokafka(items: tuple[Any, ...]) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for place, item in zip(places, items, strict=True):
            place.put(item, value)
        for field in tagged:
            value[field.name] = fresh(field.default)
        return value

    return from_aiokafka


def type_name(their_type: Any) -> str:
    """Return the wire type of one of aiokafka's types."""
    if isinstance(their_type, Schema):
        return "struct"
    named = their_type if isinstance(their_type, type) else type(their_type)
    compact = {CompactArray: "compact array", CompactBytes: "compact bytes", CompactString: "compact string"}
    return compact.get(named, named.__name__.lower())
