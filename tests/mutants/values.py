"""Mutants of numbers, strings, bytes, arrays, markers and nulls."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape, unescape
from math import isnan
from posixpath import normpath
from typing import Any
from unicodedata import normalize
from urllib.parse import quote, unquote
from uuid import UUID

from reference import FieldSchema
from tests.mutants.mutant import Mutant, mutants
from tests.mutants.single_faults.ways import above, longer, refuse_if
from tests.second_codec.bodies import ElementsWay, MarkerWay
from tests.second_codec.left_out import NULL_ANYWHERE
from tests.second_codec.steps import ContentWay, FixedWay, LengthWay, Misstep, VarintWay, signed, swap

HIGHEST_KNOWN = 133
"""The highest error code of an enum generated once."""
LEGACY, COMPACT, NULLABLE = (
    LengthWay(form=lambda form: replace(form, compact=False)),
    LengthWay(form=lambda form: replace(form, compact=True)),
    LengthWay(form=lambda form: replace(form, nullable=True)),
)
"""Lengths of another form."""
INT16 = LengthWay(form=lambda form: replace(form, width=2))
INT32 = LengthWay(form=lambda form: replace(form, width=4))
SMALL_COUNT = LengthWay(limit=0x7FFF)
TURNED = FixedWay(piece=lambda piece: piece[::-1])
MIXED = FixedWay(piece=lambda piece: UUID(bytes=piece).bytes_le)


def values(change: Callable[[Any], Any]) -> ContentWay:
    return ContentWay(value=change)


def plus(number: int) -> LengthWay:
    """Return the way of a compact length with so much added, besides its sound 1."""
    return LengthWay(of=lambda length: length if length < 0 else length + number)


def _bool(true: bytes, false: bytes) -> FixedWay:
    return FixedWay(piece=lambda piece: true if any(piece) else false)


def _int64_through_double(number: int) -> int:
    return signed(int(float(number)), 64)


NUMBERS = {
    "later-error-codes-refused": FixedWay(refuses=above(HIGHEST_KNOWN)),
    "low-error-codes-refused": FixedWay(refuses=lambda number: number < -1),
    "true-is-all-ones": _bool(b"\xff", b"\0"),
    "bool-of-four-bytes": _bool(b"\0\0\0\1", bytes(4)),
    "int32-little-endian": TURNED,
    "int64-cut-to-32-bits": FixedWay(number=signed),
    "int64-through-double": FixedWay(number=_int64_through_double),
    "uint16-read-as-signed": FixedWay(number=lambda number: signed(number, 16)),
    "uint32-read-as-signed": FixedWay(number=signed),
    "float-little-endian": TURNED,
    "negative-zero-lost": values(lambda value: value + 0.0),
    "payload-of-nan-lost": values(lambda value: float("nan") if isnan(value) else value),
    "uuid-mixed-endian": MIXED,
    "zero-uuid-is-null": values(lambda value: value if value.int else None),
    "numbers-wrap": FixedWay(number=signed),
}


def _third_byte_wrong(form: bytes) -> bytes:
    return form if len(form) < 3 else form[:2] + bytes([form[2] << 1 & 0x7F])


def _characters(piece: bytes) -> int:
    return len(piece) if len(piece) >= 2**15 else len(piece.decode())


WRAPPED = Misstep(
    "string/*",
    LengthWay(form=lambda form: replace(form, limit=2**31 - 1)),
    also=Misstep("string/*", FixedWay(number=lambda number: signed(number, 16))),
)


def _text(change: Callable[[str], str | None]) -> ContentWay:
    return ContentWay(value=lambda value: change(value) if isinstance(value, str) else value)


STRINGS = {
    "int16-length-for-compact-string": LEGACY,
    "compact-length-without-plus-one": (plus(-1), plus(1)),
    "compact-length-plus-two": plus(1),
    "compact-length-minus-two": plus(-3),
    "compact-length-for-legacy-string": COMPACT,
    "int32-length-for-legacy-string": INT32,
    "characters-counted": LengthWay(counts=_characters),
    "characters-counted-in-compact-string": LengthWay(counts=_characters),
    "string-limit-missing": WRAPPED,
    "varint-wrong-from-third-byte": VarintWay(form=_third_byte_wrong),
    "string-cut-at-nul": _text(lambda value: value.split("\0")[0]),
    "text-normalised": _text(lambda value: normalize("NFC", value)),
    "byte-order-mark-dropped": _text(lambda value: value.removeprefix("\ufeff")),
}

HEARTBEAT = "HeartbeatRequest-v4"
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufe0f]")

CHANGES: dict[str, Callable[[str], str | None]] = {
    "stripped": str.strip,
    "line-end-dropped": lambda text: text.removesuffix("\n").removesuffix("\r"),
    "crlf-as-lf": lambda text: text.replace("\r\n", "\n"),
    "lower-case": str.lower,
    "number-without-zeros": lambda text: str(int(text)) if text.isdigit() else text,
    "number-without-exponent": lambda text: re.sub(r"^(\d)e(\d)$", lambda at: at[1] + "0" * int(at[2]), text),
    "number-without-plus": lambda text: re.sub(r"^\+(?=\d)", "", text),
    "null-for-the-word": lambda text: None if text == "null" else text,
    "true-as-python-has-it": lambda text: "True" if text == "true" else text,
    "empty-for-nan": lambda text: "" if text == "NaN" else text,
    "unquoted": lambda text: text[1:-1] if text[:1] == text[-1:] == '"' else text,
    "backslashes-unescaped": lambda text: text.replace("\\n", "\n").replace("\\\\", "\\"),
    "percent-decoded": unquote,
    "html-unescaped": unescape,
    "composed": lambda text: normalize("NFC", text),
    "decomposed": lambda text: normalize("NFD", text),
    "invisible-characters-dropped": lambda text: INVISIBLE.sub("", text),
    "path-normalized": lambda text: normpath(text) if text else text,
}
ESCAPES: dict[str, Callable[[str], str | None]] = {"percent-encoded": quote, "html-escaped": escape}
"""Changes by writers alone."""


def _of_changes() -> Iterator[Mutant]:
    for name, change in CHANGES.items():
        yield Mutant(f"text-read-{name}", "string.utf8", HEARTBEAT, reads=Misstep("string/*", _text(change)))
    for name, change in {**CHANGES, **ESCAPES}.items():
        yield Mutant(f"text-written-{name}", "string.utf8", HEARTBEAT, writes=Misstep("string/*", _text(change)))


def empty(value: Any) -> bool:
    return isinstance(value, str) and not value


TEXTS = {
    "empty-string-read-as-bytes": values(swap("", b"")),
    "empty-string-read-as-blank": values(swap("", " ")),
    "empty-string-not-read": values(refuse_if(empty)),
    "empty-string-refused": values(refuse_if(empty, TypeError)),
    "empty-string-left-out": VarintWay(form=lambda form: b"" if form == b"\1" else form),
}

BLOBS = {
    "int32-length-for-compact-bytes": LEGACY,
    "compact-length-for-legacy-bytes": COMPACT,
    "int16-length-for-bytes": INT16,
    "bytes-up-to-65535": ContentWay(raw=lambda raw: raw[:65_535]),
    "int32-length-for-compact-records": LEGACY,
    "compact-length-for-legacy-records": COMPACT,
    "offset-of-record-batch-cleared": ContentWay(raw=lambda raw: bytes(min(8, len(raw))) + raw[8:]),
    "empty-records-read-as-null": values(lambda raw: raw or None),
}


def keys_of(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def sorted_by_key(element: FieldSchema, items: Any) -> Any:
    return items and sorted(items, key=lambda item: [str(item[name]) for name in keys_of(element)])


def last_of_each_key(element: FieldSchema, items: Any) -> Any:
    keys = keys_of(element)
    return list({tuple(item[name] for name in keys): item for item in items}.values()) if keys and items else items


def last_of_alike(element: FieldSchema, items: Any) -> Any:
    """Return elements as in a dict by their first field."""
    if not items or not element.fields or keys_of(element):
        return items
    return list({str(item[element.fields[0].name]): item for item in items}.values())


def keyed(order: Callable[[FieldSchema, Any], Any]) -> ElementsWay:
    return ElementsWay(of=lambda element, items: order(element, items) if keys_of(element) else items)


ARRAYS = {
    "count-as-int16": SMALL_COUNT,
    "compact-count-as-int16": SMALL_COUNT,
    "int32-count-for-compact-array": LEGACY,
    "compact-count-without-plus-one": (plus(-1), plus(1)),
    "compact-count-for-legacy-array": COMPACT,
    "overlong-varints": VarintWay(form=lambda form: longer(form) if len(form) == 1 else form),
    "array-prefix-counts-bytes": LengthWay(of=lambda count: 4 * count if count > 0 else count),
    "map-key-array-written-sorted": keyed(sorted_by_key),
    "map-key-array-read-sorted": keyed(sorted_by_key),
    "one-element-a-key": keyed(last_of_each_key),
    "one-element-a-name": ElementsWay(of=last_of_alike),
}


MARKERS = {
    "struct-marker-missing": MarkerWay(b"", b"\xff"),
    "struct-marker-zero-for-null": MarkerWay(b"\x01", b"\x00"),
    "struct-marker-as-of-an-array": MarkerWay(b"\x02", b"\x00"),
    "struct-marker-as-int16": MarkerWay(b"\x00\x01", b"\xff\xff"),
    "struct-marker-where-never-null": MarkerWay(always=True),
    "tagged-struct-marker-as-positional": MarkerWay(b"\x01", b"\xff"),
    "tagged-struct-marker-missing": MarkerWay(b"", b"\x00"),
    "tagged-struct-marker-as-int16": MarkerWay(b"\x00\x01", b"\xff\xff"),
}

NULLS = {
    "compact-null-array-written-as-empty": values(swap(None, [])),
    "null-array-read-as-empty": values(swap(None, [])),
    "empty-string-read-as-null": values(swap("", None)),
    "null-bytes-as-length-zero": values(swap(None, b"")),
    "null-read-where-not-allowed": NULL_ANYWHERE,
    "null-written-where-not-allowed": NULLABLE,
}

MUTANTS = (
    *mutants(NUMBERS | STRINGS),
    *_of_changes(),
    *mutants(TEXTS | BLOBS | ARRAYS | MARKERS | NULLS),
)
