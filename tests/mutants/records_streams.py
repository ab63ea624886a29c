"""Compressed streams that are written as no reader takes them, or read in part."""

import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import Any

import lz4.frame
import zstandard

from conformance.generate.records.building import sealed
from reference import encode_records
from reference.paths import Path
from reference.records.compression import gzip_members, snappy, zstd
from reference.records.compression import lz4 as lz4_frames
from reference.records.compression.base import BadStream, Stream
from reference.records.layouts import HEADER_SIZE
from reference.records.reading import Reading
from tests.mutants.records_forms import (
    BATCH,
    Read,
    RecordsMutant,
    Value,
    Write,
    payload_of,
    read_leniently,
    skipping,
)
from tests.mutants.records_forms import parts as parts_of

Decompress = Callable[[Stream], None]


def streams(codec: str, decompress: Decompress) -> Read:
    """A reader with another decompressor in the place of one codec's, in batches and wrappers."""
    sound = {"gzip": gzip_members, "snappy": snappy, "lz4": lz4_frames, "zstd": zstd}[codec].decompress

    class Other(Reading):
        def decompress(self, decompressor: Decompress, start: int, end: int, path: Path) -> Stream:
            plain = decompressor.func if isinstance(decompressor, partial) else decompressor
            return super().decompress(decompress if plain is sound else decompressor, start, end, path)

    return lambda wire: read_leniently(wire, reading=Other)


def first_member(stream: Stream) -> None:
    """Nothing behind the first member, chunk or frame is read."""
    gzip_members._member(stream)  # a lie about what follows it


def without_optional_fields(stream: Stream) -> None:
    if len(stream.wire) > 3 and stream.wire[3]:
        raise BadStream(stream, 3, "optional fields")
    gzip_members.decompress(stream)


def first_chunk(stream: Stream) -> None:
    if not stream.wire.startswith(snappy.HEADER):
        snappy.decompress(stream)
        return
    stream.take(len(snappy.HEADER), "marker", snappy.XERIAL)
    if stream.left:
        snappy._chunk(stream)


def one_xerial_stream(stream: Stream) -> None:
    """A second header is taken for the length of a chunk."""
    if stream.wire.startswith(snappy.MAGIC) and snappy.MAGIC in stream.wire[len(snappy.HEADER) :]:
        raise BadStream(stream, stream.wire.index(snappy.MAGIC, 1), "a chunk that ends early")
    snappy.decompress(stream)


def blocks_of_64_kib(stream: Stream) -> None:
    """Only the size of blocks that Apache Kafka writes is known."""
    if len(stream.wire) > 5 and stream.wire[5] != lz4_frames.SIZE_CODE << 4:
        raise BadStream(stream, 5, "blocks of another size")
    lz4_frames.decompress(stream)


def xerial_alone(stream: Stream) -> None:
    if not stream.wire.startswith(snappy.MAGIC):
        raise BadStream(stream, 0, "no header")
    snappy.decompress(stream)


def raw_alone(stream: Stream) -> None:
    if stream.wire.startswith(snappy.MAGIC):
        raise BadStream(stream, 0, "no block")
    snappy.decompress(stream)


def plain_frame(bits: int) -> Decompress:
    """A reader of lz4 that refuses these flags of a frame."""

    def decompress(stream: Stream, **options: Any) -> None:
        if len(stream.wire) > 4 and stream.wire[4] & bits:
            raise BadStream(stream, 4, "a checksum, or a size")
        lz4_frames.decompress(stream, **options)

    return decompress


def first_block(stream: Stream) -> None:
    frame = lz4_frames._header(stream, legacy=False)
    lz4_frames._block(stream, frame)


def first_frame(stream: Stream) -> None:
    if stream.left:
        zstd._frame(stream)
    else:
        zstd.decompress(stream)


def no_skippable_frames(stream: Stream) -> None:
    if stream.wire[1:4] == zstd.SKIPPABLE:
        raise BadStream(stream, 0, "unknown magic")
    zstd.decompress(stream)


def with_content_size(stream: Stream) -> None:
    """Java's and Python's one-shot functions ask for the size of the content."""
    if stream.wire.startswith(zstd.MAGIC) and zstandard.frame_content_size(stream.wire) < 0:
        raise BadStream(stream, 4, "could not determine the size of the content")
    zstd.decompress(stream)


def room_for_the_block(stream: Stream) -> None:
    """As the functions for a whole block have it; of raw blocks alone."""
    if not stream.wire.startswith(snappy.MAGIC):
        head = list(takewhile(lambda byte: byte > 0x7F, stream.wire[:4]))
        _take(sum((byte & 0x7F) << 7 * at for at, byte in enumerate(stream.wire[: len(head) + 1])))
    snappy.decompress(stream)


def room_for_the_frame(stream: Stream, **options: Any) -> None:
    if len(stream.wire) > 14 and stream.wire[4] & 8:
        _take(int.from_bytes(stream.wire[6:14], "little"))
    lz4_frames.decompress(stream, **options)


