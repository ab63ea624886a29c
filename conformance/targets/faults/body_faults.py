"""Codecs of a message with one mistake each, in a field, in a struct, or in all fields of a kind."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from conformance.targets.faults.fault import FaultModel, Faults
from conformance.targets.faults.other_types import retyped, rule_of_type
from conformance.targets.faults.schema_codec import SchemaCodec
from conformance.targets.faults.struct_faults import LIKELY, UNLIKELY, Mistakes, Wrong, with_other
from conformance.targets.faults.wrong_protocols import wrong_protocols
from reference import (
    ArrayType,
    DataType,
    FieldSchema,
    MessageSchema,
    StructType,
    load_release,
    primitives,
    releases,
)
from reference.definitions.model import RELEASED
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


BodyFault = FaultModel[SchemaCodec]
"""A codec of a message with one mistake."""


@lru_cache(maxsize=8)
def body_faults(schema: MessageSchema) -> Faults[SchemaCodec]:
    """Return every single mistake, the coarsest last."""
    faults = _every(schema)
    if schema.message in primitives():
        faults = (replace(each, path="") for each in faults if not each.rule.startswith(OF_MESSAGES))
    return Faults(faults)


def _every(schema: MessageSchema) -> Iterator[BodyFault]:
    usual = protocol_of(schema.dialect)

    def with_bodies(wrong: Wrong, *, has_other_type: bool = False) -> Iterator[BodyFault]:
        for rule, path, body in wrong:
            yield FaultModel(rule, path, SchemaCodec(_with_body(schema, body), usual, has_other_type))

    yield from with_bodies(_likely(schema.struct))
    for other in _other_versions(schema):
        codec = SchemaCodec(_with_body(schema, other.struct), usual)
        yield FaultModel("version.field-presence", "", codec, note=f"takes it for {other}")
    for rule, path, protocol in wrong_protocols(schema):
        yield FaultModel(rule, path, SchemaCodec(schema, protocol), is_everywhere=True)
    yield from with_bodies(_unlikely(schema.struct))
    yield from with_bodies(_at_any_level(_types, schema.struct), has_other_type=True)


OF_MESSAGES = ("version.", "struct.", "message.")
"""The beginnings of rules that say nothing about a wire type alone, which has no fields and so no paths."""


def _other_versions(schema: MessageSchema) -> Iterator[MessageSchema]:
    """Yield the other versions of a released message, one of each layout, the nearest first.

    They are those of the newest release that has the message as it is.
    """
    for release in map(load_release, reversed(releases())) if schema.dialect == RELEASED else ():
        if schema.message in release.messages:
            versions = release.definition(schema.message).valid_versions
            if schema.version in versions and release.schema(schema.message, schema.version) == schema:
                others = sorted(versions, key=lambda version: (abs(version - schema.version), version))
                layouts = {schema.struct: schema}
                for version in others:
                    layouts.setdefault((other := release.schema(schema.message, version)).struct, other)
                yield from list(layouts.values())[1:]
                return


def _likely(body: StructType) -> Wrong:
    for kind in LIKELY:
        yield from _at_any_level(kind, body)
    yield from _shared(body)
    yield from _sections(body)
    yield from _flexibility(body)


def _unlikely(body: StructType) -> Wrong:
    for kind in UNLIKELY:
        yield from _at_any_level(kind, body)


def _with_body(schema: MessageSchema, body: StructType) -> MessageSchema:
    return replace(schema, fields=body.fields, absent_fields=body.absent_fields, flexible=body.flexible)


def _shared(body: StructType) -> Wrong:
    """Yield the same mistakes in a struct shared by several fields, in all of them at once."""
    paths: dict[StructType, list[str]] = {}
    for path, field in FieldSchema("", body).within():
        if isinstance(field.data_type, StructType):
            paths.setdefault(field.data_type, []).append(f"{path}.")
    for struct, places in paths.items():
        if len(places) > 1:
            for kind in LIKELY:
                for rule, path, wrong in _at_any_level(kind, struct, places[0]):
                    yield rule, path, _everywhere(body, struct, wrong)


def _everywhere(struct: StructType, old: StructType, new: StructType) -> StructType:
    return new if struct == old else _map_structs(struct, lambda each, _: _everywhere(each, old, new))


def _at_any_level(mistakes: Mistakes, struct: StructType, path: str = "") -> Wrong:
    """Yield the mistakes in a struct, then those in the structs within it."""
    yield from mistakes(struct, path)
    for field in struct.fields:
        if field.struct is not None:
            step = f"{path}{field.name}[]." if field.element else f"{path}{field.name}."
            for rule, where, wrong in _at_any_level(mistakes, field.struct, step):
                yield rule, where, with_other(struct, field, field.with_struct(wrong))


def _types(struct: StructType, path: str) -> Wrong:
    """Yield structs with one field of another type."""
    for field in struct.fields:
        for wrong in retyped(field):
            yield rule_of_type(field), path + field.name, with_other(struct, field, wrong)


def _map_structs(struct: StructType, change: Callable[[StructType, FieldSchema], StructType]) -> StructType:
    fields = (field.with_struct(change(field.struct, field)) if field.struct else field for field in struct.fields)
    return replace(struct, fields=tuple(fields))


def _sections(body: StructType) -> Wrong:
    """Yield structs with wrong tag sections everywhere, in empty structs, or inside tags."""
    rules = protocol_of(body.dialect).tag_section.rules
    yield rules.section, "", _with_sections(body, flexible=not body.flexible)
    if body.flexible:
        yield rules.section, "", _without_empty_sections(body)
        yield rules.nested_section, "", _without_nested_sections(body, inside_tag=False)


def _with_sections(struct: StructType, *, flexible: bool) -> StructType:
    inner = _map_structs(struct, lambda each, _: _with_sections(each, flexible=flexible))
    return replace(inner, flexible=flexible)


def _without_empty_sections(struct: StructType) -> StructType:
    inner = _map_structs(struct, lambda each, _: _without_empty_sections(each))
    return inner if struct.fields else replace(inner, flexible=False)


def _without_nested_sections(struct: StructType, *, inside_tag: bool) -> StructType:
    inner = _map_structs(
        struct,
        lambda each, field: _without_nested_sections(each, inside_tag=inside_tag or field.tag is not None),
    )
    return replace(inner, flexible=False) if inside_tag else inner


def _flexibility(body: StructType) -> Wrong:
    """Yield the whole message flexible if it is not, or the other way round."""
    compact = not body.flexible and protocol_of(body.dialect).compact
    yield "version.flexible", "", _toggled(body, flexible=not body.flexible, compact=compact)


def _toggled(struct: StructType, *, flexible: bool, compact: bool) -> StructType:
    kept = (field for field in struct.fields if flexible or field.tag is None)
    fields = tuple(_toggled_field(field, flexible=flexible, compact=compact) for field in kept)
    return replace(struct, flexible=flexible, fields=fields)


def _toggled_field(field: FieldSchema, *, flexible: bool, compact: bool) -> FieldSchema:
    data_type: DataType = field.data_type
    match data_type:
        case ArrayType(element):
            data_type = ArrayType(_toggled_field(element, flexible=flexible, compact=compact))
        case StructType():
            data_type = _toggled(data_type, flexible=flexible, compact=compact)
    return replace(field, data_type=data_type, compact=compact, tag=field.tag if flexible else None)
