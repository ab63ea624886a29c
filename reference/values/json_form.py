"""The JSON form of a value, in golden vectors and in the bridge.

The form depends on the type, never on the magnitude. Numbers of up to 32 bits with sign and of 16 without are JSON
numbers. Int64 and uint32 are decimal strings, since many languages read every JSON number as a double. A float64 is 16
hex digits of its bits, so that NaN payloads and -0.0 survive. Bytes and records are lower-case hex. Unknown tagged
fields are `"_tags": [[tag, "hex"], ...]`.

A number beyond the range of its type has a form like any other, because the codecs must refuse it, not this module.

Many JSON libraries replace or refuse text that is no valid Unicode. It is an object in place of the string:
`{"utf16": "0061d800"}` is "a" and an unpaired surrogate, as UTF-16 units; `{"utf8": "61ff"}` is "a" and a byte that is
not UTF-8. Only the first is written here. Both are read: the second is for languages with strings of bytes.

>>> from reference import load_release
>>> schema = load_release("4.3.0").schema("ListTransactionsRequest", 0)
>>> to_json(schema, {"StateFilters": ["Ongoing"], "ProducerIdFilters": [7]})
{'StateFilters': ['Ongoing'], 'ProducerIdFilters': ['7']}
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.definitions.model import DECIMAL, INTEGER_RANGES
from reference.suggestions import suggestion
from reference.values.comparison import float_bits
from reference.values.defaults import TAGS
from reference.values.json_scalars import (
    NotJsonForm,
    bool_from_json,
    bytes_from_json,
    float_from_json,
    number_from_json,
    refuse,
    string_from_json,
    text_to_json,
    uuid_from_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reference.schema import FieldSchema, MessageSchema


def to_json(schema: MessageSchema, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON form of a value of `schema`, with its fields only, those of other versions last."""
    form: dict[str, Any] = _message_writer(schema)(value)
    return form


def from_json(schema: MessageSchema, form: Any) -> dict[str, Any]:
    """Return the value of a JSON form, or raise NotJsonForm with the path of the part that does not fit its type."""
    value: dict[str, Any] = _message_reader(schema)(form)
    return value


class OtherForm(NamedTuple):
    """Stands for a part of a value that is not in the form of its type."""

    form: Any


def with_other_forms(field: FieldSchema, form: Any, names: Callable[[FieldSchema, Any], Mapping[str, str]]) -> Any:
    """Return the value of a JSON form, with an `OtherForm` for each part that is not in the form of its type.

    The function `names` returns the right names of the members of a struct, which keep those that they have.
    """
    if field.element is not None and isinstance(form, list):
        return [with_other_forms(field.element, item, names) for item in form]
    if field.type == "struct" and isinstance(form, dict):
        inner = {each.name: each for each in (*field.fields, *field.absent_fields)}
        right = names(field, form)
        return {
            name: with_other_forms(inner[right[name]], item, names) if right[name] in inner else item
            for name, item in form.items()
        }
    own, read = _reader(field)
    try:
        return form if form is None or type(form) is own else read(form)
    except NotJsonForm:
        return OtherForm(form)


Write = Callable[[Any], Any]
"""A function for the form of a value that is not null."""


@cache
def _message_writer(schema: MessageSchema) -> Write:
    return _struct_writer(schema.body)


def _writer(field: FieldSchema) -> Write | None:
    """Return the function for the forms of a type, made once, or None if its values are their own forms."""
    if field.element is not None:
        return _array_writer(_writer(field.element))
    return _struct_writer(field) if field.type == "struct" else _TO_JSON.get(field.type)


def _array_writer(write: Write | None) -> Write:
    if write is None:
        return list
    return lambda value: [None if item is None else write(item) for item in value]


def _struct_writer(struct_schema: FieldSchema) -> Write:
    members = tuple((field.name, _writer(field)) for field in struct_schema.fields)
    absent = tuple((field.name, _writer(field)) for field in struct_schema.absent_fields)

    def write_struct(value: Mapping[str, Any]) -> dict[str, Any]:
        form: dict[str, Any] = {}
        _put_members(form, members, value)
        if len(value) != len(form):
            _put_members(form, absent, value)
            if value.get(TAGS):
                form[TAGS] = [[tag, body.hex()] for tag, body in value[TAGS]]
        return form

    return write_struct


