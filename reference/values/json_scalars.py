"""The JSON forms of numbers, texts, uuids and bytes, and the error for other forms, see `json_form.py`."""

from __future__ import annotations

import re
import struct
from typing import Any, NoReturn
from uuid import UUID

from reference.errors import CodecError
from reference.paths import joined

UUID_LENGTH = 36
UTF_16 = "utf16"
UTF_8 = "utf8"
_DECIMAL_DIGITS = re.compile(r"-?[0-9]{1,20}")
"""At most as many digits as the longest number of 64 bits has; Python does not read thousands of them."""
_FLOAT_DIGITS = re.compile(r"[0-9a-fA-F]{16}")


class NotJsonForm(CodecError):
    """A JSON document that is not the form of a value.

    Attributes:
        path: the place in the document, as `Topics[0].Name`; empty for the message itself.
        expected: the form of a value at this place.
        got: the document at this place.
        value: the value of the whole document with its other forms, if it was made.
    """

    def __init__(self, path: str, expected: str, got: object) -> None:
        super().__init__(path, expected, got)
        self.path = path
        self.expected = expected
        self.got = got
        self.value: Any = None

    def __str__(self) -> str:
        return f"{self.path or 'the message'}: expected {self.expected}, got {self.got!r:.80}"

    def inside(self, place: str) -> NotJsonForm:
        """Return the same error about a larger form with this one at `place`, a field's name or an index as `[3]`."""
        return NotJsonForm(joined(place, self.path), self.expected, self.got)


def text_to_json(text: str) -> str | dict[str, str]:
    """Return the form of a text, the text itself, or an object if it is no valid Unicode."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return {UTF_16: text.encode("utf-16-be", "surrogatepass").hex()}
    return text


def number_from_json(form: Any, path: str, *, decimal: bool, what: str = "") -> int:
    """Return the number of a JSON form, either a decimal string or a number. `what` begins the text of an error."""
    number = form
    if decimal:
        number = int(form) if isinstance(form, str) and _DECIMAL_DIGITS.fullmatch(form) else None
    if not isinstance(number, int) or isinstance(number, bool):
        refuse(path, what + ("a decimal string" if decimal else "a number"), form)
    return number


def bool_from_json(form: Any) -> bool:
    """Return the bool of a JSON form, or raise NotJsonForm."""
    if not isinstance(form, bool):
        refuse("", "true or false", form)
    return form


def float_from_json(form: Any) -> float:
    """Return the float64 of a JSON form, the hex digits of its bits, or raise NotJsonForm."""
    if not isinstance(form, str) or not _FLOAT_DIGITS.fullmatch(form):
        refuse("", "float64 as 16 hex digits", form)
    number: float = struct.unpack(">d", bytes.fromhex(form))[0]
    return number


def string_from_json(form: Any) -> str:
    """Return the text of a JSON form, or raise NotJsonForm."""
    if isinstance(form, str):
        return form
    keys = list(form) if isinstance(form, dict) else []
    if keys == [UTF_16]:
        return text_from_units(form[UTF_16], "")
    if keys != [UTF_8]:
        refuse("", f'a string, {{"{UTF_16}": hex}} or {{"{UTF_8}": hex}}', form)
    return bytes_from_json(form[UTF_8], "").decode(errors="surrogateescape")


def text_from_units(units: Any, path: str) -> str:
    """Return the text of UTF-16 units in hex, or raise NotJsonForm if the form is no hex, or has half a unit."""
    data = bytes_from_json(units, path)
    if len(data) % 2:
        refuse(path, "whole UTF-16 units, 4 hex digits each", units)
    return data.decode("utf-16-be", "surrogatepass")


def uuid_from_json(form: Any) -> UUID:
    """Return the uuid of a JSON form, its text in lower case, or raise NotJsonForm."""
    if not isinstance(form, str) or len(form) != UUID_LENGTH:
        refuse("", "a uuid of 36 characters", form)
    try:
        value = UUID(form)
    except ValueError:
        refuse("", "a uuid of 36 characters", form)
    if str(value) != form:  # Python also reads capitals, and hyphens at other places
        refuse("", "a uuid in lower case with four hyphens", form)
    return value


def bytes_from_json(form: Any, path: str) -> bytes:
    """Return the bytes of a JSON form, their hex in lower case, or raise NotJsonForm."""
    if not isinstance(form, str):
        refuse(path, "hex", form)
    try:
        value = bytes.fromhex(form)
    except ValueError:
        refuse(path, "hex", form)
    if value.hex() != form:  # Python also reads capitals and blanks
        refuse(path, "hex in lower case, without blanks", form)
    return value


def refuse(path: str, expected: str, got: object) -> NoReturn:
    """Raise the error about another form than expected."""
    raise NotJsonForm(path, expected, got)
