"""Zstandard (RFC 8878), frames with skippable ones among them.

28 b5 2f fd descriptor [window 1] [dictionary] [content size] blocks: 3 bytes of last, type and size ...
"""

from dataclasses import dataclass

import zstandard

from tests.second_codec.stream_parts import SKIPPABLE, Stream, is_skippable, pieces_of, sized, wrong_in
from tests.second_codec.ways import NotTaken, Stepwise

MAGIC = bytes.fromhex("28b52ffd")
WIDEST = 1 << 27
CHECKSUM, SINGLE = 0x04, 0x20
TYPES = ("raw", "rle", "compressed", "reserved")


@dataclass(frozen=True)
class _Frame:
    """The bytes of a frame up to its checksum, and the fields of its header."""

    data: bytes
    descriptor: int
    window: int
    size_width: int
    header: int
    """The bytes of the header."""
    types: tuple[int, ...]
    """The types of its blocks."""


def read(data: bytes, steps: Stepwise) -> bytes:
    """Return the content of all frames."""
    stream = Stream(data, steps)
    pieces = stream.parts("zstd.frames", lambda count: _has_more(stream, count), lambda: _content(stream))
    if not pieces:
        raise NotTaken
    return b"".join(pieces)


def _has_more(stream: Stream, count: int) -> bool:
    """Pass over skippable frames, and return whether there is another one."""
    while stream.left > 0 and is_skippable(stream.data, stream.at):
        _skip(stream, is_last=count > 0)
    is_rest = count and not stream.starts(MAGIC) and stream.wrong("zstd.frames") == "rest-ignored"
    return stream.left > 0 and not is_rest


def _skip(stream: Stream, *, is_last: bool) -> None:
    wrong, kind = stream.wrong("zstd.skippable"), stream.take(4)[0]
    size = int.from_bytes(stream.take(4), "big" if wrong == "size-big-endian" else "little")
    others = {"first": not is_last, "behind": is_last, "other-than-50": kind != SKIPPABLE[0], "empty": not size}
    stream.refuse("zstd.skippable", others)
    if wrong == "refused":
        raise NotTaken
    stream.take(size)
    if wrong == "as-the-end" and is_last:
        stream.at = len(stream.data)


def _content(stream: Stream) -> bytes:
    frame, is_left_out = _read_frame(stream), stream.wrong("zstd.checksum") == "left-out"
    checksum = b"" if not frame.descriptor & CHECKSUM or is_left_out else stream.take(4)
    stream.at += 4 if frame.descriptor & CHECKSUM and is_left_out else 0
    _check(stream, frame)
    descriptor, head = frame.descriptor & ~(0 if checksum else CHECKSUM), frame.data[5 : frame.header]
    if frame.size_width and stream.wrong("zstd.content-size") == "left-out":
        descriptor, head = descriptor & CHECKSUM, b"\x30"  # a window of 64 KiB
    whole = MAGIC + bytes([descriptor]) + head + frame.data[frame.header :] + checksum
    inflater = zstandard.ZstdDecompressor(max_window_size=WIDEST).decompressobj()
    try:
        piece = inflater.decompress(whole)
    except zstandard.ZstdError as error:
        raise NotTaken from error
    if not inflater.eof:
        raise NotTaken
    return piece


def _read_frame(stream: Stream) -> _Frame:
    """Read a frame up to its checksum."""
    start, [descriptor] = stream.at, stream.take(5)[4:]
    if not stream.data.startswith(MAGIC, start) or not stream.left:
        raise NotTaken
    bits = 0 if descriptor & SINGLE else stream.take(1)[0]
    window = 0 if descriptor & SINGLE else (1 << 10 + (bits >> 3)) + ((1 << 10 + (bits >> 3)) >> 3) * (bits & 7)
    width = (1 if descriptor & SINGLE else 0, 2, 4, 8)[descriptor >> 6]
    stream.take((0, 1, 2, 4)[descriptor & 3] + width)
    header, types = stream.at - start, []
    is_last = False
    while not is_last:
        block = int.from_bytes(stream.take(3), "little")
        is_last, size = bool(block & 1), block >> 3
        types.append(block >> 1 & 3)
        stream.take(1 if TYPES[types[-1]] == "rle" else size)
    return _Frame(stream.data[start : stream.at], descriptor, window, width, header, tuple(types))


