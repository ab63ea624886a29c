"""A schema aligned with kafka-python's fields, and conversions of whole messages.

kafka-python ships definitions with the fields of each struct. Those of a version are matched with the schema's by
position. Fields of other versions are matched by name. If kafka-python has another name for one, and both definitions
have the same number of fields, that one is matched by position.

A tagged field of a struct type is None in kafka-python when it is absent from the wire, nullable or not, and is not
written when it is None. The adapter does not change that: a struct of defaults goes in as such a struct, and None comes
out as None. An object may be of another version than the requested one (ApiVersionsResponse with an error code is of
version 0). Its value then has the fields of its own version.

kafka-python holds the zero UUID as None. It holds the sets of authorized operations, an int32 on the wire, as sets of
bit numbers. There None is the bit 31 alone, the mark of sets that were not requested. Null for either has no form of
its own there, so it is `Unrepresentable`; so are numbers of more than 32 bits as a set. Unknown tagged fields are
attributes of an object by their number, `_5`, so each number is there once. Any other value outside of the field's type
goes to kafka-python unchanged, for it to refuse or not.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

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
from conformance.adapters.kafka_python.kafka_python_messages import MessageClass, codec_of
from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema, MessageSchema


ZERO_UUID = UUID(int=0)
BITS = 32
LOWEST, HIGHEST = -(2**31), 2**31 - 1
NOT_ASKED_FOR = LOWEST
"""The number with the bit 31 alone."""


@cache
def mapping_of(schema: MessageSchema) -> tuple[MessageClass, Convert, Convert]:
    """Return kafka-python's class for a message at one version, and the conversions of values to it and back.

    If kafka-python does not have it, or has it with other fields, it raises `Unsupported`.
    """
    codec = codec_of(schema.message, schema.version)
    return (codec, *_struct(schema.body, codec.entity, codec.entity, schema.version))


def type_of(their: Any) -> str:
    """Return the name of the type of a field or its elements, `struct` for any struct."""
    if their.is_struct() or their.is_struct_array():
        return "struct"
    name: str = (their.array_of if their.is_array() else their).type_str
    return name


def paired_fields(struct: FieldSchema, theirs: Any, version: int | None) -> list[tuple[FieldSchema, Any]]:
    """Pair the fields of a version by position, or all fields if `version` is None."""
    fields = [field for field in theirs.fields.values() if version is None or field.for_version_q(version)]
    return paired(struct.fields, fields, f"kafka-python's {struct.struct_name}")


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
    pairs = paired_fields(struct, theirs, version)
    fields = [Aligned(ours.name, their.name, _field(ours, their, version)) for ours, their in pairs]
    writable = [*fields, *_elsewhere(struct, theirs)]
    return (
        _with_tags(struct_to(writable, partial(data_class, version=version), _check_names(writable))),
        _from_kafka(fields, [their for _, their in pairs], version),
    )


def _with_tags(known: Convert) -> Convert:
    def to_kafka(value: Any) -> Any:
        entity = known(value)
        if type(value) is dict and value.get(TAGS):
            entity.unknown_tags = {f"_{tag}": body for tag, body in value[TAGS]}
        return entity

    return to_kafka


def _elsewhere(struct: FieldSchema, theirs: Any) -> Iterator[Aligned]:
    """Yield the fields of other versions, as far as kafka-python has them in the same form."""
    fields = sorted((*struct.fields, *struct.absent_fields), key=attrgetter("position"))
    their_fields = list(theirs.fields.values())
    by_name = {spelling(their.name): their for their in their_fields}
    names = {spelling(field.name) for field in fields}
    # Position alone is not enough: releases differ in the order of fields that are in no version together.
    for index, field in enumerate(fields):
        their = by_name.get(spelling(field.name))
        if their is None and len(fields) == len(their_fields) and spelling(their_fields[index].name) not in names:
            their = their_fields[index]
        if their is not None and field in struct.absent_fields:
            with suppress(Unsupported):
                yield Aligned(field.name, their.name, _field(field, their, None))


def _check_names(fields: list[Aligned]) -> Callable[[dict[str, Any]], None]:
    # A value may have fewer fields than the struct.
    names = frozenset(field.name for field in fields)

    def check(value: dict[str, Any]) -> None:
        for name in value.keys() - names:
            if name != TAGS:
                raise Unrepresentable("kafka-python has no such field", name)
        pairs = value.get(TAGS, ())
        if len(dict(pairs)) != len(pairs):
            raise Unrepresentable("kafka-python has an unknown tagged field once", TAGS)

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


def _uuid_to_kafka(value: Any) -> Any:
    if value is None:
        raise Unrepresentable("None is kafka-python's zero UUID")
    return None if value == ZERO_UUID else value


def _uuid_from_kafka(value: UUID | None) -> UUID:
    return ZERO_UUID if value is None else value


def _bit_field_to_kafka(value: Any) -> Any:
    if value is None:
        raise Unrepresentable("None is kafka-python's set of the bit 31 alone")
    if type(value) is not int:
        return value
    if not LOWEST <= value <= HIGHEST:
        raise Unrepresentable(f"{value} is not a set of {BITS} bits")
    return None if value == NOT_ASKED_FOR else {bit for bit in range(BITS) if value >> bit & 1}


def _bit_field_from_kafka(bits: set[int] | None) -> int:
    if bits is None:
        return NOT_ASKED_FOR
    number = sum(1 << bit for bit in bits)
    return number if number <= HIGHEST else number - (1 << BITS)


CONVERSIONS = {
    "uuid": Conversion(_uuid_to_kafka, _uuid_from_kafka),
    "bitfield": Conversion(_bit_field_to_kafka, _bit_field_from_kafka),
}
"""By kafka-python's name of the type; values of other types are the same on both sides."""
