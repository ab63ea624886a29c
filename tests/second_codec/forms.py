"""Forms of numbers and texts by chapter 1 of the book, and of tags by chapter 2."""

import struct
from collections.abc import Collection, Mapping
from uuid import UUID

from tests.second_codec.ways import Counting, NotTaken

HIGHEST_TEXT = 2**15 - 1
HIGHEST_TAG = 2**31 - 2
Tags = list[tuple[int, bytes]]


def zigzag(number: int) -> int:
    return number << 1 if number >= 0 else (-number << 1) - 1


def unzigzag(raw: int) -> int:
    return raw >> 1 ^ -(raw & 1)


TEXT = Counting(width=2, limit=HIGHEST_TEXT)
WIDTHS = {"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint16": 2, "uint32": 4, "float64": 8, "uuid": 16}
"""The bytes of each type of a fixed width."""
KINDS: Mapping[str, type[bool | float | UUID]] = {"bool": bool, "float64": float, "uuid": UUID}


def signed(number: int, bits: int = 32) -> int:
    number %= 2**bits
    return number - 2**bits if number >> (bits - 1) else number


def shortest(number: int) -> bytes:
    """Return the shortest groups of seven bits, the lowest first."""
    groups = bytearray()
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def check_tags(entries: Tags, own: Collection[int | None] = (), highest: int = HIGHEST_TAG) -> None:
    """Refuse tags out of order or out of range, and the definition's own."""
    tags = [tag for tag, _ in entries]
    if not are_sound(tags, highest) or min(tags, default=0) < 0 or not set(tags).isdisjoint(own):
        raise NotTaken


def are_sound(tags: list[int], highest: int = HIGHEST_TAG) -> bool:
    """Return whether tags ascend up to the highest."""
    return tags == sorted(set(tags)) and max(tags, default=0) <= highest


def piece_of(value: bool | float | UUID) -> bytes:  # noqa: FBT001  # it is the value
    if isinstance(value, UUID):
        return value.bytes
    return bytes([value]) if isinstance(value, bool) else struct.pack(">d", value)


def double(piece: bytes) -> float:
    number: float = struct.unpack(">d", piece)[0]
    return number
