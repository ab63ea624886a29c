"""The JSON form of a value, as golden vectors and the bridge carry it: by type, never by magnitude.

Numbers of up to 32 bits with sign and of 16 without are JSON numbers; int64 and uint32 are decimal strings, for many
languages read every JSON number as a double; a float64 is 16 hex digits of its bits, so that NaN payloads and -0.0
survive; bytes and records are lower-case hex; unknown tagged fields are `"_tags": [[tag, "hex"], ...]`.

A number beyond the range of its type has a form like any other, for it is the codecs that must refuse it.

Text that is no sound Unicode, which many JSON libraries replace or refuse, is an object in place of the string:
`{"utf16": "0061d800"}` is "a" and an unpaired surrogate, as UTF-16 units; `{"utf8": "61ff"}` is "a" and a byte that is
not UTF-8. Only the first is written here, both are read: the second is for languages whose strings are bytes.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import UUID

from reference.definitions.model import INTEGER_RANGES
from reference.errors import CodecError
from reference.values.comparison import float_bits
from reference.values.defaults import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reference.schema import FieldSchema, MessageSchema

UUID_LENGTH = 36
UTF_16 = "utf16"
UTF_8 = "utf8"
_DECIMAL = frozenset(("int64", "uint32"))
_DECIMAL_DIGITS = re.compile(r"-?[0-9]{1,20}")
"""As many digits as the longest number of 64 bits has; Python does not read thousands of them."""
_FLOAT_DIGITS = re.compile(r"[0-9a-fA-F]{16}")


class NotJsonForm(CodecError):
    """A JSON document that is not the form of a value; `path` says where."""

    def __init__(self, path: str, expected: str, got: object) -> None:
        super().__init__(path, expected, got)
        self.path = path
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"{self.path or 'the message'}: expected {self.expected}, got {self.got!r:.80}"


def to_json(schema: MessageSchema, value: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON form of a value of `schema`, of those fields that it has; fields of other versions follow the others."""
    return _struct_to_json(schema.body, value)


def from_json(schema: MessageSchema, form: Any) -> dict[str, Any]:
    """The value behind a JSON form.

    Raises:
        NotJsonForm: something is not of the form that its type asks for; says where.
    """
    value: dict[str, Any] = _struct_from_json(schema.body, form, "")
    return value


def _to_json(field: FieldSchema, value: Any) -> Any:
    if value is None:
        return None
    if field.element is not None:
        element = field.element
        return [_to_json(element, item) for item in value]
    if field.type == "struct":
        return _struct_to_json(field, value)
    convert = _TO_JSON.get(field.type)
    return value if convert is None else convert(value)


