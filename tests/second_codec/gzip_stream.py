"""Gzip (RFC 1952), members with a header of ten bytes and optional fields, a deflate stream, a CRC-32 and a size.

1f 8b 08 FLAGS time 4 xfl os [extra] [name] [comment] [CRC of the header 2] deflate CRC 4 size 4
"""

import zlib

from tests.second_codec.steps import NotTaken, Stepwise, pieces_of, wrong_in

MAGIC = b"\x1f\x8b"
FLAGS = {"text": 1, "header-crc": 2, "extra": 4, "name": 8, "comment": 16}
BLOCKS = {"stored": 0, "fixed": 1, "dynamic": 2}
"""The types of deflate blocks, by the bits 1 and 2 of the first byte."""
SMALLEST_MEMBER = 18


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of all members, and ignore bytes after them."""
    if wrong_in(steps, "gzip.format") == "zlib-taken" and data[:1] == b"\x78":
        return _plain(data, 15)
    if wrong_in(steps, "gzip.format") == "deflate-taken" and data[:2] != MAGIC:
        return _plain(data, -15)
    wrong, at = wrong_in(steps, "gzip.members"), 0
    pieces: list[bytes] = []
    while not pieces or (len(data) - at > SMALLEST_MEMBER and data.startswith(MAGIC, at)):
        if pieces and wrong == "second-refused":
            raise NotTaken
        if wrong == {1: "second-ignored", 2: "third-ignored"}.get(len(pieces)):
            break
        if wrong == "empty-as-the-end" and b"" in pieces:
            break
        piece, at = _member(data, at, steps)
        if not piece and wrong == "empty-refused":
            raise NotTaken
        pieces.append(piece)
    if at < len(data) and wrong == "rest-refused":
        raise NotTaken
    return pieces[-1] if wrong == "last-only" else b"".join(pieces)


def _plain(data: bytes, bits: int) -> bytes:
    try:
        return zlib.decompress(data, wbits=bits)
    except zlib.error as error:
        raise NotTaken from error


def _member(data: bytes, start: int, steps: Stepwise) -> tuple[bytes, int]:
    at = _header(data, start, steps)
    _check_block(data[at : at + 1], wrong_in(steps, "gzip.block"))
    inflater = zlib.decompressobj(wbits=-15)
    try:
        piece = inflater.decompress(data[at:])
    except zlib.error as error:
        raise NotTaken from error
    if not inflater.eof:
        if wrong_in(steps, "gzip.data") == "cut-taken":
            return piece, len(data)
        raise NotTaken
    at = len(data) - len(inflater.unused_data)
    return piece, _trailer(data, at, piece, wrong_in(steps, "gzip.trailer"))


def _check_block(first: bytes, wrong: str) -> None:
    if first and wrong in {f"{name}-refused" for name, bits in BLOCKS.items() if first[0] >> 1 & 3 == bits}:
        raise NotTaken


def _header(data: bytes, start: int, steps: Stepwise) -> int:
    """Check a header, and return where it ends."""
    fixed, wrong = data[start : start + 10], wrong_in(steps, "gzip.header")
    magic = MAGIC[:1] if wrong == "second-byte-left-out" else MAGIC
    if len(fixed) < 10 or not fixed.startswith(magic) or (fixed[2] != 8 and wrong != "method-left-out"):
        raise NotTaken
    flags = fixed[3]
    present = {name for name, bit in FLAGS.items() if flags & bit}
    present |= {"time"} if any(fixed[4:8]) else set()
    present |= {"extra-flags"} if fixed[8] else set()
    present |= {"system"} if fixed[9] != 255 else set()  # not known
    present |= {"reserved"} if flags & 0xE0 else set()
    if wrong in {f"{name}-refused" for name in present}:
        raise NotTaken
    return _optional(data, start, flags, wrong_in(steps, "gzip.optional"))


def _optional(data: bytes, start: int, flags: int, wrong: str) -> int:
    at = start + 10
    if flags & FLAGS["extra"] and wrong != "extra-not-skipped":
        at += 2 + int.from_bytes(data[at : at + 2], "big" if wrong == "extra-big-endian" else "little")
    for name in ("name", "comment"):
        if flags & FLAGS[name] and wrong != f"{name}-not-skipped":
            end = data.find(b"\0", at)
            if end < 0:
                raise NotTaken
            at = end + 1
    if flags & FLAGS["header-crc"] and wrong != "header-crc-not-skipped":
        crc = (zlib.crc32(data[start:at]) & 0xFFFF).to_bytes(2, "little")
        if data[at : at + 2] != crc and wrong != "header-crc-left-out":
            raise NotTaken
        at += 2
    return at


def _trailer(data: bytes, at: int, piece: bytes, wrong: str) -> int:
    if wrong == "left-out" and len(data) - at < 8:  # the size of a trailer
        return len(data)
    crc, size = data[at : at + 4], data[at + 4 : at + 8]
    is_right = crc == zlib.crc32(piece).to_bytes(4, "little") or wrong in {"crc-left-out", "left-out"}
    is_right &= size == len(piece).to_bytes(4, "little") or wrong in {"size-left-out", "left-out"}
    if not is_right or len(size) < 4:
        raise NotTaken
    return at + 8


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return one member, with the fault of the misstep."""
    pieces = pieces_of(data, wrong_in(steps, "gzip.members")) or [data]
    if wrong_in(steps, "gzip.format") == "zlib":
        return zlib.compress(data)
    if wrong_in(steps, "gzip.format") == "deflate":
        return zlib.compress(data)[2:-4]
    return b"".join(_written(piece, steps) for piece in pieces)


