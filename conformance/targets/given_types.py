"""The Python types of a read value beside those of the definition, and the values that other types stand for.

An adapter may give a tuple for an array, or the hex of bytes as text. The content is there, in another type.
"""

from __future__ import annotations

import struct
from base64 import b64decode, urlsafe_b64decode
from contextlib import suppress
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from reference import TAGS
from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import INTEGER_RANGES
from reference.values.comparison import PYTHON_TYPES, UNKNOWN
from reference.values.defaults import minimal_of
from reference.values.json_form import OtherForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from reference import FieldSchema, MessageSchema

    Convert = Callable[[FieldSchema, Any], Any]
    """Returns the value that an item of another type stands for; it may raise anything."""

Key = tuple[str, str]
"""The type in the definition, and the given type."""

NULL = "None"
NULL_FOR_EMPTY = f"nullable {NULL}"
OF_NULL = "null "
"""What a type in the definition begins with where null is written."""

INTEGER = "int"

_OF_DOUBLE = 2**53
"""The magnitude from which a double does not have every integer."""


class ValuePart(NamedTuple):
    """A part of a value, as it was written and as it was read."""

    field: FieldSchema
    path: str
    expected: Any
    actual: Any
    schema: MessageSchema | None = None
    """The message, if it is known."""

    @property
    def has_type(self) -> bool:
        """Whether it was read in the type of the definition, or as null if it is null."""
        return has_type(self.field, self.actual) or (self.expected is None and self.actual is None)

    @property
    def group(self) -> str:
        """The kind of its content: null, empty (zero, or the zero uuid), one, or anything else."""
        if self.expected is None:
            return "null"
        is_empty = not self.expected or self.expected == UUID(int=0)
        return "empty" if is_empty else "one" if self.expected == 1 else "other"

    @property
    def key(self) -> Key:
        """The type in the definition, and the given type; null where it is allowed is a type of its own."""
        given, kind = given_type(self.actual), kind_of(self.field)
        if self.expected is None and not self.has_type:
            return f"{OF_NULL}{kind}", given
        return kind, NULL_FOR_EMPTY if given == NULL and self.field.nullable else given


def kind_of(field: FieldSchema) -> str:
    """Return the type of a field in the definition, with one word for all integers."""
    return INTEGER if field.type in INTEGER_RANGES else field.type


def word_of(field: FieldSchema) -> str:
    """Return the type of a field in words, as `an array`."""
    if field.type in {"bytes", "records"}:
        return field.type
    return f"{'an' if field.type[0] in 'ai' else 'a'} {field.type}"


def has_type(field: FieldSchema, item: Any) -> bool:
    """Return whether an item that is not null has the type of its field.

    True is no integer.
    """
    return type(item) is PYTHON_TYPES.get(field.type, int)


def given_type(item: Any) -> str:
    """Return the name of the type of a read item, or of its JSON form if that is another than the definition's."""
    return NULL if item is None else type(item.form if isinstance(item, OtherForm) else item).__name__


def meant(convert: Convert, field: FieldSchema, item: Any) -> Any:
    """Return the value that an item stands for by a conversion.

    Raises:
        Exception: it stands for none.
    """
    return convert(field, item.form if isinstance(item, OtherForm) else item)


def has_other_form(item: Any) -> bool:
    """Return whether a part of a value is not in its JSON form."""
    if isinstance(item, dict):
        return any(map(has_other_form, item.values()))
    return isinstance(item, OtherForm) or (isinstance(item, list) and any(map(has_other_form, item)))


def parts_of(field: FieldSchema, expected: Any, actual: Any, path: str = "") -> Iterator[ValuePart]:
    """Yield each part of a read value beside the written one, as far as the parts of both can be paired."""
    yield ValuePart(field, path, expected, actual)
    if expected is None:
        return
    if field.element is not None:
        items = _converted(field, actual)
        if type(items) is list and len(items) == len(expected):
            for one, other in zip(expected, items, strict=True):
                yield from parts_of(field.element, one, other, f"{path}[]")
    elif field.type == "struct":
        members = _converted(field, actual)
        for each in field.fields if type(members) is dict else ():
            if each.name in members:
                inside = f"{path}.{each.name}" if path else each.name
                yield from parts_of(each, expected[each.name], members[each.name], inside)


def _converted(field: FieldSchema, item: Any) -> Any:
    """Return an array or a struct in its own type, by the first conversion that works."""
    if has_type(field, item):
        return renamed(field, item) if isinstance(item, dict) else item
    for convert in conversions(kind_of(field), given_type(item)):
        with suppress(Exception):
            return meant(convert, field, item)
    return item


