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
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from uuid import UUID

from reference.definitions.model import INTEGER_RANGES
from reference.errors import CodecError
from reference.paths import joined
from reference.values.comparison import float_bits
from reference.values.defaults import TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    def inside(self, place: str) -> NotJsonForm:
        """Return the same of a larger form, which has this one at a place: the name of a field, or `[3]`."""
        return NotJsonForm(joined(place, self.path), self.expected, self.got)


def to_json(schema: MessageSchema, value: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON form of a value of `schema`, of those fields that it has; fields of other versions follow the others."""
    return _struct_to_json(schema.body, value)


def from_json(schema: MessageSchema, form: Any) -> dict[str, Any]:
    """The value behind a JSON form.

    Raises:
        NotJsonForm: something is not of the form that its type asks for; says where.
    """
    value: dict[str, Any] = _message_reader(schema)(form)
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


Read = Callable[[Any], Any]
"""Returns the value behind a form that is not null, or raises NotJsonForm with the path inside that form."""


class _Reader(NamedTuple):
    """What reads the forms of a type; made once, as some values have a million elements."""

    own: type[Any] | None
    """The class whose objects are the values that they are the forms of; None: there is none."""
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
        is_decimal = field.type in _DECIMAL
        read = partial(number_from_json, path="", decimal=is_decimal, what=f"{field.type} as ")
        return _Reader(None if is_decimal else int, read)
    return _FROM_JSON[field.type]


def _array_reader(element: _Reader) -> Read:
    own, read = element

    def read_array(form: Any) -> list[Any]:
        if not isinstance(form, list):
            _refuse("", "an array", form)
        value: list[Any] = []
        try:
            for item in form:
                value.append(item if item is None or type(item) is own else read(item))  # noqa: PERF401  # so far it tells the index
        except NotJsonForm as error:
            raise error.inside(f"[{len(value)}]") from None
        return value

    return read_array


def _struct_reader(members: Mapping[str, _Reader]) -> Read:
    def read_struct(form: Any) -> dict[str, Any]:
        if not isinstance(form, dict):
            _refuse("", "an object", form)
        value: dict[str, Any] = {}
        name = ""
        try:
            for name, item in form.items():
                if name not in members:
                    _refuse("", "a field of the definition", item)
                own, read = members[name]
                is_value = type(item) is own or (item is None and name != TAGS)
                value[name] = item if is_value else read(item)
        except NotJsonForm as error:
            raise error.inside(name) from None
        return value

    return read_struct


def _tags_from_json(form: Any) -> list[tuple[int, bytes]]:
    if not isinstance(form, list):
        _refuse("", "an array of [tag, hex]", form)
    tags = []
    for index, entry in enumerate(form):
        match entry:
            case [int() as tag, str() as body] if not isinstance(tag, bool):
                tags.append((tag, bytes_from_json(body, f"[{index}]")))
            case _:
                _refuse(f"[{index}]", "[tag, hex]", entry)
    return tags


def number_from_json(form: Any, path: str, *, decimal: bool, what: str = "") -> int:
    """The number behind a JSON form, a decimal string or a number; `what` begins the text of an error."""
    number = form
    if decimal:
        number = int(form) if isinstance(form, str) and _DECIMAL_DIGITS.fullmatch(form) else None
    if not isinstance(number, int) or isinstance(number, bool):
        _refuse(path, what + ("a decimal string" if decimal else "a number"), form)
    return number


def _bool_from_json(form: Any) -> bool:
    if not isinstance(form, bool):
        _refuse("", "true or false", form)
    return form


def _float_from_json(form: Any) -> float:
    if not isinstance(form, str) or not _FLOAT_DIGITS.fullmatch(form):
        _refuse("", "float64 as 16 hex digits", form)
    number: float = struct.unpack(">d", bytes.fromhex(form))[0]
    return number


def _string_from_json(form: Any) -> str:
    if isinstance(form, str):
        return form
    keys = list(form) if isinstance(form, dict) else []
    if keys == [UTF_16]:
        return text_from_units(form[UTF_16], "")
    if keys != [UTF_8]:
        _refuse("", f'a string, {{"{UTF_16}": hex}} or {{"{UTF_8}": hex}}', form)
    return bytes_from_json(form[UTF_8], "").decode(errors="surrogateescape")


def text_from_units(units: Any, path: str) -> str:
    """Return the text behind UTF-16 units in hex.

    Raises:
        NotJsonForm: they are none.
    """
    data = bytes_from_json(units, path)
    if len(data) % 2:
        _refuse(path, "whole UTF-16 units, 4 hex digits each", units)
    return data.decode("utf-16-be", "surrogatepass")


def _uuid_from_json(form: Any) -> UUID:
    if not isinstance(form, str) or len(form) != UUID_LENGTH:
        _refuse("", "a uuid of 36 characters", form)
    try:
        value = UUID(form)
    except ValueError:
        _refuse("", "a uuid of 36 characters", form)
    if str(value) != form:
        _refuse("", "a uuid in lower case with four hyphens", form)
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


_FROM_JSON: dict[str, _Reader] = {
    "bool": _Reader(bool, _bool_from_json),
    "float64": _Reader(None, _float_from_json),
    "string": _Reader(str, _string_from_json),
    "uuid": _Reader(None, _uuid_from_json),
    "bytes": _Reader(None, partial(bytes_from_json, path="")),
    "records": _Reader(None, partial(bytes_from_json, path="")),
}


def _refuse(path: str, expected: str, got: object) -> NoReturn:
    raise NotJsonForm(path, expected, got)
