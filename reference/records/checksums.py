"""The checksums of records: CRC-32C of a batch, CRC-32 of a message of magic 0 or 1, xxHash-32 of lz4 frames.

>>> crc32c(b"123456789").hex(), crc32(b"123456789").hex()
('e3069283', 'cbf43926')
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING

from reference.records.extra import MissingLibrary, library

if TYPE_CHECKING:
    from collections.abc import Callable

CASTAGNOLI = 0x82F63B78
"""The polynomial of CRC-32C, its bits reversed."""
_ALL_ONES = 0xFFFF_FFFF


def crc32c(data: bytes) -> bytes:
    """Return the CRC-32C of `data`, as four bytes; without the extra `records` it is computed in Python."""
    return _native_or_table()(data).to_bytes(4, "big")


def crc32(data: bytes) -> bytes:
    """Return the CRC-32 of `data`, the one of zip files, as four bytes."""
    return zlib.crc32(data).to_bytes(4, "big")


def xxhash32(data: bytes) -> int:
    """Return the xxHash-32 of `data` with seed 0.

    Raises:
        MissingLibrary: the extra `records` is not installed.
    """
    digest: int = library("xxhash", "lz4").xxh32_intdigest(data)
    return digest


@cache
def _native_or_table() -> Callable[[bytes], int]:
    try:
        native: Callable[[bytes], int] = library("crc32c", "CRC-32C").crc32c
    except MissingLibrary:
        return crc32c_by_table
    return native


def crc32c_by_table(data: bytes) -> int:
    """Return the CRC-32C of `data`, without any library."""
    table, crc = _table(), _ALL_ONES
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ _ALL_ONES


@cache
def _table() -> tuple[int, ...]:
    return tuple(_remainder(byte) for byte in range(256))


def _remainder(byte: int) -> int:
    for _ in range(8):
        byte = (byte >> 1) ^ (CASTAGNOLI if byte & 1 else 0)
    return byte
