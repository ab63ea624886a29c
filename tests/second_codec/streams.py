"""Compressed streams of batches and wrappers, with libraries for the content of their parts."""

from tests.second_codec import gzip_stream, lz4_stream, snappy_stream, zstd_stream
from tests.second_codec.steps import CONTENT, NotTaken, Stepwise

CODECS = ("gzip", "snappy", "lz4", "zstd")
"""The codecs by their numbers, from 1."""


def decompressed(steps: Stepwise, codec: str, data: bytes, *, legacy: bool = False) -> bytes:
    """Return the content of a stream, `legacy` in a message of magic 0.

    Raises:
        NotTaken: the stream is cut or damaged.
    """
    steps.accept(f"{codec}.stream", data)
    try:
        return _decompressed(steps, codec, data, legacy=legacy)
    except NotTaken:
        steps.accept("stream")
        raise


def _decompressed(steps: Stepwise, codec: str, data: bytes, *, legacy: bool) -> bytes:
    match codec:
        case "gzip":
            return gzip_stream.read(data, steps)
        case "snappy":
            return snappy_stream.read(data, steps)
        case "lz4":
            return lz4_stream.read(data, steps, legacy=legacy)
        case _:
            return zstd_stream.read(data, steps)


def compressed(steps: Stepwise, codec: str, data: bytes, *, legacy: bool = False) -> bytes:
    """Return a stream, `legacy` in a message of magic 0."""
    match codec:
        case "gzip":
            stream = gzip_stream.write(data, steps)
        case "snappy":
            stream = snappy_stream.write(data, steps)
        case "lz4":
            stream = lz4_stream.write(data, steps, legacy=legacy)
        case _:
            stream = zstd_stream.write(data, steps)
    return steps.way(f"{codec}.stream", CONTENT).raw(stream)
