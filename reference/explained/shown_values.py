"""The caption of a span, its type and a short text for people, like `compact-string` and `2 bytes`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from reference.error_codes import error_name
from reference.errors import CodecError
from reference.explained.explanation import type_name
from reference.headers import api_definition
from reference.proposals.kip482_second_draft import TAG_HEADER
from reference.proposals.kip625 import encoded_integer
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.stream import LenientReader
from reference.wire.text import decode_leniently
from reference.wire.varints import UNSIGNED_VARINT, as_int32

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.release import Release
    from reference.schema import FieldSchema
    from reference.wire.stream import Span

LONGEST_TEXT = 60
"""The number of characters shown of a text."""

NULL = "null"
HIGHEST_DATE = 253_402_300_800_000
"""The first millisecond of the year 10000, in milliseconds since 1970."""


class Caption(NamedTuple):
    """The type and the value of a span, as texts."""

    type: str
    value: str


def describer(
    field_of: Callable[[str], FieldSchema | None], release: Release | None = None
) -> Callable[[Span, bytes], Caption]:
    """Return a function for the captions of a message's spans, with names of API keys if there is a release."""

    def describe(span: Span, piece: bytes) -> Caption:
        field = field_of(span.path)
        caption = _text_of(field, span, piece)
        if release is not None and field is not None and field.name == "RequestApiKey":
            return caption._replace(value=f"{caption.value}{_api_name(release, int(caption.value))}")
        return caption

    return describe


def _text_of(field: FieldSchema | None, span: Span, piece: bytes) -> Caption:
    match span.role:
        case "tag-count" | "tag-size" | "tag" | "tag-header" | "tag-end":
            return _of_section(field, span, piece)
        case "marker":
            value = _marker(span, piece)
        case "length" | "count":
            value = _length(span, piece)
        case "number" if field is not None:
            value = _number(field, piece)
        case _:
            value = payload_text(piece, is_text=field is not None and field.type == "string")
    return Caption(type_name(field), value)


def _of_section(field: FieldSchema | None, span: Span, piece: bytes) -> Caption:
    """Return the caption of a number in a tag section. The field is the struct of the section, or the tagged field."""
    if span.role == "tag-header":
        header = TAG_HEADER.read(LenientReader(piece))
        return Caption("interleaved-varint", f"length {header.length}, tag {_tag(field, header.tag)}")
    is_varint = span.form == "varint"
    number = _varint(piece) if is_varint else int.from_bytes(piece, "big", signed=True)
    text = _tag(field, number) if span.role == "tag" else str(number)
    return Caption("unsigned-varint" if is_varint else f"int{8 * len(piece)}", text)


def _varint(piece: bytes) -> int:
    number: int = UNSIGNED_VARINT.read(LenientReader(piece))
    return number


def _tag(field: FieldSchema | None, tag: int) -> str:
    """Return a tag with the name of its field, in the struct of the section."""
    name = next((each.name for each in field.fields if each.tag == tag), "unknown") if field else "unknown"
    return f"{tag} ({name})"


def _marker(span: Span, piece: bytes) -> str:
    if span.form == "varint":
        return "present" if as_int32(_varint(piece)) > 0 else NULL
    return NULL if piece[0] & 0x80 else "present"


def _length(span: Span, piece: bytes) -> str:
    length = as_int32(_varint(piece)) - 1 if span.form == "varint" else int.from_bytes(piece, signed=True)
    return NULL if length < 0 else str(length)


def _number(field: FieldSchema, piece: bytes) -> str:
    wire_type = encoded_integer(field.encoding) if field.encoding else FIXED_WIDTH[field.type]
    value = wire_type.read(LenientReader(piece))
    if isinstance(value, bool):
        return str(value).lower()
    if field.type == "int64" and "Timestamp" in field.name:
        return timestamp_text(value)
    is_error = field.type == "int16" and field.name.endswith("ErrorCode")
    return error_text(value) if is_error else str(value)


def error_text(code: int) -> str:
    """Return an error code, with its name if a release has it.

    >>> error_text(35), error_text(12345)
    ('35 (UNSUPPORTED_VERSION)', '12345')
    """
    name = error_name(code)
    return f"{code} ({name})" if name else str(code)


def timestamp_text(milliseconds: int) -> str:
    """Return a timestamp as a number, with its date in the years 1970 to 9999.

    >>> timestamp_text(1700000000000), timestamp_text(-1)
    ('1700000000000 (2023-11-14T22:13:20Z)', '-1')
    """
    if not 0 < milliseconds < HIGHEST_DATE:
        return str(milliseconds)
    date = datetime.fromtimestamp(milliseconds // 1000, UTC).isoformat().replace("+00:00", "Z")
    return f"{milliseconds} ({date})"


def payload_text(piece: bytes, *, is_text: bool) -> str:
    """Return bytes as a quoted and cut text, or their number."""
    if is_text:
        return quoted(decode_leniently(piece))
    return f"{len(piece)} byte{'s' if len(piece) != 1 else ''}"


def quoted(text: str) -> str:
    """Return a text as JSON, without the end of a long one, in characters that a terminal shows without harm."""
    cut = text[:LONGEST_TEXT]
    shown = json.dumps(cut, ensure_ascii=not cut.isprintable())
    return shown if cut == text else f"{shown}…"


def _api_name(release: Release, api_key: int) -> str:
    try:
        return f" ({api_definition(release, 'request', api_key).name.removesuffix('Request')})"
    except CodecError:
        return ""
