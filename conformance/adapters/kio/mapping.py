"""A schema lined up with kio's classes, and made into functions that convert whole messages.

kio generates one frozen dataclass for each struct of each version, its fields in the order of the definition: fields
are matched by position. Names are looked at as an aid only, see `misalignments`. All reflection is done once for each
schema, into a tree of closures.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from kio.serial import entity_reader, entity_writer

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters.kio.catalogue import entity_of
from conformance.adapters.kio.scalars import CONVERSIONS, OPTIONAL_CONVERSIONS, SAME, WIRE_TYPES, Conversion, Convert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference import FieldSchema, MessageSchema


@dataclasses.dataclass(frozen=True)
class Mapping:
    """All that it takes to drive kio for one schema."""

    to_kio: Convert
    from_kio: Convert
    write: Callable[[Any, Any], None]
    read: Callable[[bytes, int], tuple[Any, int]]


@dataclasses.dataclass(frozen=True)
class KioType:
    """The annotation of a field of kio's, taken apart."""

    inner: type[Any]
    """The class of the field, or of the elements."""
    array: bool
    optional: bool
    kafka_type: str | None
    """What kio notes of a scalar: the wire type, or a kind of its own such as `error_code`; None for structs."""


@cache
def mapping_of(schema: MessageSchema) -> Mapping:
    """The mapping of a message at one version.

    Raises:
        Unsupported: kio does not have it, or has it with other fields.
    """
    entity = entity_of(schema.message, schema.version)
    to_kio, from_kio = _struct(schema.fields, entity)
    return Mapping(to_kio, from_kio, entity_writer(entity), entity_reader(entity))


def misalignments(schema: MessageSchema) -> tuple[str, ...]:
    """Where kio's fields have other names, or other types on the wire, than the definition's.

    Raises:
        Unsupported: as `mapping_of`.
    """
    return tuple(_misalignments(schema.fields, entity_of(schema.message, schema.version), ""))


def _misalignments(fields: tuple[FieldSchema, ...], entity: type[Any], within: str) -> Iterator[str]:
    for field, theirs in _paired(fields, entity):
        path = f"{within}{field.name}"
        if _spelling(field.name) not in (_spelling(theirs.name), _spelling(theirs.name) + "ms"):
            yield f"{path}: kio has the field {theirs.name} in its place"
        kio_type = _kio_type(theirs)
        item = field.item
        wire_type = WIRE_TYPES.get(kio_type.kafka_type or "struct", kio_type.kafka_type or "struct")
        if wire_type != item.type:
            yield f"{path}: {item.type}, in kio {wire_type}"
        if item.type == "struct":
            yield from _misalignments(item.fields, kio_type.inner, f"{path}.")


def _spelling(name: str) -> str:
    return name.replace("_", "").lower()


def _paired(fields: tuple[FieldSchema, ...], entity: type[Any]) -> list[tuple[FieldSchema, dataclasses.Field[Any]]]:
    theirs = dataclasses.fields(entity)
    if len(theirs) != len(fields):
        raise Unsupported(
            f"kio's {entity.__name__} has the fields {', '.join(each.name for each in theirs) or 'none'}, "
            f"the definition {', '.join(each.name for each in fields) or 'none'}"
        )
    return list(zip(fields, theirs, strict=True))


def _kio_type(field: dataclasses.Field[Any]) -> KioType:
    annotation, optional = _without_none(field.type)
    array = get_origin(annotation) is tuple
    inner, optional_inner = _without_none(get_args(annotation)[0]) if array else (annotation, optional)
    return KioType(inner, array, optional or optional_inner, field.metadata.get("kafka_type"))


def _without_none(annotation: Any) -> tuple[Any, bool]:
    alternatives = get_args(annotation)
    if NoneType not in alternatives:
        return annotation, False
    (other,) = (each for each in alternatives if each is not NoneType)
    return other, True


def _field(field: FieldSchema, theirs: dataclasses.Field[Any]) -> Conversion:
    kio_type = _kio_type(theirs)
    item = field.item
    if kio_type.array != (field.element is not None) or (kio_type.kafka_type is None) != (item.type == "struct"):
        raise Unsupported(f"{field.name} is a {field.type} of {item.type}; in kio it is {theirs.type}")
    if kio_type.kafka_type is None:
        conversion = Conversion(*_struct(item.fields, kio_type.inner))
    else:
        table = OPTIONAL_CONVERSIONS if kio_type.optional else CONVERSIONS
        conversion = table.get(kio_type.kafka_type, SAME)
    return _array(conversion) if kio_type.array else conversion


def _array(element: Conversion) -> Conversion:
    convert, convert_back = element.to_kio, element.from_kio

    def to_kio(values: Any) -> Any:
        if type(values) is not list:
            return values
        if convert is None:
            return tuple(values)
        converted: list[Any] = []
        try:
            for each in values:
                converted.append(convert(each))  # noqa: PERF401  # its length is the index of the one that fails
        except Unrepresentable as error:
            raise error.under(f"[{len(converted)}]") from None
        return tuple(converted)

    def from_kio(values: Any) -> Any:
        if values is None:
            return None
        return list(values) if convert_back is None else [convert_back(each) for each in values]

    return Conversion(to_kio, from_kio)


def _struct(fields: tuple[FieldSchema, ...], entity: type[Any]) -> tuple[Convert, Convert]:
    pairs = _paired(fields, entity)
    plan = [(ours.name, theirs.name, _field(ours, theirs)) for ours, theirs in pairs]
    return _struct_to_kio(plan, entity), _struct_from_kio(plan)


def _struct_to_kio(plan: list[tuple[str, str, Conversion]], entity: type[Any]) -> Convert:
    steps = [(name, attribute, conversion.to_kio) for name, attribute, conversion in plan]
    names = frozenset(name for name, _, _ in plan)

    def to_kio(value: Any) -> Any:
        if type(value) is not dict:
            return value
        if value.keys() != names:
            _check_keys(value, names)
        arguments = {}
        name = ""
        try:
            for name, attribute, convert in steps:
                arguments[attribute] = value[name] if convert is None else convert(value[name])
        except Unrepresentable as error:
            raise error.under(name) from None
        return entity(**arguments)

    return to_kio


def _check_keys(value: dict[str, Any], names: frozenset[str]) -> None:
    for name in names - value.keys():
        raise Unrepresentable("kio's types have no partial values", name)
    for name in value.keys() - names:
        if name != "_tags":
            raise Unrepresentable("kio's type of this version has no such field", name)
        if value[name]:
            raise Unrepresentable("kio's types have no place for unknown tagged fields", name)


def _struct_from_kio(plan: list[tuple[str, str, Conversion]]) -> Convert:
    names = [name for name, _, _ in plan]
    get = _getter([attribute for _, attribute, _ in plan])
    converted = [(name, conversion.from_kio) for name, _, conversion in plan if conversion.from_kio is not None]

    def from_kio(entity: Any) -> Any:
        if entity is None:
            return None
        value = dict(zip(names, get(entity), strict=True))
        for name, convert in converted:
            value[name] = convert(value[name])
        return value

    return from_kio


def _getter(attributes: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(attributes) > 1:
        get: Callable[[Any], tuple[Any, ...]] = attrgetter(*attributes)
        return get
    return lambda entity: tuple(getattr(entity, attribute) for attribute in attributes)
