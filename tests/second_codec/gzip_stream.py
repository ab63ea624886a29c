"""Gzip (RFC 1952), members with a header of ten bytes and optional fields, a deflate stream, a CRC-32 and a size.

1f 8b 08 FLAGS time 4 xfl os [extra] [name] [comment] [CRC of the header 2] deflate CRC 4 size 4
"""

import zlib

from tests.second_codec.stream_parts import Stream, bits_of, pieces_of, present_in, wrong_in
from tests.second_codec.ways import NotTaken, Stepwise

MAGIC = b"\x1f\x8b"
FLAGS = {"text": 1, "header-crc": 2, "extra": 4, "name": 8, "comment": 16, "reserved": 0xE0}
BLOCKS = ("stored", "fixed", "dynamic")
"""The types of deflate blocks, by the bits 1 and 2 of the first byte."""
SMALLEST_MEMBER, HEADER, UNKNOWN_SYSTEM = 18, 10, 255


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of all members, and ignore bytes after them."""
    form, stream = wrong_in(steps, "gzip.format"), Stream(data, steps)
    if (form == "zlib-taken" and data[:1] == b"\x78") or (form == "deflate-taken" and data[:2] != MAGIC):
        return _plain(data, 15 if form == "zlib-taken" else -15)

    def has_more(count: int) -> bool:
        return not count or (stream.left > SMALLEST_MEMBER and stream.starts(MAGIC))

    pieces = stream.parts("gzip.members", has_more, lambda: _member(stream))
    return pieces[-1] if stream.wrong("gzip.members") == "last-only" else b"".join(pieces)


def _plain(data: bytes, bits: int) -> bytes:
    try:
        return zlib.decompress(data, wbits=bits)
    except zlib.error as error:
        raise NotTaken from error


def _member(stream: Stream) -> bytes:
    _read_header(stream)
    first, inflater = stream.data[stream.at : stream.at + 1], zlib.decompressobj(wbits=-15)
    stream.refuse("gzip.block", {name: first and first[0] >> 1 & 3 == bits for bits, name in enumerate(BLOCKS)})
    try:
        piece = inflater.decompress(stream.data[stream.at :])
    except zlib.error as error:
        raise NotTaken from error
    if not inflater.eof and stream.wrong("gzip.data") != "cut-taken":
        raise NotTaken
    stream.at = len(stream.data) - len(inflater.unused_data)
    if inflater.eof:
        _read_trailer(stream, piece)
    return piece


def _read_header(stream: Stream) -> None:
    start, wrong, fixed = stream.at, stream.wrong("gzip.header"), stream.take(HEADER)
    magic = MAGIC[:1] if wrong == "second-byte-left-out" else MAGIC
    if not fixed.startswith(magic) or (fixed[2] != 8 and wrong != "method-left-out"):
        raise NotTaken
    others = {"time": any(fixed[4:8]), "extra-flags": fixed[8], "system": fixed[9] != UNKNOWN_SYSTEM}
    stream.refuse("gzip.header", present_in(fixed[3], FLAGS) | others)
    for name in ("extra", "name", "comment", "header-crc"):
        if fixed[3] & FLAGS[name] and stream.wrong("gzip.optional") != f"{name}-not-skipped":
            _skip(stream, name, start)


def _skip(stream: Stream, name: str, start: int) -> None:
    """Go on after an optional field of the header that starts at `start`."""
    data, wrong = stream.data, stream.wrong("gzip.optional")
    if name == "extra":
        length = data[stream.at : stream.at + 2]
        stream.at += 2 + int.from_bytes(length, "big" if wrong == "extra-big-endian" else "little")
    elif name == "header-crc":
        crc = (zlib.crc32(data[start : stream.at]) & 0xFFFF).to_bytes(2, "little")
        if not stream.starts(crc) and wrong != "header-crc-left-out":
            raise NotTaken
        stream.at += 2
    else:
        stream.at = data.find(b"\0", stream.at) + 1
        if not stream.at:
            raise NotTaken


def _read_trailer(stream: Stream, piece: bytes) -> None:
    wrong = stream.wrong("gzip.trailer")
    if wrong == "left-out" and stream.left < 8:
        stream.at = len(stream.data)
        return
    crc, size = stream.take(4), stream.take(4)
    is_right = crc == zlib.crc32(piece).to_bytes(4, "little") or wrong in {"crc-left-out", "left-out"}
    if not is_right or (size != len(piece).to_bytes(4, "little") and wrong not in {"size-left-out", "left-out"}):
        raise NotTaken


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return one member, with the fault of the misstep."""
    form = wrong_in(steps, "gzip.format")
    if form in {"zlib", "deflate"}:
        return zlib.compress(data) if form == "zlib" else zlib.compress(data)[2:-4]
    pieces = pieces_of(data, wrong_in(steps, "gzip.members")) or [data]
    return b"".join(_written(piece, steps) for piece in pieces)


def _written(data: bytes, steps: Stepwise) -> bytes:
    block, wrong = wrong_in(steps, "gzip.block"), wrong_in(steps, "gzip.trailer")
    strategy = zlib.Z_FIXED if block == "fixed" else zlib.Z_DEFAULT_STRATEGY
    level = {"stored": 0, "best": 9, "fast": 1}.get(block, 6)
    deflater = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    body = deflater.compress(data) + deflater.flush()
    crc = zlib.crc32(data) ^ {"crc-wrong": 1, "crc-wrong-high": 1 << 31}.get(wrong, 0)
    size = len(data) ^ {"size-wrong": 1, "size-wrong-high": 1 << 31}.get(wrong, 0)
    numbers = [number.to_bytes(4, "big" if wrong == "big-endian" else "little") for number in (crc, size)]
    return _written_header(wrong_in(steps, "gzip.header")) + body + b"".join(numbers)


EDITS = {
    "method": (2, b"\7"),
    "second-byte": (1, b"\x8c"),
    "reserved": (3, b"\x20"),
    "time": (4, b"\1\2\3\4"),
    "extra-flags": (8, b"\2"),
    "system": (9, b"\3"),
}
OPTIONAL = {"extra": b"\3\0abc", "name": b"name\0", "comment": b"comment\0"}


def _written_header(wrong: str) -> bytes:
    names = {*wrong.split("+")} - {"reserved"}
    head = bytearray([*MAGIC, 8, bits_of(names, FLAGS), *bytes(5), UNKNOWN_SYSTEM])
    at, edit = EDITS.get(wrong, (0, b"\x1f"))
    head[at : at + len(edit)] = edit
    for name, content in OPTIONAL.items():
        head += content if name in names else b""
    if "header-crc" in names:
        head += ((zlib.crc32(head) ^ ("crc-wrong" in wrong)) & 0xFFFF).to_bytes(2, "little")
    return bytes(head)
