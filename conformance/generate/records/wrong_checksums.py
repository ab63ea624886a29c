"""Checksums of batches and messages that are wrong in one bit, or made of other bytes or by another function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.records.building import HEADER, MAGIC, MAGIC_AT
from reference.records.checksums import crc32, crc32c

if TYPE_CHECKING:
    from collections.abc import Iterator

CRC_OF_BATCH, COVERED, BEHIND_ATTRIBUTES, LEADER_EPOCH = 17, 21, 23, 12
CRC_OF_MESSAGE, COVERED_IN_MESSAGE = 12, 16
BITS = (0, 8, 16, 31)
"""One of each byte."""
ONES = b"\xff" * 4


def wrong_checksums(data: bytes, *, one: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield one batch or message with wrong checksums; with one that is wrong in its lowest bit if that is enough."""
    is_batch = data[MAGIC_AT] == MAGIC
    at = CRC_OF_BATCH if is_batch else CRC_OF_MESSAGE
    right = int.from_bytes(data[at : at + 4], "big")
    for bit in BITS[:1] if one else BITS:
        yield f"crc-wrong-in-bit-{bit}", _with(data, at, (right ^ 1 << bit).to_bytes(4, "big"))
    for name, checksum in () if one else (_of_batch(data) if is_batch else _of_message(data)):
        if checksum != data[at : at + 4]:
            yield f"crc-{name}", _with(data, at, checksum)


def _with(data: bytes, at: int, checksum: bytes) -> bytes:
    return data[:at] + checksum + data[at + 4 :]


def _inverted(checksum: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in checksum)


def _of_batch(data: bytes) -> Iterator[tuple[str, bytes]]:
    right = crc32c(data[COVERED:])
    yield from (("zero", bytes(4)), ("ones", ONES), ("little-endian", right[::-1]), ("inverted", _inverted(right)))
    yield "by-crc-32", crc32(data[COVERED:])
    yield "of-the-header", crc32c(data[COVERED:HEADER])
    yield "of-the-records", crc32c(data[HEADER:])
    yield "without-attributes", crc32c(data[BEHIND_ATTRIBUTES:])
    yield "without-the-last-byte", crc32c(data[COVERED:-1])
    yield "from-the-magic", crc32c(data[MAGIC_AT:CRC_OF_BATCH] + data[COVERED:])
    yield "from-the-leader-epoch", crc32c(data[LEADER_EPOCH:CRC_OF_BATCH] + data[COVERED:])


def _of_message(data: bytes) -> Iterator[tuple[str, bytes]]:
    right = crc32(data[COVERED_IN_MESSAGE:])
    yield from (("zero", bytes(4)), ("ones", ONES), ("little-endian", right[::-1]), ("inverted", _inverted(right)))
    yield "by-crc-32c", crc32c(data[COVERED_IN_MESSAGE:])
    yield "without-the-magic", crc32(data[COVERED_IN_MESSAGE + 1 :])
    yield "without-the-attributes", crc32(data[COVERED_IN_MESSAGE + 2 :])
    yield "without-the-last-byte", crc32(data[COVERED_IN_MESSAGE:-1])
