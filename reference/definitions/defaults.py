"""The value of a field's default (section 4.1).

A definition writes every default as text, whatever the type: `"-1"`, `"0x7fffffff"`, `"null"`, `"true"`. Without a text
the type's own default holds: zero, false, the empty string, no elements, a struct of defaults.

Apache Kafka checks a text in one way and compiles it in another. The compiled value counts: `010` is 8 (rule 4.1.12). A
text that passes the check but does not compile, as `08`, is refused. The exception is uint32, where the intended value
is read although the compiled code has another (rule 4.1.4).
"""

from __future__ import annotations

import base64
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from uuid import UUID

from reference.definitions.errors import BadDefault
from reference.definitions.json_flavour import BLANKS
from reference.definitions.model import INTEGER_RANGES, FieldDefinition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NULL = "null"
"""The text for null, in every type that may be null."""


class StructDefault:
    """The type of `STRUCT_DEFAULT`."""

    def __repr__(self) -> str:
        return "STRUCT_DEFAULT"


STRUCT_DEFAULT: Final = StructDefault()
"""A struct with the default of each field."""

DefaultValue = bool | int | float | str | bytes | UUID | list[object] | StructDefault | None

IMPLICIT_DEFAULTS: Mapping[str, DefaultValue] = MappingProxyType({
    **dict.fromkeys(INTEGER_RANGES, 0),
    "bool": False,
    "float64": 0.0,
    "uuid": UUID(int=0),
    "string": "",
    "bytes": b"",
    "records": None,
})  # fmt: skip
"""The default of a field without a text, by the name of its type."""


def default_of(field: FieldDefinition) -> DefaultValue:
    """Return the default of a field as a plain value, an empty list for arrays, and `STRUCT_DEFAULT` for structs.

    Raises:
        BadDefault: the text does not fit the type (rule 6.47), or is `null` although the field is not nullable in
            all of its versions (rule 4.1.13).
    """
    if field.type == "records":
        return IMPLICIT_DEFAULTS["records"]  # any text is ignored (rule 4.1.9)
    if field.is_array:
        return _null_or_nothing_else(field, [])
    if field.struct_name is not None:
        return _null_or_nothing_else(field, STRUCT_DEFAULT)
    if field.type == "bytes":
        return _null_or_nothing_else(field, IMPLICIT_DEFAULTS["bytes"])
    if field.default == NULL and field.type == "string":
        return _null(field)
    return IMPLICIT_DEFAULTS[field.type] if not field.default else _read(field)(field.default)


def _null_or_nothing_else(field: FieldDefinition, implicit: DefaultValue) -> DefaultValue:
    if not field.default:
        return implicit
    if field.default != NULL:
        raise BadDefault(f"the default of {field.type} can be null or be left out, and is {field.default!r}")
    return _null(field)


def _null(field: FieldDefinition) -> DefaultValue:
    if not field.nullable_versions.covers(field.versions):
        raise BadDefault(
            f"the default is null, but of the versions {field.versions} only {field.nullable_versions} are nullable"
        )
    return None


def _read(field: FieldDefinition) -> Callable[[str], DefaultValue]:
    readers: dict[str, Callable[[str], DefaultValue]] = {
        "bool": _read_bool,
        "float64": _read_float,
        "string": str,
        "uuid": _read_uuid,
    }
    return readers.get(field.type) or (lambda text: _read_integer(text, field.type))


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise BadDefault(f"the default of a bool is true or false, and is {text!r}")
    return text.lower() == "true"


_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{0,64}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,64}")
_OCTAL = re.compile(r"[+-]?0[0-7]+")


def _read_integer(text: str, type_name: str) -> int:
    """Return the number of a decimal text with a sign, a hexadecimal one without (`0x7f`), or an octal one (`010`)."""
    lowest, highest = INTEGER_RANGES[type_name]
    checked, is_octal = _checked_integer(text, type_name), re.match(r"[+-]?0[0-9]", text)
    if not lowest <= checked <= highest:
        decimal = f", which Apache Kafka checks as the decimal number {checked}" if is_octal else ""
        raise BadDefault(f"the default of {type_name} is within {lowest} and {highest}, and is {text!r}{decimal}")
    if is_octal and not _OCTAL.fullmatch(text):
        raise BadDefault(f"{text!r} begins like an octal number but has the digit 8 or 9")
    return int(text, 8) if is_octal else checked


def _checked_integer(text: str, type_name: str) -> int:
    """Return the number whose range Apache Kafka checks, for an octal text its decimal reading."""
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16) if text != "0x" else 0  # as in the generated code
    if _DECIMAL.fullmatch(text):
        return int(text)
    raise BadDefault(f"the default of {type_name} is a number as -1, 60000 or 0x7f, and is {text!r}")


_FLOAT = re.compile(r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)")
_HEXADECIMAL_FLOAT = re.compile(
    r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+(?P<suffix>[fFdD]?)"
)


def _read_float(text: str) -> float:
    """Return the number of a text as Java's `Double.parseDouble` does, of `1.5d`, `NaN` and `0x1p3` as well."""
    number = text.strip(BLANKS)
    if hexadecimal := _HEXADECIMAL_FLOAT.fullmatch(number):
        return _read_hexadecimal_float(number.removesuffix(hexadecimal["suffix"]))
    if _FLOAT.fullmatch(number):
        return float(number if number.endswith("Infinity") else number.rstrip("fFdD"))
    raise BadDefault(f"the default of a float64 is a number, NaN or Infinity, and is {text!r}")


def _read_hexadecimal_float(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("-inf") if text.startswith("-") else float("inf")


_UUID = re.compile(r"(?P<digits>[A-Za-z0-9_-]{22})(?:==)?")


def _read_uuid(text: str) -> UUID:
    """Return the uuid of 16 bytes as base64 with the alphabet for URLs, padded or not."""
    if not (found := _UUID.fullmatch(text)):
        raise BadDefault(f"the default of a uuid is 22 letters, digits, - or _ (base64url), and is {text!r}")
    return UUID(bytes=base64.urlsafe_b64decode(found["digits"] + "=="))
