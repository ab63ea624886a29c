"""A schema lined up with the SCHEMA of one of aiokafka's classes, and made into functions that convert whole messages.

Fields are matched by position; aiokafka's names are its own. Three things have another form there:

- a struct is a tuple, and a tag section is a field of it, a dict, the last one;
- an array of structs of one field may be an array of just that field's values (topics in MetadataRequest);
- a few fields in a row may form a tuple of their own (counts and assignments in CreatePartitionsRequest).

What stands in the same place with another type goes through unchanged, so that the bytes show it; the module
`alignment` lists such places.
Known tagged fields do not exist: set to anything but their default they are `Unrepresentable`, and when read they are
at their default, their bytes standing among the unknown tags, for this is all that aiokafka's user gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from aiokafka.protocol.types import Array, CompactArray, CompactBytes, CompactString, Schema, TaggedFields

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters.aiokafka.catalogue import Entity, entity_of
from reference import TAGS, is_default
from reference.values.defaults import fresh

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema

Convert = Callable[[Any], Any]


class Conversion(NamedTuple):
    """How values go to aiokafka and back."""

    to_aiokafka: Convert
    from_aiokafka: Convert


@dataclass(frozen=True)
class Mapping:
    """All that it takes to drive aiokafka for one schema."""

    entity: Entity
    to_aiokafka: Convert
    from_aiokafka: Convert


class Place(NamedTuple):
    """One field of aiokafka's: what stands in it, taken out of a struct's value, and put back into one."""

    take: Convert
    put: Callable[[Any, dict[str, Any]], None]


@cache
def mapping_of(schema: MessageSchema) -> Mapping:
    """The mapping of a message at one version.

    Raises:
        Unsupported: aiokafka does not have it, or has it with other fields.
    """
    entity = entity_of(schema.message, schema.version)
    return Mapping(entity, *_struct(schema.body, entity.struct.SCHEMA))


def _struct(struct: FieldSchema, theirs: Schema) -> Conversion:
    remaining = iter([field for field in struct.fields if field.tag is None])
    places = list(_places(struct, theirs, remaining))
    left = [field.name for field in remaining]
    if left:
        raise Unsupported(f"aiokafka's {struct.struct_name} lacks the fields {', '.join(left)}")
    return Conversion(_struct_to_aiokafka(struct, places, theirs), _struct_from_aiokafka(struct, places))


def _places(struct: FieldSchema, theirs: Schema, remaining: Iterator[FieldSchema]) -> Iterator[Place]:
    for name, their_type in zip(theirs.names, theirs.fields, strict=True):
        if isinstance(their_type, Schema):
            yield _group(list(_places(struct, their_type, remaining)))
        elif their_type is TaggedFields:
            yield Place(_tags_to_aiokafka, _put_tags)
        else:
            ours = next(remaining, None)
            if ours is None:
                raise Unsupported(f"aiokafka's {struct.struct_name} has one field more than the definition, {name}")
            yield _field_place(ours.name, _field(ours, their_type))


def _group(places: list[Place]) -> Place:
    """Some fields in a row, in a tuple of their own."""

    def take(value: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(place.take(value) for place in places)

    def put(items: tuple[Any, ...], value: dict[str, Any]) -> None:
        for place, item in zip(places, items, strict=True):
            place.put(item, value)

    return Place(take, put)


def _field_place(name: str, conversion: Conversion | None) -> Place:
    def take(value: dict[str, Any]) -> Any:
        try:
            return value[name] if conversion is None else conversion.to_aiokafka(value[name])
        except Unrepresentable as error:
            raise error.under(name) from None

    def put(item: Any, value: dict[str, Any]) -> None:
        value[name] = item if conversion is None else conversion.from_aiokafka(item)

    return Place(take, put)


def _tags_to_aiokafka(value: dict[str, Any]) -> dict[int, bytes]:
    pairs = value.get(TAGS, ())
    tags = dict(pairs)
    if len(tags) != len(pairs):
        raise Unrepresentable("aiokafka's tag section is a dict: a tag is there once", TAGS)
    return tags


def _put_tags(tags: dict[int, bytes], value: dict[str, Any]) -> None:
    if tags:
        value[TAGS] = list(tags.items())


def _field(ours: FieldSchema, their_type: Any) -> Conversion | None:
    """How a field's values go there and back; None: they are the same on both sides."""
    item, is_array = ours.item, ours.element is not None
    if isinstance(their_type, Array) != is_array:
        raise Unsupported(f"{ours.name} is {ours.type} of {item.type}; in aiokafka it is {type_name(their_type)}")
    return _array(_item(item, their_type.array_of)) if is_array else _item(item, their_type)


def _item(ours: FieldSchema, their_type: Any) -> Conversion | None:
    is_struct = ours.type == "struct"
    if is_struct and isinstance(their_type, Schema):
        return _struct(ours, their_type)
    if is_struct and len(ours.fields) == 1 and not ours.flexible:
        return _bare(ours.fields[0], their_type)
    if is_struct or isinstance(their_type, Schema):
        raise Unsupported(f"{ours.name} is {ours.type}; in aiokafka it is {type_name(their_type)}")
    return None


def _bare(only: FieldSchema, their_type: Any) -> Conversion:
    """A struct of one field, as that field's value alone."""
    place = _field_place(only.name, _field(only, their_type))

    def from_aiokafka(item: Any) -> dict[str, Any]:
        value: dict[str, Any] = {}
        place.put(item, value)
        return value

    return Conversion(lambda value: place.take(value) if type(value) is dict else value, from_aiokafka)


def _array(element: Conversion | None) -> Conversion:
    def to_aiokafka(values: Any) -> Any:
        if element is None or type(values) is not list:
            return values
        converted: list[Any] = []
        try:
            for each in values:
                converted.append(element.to_aiokafka(each))  # noqa: PERF401  # its length is the index that fails
        except Unrepresentable as error:
            raise error.under(f"[{len(converted)}]") from None
        return converted

    def from_aiokafka(values: Any) -> Any:
        return values if element is None or values is None else [element.from_aiokafka(each) for each in values]

    return Conversion(to_aiokafka, from_aiokafka)


def _struct_to_aiokafka(struct: FieldSchema, places: list[Place], theirs: Schema) -> Convert:
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


def _struct_from_aiokafka(struct: FieldSchema, places: list[Place]) -> Convert:
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
    """The wire type that a type of aiokafka's is."""
    if isinstance(their_type, Schema):
        return "struct"
    named = their_type if isinstance(their_type, type) else type(their_type)
    compact = {CompactArray: "compact array", CompactBytes: "compact bytes", CompactString: "compact string"}
    return compact.get(named, named.__name__.lower())
