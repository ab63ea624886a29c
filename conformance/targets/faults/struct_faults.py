"""Structs with one mistake in one field, the kinds of mistakes by likelihood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from struct import calcsize
from typing import TYPE_CHECKING, Any
from uuid import UUID

from conformance.targets.faults.other_types import PREFIXES, with_item
from reference import FieldSchema, PrimitiveType, StructType
from reference.definitions.model import INTEGER_CODES, INTEGER_RANGES, UNSIGNED
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            yield _marker_rule(struct, wrong), path + field.name, with_other(struct, field, wrong)


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
            yield rule, path + field.name, with_other(struct, field, replace(field, tag=tag))
        if field.tag is not None:
            yield "version.field-presence", path + field.name, with_other(struct, field, replace(field, tag=None))


def _defaults(struct: StructType, path: str) -> Wrong:
    """Yield structs with the zero of its type as the default of one tagged field."""
    for field in struct.fields:
        zero = ZEROS.get(field.type)
        if field.tag is not None and zero is not None and field.default != zero:
            yield "default.value", path + field.name, with_other(struct, field, replace(field, default=zero))


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
                yield "int.width-and-order", path + field.name, with_other(struct, field, wrong)


_NUMBERS = sorted(INTEGER_RANGES, key=lambda name: (calcsize(INTEGER_CODES[name]), name not in UNSIGNED))
OTHER_NUMBERS = {each: [other for other in _NUMBERS if other != each] for each in _NUMBERS}
"""The other types with which a number may be confused."""


def _lengths(struct: StructType, path: str) -> Wrong:
    """Yield structs with the length of another version in one string, bytes or array.

    `wrong_protocols` changes all of them at once.
    """
    for field in struct.fields:
        if field.type in PREFIXES and protocol_of(struct.dialect).compact:
            rule = PREFIXES[field.type][field.compact]
            yield rule, path + field.name, with_other(struct, field, replace(field, compact=not field.compact))


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


def with_other(struct: StructType, field: FieldSchema, by: FieldSchema) -> StructType:
    """Return a struct with another field in place of one."""
    return replace(struct, fields=tuple(by if each is field else each for each in struct.fields))


LIKELY: tuple[Mistakes, ...] = (_presence, _nullability, _order, _defaults, _widths)
"""The kinds of mistakes in the fields of a struct that are tried before those in all fields of a kind."""

UNLIKELY: tuple[Mistakes, ...] = (_tags, _further_presence, _lengths, _further_order, _insertions)
"""The kinds that are tried after those."""
