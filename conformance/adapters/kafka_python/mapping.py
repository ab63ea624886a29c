"""A schema lined up with kafka-python's fields, and made into functions that convert whole messages.

kafka-python reads the fields of each struct from definitions that it ships: those of a version are matched with the
schema's by position, names being looked at as an aid only, see `misalignments`. Fields of other versions are matched by
position if both definitions have equally many fields in all, and by name if not, as between two releases.

A tagged field of a struct type is None in kafka-python when it is absent from the wire, nullable or not, and is left
out when it is None. That is handed on as it is: a struct of defaults goes in as such a struct, and None comes out as
None. And an object may say that it is of another version than the one that was to be read (ApiVersionsResponse with an
error code is of version 0): it then has the fields of its own version, whatever its other attributes would give.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters.kafka_python.catalogue import Codec, codec_of
from conformance.adapters.kafka_python.scalars import CONVERSIONS, SAME, WIRE_TYPES, Conversion, Convert
from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema, MessageSchema

Step = tuple[str, Convert | None]
"""The name that a field has in kafka-python, and how its values go there."""


@dataclass(frozen=True)
class Mapping:
    """All that it takes to drive kafka-python for one schema."""

    codec: Codec
    to_kafka: Convert
    from_kafka: Convert


@cache
def mapping_of(schema: MessageSchema) -> Mapping:
    """The mapping of a message at one version.

    Raises:
        Unsupported: kafka-python does not have it, or has it with other fields.
    """
    codec = codec_of(schema.message, schema.version)
    return Mapping(codec, *_struct(schema.body, codec.entity, codec.entity, schema.version))


def misalignments(schema: MessageSchema) -> tuple[str, ...]:
    """Where kafka-python's fields have other names, types, tags or nullability than the definition's.

    Raises:
        Unsupported: as `mapping_of`.
    """
    entity = codec_of(schema.message, schema.version).entity
    return tuple(_misalignments(schema.body, entity, schema.version, ""))


def _misalignments(struct: FieldSchema, theirs: Any, version: int, within: str) -> Iterator[str]:
    for ours, their in _paired(struct, theirs, version):
        path = f"{within}{ours.name}"
        for what, mine, other in _traits(ours, their, version):
            if mine != other:
                yield f"{path}: {what} {mine}, in kafka-python {other}"
        if their.is_struct() or their.is_struct_array():
            yield from _misalignments(ours.item, their, version, f"{path}.")


def _traits(ours: FieldSchema, their: Any, version: int) -> Iterator[tuple[str, Any, Any]]:
    their_type = _type_of(their)
    their_tag = their.tag if their.tagged_field_q(version) else None
    yield "name", _spelling(ours.name), _spelling(their.name)
    yield "type", ours.item.type, WIRE_TYPES.get(their_type, their_type)
    yield "tag", ours.tag, their_tag
    yield "nullable", ours.nullable, their.nullable_for_version_q(version)


def _spelling(name: str) -> str:
    return name.replace("_", "").lower()


def _type_of(their: Any) -> str:
    """The name of a field's type, or of an array's elements; `struct` for any struct."""
    if their.is_struct() or their.is_struct_array():
        return "struct"
    name: str = (their.array_of if their.is_array() else their).type_str
    return name


def _paired(struct: FieldSchema, theirs: Any, version: int | None) -> list[tuple[FieldSchema, Any]]:
    """Fields by position: those of the version, or without a version all of them."""
    those = [each for each in theirs.fields.values() if version is None or each.for_version_q(version)]
    if len(those) != len(struct.fields):
        raise Unsupported(
            f"kafka-python's {struct.struct_name} has the fields {', '.join(each.name for each in those) or 'none'}, "
            f"the definition {', '.join(each.name for each in struct.fields) or 'none'}"
        )
    return list(zip(struct.fields, those, strict=True))


def _field(ours: FieldSchema, their: Any, version: int | None) -> Conversion:
    item = ours.item
    their_type = _type_of(their)
    if their.is_array() != (ours.element is not None) or (their_type == "struct") != (item.type == "struct"):
        raise Unsupported(f"{ours.name} is {ours.type} of {item.type}; in kafka-python it is {their.type_str}")
    if their_type == "struct":
        conversion = Conversion(*_struct(item, their, their.data_class, version))
    else:
        conversion = CONVERSIONS.get(their_type, SAME)
    return _array(conversion) if ours.element is not None else conversion


def _array(element: Conversion) -> Conversion:
    convert, convert_back = element.to_kafka, element.from_kafka

    def to_kafka(values: Any) -> Any:
        if convert is None or type(values) is not list:
            return values
        converted: list[Any] = []
        try:
            for each in values:
                converted.append(convert(each))  # noqa: PERF401  # its length is the index of the one that fails
        except Unrepresentable as error:
            raise error.under(f"[{len(converted)}]") from None
        return converted

    def from_kafka(values: Any) -> Any:
        if values is None:
            return None
        return list(values) if convert_back is None else [convert_back(each) for each in values]

    return Conversion(to_kafka, from_kafka)


def _struct(struct: FieldSchema, theirs: Any, data_class: Any, version: int | None) -> tuple[Convert, Convert]:
    """How a struct goes to kafka-python, as an object of `data_class`, and back."""
    pairs = _paired(struct, theirs, version)
    plan = [(ours.name, their, _field(ours, their, version)) for ours, their in pairs]
    steps: dict[str, Step] = {name: (their.name, conversion.to_kafka) for name, their, conversion in plan}
    steps |= dict(_elsewhere(struct, theirs))
    return _struct_to_kafka(steps, data_class, version), _struct_from_kafka(plan, version)


def _elsewhere(struct: FieldSchema, theirs: Any) -> Iterator[tuple[str, Step]]:
    """Fields of other versions, as far as kafka-python has them in the same form."""
    for ours, their in _all_paired(struct, theirs):
        with suppress(Unsupported):
            yield ours.name, (their.name, _field(ours, their, None).to_kafka)


def _all_paired(struct: FieldSchema, theirs: Any) -> list[tuple[FieldSchema, Any]]:
    """Fields of other versions, and what kafka-python has for them: by name, and by position what it calls otherwise.

    Not by position alone: releases differ in the order of fields that no version has at the same time.
    """
    ours = sorted((*struct.fields, *struct.absent_fields), key=attrgetter("position"))
    those = list(theirs.fields.values())
    by_name = {_spelling(each.name): each for each in those}
    names = {_spelling(mine.name) for mine in ours}
    found = []
    for index, mine in enumerate(ours):
        their = by_name.get(_spelling(mine.name))
        if their is None and len(ours) == len(those) and _spelling(those[index].name) not in names:
            their = those[index]
        if their is not None and mine in struct.absent_fields:
            found.append((mine, their))
    return found


def _struct_to_kafka(steps: dict[str, Step], data_class: Any, version: int | None) -> Convert:
    def to_kafka(value: Any) -> Any:
        if type(value) is not dict:
            return value
        arguments = {}
        for name, item in value.items():
            if name not in steps:
                _check_other(name, item)
                continue
            attribute, convert = steps[name]
            try:
                arguments[attribute] = item if convert is None else convert(item)
            except Unrepresentable as error:
                raise error.under(name) from None
        return data_class(version=version, **arguments)

    return to_kafka


def _check_other(name: str, content: Any) -> None:
    if name != TAGS:
        raise Unrepresentable("kafka-python has no such field", name)
    if content:
        raise Unrepresentable("kafka-python writes no unknown tagged fields", name)


def _struct_from_kafka(plan: list[tuple[str, Any, Conversion]], version: int | None) -> Convert:
    names = [name for name, _, _ in plan]
    get = _getter([their.name for _, their, _ in plan])
    converted = [(name, conversion.from_kafka) for name, _, conversion in plan if conversion.from_kafka is not None]

    def from_kafka(entity: Any) -> Any:
        if entity is None:
            return None
        value = dict(zip(names, get(entity), strict=True))
        for name, convert in converted:
            value[name] = convert(value[name])
        if entity.unknown_tags:
            value[TAGS] = [(int(tag.removeprefix("_")), body) for tag, body in entity.unknown_tags.items()]
        if entity.version != version:
            return {name: value[name] for name, their, _ in plan if their.for_version_q(entity.version)}
        return value

    return from_kafka


def _getter(attributes: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(attributes) > 1:
        get: Callable[[Any], tuple[Any, ...]] = attrgetter(*attributes)
        return get
    return lambda entity: tuple(getattr(entity, attribute) for attribute in attributes)
