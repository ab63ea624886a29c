"""Ways of reading and writing lengths and contents of variable size, by name."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.mutants.ways.basics import allocated, constant, low, refuse, refuse_if, skip
from tests.mutants.ways.texts import BYTES, OF_BYTES, OF_TEXTS, RAW, TEXTS, through
from tests.second_codec.ways import ContentWay, LengthWay, swap

SIZES = (64, 128, 255, 256, 8_192, 16_384, 32_767, 32_768, 65_536)
"""Lengths with a loss or a refusal."""
ROOM = 2**28
"""Bytes of memory."""
LIMITS = {"text": 2**15 - 1, "bytes": 2**31 - 1}


def _characters(piece: bytes) -> int:
    return len(piece) if len(piece) >= 2**15 else len(piece.decode())


LENGTHS: dict[str, LengthWay] = {
    "beyond-the-input-cut": LengthWay(is_bound=False),
    "beyond-the-input-as-null": LengthWay(is_bound=False, beyond=constant(None)),
    "beyond-the-input-as-zeros": LengthWay(pads=True),
    "beyond-the-input-skipped": LengthWay(is_bound=False, beyond=skip),
    "limit-missing": LengthWay(limit=2**31 - 1),
    "limit-of-31-bits-missing": LengthWay(limit=2**31),
    "limit-wrapped": LengthWay(form=lambda form: replace(form, limit=2**31 - 1)),
    "legacy": LengthWay(form=lambda form: replace(form, compact=False)),
    "compact": LengthWay(form=lambda form: replace(form, compact=True)),
    "nullable": LengthWay(form=lambda form: replace(form, nullable=True)),
    "of-two-bytes": LengthWay(form=lambda form: replace(form, width=2)),
    "of-four-bytes": LengthWay(form=lambda form: replace(form, width=4)),
    "null-as-empty": LengthWay(of=swap(-1, 0)),
    "null-as-minus-two": LengthWay(of=swap(-1, -2)),
    "null-refused": LengthWay(of=refuse(-1)),
    "negative-refused": LengthWay(of=refuse_if(lambda length: length < 0)),
    "negative-as-empty": LengthWay(of=lambda length: max(length, 0)),
    "other-negative-refused": LengthWay(of=refuse_if(lambda length: length < -1)),
    "other-negative-as-empty": LengthWay(of=lambda length: 0 if length < -1 else length),
    "empty-refused": LengthWay(of=refuse(0)),
    "one-short": LengthWay(of=lambda length: length - (length > 0)),
    "one-too-many": LengthWay(of=lambda length: length + (length > 0)),
    "four-times": LengthWay(of=lambda length: 4 * length if length > 0 else length),
    "counts-characters": LengthWay(counts=lambda raw: len(raw.decode())),
    "counts-characters-of-short-texts": LengthWay(counts=_characters),
    "counts-signs": LengthWay(counts=lambda raw: len(raw.decode(errors="replace"))),
    "room-taken": LengthWay(of=allocated(ROOM)),
    **{
        f"{name}-taken-as-{what}": LengthWay(of=swap(number, other))
        for name, number in (("null", -1), ("minus-two", -2), ("lowest", -(2**31)), ("lowest-16", -(2**15)))
        for what, other in (("null", None), ("empty", 0))
    },
}


def length_way(name: str) -> LengthWay:
    """Return a way of a length or a count."""
    if found := re.fullmatch(r"refused-from-(\d+)", name):
        return LengthWay(limit=int(found[1]) - 1)
    if found := re.fullmatch(r"cut-at-(\d+)-bits|([+-]\d+)", name):
        change = low(int(found[1])) if found[1] else lambda length: length + int(found[2])
        return LengthWay(of=lambda length: length if length < 0 else change(length))
    return LENGTHS[name]


def length_names(side: str, kind: str, null: str) -> Iterator[str]:
    """Yield the names of the faulty ways of a length."""
    limit, is_nullable = LIMITS[kind], null == "nullable"
    yield from (f"refused-from-{size}" for size in SIZES if size <= limit)
    if side == "decode":
        yield from ("beyond-the-input-cut", "beyond-the-input-as-zeros")
    else:
        yield from (f"cut-at-{bits}-bits" for bits in (7, 8, 14, 16, 21))
        yield from ("one-short", "one-too-many")
    if kind == "text":
        yield from ("limit-missing", *["counts-characters"] * (side == "encode"))
    if is_nullable:
        yield from ("null-as-empty", "null-refused", *["null-as-minus-two"] * (side == "encode"))
    elif side == "decode":
        numbers = ("null", "minus-two", "lowest", "lowest-16")
        yield from (f"{number}-taken-as-{other}" for number in numbers for other in ("null", "empty"))


ENDS: dict[str, Callable[[str], Callable[[bytes], bytes]]] = {
    "cut-at": lambda size: lambda raw: raw[: int(size)],
    "cut": lambda size: lambda raw: raw[: -int(size)],
    "behind": lambda rest: lambda raw: raw + bytes.fromhex(rest),
}


def raw_way(name: str) -> ContentWay:
    """Return a way of the bytes of a content, as `cut-at-64`, `cut=1` from the end or `behind=00`."""
    what, _, number = name.rpartition("-" if name.startswith("cut-at-") else "=")
    if what in ENDS and name not in TEXTS:
        return ContentWay(raw=ENDS[what](number))
    return ContentWay(raw=BYTES[name] if name in BYTES else through(TEXTS[name]))


def text_way(name: str) -> ContentWay:
    """Return a way of a text, with other contents left alone."""
    change = TEXTS[name]
    return ContentWay(value=lambda value: change(value) if isinstance(value, str) else value)


def _is_empty(value: Any) -> bool:
    return isinstance(value, str | bytes | list) and not value


EMPTY: dict[str, ContentWay] = {
    "empty-as-null": ContentWay(value=lambda value: None if _is_empty(value) else value),
    "empty-refused": ContentWay(value=refuse_if(_is_empty)),
    "null-refused": ContentWay(value=refuse_if(lambda value: value is None)),
    "null-as-empty-text": ContentWay(value=swap(None, "")),
    "null-as-empty-bytes": ContentWay(value=swap(None, b"")),
    "null-as-empty-list": ContentWay(value=swap(None, [])),
}
"""Ways of an empty content and of null."""


def content_names(kind: str) -> Iterator[str]:
    """Yield the names of the faulty ways of bytes on either side."""
    yield from (f"cut-at-{size}" for size in SIZES[1::2])
    yield from {"text": (*RAW, *OF_TEXTS), "bytes": (*RAW, *OF_BYTES), "": ()}[kind]
