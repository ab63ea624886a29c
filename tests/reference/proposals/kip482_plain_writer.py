"""A second writer of both drafts of KIP-482, from the layouts alone, as functions from values to bytes.

It shares the schema with the reference, so the lists of fields, but no line about their encoding.
"""

import struct
from typing import Any

from reference import FieldSchema, MessageSchema

FORMATS = {
    "bool": ">?",
    "int8": ">b",
    "int16": ">h",
    "int32": ">i",
    "int64": ">q",
    "uint16": ">H",
    "uint32": ">I",
    "float64": ">d",
}


def written(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    return _struct(schema.fields, value, schema.dialect, has_section=schema.flexible)


def _struct(fields: tuple[FieldSchema, ...], value: dict[str, Any], dialect: str, *, has_section: bool) -> bytes:
    first = dialect == "kip-482-first-draft"
    entries = dict(value.get("_tags") or [])
    others = b""
    for field in fields:
        if field.tag is None:
            others += _field(field, value[field.name], dialect, compact=has_section and not first)
        elif not _is_default(field, value[field.name]):
            entries[field.tag] = _field(field, value[field.name], dialect, compact=not first)
    if not has_section:
        return others
    section = b"" if first else uvarint(len(entries))
    for tag in sorted(entries):
        length = len(entries[tag])
        section += uvarint(2 * length) + struct.pack(">h", tag) if first else uvarint(interleaved(length, tag))
        section += entries[tag]
    return section + (b"\0" if first else b"") + others


def _field(field: FieldSchema, value: Any, dialect: str, *, compact: bool) -> bytes:
    if field.type == "struct":
        return _nullable_struct(field, value, dialect)
    if field.type in FORMATS:
        return struct.pack(FORMATS[field.type], value)
    if field.type == "uuid":
        number: bytes = value.bytes
        return number
    if field.element is not None:
        element = field.element
        payload = b"".join(_field(element, item, dialect, compact=compact) for item in value or [])
    else:
        payload = value.encode() if isinstance(value, str) else value or b""
    length = None if value is None else len(value) if field.element is not None else len(payload)
    return _length(length, 2 if field.type == "string" else 4, compact=compact) + payload


def _nullable_struct(field: FieldSchema, value: Any, dialect: str) -> bytes:
    if value is None:
        return b"\0" if field.tag is not None and dialect == "kip-482-second-draft" else b"\xff"
    marker = b"\x01" if field.nullable else b""
    return marker + _struct(field.fields, value, dialect, has_section=field.flexible)


def _length(length: int | None, width: int, *, compact: bool) -> bytes:
    if compact:
        return uvarint(0 if length is None else length + 1)
    return (-1 if length is None else length).to_bytes(width, "big", signed=True)


def _is_default(field: FieldSchema, value: Any) -> bool:
    if value is None or field.default is None:
        return value is field.default
    if field.type == "struct":
        return not value.get("_tags") and all(_is_default(each, value[each.name]) for each in field.fields)
    if field.type in {"array", "bytes"}:
        return len(value) == 0
    return bool(value == field.default)


def uvarint(number: int) -> bytes:
    groups = bytearray()
    while number > 0x7F:
        groups.append(number % 128 + 128)
        number //= 128
    return bytes((*groups, number))


def interleaved(length: int, tag: int) -> int:
    digits = max(length.bit_length(), tag.bit_length(), 1)
    pairs = zip(f"{tag:0{digits}b}", f"{length:0{digits}b}", strict=True)
    return int("".join(one + other for one, other in pairs), 2)
