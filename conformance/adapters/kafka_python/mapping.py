"""A schema aligned with kafka-python's fields, and the functions that convert whole messages.

kafka-python reads the fields of each struct from definitions that it ships. Those of a version are matched with the
schema's by position. Fields of other versions are matched by name, and by
position if kafka-python has another name for one and both definitions have equally many fields.

A tagged field of a struct type is None in kafka-python when it is absent from the wire, nullable or not, and is not
written when it is None. The adapter does not change that: a struct of defaults goes in as such a struct, and None comes
out as None. An object may say that it is of another version than the one that was to be read (ApiVersionsResponse with
an error code is of version 0): its value then has the fields of that version.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters._mapping import (
    SAME,
    Aligned,
    Conversion,
    Convert,
    array,
    paired,
    spelling,
    struct_back,
    struct_to,
)
from conformance.adapters.kafka_python.catalogue import Codec, codec_of
from conformance.adapters.kafka_python.scalars import CONVERSIONS
from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema, MessageSchema


@dataclass(frozen=True)
class Mapping:
    """The functions that write and read one schema with kafka-python."""

    codec: Codec
    to_kafka: Convert
    from_kafka: Convert


@cache
def mapping_of(schema: MessageSchema) -> Mapping:
    """Return the mapping of a message at one version.

    Raises:
        Unsupported: kafka-python does not have it, or has it with other fields.
    """
    codec = codec_of(schema.message, schema.version)
    return Mapping(codec, *_struct(schema.body, codec.entity, codec.entity, schema.version))


def type_of(their: Any) -> str:
    """Return the name of a field's type, or of its elements' type; `struct` for any struct."""
    if their.is_struct() or their.is_struct_array():
        return "struct"
    name: str = (their.array_of if their.is_array() else their).type_str
    return name


def paired_fields(struct: FieldSchema, theirs: Any, version: int | None) -> list[tuple[FieldSchema, Any]]:
    """Pair the fields of a version by position; all fields if `version` is None."""
    those = [field for field in theirs.fields.values() if version is None or field.for_version_q(version)]
    return paired(struct.fields, those, f"kafka-python's {struct.struct_name}")


def _field(ours: FieldSchema, their: Any, version: int | None) -> Conversion:
    item = ours.item
    their_type = type_of(their)
    if their.is_array() != (ours.element is not None) or (their_type == "struct") != (item.type == "struct"):
        raise Unsupported(f"{ours.name} is {ours.type} of {item.type}; in kafka-python it is {their.type_str}")
    if their_type == "struct":
        conversion = Conversion(*_struct(item, their, their.data_class, version))
    else:
        conversion = CONVERSIONS.get(their_type, SAME)
    return array(conversion) if ours.element is not None else conversion


def _struct(struct: FieldSchema, theirs: Any, data_class: Any, version: int | None) -> tuple[Convert, Convert]:
    """Return how a struct goes to kafka-python, as an object of `data_class`, and back."""
    pairs = paired_fields(struct, theirs, version)
    fields = [Aligned(ours.name, their.name, _field(ours, their, version)) for ours, their in pairs]
    writable = [*fields, *_elsewhere(struct, theirs)]
    return (
        struct_to(writable, partial(data_class, version=version), _check_names(writable)),
        _from_kafka(fields, [their for _, their in pairs], version),
    )


def _elsewhere(struct: FieldSchema, theirs: Any) -> Iterator[Aligned]:
    """Yield the fields of other versions, as far as kafka-python has them in the same form."""
    for ours, their in _all_paired(struct, theirs):
        with suppress(Unsupported):
            yield Aligned(ours.name, their.name, _field(ours, their, None))


def _all_paired(struct: FieldSchema, theirs: Any) -> list[tuple[FieldSchema, Any]]:
    """Pair the fields of other versions by name, or by position if kafka-python has another name for one.

    Position alone is not enough: releases differ in the order of fields that no version has at the same time.
    """
    ours = sorted((*struct.fields, *struct.absent_fields), key=attrgetter("position"))
    those = list(theirs.fields.values())
    by_name = {spelling(each.name): each for each in those}
    names = {spelling(mine.name) for mine in ours}
    found = []
    for index, mine in enumerate(ours):
        their = by_name.get(spelling(mine.name))
        if their is None and len(ours) == len(those) and spelling(those[index].name) not in names:
            their = those[index]
        if their is not None and mine in struct.absent_fields:
            found.append((mine, their))
    return found


def _check_names(fields: list[Aligned]) -> Callable[[dict[str, Any]], None]:
    """Return a check that a value has no other fields; it may have fewer."""
    names = frozenset(field.name for field in fields)

    def check(value: dict[str, Any]) -> None:
        for name in value.keys() - names:
            if name != TAGS:
                raise Unrepresentable("kafka-python has no such field", name)
            if value[name]:
                raise Unrepresentable("kafka-python writes no unknown tagged fields", name)

    return check


def _from_kafka(fields: list[Aligned], theirs: list[Any], version: int | None) -> Convert:
    known = struct_back(fields)

    def from_kafka(entity: Any) -> Any:
        value = known(entity)
        if value is None:
            return None
        if entity.unknown_tags:
            value[TAGS] = [(int(tag.removeprefix("_")), body) for tag, body in entity.unknown_tags.items()]
        if entity.version != version:
            pairs = zip(fields, theirs, strict=True)
            return {field.name: value[field.name] for field, their in pairs if their.for_version_q(entity.version)}
        return value

    return from_kafka
