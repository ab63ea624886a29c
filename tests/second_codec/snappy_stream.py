"""Snappy, as chunks of xerial's library after a header of 16 bytes, or as one raw block.

    82 53 4e 41 50 50 59 00   version 4   compatible 4   length 4   block   length 4   block ...

A block is its length as a varint, then literals and copies of earlier content.
"""

from cramjam import DecompressionError, snappy

from tests.second_codec.forms import shortest
from tests.second_codec.steps import Input
from tests.second_codec.stream_parts import Stream, pieces_of, sized, wrong_in
from tests.second_codec.ways import NotTaken, Stepwise

MAGIC = b"\x82SNAPPY\0"
VERSIONS = b"\0\0\0\x01\0\0\0\x01"
HEADER = MAGIC + VERSIONS
BLOCK = 32 << 10
APIS = b"\xff\x06\0\0sNaPpY"
MOST_FROM_A_BYTE = 64


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of a stream."""
    form = wrong_in(steps, "snappy.form")
    if not data.startswith(MAGIC) or len(data) < len(HEADER):
        if form == "raw-refused" or not data:
            raise NotTaken
        return _block(data.removeprefix(APIS) if form == "framed-taken" else data)
    if form == "xerial-refused" or (form == "other-versions-refused" and not data.startswith(HEADER)):
        raise NotTaken
    stream = Stream(data, steps, len(MAGIC if form == "without-versions" else HEADER))
    pieces = stream.parts("snappy.chunks", lambda _count: _has_more(stream), lambda: _chunk(stream))
    if not pieces:
        raise NotTaken
    return b"".join(pieces)


def _has_more(stream: Stream) -> bool:
    """Return whether there is a chunk, perhaps in another stream."""
    while stream.left >= 4 and stream.starts(MAGIC):
        wrong = stream.wrong("snappy.chunks")
        if wrong == "second-header-refused":
            raise NotTaken
        stream.at = len(stream.data) if wrong == "second-stream-ignored" else stream.at + len(HEADER)
    return stream.left >= 4


def _chunk(stream: Stream) -> bytes:
    wrong = stream.wrong("snappy.length")
    length = int.from_bytes(stream.take(4), "little" if wrong == "little-endian" else "big", signed=True)
    length &= 0xFF if wrong == "lowest-byte" else -1
    if not length and wrong == "zero-taken":
        return b""
    if wrong == "beyond-cut":
        length = min(length, stream.left)
    if length <= 0:
        raise NotTaken
    return _block(stream.take(length))


def _block(block: bytes) -> bytes:
    if Input(block).varint("") > MOST_FROM_A_BYTE * len(block):
        raise NotTaken
    try:
        return bytes(snappy.decompress_raw(block))
    except DecompressionError as error:
        raise NotTaken from error


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return a xerial stream, with the fault of the misstep."""
    form, chunks = wrong_in(steps, "snappy.form"), wrong_in(steps, "snappy.chunks")
    if form in {"raw", "framed"}:
        return (APIS if form == "framed" else b"") + _written_block(data, wrong_in(steps, "snappy.block"))
    pieces = pieces_of(data, chunks.removesuffix("-streams"))
    if pieces is None:
        pieces = sized(data, max(len(data), 1) if chunks == "large" else BLOCK)
    versions = {"version-9": b"\0\0\0\x09\0\0\0\x09", "version-0": bytes(8)}.get(form, VERSIONS)
    written = (HEADER if chunks == "two-streams" else b"").join(_written_chunk(piece, steps) for piece in pieces)
    return written if form == "without-header" else MAGIC + versions + written


def _written_chunk(piece: bytes, steps: Stepwise) -> bytes:
    block, wrong = _written_block(piece, wrong_in(steps, "snappy.block")), wrong_in(steps, "snappy.length")
    length = {"one-more": len(block) + 1, "one-less": len(block) - 1, "zero": 0}.get(wrong, len(block))
    head = length.to_bytes(4, "little" if wrong == "little-endian" else "big")
    return head + block + bytes(4 if wrong == "zero-behind" else 0)


def _written_block(piece: bytes, wrong: str) -> bytes:
    head = shortest(len(piece))
    if wrong == "literal" and piece:
        return head + b"".join(bytes([60 << 2, len(each) - 1]) + each for each in sized(piece, 256))
    if wrong == "long-literal" and piece:
        return head + b"\xf8" + (len(piece) - 1).to_bytes(3, "little") + piece
    block = bytes(snappy.compress_raw(piece))
    if wrong in {"one-more", "one-less"}:
        return shortest(max(len(piece) + (1 if wrong == "one-more" else -1), 0)) + block[len(head) :]
    return block
