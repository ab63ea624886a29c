"""Unsigned varints in other forms than the shortest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator


def padded(number: int, length: int) -> bytes:
    """Return the unsigned varint of a number in `length` bytes."""
    groups = [number >> 7 * index & 0x7F for index in range(length)]
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])


def varint_forms(number: int) -> Iterator[tuple[str, bytes]]:
    """Other forms of the varint of a number of 32 bits."""
    shortest, five = unsigned_varint(number), padded(number, 5)
    yield "varint-overlong", padded(number, len(shortest) + 1)
    yield "varint-overlong-five-bytes", five
    yield "varint-six-bytes", padded(number, 6)
    yield "varint-excess-bits", five[:-1] + bytes([five[-1] | 0x10])
