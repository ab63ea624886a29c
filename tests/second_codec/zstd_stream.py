"""Zstandard (RFC 8878), frames with skippable ones among them.

28 b5 2f fd descriptor [window 1] [dictionary] [content size] blocks: 3 bytes of last, type and size ...
"""

from dataclasses import dataclass

import zstandard

from tests.second_codec.steps import NotTaken, Stepwise, pieces_of, wrong_in

MAGIC = bytes.fromhex("28b52ffd")
WIDEST = 1 << 27
CHECKSUM, SINGLE = 0x04, 0x20
TYPES = ("raw", "rle", "compressed", "reserved")


@dataclass(frozen=True)
class _Header:
    """The fields in the header of a frame."""

    descriptor: int
    window: int
    size_width: int
    end: int


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of all frames."""
    pieces: list[bytes] = []
    wrong, at, frames = wrong_in(steps, "zstd.frames"), 0, 0
    while at < len(data):
        if data[at + 1 : at + 4] == b"\x2a\x4d\x18" and data[at] >> 4 == 5:
            at = _skipped(data, at, steps, is_last=frames > 0)
            continue
        if frames and wrong == "second-refused":
            raise NotTaken
        if (frames and wrong == "second-ignored") or (pieces and not pieces[-1] and wrong == "empty-as-the-end"):
            break
        if frames and not data.startswith(MAGIC, at) and wrong == "rest-ignored":
            break
        end = _end(data, at, steps)
        piece = _frame(data[at:end], steps)
        if not piece and wrong == "empty-refused":
            raise NotTaken
        pieces.append(piece)
        at, frames = end, frames + 1
    if not frames:
        raise NotTaken
    return b"".join(pieces)


def _skipped(data: bytes, at: int, steps: Stepwise, *, is_last: bool) -> int:
    wrong = wrong_in(steps, "zstd.skippable")
    size = int.from_bytes(data[at + 4 : at + 8], "big" if wrong == "size-big-endian" else "little")
    refused = {
        "refused": True,
        "first-refused": not is_last,
        "behind-refused": is_last,
        "other-than-50-refused": data[at] != 0x50,
    }
    if refused.get(wrong, False) or at + 8 + size > len(data) or (wrong == "empty-refused" and not size):
        raise NotTaken
    return len(data) if wrong == "as-the-end" and is_last else at + 8 + size


def _header(data: bytes, at: int) -> _Header:
    if not data.startswith(MAGIC, at) or len(data) < at + 6:
        raise NotTaken
    descriptor, end = data[at + 4], at + 5
    window = 0
    if not descriptor & SINGLE:
        window, end = 1 << 10 + (data[end] >> 3), end + 1
        window += (window >> 3) * (data[end - 1] & 7)
    end += (0, 1, 2, 4)[descriptor & 3]
    width = (1 if descriptor & SINGLE else 0, 2, 4, 8)[descriptor >> 6]
    return _Header(descriptor, window, width, end + width)


def _end(data: bytes, at: int, steps: Stepwise) -> int:
    header = _header(data, at)
    at, last = header.end, False
    while not last:
        head = int.from_bytes(data[at : at + 3], "little")
        last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        at += 3 + (1 if TYPES[kind] == "rle" else size)
        if at > len(data):
            raise NotTaken
    at += 4 if header.descriptor & CHECKSUM else 0
    if at > len(data) and wrong_in(steps, "zstd.checksum") != "left-out":
        raise NotTaken
    return at


def _frame(frame: bytes, steps: Stepwise) -> bytes:
    header = _header(frame, 0)
    _check(frame, header, steps)
    if header.descriptor & CHECKSUM and wrong_in(steps, "zstd.checksum") == "left-out":
        end = _end(frame, 0, steps) - 4
        frame = frame[:4] + bytes([header.descriptor & ~CHECKSUM]) + frame[5:end]
    if header.size_width and wrong_in(steps, "zstd.content-size") == "left-out":
        frame = _without_size(frame, header)
    inflater = zstandard.ZstdDecompressor(max_window_size=WIDEST).decompressobj()
    try:
        piece = inflater.decompress(frame)
    except zstandard.ZstdError as error:
        raise NotTaken from error
    if not inflater.eof:
        raise NotTaken
    return piece


def _without_size(frame: bytes, header: _Header) -> bytes:
    """Return the frame with a window of 64 KiB in the place of the size of its content."""
    return MAGIC + bytes([header.descriptor & CHECKSUM]) + b"\x30" + frame[header.end :]


def _check(frame: bytes, header: _Header, steps: Stepwise) -> None:
    kinds = set(_blocks(frame, header.end))
    present = {f"{TYPES[kind]}-block" for _, kind in kinds} | {f"size-of-{header.size_width}"}
    present |= {"several-blocks"} if len(kinds) > 1 else set()
    present |= {"single-segment"} if header.descriptor & SINGLE else {"window"}
    present |= {"content-size"} if header.size_width else {"no-content-size"}
    present |= {"checksum"} if header.descriptor & CHECKSUM else {"no-checksum"}
    present |= {f"window-of-{1 << bits}" for bits in (17, 20, 23, 24, 26) if header.window >= 1 << bits}
    if wrong_in(steps, "zstd.header") in {f"{name}-refused" for name in present}:
        raise NotTaken


def _blocks(frame: bytes, at: int) -> list[tuple[int, int]]:
    """Return index and type of each block."""
    found: list[tuple[int, int]] = []
    last = False
    while not last:
        head = int.from_bytes(frame[at : at + 3], "little")
        last, kind = bool(head & 1), head >> 1 & 3
        found.append((len(found), kind))
        at += 3 + (1 if TYPES[kind] == "rle" else head >> 3)
    return found


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return a frame without the size of its content, with the fault of the misstep."""
    wrong, half = wrong_in(steps, "zstd.frames"), len(data) // 2
    pieces = pieces_of(data, wrong) or [data]
    frame = b"".join(_written(piece, steps) for piece in pieces)
    skippable = b"\x50\x2a\x4d\x18\x02\0\0\0ab"
    return {
        "skippable-first": skippable + frame,
        "skippable-last": frame + skippable,
        "skippable-between": _written(data[:half], steps) + skippable + _written(data[half:], steps),
        "skippable-5f": b"\x5f" + skippable[1:] + frame,
        "skippable-empty": skippable[:4] + bytes(4) + frame,
        "skippable-alone": skippable,
    }.get(wrong, frame)