def room_for_the_window(stream: Stream) -> None:
    if len(stream.wire) > 5 and not stream.wire[4] & 0x20:
        _take(1 << 10 + (stream.wire[5] >> 3))
    zstd.decompress(stream)


def room_for_all(stream: Stream) -> None:
    """Everything is taken out before the first record is looked at."""
    inflater = zlib.decompressobj(31)
    with suppress(zlib.error):
        _take(len(inflater.decompress(stream.wire, 1 << 25)))
    gzip_members.decompress(stream)


def room_for_all_of_zstd(stream: Stream) -> None:
    with suppress(zstandard.ZstdError):
        _take(len(zstandard.ZstdDecompressor().stream_reader(stream.wire).read(1 << 25)))
    zstd.decompress(stream)


def _take(size: int) -> None:
    if size > MOST:
        raise MemoryError


MOST = 17 << 20
"""As many bytes as there are."""


def compressing(codec: str, compress: Callable[[bytes], bytes]) -> Write:
    """A writer with another compressor for one codec, in batches."""

    def write(value: Value) -> bytes:
        wire = encode_records(value)
        pieces = parts_of(wire)
        for index, batch in enumerate(value["batches"]):
            if batch["compression"] == codec and batch["magic"] == BATCH:
                pieces[index] = sealed(pieces[index][:HEADER_SIZE] + compress(payload_of(pieces[index])))
        return b"".join(pieces)

    return write


def linked_blocks(data: bytes) -> bytes:
    frame: bytes = lz4.frame.compress(data, block_linked=True, store_size=False)
    return frame


def half(compress: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """The stream is not flushed: its end is missing."""
    return lambda data: compress(data)[:-4]


MUTANTS = (
    RecordsMutant("first-gzip-member-only", "codec.gzip", reads=streams("gzip", first_member)),
    RecordsMutant("gzip-without-optional-fields", "codec.gzip", reads=streams("gzip", without_optional_fields)),
    RecordsMutant("gzip-not-flushed", "codec.corrupt", compressing("gzip", half(gzip_members.compress))),
    RecordsMutant("batch-of-a-bad-stream-skipped", "codec.corrupt", reads=skipping("codec.corrupt")),
    RecordsMutant("first-snappy-chunk-only", "snappy.xerial", reads=streams("snappy", first_chunk)),
    RecordsMutant("second-snappy-stream-refused", "snappy.xerial", reads=streams("snappy", one_xerial_stream)),
    RecordsMutant("xerial-not-known", "snappy.xerial", reads=streams("snappy", raw_alone)),
    RecordsMutant("raw-snappy-not-known", "snappy.raw", reads=streams("snappy", xerial_alone)),
    RecordsMutant("lz4-size-not-known", "lz4.frame", reads=streams("lz4", plain_frame(lz4_frames.CONTENT_SIZE))),
    RecordsMutant(
        "lz4-checksums-not-known", "lz4.frame", reads=streams("lz4", plain_frame(lz4_frames.CONTENT_CHECKSUM))
    ),
    RecordsMutant("lz4-linked-blocks", "lz4.independent-blocks", compressing("lz4", linked_blocks)),
    RecordsMutant(
        "lz4-header-checksum-of-the-magic",
        "lz4.header-checksum",
        compressing("lz4", partial(lz4_frames.compress, legacy=True)),
    ),
    RecordsMutant(
        "lz4-legacy-checksum-refused", "lz4.legacy-header-checksum", reads=streams("lz4", lz4_frames.decompress)
    ),
    RecordsMutant("lz4-blocks-of-other-sizes-refused", "lz4.frame", reads=streams("lz4", blocks_of_64_kib)),
    RecordsMutant("first-lz4-block-only", "lz4.frame", reads=streams("lz4", first_block)),
    RecordsMutant("first-zstd-frame-only", "zstd.frame", reads=streams("zstd", first_frame)),
    RecordsMutant("skippable-zstd-frame-refused", "zstd.frame", reads=streams("zstd", no_skippable_frames)),
    RecordsMutant("zstd-content-size-needed", "zstd.no-content-size", reads=streams("zstd", with_content_size)),
    RecordsMutant("room-for-a-block-of-snappy", "codec.declared-size", reads=streams("snappy", room_for_the_block)),
    RecordsMutant("room-for-a-frame-of-lz4", "codec.declared-size", reads=streams("lz4", room_for_the_frame)),
    RecordsMutant("room-for-the-window-of-zstd", "codec.declared-size", reads=streams("zstd", room_for_the_window)),
    RecordsMutant("all-of-a-gzip-bomb", "codec.bomb", reads=streams("gzip", room_for_all)),
    RecordsMutant("all-of-a-zstd-bomb", "codec.bomb", reads=streams("zstd", room_for_all_of_zstd)),
)
"""Every mutant of compressed streams."""
