"""Snappy, as chunks of xerial's library after a header of 16 bytes, or as one raw block.

    82 53 4e 41 50 50 59 00   version 4   compatible 4   length 4   block   length 4   block ...

A block is its length as a varint, then literals and copies of earlier content.
"""

from cramjam import DecompressionError, snappy

from tests.second_codec.steps import NotTaken, Stepwise, pieces_of, wrong_in

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
        if form == "framed-taken" and data.startswith(APIS):
            return _block(data[len(APIS) :])
        if form == "raw-refused" or not data:
            raise NotTaken
        return _block(data)
    if form == "xerial-refused" or (form == "other-versions-refused" and not data.startswith(HEADER)):
        raise NotTaken
    if form == "without-versions":
        return b"".join(_chunks(data, len(MAGIC), steps))
    return b"".join(_chunks(data, len(HEADER), steps))


def _chunks(data: bytes, at: int, steps: Stepwise) -> list[bytes]:
    chunks: list[bytes] = []
    wrong = wrong_in(steps, "snappy.chunks")
    while len(data) - at >= 4 and not _ends(chunks, wrong):  # the size of a length
        if data.startswith(MAGIC, at):
            if wrong == "second-header-refused":
                raise NotTaken
            at = len(data) if wrong == "second-stream-ignored" else at + len(HEADER)
            continue
        chunk, at = _chunk(data, at, steps)
        if (chunks and wrong == "second-refused") or (not chunk and wrong == "empty-refused"):
            raise NotTaken
        chunks.append(chunk)
    if (at < len(data) and wrong == "rest-refused") or not chunks:
        raise NotTaken
    return chunks


def _ends(chunks: list[bytes], wrong: str) -> bool:
    """Return whether further bytes are ignored."""
    is_last = wrong == {1: "second-ignored", 2: "third-ignored"}.get(len(chunks))
    return is_last or (wrong == "empty-as-the-end" and b"" in chunks)


def _chunk(data: bytes, at: int, steps: Stepwise) -> tuple[bytes, int]:
    wrong = wrong_in(steps, "snappy.length")
    length = int.from_bytes(data[at : at + 4], "little" if wrong == "little-endian" else "big", signed=True)
    length &= 0xFF if wrong == "lowest-byte" else -1
    if not length and wrong == "zero-taken":
        return b"", at + 4
    if length > len(data) - at - 4 and wrong == "beyond-cut":
        length = len(data) - at - 4
    if not 0 < length <= len(data) - at - 4:
        raise NotTaken
    return _block(data[at + 4 : at + 4 + length]), at + 4 + length


def _block(block: bytes) -> bytes:
    if _claimed(block) > MOST_FROM_A_BYTE * len(block):
        raise NotTaken
    try:
        return bytes(snappy.decompress_raw(block))
    except DecompressionError as error:
        raise NotTaken from error


def _claimed(block: bytes) -> int:
    length = 0
    for index, byte in enumerate(block[:5]):
        length |= (byte & 0x7F) << 7 * index
        if byte < 0x80:  # the last byte of a varint
            return length
    raise NotTaken


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return a xerial stream, with the fault of the misstep."""
    form = wrong_in(steps, "snappy.form")
    if form in {"raw", "framed"}:
        return (APIS if form == "framed" else b"") + _written_block(data, steps)
    chunks = wrong_in(steps, "snappy.chunks")
    pieces = pieces_of(data, chunks.removesuffix("-streams"))
    if pieces is None:
        size = max(len(data), 1) if chunks == "large" else BLOCK
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
    written = [_written_chunk(piece, steps) for piece in pieces]
    between = HEADER if chunks == "two-streams" else b""
    header = MAGIC + {"version-9": b"\0\0\0\x09\0\0\0\x09", "version-0": bytes(8)}.get(form, VERSIONS)
    return (b"" if form == "without-header" else header) + between.join(written)


def _written_chunk(piece: bytes, steps: Stepwise) -> bytes:
    block, wrong = _written_block(piece, steps), wrong_in(steps, "snappy.length")
    length = {"one-more": len(block) + 1, "one-less": len(block) - 1, "zero": 0}.get(wrong, len(block))
    zero = bytes(4) if wrong == "zero-behind" else b""
    return length.to_bytes(4, "little" if wrong == "little-endian" else "big") + block + zero


def _written_block(piece: bytes, steps: Stepwise) -> bytes:
    wrong = wrong_in(steps, "snappy.block")
    if wrong == "literal" and piece:
        return _varint(len(piece)) + b"".join(
            _written_literal(piece[at : at + 256]) for at in range(0, len(piece), 256)
        )
    if wrong == "long-literal" and piece:
        return _varint(len(piece)) + b"\xf8" + (len(piece) - 1).to_bytes(3, "little") + piece
    block = bytes(snappy.compress_raw(piece))
    if wrong in {"one-more", "one-less"}:
        prefix = _varint(len(piece) + (1 if wrong == "one-more" else -1))
        return prefix + block[len(_varint(len(piece))) :]
    return block


def _written_literal(piece: bytes) -> bytes:
    return bytes([60 << 2, len(piece) - 1]) + piece


def _varint(number: int) -> bytes:
    groups = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])