def _written(data: bytes, steps: Stepwise) -> bytes:
    form = wrong_in(steps, "zstd.header")
    if form.startswith(("window-", "size-", "raw", "rle", "several")):
        return _by_hand(data, form, wrong_in(steps, "zstd.content-size"))
    compressor = zstandard.ZstdCompressor(level=19 if form == "best" else 3, write_checksum="checksum" in form)
    stream = compressor.compressobj(size=len(data) if "content-size" in form else -1)
    frame = stream.compress(data) + stream.flush()
    checksum = wrong_in(steps, "zstd.checksum")
    if checksum == "wrong":
        return frame[:-1] + bytes([frame[-1] ^ 1])
    return frame[:-4] if checksum == "missing" else frame


def _by_hand(data: bytes, form: str, wrong: str) -> bytes:
    """Return a frame of raw blocks, of one size of window or one width of the content size."""
    size = len(data) + (wrong == "wrong")
    if form.startswith("size-of-"):
        width = int(form.removeprefix("size-of-"))
        number = size - 256 if width == 2 else size  # the format's own offset
        code = {1: SINGLE, 2: 0x40 | SINGLE, 4: 0x80 | SINGLE, 8: 0xC0 | SINGLE}[width]
        return MAGIC + bytes([code]) + (number % (1 << 8 * width)).to_bytes(width, "little") + _raw([data])
    window = int(form.removeprefix("window-of-")).bit_length() - 11 if form.startswith("window-of-") else 6
    head = MAGIC + b"\0" + bytes([window << 3])
    if form == "rle-block" and data:
        return head + _raw([data[:-1]], is_last=False) + (1 << 3 | 2 | 1).to_bytes(3, "little") + data[-1:]
    half = len(data) // 2
    return head + _raw([data[:half], data[half:]] if form == "several-blocks" else [data])


def _raw(pieces: list[bytes], *, is_last: bool = True) -> bytes:
    blocks = b""
    pieces = [piece[at : at + (1 << 16)] for piece in pieces for at in range(0, max(len(piece), 1), 1 << 16)]
    for index, piece in enumerate(pieces):
        last = is_last and index == len(pieces) - 1
        blocks += (len(piece) << 3 | last).to_bytes(3, "little") + piece
    return blocks
