"""Lz4 in its frame format, one frame of independent blocks.

04 22 4d 18   FLAGS   sizes   [content size 8]   checksum 1   length 4 little-endian, block, [checksum 4] ...
00 00 00 00   [checksum of the content 4]
"""

from dataclasses import dataclass

from lz4 import block as lz4_block
from xxhash import xxh32_intdigest

from tests.second_codec.steps import Output
from tests.second_codec.stream_parts import (
    SKIPPABLE,
    Stream,
    bits_of,
    is_skippable,
    pieces_of,
    present_in,
    sized,
    wrong_in,
)
from tests.second_codec.ways import BETWEEN, NotTaken, Stepwise

MAGIC = bytes.fromhex("04224d18")
FLAGS = {"block-checksum": 0x10, "content-size": 0x08, "content-checksum": 0x04, "reserved": 0x02, "dictionary": 0x01}
INDEPENDENT, VERSION = 0x20, 0x40
STORED = 1 << 31
MOST_FROM_A_BYTE = 255
REFUSED = ("linked", "version", "size-bits", "magic", "reserved", "dictionary", *(f"block-size-{n}" for n in range(4)))
"""Properties of a header no reader takes."""


@dataclass
class _Frame(Stream):
    """A frame while it is read."""

    flags: int = 0
    most: int = 0
    head: int = 0
    """The length before the next block."""


def _is_legacy(steps: Stepwise) -> bool:
    """Return whether the checksum of the header covers its magic number, as in a message of magic 0."""
    return [each for each in steps.here.split(BETWEEN) if each.startswith("magic-")][-1:] == ["magic-0"]


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of the frame, and ignore bytes after it."""
    frame, wrong = _Frame(data, steps), wrong_in(steps, "lz4.frames")
    if wrong == "skippable-skipped" and is_skippable(data):
        frame.at = 8 + int.from_bytes(data[4:8], "little")
    pieces = _read_frame(frame)
    if wrong == "second-read" and frame.starts(MAGIC):
        pieces += _read_frame(frame)
    if wrong == "rest-refused" and frame.left:
        raise NotTaken
    return b"".join(pieces)


def _read_frame(frame: _Frame) -> list[bytes]:
    _read_header(frame)
    pieces = frame.parts("lz4.blocks", lambda _count: _has_more(frame), lambda: _block(frame))
    wrong = frame.wrong("lz4.content-checksum")
    is_cut = wrong == "cut-taken" and frame.left < 4
    if frame.flags & FLAGS["content-checksum"] and wrong != "not-skipped" and not is_cut:
        stored = int.from_bytes(frame.take(4), "little")
        if wrong == "compared" and stored != xxh32_intdigest(b"".join(pieces)):
            raise NotTaken
    return pieces


def _read_header(frame: _Frame) -> None:
    start, magic, (frame.flags, sizes) = frame.at, frame.take(4), frame.take(2)
    code = sizes >> 4 & 7
    frame.most = 1 << 8 + 2 * max(code, 4)
    _check(frame, sizes, is_magic=magic == MAGIC)
    wrong = frame.wrong("lz4.header")
    frame.take(8 if frame.flags & FLAGS["content-size"] and wrong != "content-size-not-skipped" else 0)
    frame.take(4 if frame.flags & FLAGS["dictionary"] and wrong == "dictionary-taken" else 0)
    covering, right = (xxh32_intdigest(frame.data[at : frame.at]) >> 8 & 0xFF for at in (start, start + 4))
    [stored] = frame.take(1)
    others = {"left-out": {stored}, "legacy-taken": {right, covering}, "zero-taken": {right, 0}}
    legacies = {"right-one-only": {right}, "legacy-one-only": {covering}}
    taken, usual = (legacies, {stored}) if _is_legacy(frame.steps) else (others, {right})
    if stored not in taken.get(frame.wrong("lz4.header-checksum"), usual):
        raise NotTaken


def _check(frame: _Frame, sizes: int, *, is_magic: bool) -> None:
    present = present_in(frame.flags, FLAGS) | {
        f"block-size-{sizes >> 4 & 7}": True,
        "linked": not frame.flags & INDEPENDENT,
        "version": frame.flags & 0xC0 != VERSION,
        "size-bits": sizes & 0x8F,
        "magic": not is_magic,
    }
    frame.refuse("lz4.header", present)
    if any(present.get(name) and frame.wrong("lz4.header") != f"{name}-taken" for name in REFUSED):
        raise NotTaken


def _has_more(frame: _Frame) -> bool:
    """Read the length of a block, and return whether it is no end mark."""
    wrong = frame.wrong("lz4.blocks")
    if not frame.left and wrong == "end-mark-left-out":
        return False
    frame.head = int.from_bytes(frame.take(4), "big" if wrong == "length-big-endian" else "little")
    if frame.head == STORED and wrong == "stored-end-refused":
        raise NotTaken
    return frame.head & ~STORED > 0


def _block(frame: _Frame) -> bytes:
    wrong, length = frame.wrong("lz4.blocks"), frame.head & ~STORED
    is_stored = bool(frame.head & STORED)
    if (length > frame.most and wrong != "larger-taken") or (is_stored and wrong == "stored-refused"):
        raise NotTaken
    block = frame.take(length)
    piece = block if is_stored and wrong != "stored-as-compressed" else _decompressed(block, frame.most)
    if frame.flags & FLAGS["block-checksum"] and wrong != "checksum-not-skipped":
        stored = frame.take(4)
        if stored != xxh32_intdigest(block).to_bytes(4, "little") and wrong != "checksum-left-out":
            raise NotTaken
    if not piece:
        raise NotTaken
    return piece


def _decompressed(block: bytes, most: int) -> bytes:
    try:
        return bytes(lz4_block.decompress(block, uncompressed_size=min(most, MOST_FROM_A_BYTE * len(block))))
    except lz4_block.LZ4BlockError as error:
        raise NotTaken from error


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return a frame as Apache Kafka writes it, with the fault of the misstep."""
    wrong = wrong_in(steps, "lz4.frames")
    if wrong == "two":
        return b"".join(write(piece, Output()) for piece in pieces_of(data, "two") or ())
    names = wrong_in(steps, "lz4.header").split("+")
    flags = VERSION | INDEPENDENT | bits_of(names, FLAGS)
    flags ^= bits_of(names, {"linked": INDEPENDENT, "version": 0x80})
    code = next((int(name[-1]) for name in names if name.startswith("block-size-")), 4)
    descriptor = bytes([flags, code << 4 | ("size-bits" in names)])
    descriptor += len(data).to_bytes(8, "little") if flags & FLAGS["content-size"] else b""
    descriptor += bytes(4 if flags & FLAGS["dictionary"] else 0)
    magic = b"\x02\x21\x4c\x18" if "magic" in names else MAGIC
    frame = magic + descriptor + _written_checksum(descriptor, steps) + _written_blocks(data, flags, steps)
    return SKIPPABLE + frame if wrong == "skippable-first" else frame


