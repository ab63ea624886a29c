"""Lz4 in its frame format, one frame of independent blocks.

04 22 4d 18   FLAGS   sizes   [content size 8]   checksum 1   length 4 little-endian, block, [checksum 4] ...
00 00 00 00   [checksum of the content 4]
"""

from dataclasses import dataclass

from lz4 import block as lz4_block
from xxhash import xxh32_intdigest

from tests.second_codec.steps import NotTaken, Output, Stepwise, wrong_in

MAGIC = bytes.fromhex("04224d18")
FLAGS = {"block-checksum": 0x10, "content-size": 0x08, "content-checksum": 0x04, "reserved": 0x02, "dictionary": 0x01}
INDEPENDENT, VERSION = 0x20, 0x40
STORED = 1 << 31
MOST_FROM_A_BYTE = 255


@dataclass
class _Frame:
    """A frame while it is read."""

    data: bytes
    steps: Stepwise
    at: int = 0
    flags: int = 0
    most: int = 0

    def take(self, count: int) -> bytes:
        if len(self.data) - self.at < count:
            raise NotTaken
        self.at += count
        return self.data[self.at - count : self.at]


def read(data: bytes, steps: Stepwise, *, legacy: bool = False) -> bytes:
    """Return the content of the frame, and ignore bytes after it."""
    frame, wrong = _Frame(data, steps), wrong_in(steps, "lz4.frames")
    if wrong == "skippable-skipped" and data[1:4] == b"\x2a\x4d\x18" and data[0] >> 4 == 5:
        frame.at = 8 + int.from_bytes(data[4:8], "little")
    pieces = _frame(frame, legacy=legacy)
    if wrong == "second-read" and frame.data.startswith(MAGIC, frame.at):
        pieces += _frame(frame, legacy=legacy)
    if wrong == "rest-refused" and frame.at < len(data):
        raise NotTaken
    return b"".join(pieces)


def _frame(frame: _Frame, *, legacy: bool) -> list[bytes]:
    _header(frame, legacy=legacy)
    pieces: list[bytes] = []
    while (piece := _block(frame, len(pieces))) is not None:
        pieces.append(piece)
    wrong = wrong_in(frame.steps, "lz4.content-checksum")
    if frame.flags & FLAGS["content-checksum"] and wrong != "not-skipped":
        if wrong == "cut-taken" and len(frame.data) - frame.at < 4:  # of the checksum
            return pieces
        stored = int.from_bytes(frame.take(4), "little")
        if wrong == "compared" and stored != xxh32_intdigest(b"".join(pieces)):
            raise NotTaken
    return pieces


def _header(frame: _Frame, *, legacy: bool) -> None:
    wrong, start = wrong_in(frame.steps, "lz4.header"), frame.at + 4
    magic, (frame.flags, sizes) = frame.take(4), frame.take(2)
    _check_flags(frame.flags, sizes, wrong, is_magic=magic == MAGIC)
    frame.most = 1 << 8 + 2 * max(sizes >> 4 & 7, 4)
    if frame.flags & FLAGS["content-size"] and wrong != "content-size-not-skipped":
        frame.take(8)
    if wrong == "dictionary-taken" and frame.flags & FLAGS["dictionary"]:
        frame.take(4)
    right = xxh32_intdigest(frame.data[start : frame.at]) >> 8 & 0xFF
    covering = xxh32_intdigest(frame.data[start - 4 : frame.at]) >> 8 & 0xFF
    [stored] = frame.take(1)
    checksum = wrong_in(frame.steps, "lz4.header-checksum")
    if legacy:
        taken = {"right-one-only": {right}, "legacy-one-only": {covering}}.get(checksum, {stored})
    else:
        taken = {"left-out": {stored}, "legacy-taken": {right, covering}, "zero-taken": {right, 0}}.get(
            checksum, {right}
        )
    if stored not in taken:
        raise NotTaken


def _check_flags(flags: int, sizes: int, wrong: str, *, is_magic: bool) -> None:
    present = {name for name, bit in FLAGS.items() if flags & bit}
    present |= {f"block-size-{sizes >> 4 & 7}"} | (set() if flags & INDEPENDENT else {"linked"})
    present |= {"version"} if flags & 0xC0 != VERSION else set()
    present |= {"size-bits"} if sizes & 0x8F else set()
    present |= set() if is_magic else {"magic"}
    refused = present & {"linked", "version", "size-bits", "magic", "reserved", "dictionary"}
    refused |= present & {f"block-size-{code}" for code in range(4)}
    if refused - {wrong.removesuffix("-taken")} or wrong in {f"{name}-refused" for name in present}:
        raise NotTaken