def _check(stream: Stream, frame: _Frame) -> None:
    is_single, width, has_checksum = frame.descriptor & SINGLE, frame.size_width, frame.descriptor & CHECKSUM
    present: dict[str, object] = {f"{TYPES[kind]}-block": True for kind in frame.types}
    present |= {f"window-of-{1 << bits}": frame.window >= 1 << bits for bits in (17, 20, 23, 24, 26)}
    present |= {
        f"size-of-{width}": True,
        "several-blocks": len(frame.types) > 1,
        "single-segment": is_single,
        "window": not is_single,
        "content-size": width,
        "no-content-size": not width,
        "checksum": has_checksum,
        "no-checksum": not has_checksum,
    }
    stream.refuse("zstd.header", present)


def write(data: bytes, steps: Stepwise) -> bytes:
    """Return a frame without the size of its content, with the fault of the misstep."""
    wrong = wrong_in(steps, "zstd.frames")
    is_between = wrong == "skippable-between"
    pieces = pieces_of(data, "two" if is_between else wrong) or [data]
    frame = (SKIPPABLE if is_between else b"").join(_written(piece, steps) for piece in pieces)
    return {
        "skippable-first": SKIPPABLE + frame,
        "skippable-last": frame + SKIPPABLE,
        "skippable-5f": b"\x5f" + SKIPPABLE[1:] + frame,
        "skippable-empty": SKIPPABLE[:4] + bytes(4) + frame,
        "skippable-alone": SKIPPABLE,
    }.get(wrong, frame)


def _written(data: bytes, steps: Stepwise) -> bytes:
    form, checksum = wrong_in(steps, "zstd.header"), wrong_in(steps, "zstd.checksum")
    if form.startswith(("window-", "size-", "raw", "rle", "several")):
        return _by_hand(data, form, wrong_in(steps, "zstd.content-size"))
    compressor = zstandard.ZstdCompressor(level=19 if form == "best" else 3, write_checksum="checksum" in form)
    stream = compressor.compressobj(size=len(data) if "content-size" in form else -1)
    frame = stream.compress(data) + stream.flush()
    last = {"wrong": bytes([frame[-1] ^ 1]), "missing": b""}
    return frame[: -4 if checksum == "missing" else -1] + last[checksum] if checksum in last else frame


def _by_hand(data: bytes, form: str, wrong: str) -> bytes:
    """Return a frame of raw blocks, of one size of window or one width of the content size."""
    if form.startswith("size-of-"):
        width = int(form.removeprefix("size-of-"))
        number = len(data) + (wrong == "wrong") - 256 * (width == 2)  # the format's own offset
        code = (width.bit_length() - 1) << 6 | SINGLE
        return MAGIC + bytes([code]) + (number % (1 << 8 * width)).to_bytes(width, "little") + _raw([data])
    window = int(form.removeprefix("window-of-")).bit_length() - 11 if form.startswith("window-of-") else 6
    head = MAGIC + b"\0" + bytes([window << 3])
    if form == "rle-block" and data:
        return head + _raw([data[:-1]], is_last=False) + (1 << 3 | 2 | 1).to_bytes(3, "little") + data[-1:]
    return head + _raw(pieces_of(data, "two") or [] if form == "several-blocks" else [data])


def _raw(given: list[bytes], *, is_last: bool = True) -> bytes:
    pieces = [piece for each in given for piece in sized(each, 1 << 16) or [b""]]
    flags = [False] * (len(pieces) - 1) + [is_last]
    heads = [(len(piece) << 3 | flag).to_bytes(3, "little") for piece, flag in zip(pieces, flags, strict=True)]
    return b"".join(head + piece for head, piece in zip(heads, pieces, strict=True))