def _written_checksum(descriptor: bytes, steps: Stepwise) -> bytes:
    wrong = wrong_in(steps, "lz4.header-checksum")
    covered = MAGIC + descriptor if _is_legacy(steps) != (wrong == "other-form") else descriptor
    byte = xxh32_intdigest(covered) >> 8 & 0xFF
    return bytes([{"wrong": byte ^ 1, "zero": 0}.get(wrong, byte)])


def _written_blocks(data: bytes, flags: int, steps: Stepwise) -> bytes:
    wrong, checksum = wrong_in(steps, "lz4.blocks"), wrong_in(steps, "lz4.content-checksum")
    count = {"two": 2, "three": 3, "four": 4}.get(wrong, 1)
    size = max(-(-len(data) // count), 1) if count > 1 else 1 << (22 if wrong == "large" else 16)
    blocks = b"".join(_written_block(piece, flags, wrong) for piece in sized(data, size))
    if wrong == "no-end-mark":
        return blocks
    end = b"\0\0\0\x80" if wrong == "stored-end" else bytes(4)
    if flags & FLAGS["content-checksum"] and checksum != "missing":
        end += (xxh32_intdigest(data) ^ (checksum == "wrong")).to_bytes(4, "little")
    return blocks + end


def _written_block(piece: bytes, flags: int, wrong: str) -> bytes:
    block, head = bytes(lz4_block.compress(piece, store_size=False)), 0
    if len(block) >= len(piece) or wrong in {"stored", "large"}:
        block, head = piece, STORED
    checksum = xxh32_intdigest(block) ^ (wrong == "checksum-wrong")
    tail = checksum.to_bytes(4, "little") if flags & FLAGS["block-checksum"] else b""
    return (head | len(block)).to_bytes(4, "big" if wrong == "length-big-endian" else "little") + block + tail
