"""The examples in the tables of the book: the notation of bytes and values in a cell, and what a row is about."""

from __future__ import annotations

import json
import re
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import completed, from_json
from reference.definitions.model import DECIMAL

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema

_REPEATED_BYTE = re.compile(r"([0-9a-f]{2})\*([0-9]+)")
_REPEATED_TEXT = re.compile(r'"(.)"\*([0-9]+)')
_REPEATED_HEX = re.compile(r'"([0-9a-f]{2})\*([0-9]+)"')
_MESSAGE = re.compile(
    r"(?:(?P<around>frame of|stored) )?(?P<message>[A-Z]\w*) v(?P<version>\d+)(?: of (?P<release>\d+\.\d+\.\d+))?"
)


class Named(NamedTuple):
    """What a cell of the column `type` names: `frame of ApiVersionsRequest v3`, `RequestHeader v0 of 3.9.1`."""

    message: str
    version: int
    release: str = ""
    """Empty for the newest one."""
    around: str = ""
    """`frame of`, `stored`, or empty for the body alone."""


def named_in(cell: str) -> Named | None:
    """Return the message that a cell names; None for a type alone."""
    parts = _MESSAGE.fullmatch(cell)
    if parts is None:
        return None
    return Named(parts["message"], int(parts["version"]), parts["release"] or "", parts["around"] or "")


def bytes_of(cell: str) -> bytes:
    """Return the bytes in a cell; `61*300` is 300 times that byte, and `(none)` no byte at all."""
    pieces = "" if cell == "(none)" else _REPEATED_BYTE.sub(lambda match: match[1] * int(match[2]), cell)
    return bytes.fromhex(pieces)


def form_of(cell: str) -> Any:
    """Return the JSON in a cell; `"a"*300` is a text of 300 letters, and `"00*118"` anywhere the hex of 118 bytes."""
    repeated = _REPEATED_TEXT.fullmatch(cell)
    if repeated is not None:
        return repeated[1] * int(repeated[2])
    return json.loads(_REPEATED_HEX.sub(lambda match: f'"{match[1] * int(match[2])}"', cell))


def value_of(schema: MessageSchema, form: Any) -> Any:
    """Return the value behind a form that may leave out defaults, and has 64-bit integers and floats as numbers."""
    return completed(schema, from_json(schema, _strict(schema.body, form)))


def _strict(field: FieldSchema, form: Any) -> Any:
    """Return the form with 64-bit integers as text and floats as hex, where the book has plain numbers."""
    if form is None:
        return None
    if field.element is not None and isinstance(form, list):
        return [_strict(field.element, item) for item in form]
    if field.type == "struct" and isinstance(form, dict):
        known = {member.name: member for member in (*field.fields, *field.absent_fields)}
        return {name: _strict(known[name], item) if name in known else item for name, item in form.items()}
    if isinstance(form, bool) or not isinstance(form, int | float):
        return form
    if field.type == "float64":
        return struct.pack(">d", form).hex()
    return str(form) if field.type in DECIMAL else form