def conversions(kind: str, given: str) -> tuple[Convert, ...]:
    """Return the values that an item of a given type may stand for, the likeliest first."""
    if kind.startswith(OF_NULL):
        return (lambda _, __: None,)
    if given == NULL:
        return (lambda field, _: IMPLICIT_DEFAULTS.get(field.type, minimal_of(field)),)
    return _CONVERSIONS.get((kind, given), ())


def renamed(struct_schema: FieldSchema, members: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a struct under the names of the definition.

    Names without a meaning are left out, and what is missing then is unknown.
    """
    names = right_names(struct_schema, members)
    if all(given == right for given, right in names.items()):
        return members
    missing = {each.name for each in struct_schema.fields} - set(names.values())
    return {**{right: members[given] for given, right in names.items() if right}, **dict.fromkeys(missing, UNKNOWN)}


def right_names(struct_schema: FieldSchema, members: dict[str, Any]) -> dict[str, str]:
    """Return the names in a struct, each with the right one, or with an empty text if it stands for no field.

    A name of no version stands for the missing field with the same letters, or for the only missing one. A struct
    without any known name is left alone: it may be another message's.
    """
    known = {each.name for each in (*struct_schema.fields, *struct_schema.absent_fields)} | {TAGS}
    names = {name: name if name in known else "" for name in members}
    unknown = [name for name, right in names.items() if not right]
    if not unknown:
        return names
    missing = {_letters(each.name): each.name for each in struct_schema.fields if each.name not in members}
    names |= {name: missing.pop(_letters(name)) for name in unknown if _letters(name) in missing}
    rest = [name for name in unknown if not names[name]]
    if len(rest) == len(missing) == 1 and len(members) > 1:
        names[rest[0]] = missing.popitem()[1]
    return names if any(names.values()) or not struct_schema.fields else {name: name for name in members}


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _exact(_: FieldSchema, number: float) -> Any:
    return int(number) if abs(number) < _OF_DOUBLE and number.is_integer() else UNKNOWN


def _double_of_text(_: FieldSchema, text: str) -> Any:
    number = float(text)
    return UNKNOWN if isnan(number) else number


def _uuid_of_base64(_: FieldSchema, text: str) -> UUID:
    return UUID(bytes=urlsafe_b64decode(f"{text}=="))


def _uuid_of_halves(_: FieldSchema, halves: Any) -> UUID:
    high, low = halves
    return UUID(int=((high % 2**64) << 64) | low % 2**64)


def _struct_of_items(field: FieldSchema, items: Any) -> dict[str, Any]:
    return dict(zip((each.name for each in field.fields), items, strict=True))


_BYTES_OF_TEXT: tuple[Convert, ...] = (
    lambda _, text: bytes.fromhex(text),
    lambda _, text: b64decode(text, validate=True),
    lambda _, text: text.encode("latin-1"),
    lambda _, text: text.encode(errors="surrogateescape"),
)
_CONVERSIONS: Mapping[tuple[str, str], tuple[Convert, ...]] = {
    ("array", "tuple"): (lambda _, items: list(items),),
    ("array", "dict"): (lambda _, items: list(items.values()),),
    **{("struct", given): (_struct_of_items, lambda _, items: dict(items)) for given in ("tuple", "list")},
    ("string", "bytes"): (lambda _, data: data.decode(errors="surrogatepass"),),
    **{(kind, "str"): _BYTES_OF_TEXT for kind in ("bytes", "records")},
    **{(kind, given): (lambda _, items: bytes(items),) for kind in ("bytes", "records") for given in ("list", "tuple")},
    (INTEGER, "int"): (lambda _, number: number,),
    (INTEGER, "bool"): (lambda _, truth: int(truth),),
    (INTEGER, "float"): (_exact,),
    (INTEGER, "str"): (lambda _, text: int(text), lambda _, text: int(text, 16)),
    (INTEGER, "bytes"): (lambda _, data: int.from_bytes(data, signed=True), lambda _, data: int.from_bytes(data)),
    ("bool", "int"): (lambda _, number: bool(number),),
    ("bool", "float"): (lambda _, number: bool(number),),
    ("bool", "str"): (lambda _, text: {"true": True, "false": False}[text.casefold()], lambda _, text: bool(int(text))),
    ("bool", "bytes"): (lambda _, data: any(data),),
    ("uuid", "str"): (lambda _, text: UUID(text), _uuid_of_base64),
    ("uuid", "bytes"): (lambda _, data: UUID(bytes=data),),
    ("uuid", "int"): (lambda _, number: UUID(int=number),),
    **{("uuid", given): (_uuid_of_halves,) for given in ("tuple", "list")},
    ("float64", "float"): (lambda _, number: number,),
    ("float64", "int"): (lambda _, number: float(number),),
    ("float64", "str"): (_double_of_text, lambda _, text: struct.unpack(">d", bytes.fromhex(text))[0]),
    ("float64", "bytes"): (lambda _, data: struct.unpack(">d", data)[0],),
}