def _block(frame: _Frame, index: int) -> bytes | None:
    """Return a block, or None at the end mark."""
    wrong = wrong_in(frame.steps, "lz4.blocks")
    if frame.at == len(frame.data) and wrong == "end-mark-left-out":
        return None
    head = int.from_bytes(frame.take(4), "big" if wrong == "length-big-endian" else "little")
    is_stored, length = bool(head & STORED), head & ~STORED
    if not length:
        if is_stored and wrong == "stored-end-refused":
            raise NotTaken
        return None
    if (index and wrong == "second-refused") or (is_stored and wrong == "stored-refused"):
        raise NotTaken
    if wrong == {1: "second-ignored", 2: "third-ignored"}.get(index):
        return None
    if length > frame.most and wrong != "larger-taken":
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


def write(data: bytes, steps: Stepwise, *, legacy: bool = False) -> bytes:
    """Return a frame as Apache Kafka writes it, with the fault of the misstep."""
    names = wrong_in(steps, "lz4.header").split("+")
    flags = VERSION | INDEPENDENT | sum(bit for name, bit in FLAGS.items() if name in names)
    flags ^= INDEPENDENT if "linked" in names else 0
    flags ^= 0x80 if "version" in names else 0
    code = next((int(name[-1]) for name in names if name.startswith("block-size-")), 4)
    descriptor = bytes([flags, code << 4 | ("size-bits" in names)])
    if flags & FLAGS["content-size"]:
        descriptor += len(data).to_bytes(8, "little")
    if flags & FLAGS["dictionary"]:
        descriptor += bytes(4)
    magic = b"\x02\x21\x4c\x18" if "magic" in names else MAGIC
    head = magic + descriptor + _written_checksum(descriptor, wrong_in(steps, "lz4.header-checksum"), legacy=legacy)
    frame = head + _written_blocks(data, flags, steps) + _written_end(data, flags, steps)
    return _with_others(frame, data, wrong_in(steps, "lz4.frames"))


def _written_checksum(descriptor: bytes, wrong: str, *, legacy: bool) -> bytes:
    covered = MAGIC + descriptor if legacy != (wrong == "other-form") else descriptor
    byte = xxh32_intdigest(covered) >> 8 & 0xFF
    return bytes([{"wrong": byte ^ 1, "zero": 0}.get(wrong, byte)])


def _with_others(frame: bytes, data: bytes, wrong: str) -> bytes:
    if wrong == "skippable-first":
        return b"\x50\x2a\x4d\x18\x02\0\0\0ab" + frame
    if wrong == "two":
        half = len(data) // 2
        return write(data[:half], Output()) + write(data[half:], Output())
    return frame


def _written_end(data: bytes, flags: int, steps: Stepwise) -> bytes:
    wrong = wrong_in(steps, "lz4.blocks")
    if wrong == "no-end-mark":
        return b""
    end = b"\0\0\0\x80" if wrong == "stored-end" else bytes(4)
    if flags & FLAGS["content-checksum"]:
        wrong = wrong_in(steps, "lz4.content-checksum")
        end += (xxh32_intdigest(data) ^ (wrong == "wrong")).to_bytes(4, "little") if wrong != "missing" else b""
    return end


def _written_blocks(data: bytes, flags: int, steps: Stepwise) -> bytes:
    wrong = wrong_in(steps, "lz4.blocks")
    count = {"two": 2, "three": 3, "four": 4}.get(wrong, 1)
    size = max(-(-len(data) // count), 1) if count > 1 else 1 << (22 if wrong == "large" else 16)
    return b"".join(_written_block(data[at : at + size], flags, wrong) for at in range(0, len(data), size))


def _written_block(piece: bytes, flags: int, wrong: str) -> bytes:
    block, head = bytes(lz4_block.compress(piece, store_size=False)), 0
    if len(block) >= len(piece) or wrong in {"stored", "large"}:
        block, head = piece, STORED
    checksum = xxh32_intdigest(block) ^ (wrong == "checksum-wrong")
    tail = checksum.to_bytes(4, "little") if flags & FLAGS["block-checksum"] else b""
    return (head | len(block)).to_bytes(4, "big" if wrong == "length-big-endian" else "little") + block + tail
