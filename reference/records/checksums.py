"""The checksums of records, namely CRC-32C, CRC-32 and xxHash-32.

A batch has a CRC-32C, a message of magic 0 or 1 a CRC-32, and an lz4 frame an xxHash-32.

>>> crc32c(b"123456789").hex(), crc32(b"123456789").hex()
('e3069283', 'cbf43926')
"""

from __future__ import annotations

import zlib

import crc32c as castagnoli
import xxhash


def crc32c(data: bytes) -> bytes:
    """Return the CRC-32C of `data`, as four bytes."""
    return castagnoli.crc32c(data).to_bytes(4, "big")


def crc32(data: bytes) -> bytes:
    """Return the CRC-32 of `data`, as in zip files, as four bytes."""
    return zlib.crc32(data).to_bytes(4, "big")


def xxhash32(data: bytes) -> int:
    """Return the xxHash-32 of `data` with seed 0."""
    return xxhash.xxh32_intdigest(data)
