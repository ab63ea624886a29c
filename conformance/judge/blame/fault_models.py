"""Schemas with one mistake each, to explain the behaviour of an implementation.

If bytes are exactly those of a codec with one field too many for the version, then the presence of this field is the
broken rule, wherever the first different byte may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from struct import calcsize
from typing import TYPE_CHECKING, Any
from uuid import UUID

from conformance.judge.blame.wrong_forms import PREFIXES, retyped, rule_of_type, with_item, wrong_forms
from reference import (
    ArrayType,
    DataType,
    FieldSchema,
    MessageSchema,
    PrimitiveType,
    StructType,
    load_release,
    primitives,
    releases,
)
from reference.definitions.model import INTEGER_CODES, INTEGER_RANGES, RELEASED, UNSIGNED
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.wire.base import WireType
    from reference.wire.message import Protocol


# Compared by identity, so that the cache of wire types need not hash whole schemas.
@dataclass(frozen=True, eq=False)
class FaultModel:
    """A single mistake, and a codec that makes it."""

    rule: str
    path: str
    schema: MessageSchema
    """The schema of the codec."""
    protocol: Protocol
    """The protocol of the codec."""
    is_everywhere: bool = False
    """Whether it is in all fields of a kind, so that it has no path."""
    has_other_type: bool = False
    """Whether a field has another type, and so other values."""
    note: str = ""
    """What it does, if rule and path do not say it."""

    @property
    def wire_type(self) -> WireType:
        """The wire type of the codec, made on demand since there are a thousand fault models."""
        return _wire_type(self)


@lru_cache(maxsize=1024)
def _wire_type(mistake: FaultModel) -> WireType:
    return mistake.protocol.body(mistake.schema.struct, inside_tag=False)


@lru_cache(maxsize=8)
def fault_models(schema: MessageSchema) -> tuple[FaultModel, ...]:
    """Return every single mistake, the coarsest last."""
    usual, is_alone = protocol_of(schema.dialect), schema.message in primitives()

    def with_bodies(wrong: Wrong, *, has_other_type: bool = False) -> Iterator[FaultModel]:
        for rule, path, body in wrong:
            yield FaultModel(rule, path, _with_body(schema, body), usual, has_other_type=has_other_type)

    wrong_protocols = (
        FaultModel(rule, path, schema, protocol, is_everywhere=True) for rule, path, protocol in wrong_forms(schema)
    )
    versions = (
        FaultModel("version.field-presence", "", _with_body(schema, each.struct), usual, note=f"takes it for {each}")
        for each in _other_versions(schema)
    )
    unlikely = with_bodies(_unlikely(schema.struct))
    types = with_bodies(_at_any_level(_types, schema.struct), has_other_type=True)
    every = (*with_bodies(_likely(schema.struct)), *versions, *wrong_protocols, *unlikely, *types)
    if is_alone:
        return tuple(replace(each, path="") for each in every if not each.rule.startswith(OF_MESSAGES))
    return every


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


Wrong = Iterator[tuple[str, str, StructType]]
Mistakes = Callable[[StructType, str], Wrong]


def _presence(struct: StructType, path: str) -> Wrong:
    """Yield structs without one field, or with one field of other versions."""
    for field in struct.fields:
        if field.tag is not None:
            continue  # left out, a tagged field says nothing about versions
        kept = tuple(each for each in struct.fields if each is not field)
        yield "version.field-presence", path + field.name, replace(struct, fields=kept)
    for field in struct.absent_fields:
        present = replace(field, compact=struct.flexible and protocol_of(struct.dialect).compact)
        fields = tuple(sorted((*struct.fields, present), key=lambda each: each.position))
        yield "version.field-presence", path + field.name, replace(struct, fields=fields)


def _nullability(struct: StructType, path: str) -> Wrong:
    """Yield structs with one marker of a struct too many or too few."""
    for field in struct.fields:
        if field.type == "struct":
            wrong = replace(field, nullable=not field.nullable)
            yield _marker_rule(struct, wrong), path + field.name, _replaced(struct, field, wrong)


def _marker_rule(struct: StructType, field: FieldSchema) -> str:
    """Return the rule of the marker of a struct.

    A compact marker is a varint.
    """
    return "struct.tagged-marker" if field.tag is not None and protocol_of(struct.dialect).compact else "struct.marker"


def _order(struct: StructType, path: str) -> Wrong:
    """Yield structs with two swapped neighbours, or with fields sorted by name."""
    fields = [each for each in struct.fields if each.tag is None]
    for first, field in enumerate(fields[:-1]):
        yield "struct.field-order", path + field.name, _ordered(struct, _swapped(fields, first, first + 1))
    if fields:
        by_name = sorted(fields, key=lambda each: each.name.lower())
        yield "struct.field-order", path + by_name[0].name, _ordered(struct, by_name)


def _further_presence(struct: StructType, path: str) -> Wrong:
    """Yield structs without their last fields, two or more.

    These may be fields added by a version, or fields of another level.
    """
    fields = [each for each in struct.fields if each.tag is None]
    for at in range(len(fields) - 1):
        yield "version.field-presence", path + fields[at].name, _ordered(struct, fields[:at])


def _further_order(struct: StructType, path: str) -> Wrong:
    """Yield structs with two swapped fields that are no neighbours, or with one moved field."""
    fields = [each for each in struct.fields if each.tag is None]
    for first, second in combinations(range(len(fields)), 2):
        if second - first > 1:
            for order in (_swapped, _moved, _moved_back):
                yield "struct.field-order", path + fields[first].name, _ordered(struct, order(fields, first, second))


def _swapped(fields: Sequence[FieldSchema], first: int, second: int) -> list[FieldSchema]:
    swapped = list(fields)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return swapped


def _moved(fields: Sequence[FieldSchema], first: int, second: int) -> list[FieldSchema]:
    moved = list(fields)
    moved.insert(second, moved.pop(first))
    return moved


def _moved_back(fields: Sequence[FieldSchema], first: int, second: int) -> list[FieldSchema]:
    return _moved(fields, second, first)


def _ordered(struct: StructType, order: Sequence[FieldSchema]) -> StructType:
    """Return a struct with its positional fields in another order."""
    return replace(struct, fields=(*order, *(each for each in struct.fields if each.tag is not None)))


TRIED_TAGS = 10
"""The number of lowest tags tried for a field; the tags of its neighbours and those beside them are tried as well."""


def _tags(struct: StructType, path: str) -> Wrong:
    """Yield structs with a change between tags.

    One tagged field has another tag or becomes a positional field, or a positional field gets a tag.
    """
    known = [each.tag for each in struct.fields if each.tag is not None]
    free = max(known, default=-1) + 1
    tried = sorted(
        {*range(TRIED_TAGS), *(beside for tag in known for beside in (tag - 1, tag, tag + 1)), free + 1} - {-1}
    )
    for field in struct.fields if struct.flexible else ():
        for tag in [each for each in tried if each != field.tag] if field.tag is not None else (free,):
            rule = "version.field-presence" if field.tag is None else "tag.number"
            yield rule, path + field.name, _replaced(struct, field, replace(field, tag=tag))
        if field.tag is not None:
            yield "version.field-presence", path + field.name, _replaced(struct, field, replace(field, tag=None))


def _defaults(struct: StructType, path: str) -> Wrong:
    """Yield structs with the zero of its type as the default of one tagged field."""
    for field in struct.fields:
        zero = ZEROS.get(field.type)
        if field.tag is not None and zero is not None and field.default != zero:
            yield "default.value", path + field.name, _replaced(struct, field, replace(field, default=zero))


EMPTY_SECTION = ("int8", 0)
"""A byte like an empty tag section; between the last field and the section it makes one section too many."""

INSERTED_NAME = "(inserted)"
_BOTH = (0, -1)
INSERTED: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("int8", "int16", "int32", "int64"), _BOTH),
    "uuid": (UUID(int=0),),
}
"""The types and values of an inserted field."""

ZEROS: dict[str, Any] = {**dict.fromkeys(INTEGER_RANGES, 0), "bool": False, "string": "", "array": []}
"""The values of fields that were never set, in most languages."""


def _widths(struct: StructType, path: str) -> Wrong:
    """Yield structs with one number, or one array of numbers, in the bytes of another type."""
    for field in struct.fields:
        number = field.item
        if number.type in OTHER_NUMBERS and number.encoding is None:
            for other in OTHER_NUMBERS[number.type]:
                wrong = with_item(field, PrimitiveType(other))
                yield "int.width-and-order", path + field.name, _replaced(struct, field, wrong)


_NUMBERS = sorted(INTEGER_RANGES, key=lambda name: (calcsize(INTEGER_CODES[name]), name not in UNSIGNED))
OTHER_NUMBERS = {each: [other for other in _NUMBERS if other != each] for each in _NUMBERS}
"""The other types with which a number may be confused."""


def _types(struct: StructType, path: str) -> Wrong:
    """Yield structs with one field of another type."""
    for field in struct.fields:
        for wrong in retyped(field):
            yield rule_of_type(field), path + field.name, _replaced(struct, field, wrong)


def _lengths(struct: StructType, path: str) -> Wrong:
    """Yield structs with the length of another version in one string, bytes or array.

    `wrong_forms` changes all of them at once.
    """
    for field in struct.fields:
        if field.type in PREFIXES and protocol_of(struct.dialect).compact:
            rule = PREFIXES[field.type][field.compact]
            yield rule, path + field.name, _replaced(struct, field, replace(field, compact=not field.compact))


def _insertions(struct: StructType, path: str) -> Wrong:
    """Yield structs with additional bytes before one field, or after the last one."""
    fields = [each for each in struct.fields if each.tag is None]
    for at, field in enumerate([*fields, None]):
        name = fields[-1].name if field is None and fields else "" if field is None else field.name
        for type_name, defaults in INSERTED.items():
            for default in defaults:
                added = FieldSchema(INSERTED_NAME, PrimitiveType(type_name), default=default)
                is_section = struct.flexible and field is None and (type_name, default) == EMPTY_SECTION
                rule = "version.field-presence" if field is not None or path else "message.nothing-else"
                rule = protocol_of(struct.dialect).tag_section.rules.section if is_section else rule
                yield rule, path + name, _ordered(struct, [*fields[:at], added, *fields[at:]])


LIKELY: tuple[Mistakes, ...] = (_presence, _nullability, _order, _defaults, _widths)
"""The kinds of mistakes in the fields of a struct that are tried before those in all fields of a kind."""

UNLIKELY: tuple[Mistakes, ...] = (_tags, _further_presence, _lengths, _further_order, _insertions)
"""The kinds that are tried after those."""


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
                yield rule, where, _replaced(struct, field, field.with_struct(wrong))


def _replaced(struct: StructType, field: FieldSchema, by: FieldSchema) -> StructType:
    return replace(struct, fields=tuple(by if each is field else each for each in struct.fields))


def _sections(body: StructType) -> Wrong:
    """Yield structs with wrong tag sections everywhere, in empty structs, or inside tags."""
    rules = protocol_of(body.dialect).tag_section.rules
    yield rules.section, "", _with_sections(body, flexible=not body.flexible)
    if body.flexible:
        yield rules.section, "", _without_empty_sections(body)
        yield rules.nested_section, "", _without_nested_sections(body, inside_tag=False)


def _map_structs(struct: StructType, change: Callable[[StructType, FieldSchema], StructType]) -> StructType:
    fields = (field.with_struct(change(field.struct, field)) if field.struct else field for field in struct.fields)
    return replace(struct, fields=tuple(fields))


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
