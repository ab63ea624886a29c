"""Frames of lz4 in every form.

Flags, sizes of blocks, stored blocks and checksums vary, and some frames have one fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import lz4.block

from reference.records.checksums import xxhash32
from reference.records.compression.lz4 import (
    BLOCK_CHECKSUM,
    CONTENT_CHECKSUM,
    CONTENT_SIZE,
    INDEPENDENT,
    MAGIC,
    SIZES,
    STORED,
    VERSION_1,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DICTIONARY, RESERVED_FLAG, RESERVED_SIZE = 0x01, 0x02, 0x01
BOMB = 6
"""The number of blocks of 4 MiB of zeros after the records of a bomb, more than the bound of the oracle."""
OF_MAGIC_0 = {f"header-checksum-{each}": each for each in ("legacy", "zero", "wrong")}
"""The checksums of headers that readers ignore in messages of magic 0 alone, by the name of the stream."""
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\0\0\0skip"


class Lz4Header(NamedTuple):
    """The fields of the header of a frame, and the way of its checksum."""

    flags: int = 0
    """Flags beside version and independent blocks."""
    code: int = 4
    """The code of the largest size of a block."""
    without: int = 0
    """Flags missing from the header."""
    size_bits: int = 0
    size: int | None = None
    """The size of the content if the header has one, or None for the size of the data."""
    checksum: str = "right"

    def wire(self, data: bytes) -> bytes:
        """Return its bytes before these data."""
        flags = (VERSION_1 | INDEPENDENT | self.flags) & ~self.without
        descriptor = bytes([flags, self.code << 4 | self.size_bits])
        size = len(data) if self.size is None else self.size
        descriptor += size.to_bytes(8, "little") if flags & CONTENT_SIZE else b""
        descriptor += bytes(4) if flags & DICTIONARY else b""
        right, legacy = (xxhash32(covered) >> 8 & 0xFF for covered in (descriptor, MAGIC + descriptor))
        byte = {"right": right, "legacy": legacy, "zero": 0, "wrong": right ^ 1}[self.checksum]
        return MAGIC + descriptor + bytes([byte])


def block(data: bytes, *, stored: bool = False, checksum: int | None = None) -> bytes:
    """Return a block after its length.

    `checksum` has the bits in which the checksum after it is wrong; None writes no checksum.
    """
    written = data if stored else bytes(lz4.block.compress(data, store_size=False))
    head = len(written) | (STORED if stored else 0)
    tail = b"" if checksum is None else (xxhash32(written) ^ checksum).to_bytes(4, "little")
    return head.to_bytes(4, "little") + written + tail


def frame(data: bytes, blocks: Sequence[bytes] = (), header: Lz4Header = Lz4Header(), end: bytes = bytes(4)) -> bytes:  # noqa: B008  # it does not change
    """Return a frame of these blocks, or of one block of the data if there are none."""
    return header.wire(data) + b"".join(blocks or [block(data)]) + end


def lz4_forms(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes, valid ones and ones with one fault."""
    yield from _headers(data)
    yield from _checksums(data)
    yield from _blocks(data)
    half = len(data) // 2
    yield "bomb", frame(data, [block(data), *[block(bytes(SIZES[7]))] * BOMB], Lz4Header(code=7))
    yield "two-frames", frame(data[:half]) + frame(data[half:])
    yield "skippable-frame-first", SKIPPABLE + frame(data)
    yield "skippable-frame-last", frame(data) + SKIPPABLE


def declaring_lz4(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield frames of these bytes with another declared size of their content."""
    for name, size in {"256-mib": 1 << 28, "1-tib": 1 << 40, "highest": (1 << 64) - 1}.items():
        yield f"declares-{name}", frame(data, header=Lz4Header(CONTENT_SIZE, size=size))


def _headers(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield "store-size", frame(data, header=Lz4Header(CONTENT_SIZE))
    yield "wrong-content-size", frame(data, header=Lz4Header(CONTENT_SIZE, size=len(data) + 1))
    yield from declaring_lz4(data)
    for code, name in {5: "256-kib", 6: "1-mib", 7: "4-mib"}.items():
        yield f"blocks-of-{name}", frame(data, header=Lz4Header(code=code))
    for code in (0, 1, 2, 3):
        yield f"block-size-{code}", frame(data, header=Lz4Header(code=code))
    yield "dictionary", frame(data, header=Lz4Header(DICTIONARY))
    yield "reserved-flag", frame(data, header=Lz4Header(RESERVED_FLAG))
    yield "reserved-size-bit", frame(data, header=Lz4Header(size_bits=RESERVED_SIZE))
    yield "linked-blocks", frame(data, header=Lz4Header(without=INDEPENDENT))
    yield "version-0", frame(data, header=Lz4Header(without=VERSION_1))
    yield "old-magic", b"\x02\x21\x4c\x18" + frame(data)[4:]
    for name, checksum in OF_MAGIC_0.items():
        yield name, frame(data, header=Lz4Header(checksum=checksum))


def _checksums(data: bytes) -> Iterator[tuple[str, bytes]]:
    of_block, of_content = Lz4Header(BLOCK_CHECKSUM), Lz4Header(CONTENT_CHECKSUM)
    checksum = xxhash32(data)
    end = bytes(4) + checksum.to_bytes(4, "little")
    yield "block-checksum", frame(data, [block(data, checksum=0)], of_block)
    yield "wrong-block-checksum", frame(data, [block(data, checksum=1)], of_block)
    yield "no-block-checksum", frame(data, header=of_block)
    yield "content-checksum", frame(data, header=of_content, end=end)
    yield "wrong-content-checksum", frame(data, header=of_content, end=end[:4] + (checksum ^ 1).to_bytes(4, "little"))
    yield "no-content-checksum", frame(data, header=of_content)
    yield "content-checksum-cut", frame(data, header=of_content, end=end[:-1])
    both = Lz4Header(BLOCK_CHECKSUM | CONTENT_CHECKSUM | CONTENT_SIZE)
    yield "all-options", frame(data, [block(data, checksum=0)], both, end)


def _blocks(data: bytes) -> Iterator[tuple[str, bytes]]:
    half = len(data) // 2
    pieces = data[:1], data[1:half], data[half:]
    yield "stored-block", frame(data, [block(data, stored=True)])
    yield "two-blocks", frame(data, [block(data[:half]), block(data[half:])])
    yield "three-blocks", frame(data, list(map(block, pieces)))
    yield "stored-then-compressed", frame(data, [block(data[:half], stored=True), block(data[half:])])
    yield "stored-end-mark", frame(data, end=b"\0\0\0\x80")
    yield "no-end-mark", frame(data, end=b"")
    yield "empty-block", frame(data, [block(b""), block(data)])
    yield "big-endian-length", frame(data, [block(data)[3::-1] + block(data)[4:]])


def block_beyond_its_size(data: bytes) -> bytes:
    """Return a frame with a stored block of one byte more than announced by its header.

    The data are filled up to this size.
    """
    return frame(data, [block(data.ljust(SIZES[4] + 1, b"\0"), stored=True)])