def _put_members(form: dict[str, Any], members: Sequence[tuple[str, Write | None]], value: Mapping[str, Any]) -> None:
    for name, write in members:
        if name in value:
            item = value[name]
            form[name] = item if write is None or item is None else write(item)


_TO_JSON: dict[str, Write] = {
    "string": text_to_json,
    **dict.fromkeys(DECIMAL, str),
    "float64": lambda value: float_bits(value).hex(),
    "uuid": str,
    "bytes": bytes.hex,
    "records": bytes.hex,
}


Read = Callable[[Any], Any]
"""A function for the value of a form that is not null. It raises NotJsonForm with the path inside that form."""


class _Reader(NamedTuple):
    """The reader of the forms of a type, made once, as some values have a million elements."""

    own: type[Any] | None
    """The class of forms that are their own values; None if there is none."""
    read: Read
    """Reads any other form."""


@cache
def _message_reader(schema: MessageSchema) -> Read:
    return _reader(schema.body).read


def _reader(field: FieldSchema) -> _Reader:
    if field.element is not None:
        return _Reader(None, _array_reader(_reader(field.element)))
    if field.type == "struct":
        members = {each.name: _reader(each) for each in (*field.fields, *field.absent_fields)}
        return _Reader(None, _struct_reader({**members, TAGS: _Reader(None, _tags_from_json)}))
    if field.type in INTEGER_RANGES:
        is_decimal = field.type in DECIMAL
        read = partial(number_from_json, path="", decimal=is_decimal, what=f"{field.type} as ")
        return _Reader(None if is_decimal else int, read)
    return _FROM_JSON[field.type]


def _array_reader(element: _Reader) -> Read:
    own, read = element

    def read_array(form: Any) -> list[Any]:
        if not isinstance(form, list):
            refuse("", "an array", form)
        value: list[Any] = []
        try:
            for item in form:
                value.append(item if item is None or type(item) is own else read(item))  # noqa: PERF401  # its length is the index
        except NotJsonForm as error:
            raise error.inside(f"[{len(value)}]") from None
        return value

    return read_array


def _struct_reader(members: Mapping[str, _Reader]) -> Read:
    def read_struct(form: Any) -> dict[str, Any]:
        if not isinstance(form, dict):
            refuse("", "an object", form)
        value: dict[str, Any] = {}
        name = ""
        try:
            for name, item in form.items():
                if name not in members:
                    refuse("", f"a field of the definition{_meant(name, members)}", item)
                own, read = members[name]
                # Null is null in every field, but the unknown tags are a list.
                is_value = type(item) is own or (item is None and name != TAGS)
                value[name] = item if is_value else read(item)
        except NotJsonForm as error:
            raise error.inside(name) from None
        return value

    return read_struct


def _meant(name: str, known: Iterable[str]) -> str:
    hint = suggestion(name, known)
    return f" ({hint})" if hint else ""


def _tags_from_json(form: Any) -> list[tuple[int, bytes]]:
    if not isinstance(form, list):
        refuse("", "an array of [tag, hex]", form)
    tags = []
    for index, entry in enumerate(form):
        match entry:
            case [int() as tag, str() as body] if not isinstance(tag, bool):
                tags.append((tag, bytes_from_json(body, f"[{index}]")))
            case _:
                refuse(f"[{index}]", "[tag, hex]", entry)
    return tags


_FROM_JSON: dict[str, _Reader] = {
    "bool": _Reader(bool, bool_from_json),
    "float64": _Reader(None, float_from_json),
    "string": _Reader(str, string_from_json),
    "uuid": _Reader(None, uuid_from_json),
    "bytes": _Reader(None, partial(bytes_from_json, path="")),
    "records": _Reader(None, partial(bytes_from_json, path="")),
}