def text_to_json(text: str) -> str | dict[str, str]:
    """Return the form of a text: itself, or an object if it is no sound Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return {UTF_16: text.encode("utf-16-be", "surrogatepass").hex()}
    return text


_TO_JSON: dict[str, Callable[[Any], Any]] = {
    "string": text_to_json,
    "int64": str,
    "uint32": str,
    "float64": lambda value: float_bits(value).hex(),
    "uuid": str,
    "bytes": bytes.hex,
    "records": bytes.hex,
}


def _struct_to_json(struct_schema: FieldSchema, value: Mapping[str, Any]) -> dict[str, Any]:
    form = {field.name: _to_json(field, value[field.name]) for field in struct_schema.fields if field.name in value}
    if len(value) != len(form):
        for field in struct_schema.absent_fields:
            if field.name in value:
                form[field.name] = _to_json(field, value[field.name])
        if value.get(TAGS):
            form[TAGS] = [[tag, body.hex()] for tag, body in value[TAGS]]
    return form


def _from_json(field: FieldSchema, form: Any, path: str) -> Any:
    if form is None:
        return None
    if field.element is not None:
        return _array_from_json(field.element, form, path)
    if field.type == "struct":
        return _struct_from_json(field, form, path)
    if field.type in INTEGER_RANGES:
        return number_from_json(form, path, decimal=field.type in _DECIMAL, what=f"{field.type} as ")
    return _FROM_JSON[field.type](form, path)


def _array_from_json(element: FieldSchema, form: Any, path: str) -> list[Any]:
    if not isinstance(form, list):
        _refuse(path, "an array", form)
    return [_from_json(element, item, f"{path}[{index}]") for index, item in enumerate(form)]


def _struct_from_json(struct_schema: FieldSchema, form: Any, path: str) -> dict[str, Any]:
    if not isinstance(form, dict):
        _refuse(path, "an object", form)
    known = {field.name: field for field in (*struct_schema.fields, *struct_schema.absent_fields)}
    prefix = f"{path}." if path else ""
    value: dict[str, Any] = {}
    for name, item in form.items():
        if name == TAGS:
            value[TAGS] = _tags_from_json(item, prefix + TAGS)
        elif name in known:
            value[name] = _from_json(known[name], item, prefix + name)
        else:
            _refuse(prefix + name, "a field of the definition", item)
    return value


def _tags_from_json(form: Any, path: str) -> list[tuple[int, bytes]]:
    if not isinstance(form, list):
        _refuse(path, "an array of [tag, hex]", form)
    tags = []
    for index, entry in enumerate(form):
        match entry:
            case [int() as tag, str() as body] if not isinstance(tag, bool):
                tags.append((tag, bytes_from_json(body, f"{path}[{index}]")))
            case _:
                _refuse(f"{path}[{index}]", "[tag, hex]", entry)
    return tags


def number_from_json(form: Any, path: str, *, decimal: bool, what: str = "") -> int:
    """The number behind a JSON form, a decimal string or a number; `what` begins the text of an error."""
    number = form
    if decimal:
        number = int(form) if isinstance(form, str) and _DECIMAL_DIGITS.fullmatch(form) else None
    if not isinstance(number, int) or isinstance(number, bool):
        _refuse(path, what + ("a decimal string" if decimal else "a number"), form)
    return number


def _bool_from_json(form: Any, path: str) -> bool:
    if not isinstance(form, bool):
        _refuse(path, "true or false", form)
    return form


def _float_from_json(form: Any, path: str) -> float:
    if not isinstance(form, str) or not _FLOAT_DIGITS.fullmatch(form):
        _refuse(path, "float64 as 16 hex digits", form)
    number: float = struct.unpack(">d", bytes.fromhex(form))[0]
    return number


def _string_from_json(form: Any, path: str) -> str:
    if isinstance(form, str):
        return form
    keys = list(form) if isinstance(form, dict) else []
    if keys == [UTF_16]:
        return text_from_units(form[UTF_16], path)
    if keys != [UTF_8]:
        _refuse(path, f'a string, {{"{UTF_16}": hex}} or {{"{UTF_8}": hex}}', form)
    return bytes_from_json(form[UTF_8], path).decode(errors="surrogateescape")


def text_from_units(units: Any, path: str) -> str:
    """Return the text behind UTF-16 units in hex.

    Raises:
        NotJsonForm: they are none.
    """
    data = bytes_from_json(units, path)
    if len(data) % 2:
        _refuse(path, "whole UTF-16 units, 4 hex digits each", units)
    return data.decode("utf-16-be", "surrogatepass")


def _uuid_from_json(form: Any, path: str) -> UUID:
    if not isinstance(form, str) or len(form) != UUID_LENGTH:
        _refuse(path, "a uuid of 36 characters", form)
    try:
        value = UUID(form)
    except ValueError:
        _refuse(path, "a uuid of 36 characters", form)
    if str(value) != form:
        _refuse(path, "a uuid in lower case with four hyphens", form)
    return value


def bytes_from_json(form: Any, path: str) -> bytes:
    """Return the bytes behind their hex.

    Raises:
        NotJsonForm: it is none, or not in lower case.
    """
    if not isinstance(form, str):
        _refuse(path, "hex", form)
    try:
        value = bytes.fromhex(form)
    except ValueError:
        _refuse(path, "hex", form)
    if value.hex() != form:
        _refuse(path, "hex in lower case, without blanks", form)
    return value


_FROM_JSON: dict[str, Callable[[Any, str], Any]] = {
    "bool": _bool_from_json,
    "float64": _float_from_json,
    "string": _string_from_json,
    "uuid": _uuid_from_json,
    "bytes": bytes_from_json,
    "records": bytes_from_json,
}


def _refuse(path: str, expected: str, got: object) -> NoReturn:
    raise NotJsonForm(path, expected, got)