def _written(data: bytes, steps: Stepwise) -> bytes:
    level = {"stored": 0, "best": 9, "fast": 1}.get(wrong_in(steps, "gzip.block"), 6)
    strategy = zlib.Z_FIXED if wrong_in(steps, "gzip.block") == "fixed" else zlib.Z_DEFAULT_STRATEGY
    deflater = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    body = deflater.compress(data) + deflater.flush()
    crc, size, wrong = zlib.crc32(data), len(data), wrong_in(steps, "gzip.trailer")
    crc ^= {"crc-wrong": 1, "crc-wrong-high": 1 << 31}.get(wrong, 0)
    size ^= {"size-wrong": 1, "size-wrong-high": 1 << 31}.get(wrong, 0)
    trailer = crc.to_bytes(4, "little") + size.to_bytes(4, "little")
    if wrong == "big-endian":
        trailer = crc.to_bytes(4, "big") + size.to_bytes(4, "big")
    return _written_header(wrong_in(steps, "gzip.header")) + body + trailer


def _written_header(wrong: str) -> bytes:
    flags = sum(bit for name, bit in FLAGS.items() if name in wrong.split("+"))
    head = bytearray(MAGIC + b"\x08" + bytes([flags]) + bytes(4) + b"\0\xff")
    if wrong == "method":
        head[2] = 7
    if wrong == "second-byte":
        head[1] = 0x8C
    if wrong == "reserved":
        head[3] = 0x20
    if wrong == "time":
        head[4:8] = b"\x01\x02\x03\x04"
    head[8] = 2 if wrong == "extra-flags" else 0
    head[9] = 3 if wrong == "system" else 255
    return _with_optional(bytes(head), flags, wrong)


def _with_optional(head: bytes, flags: int, wrong: str) -> bytes:
    head += b"\x03\0abc" if flags & FLAGS["extra"] else b""
    head += b"name\0" if flags & FLAGS["name"] else b""
    head += b"comment\0" if flags & FLAGS["comment"] else b""
    if flags & FLAGS["header-crc"]:
        crc = zlib.crc32(head) ^ ("crc-wrong" in wrong)
        head += (crc & 0xFFFF).to_bytes(2, "little")
    return head
