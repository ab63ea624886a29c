"""Compressed streams of batches and wrappers, with libraries for the content of their parts."""

from tests.second_codec import gzip_stream, lz4_stream, snappy_stream, zstd_stream
from tests.second_codec.ways import CONTENT, NotTaken, Stepwise

FORMS = {"gzip": gzip_stream, "snappy": snappy_stream, "lz4": lz4_stream, "zstd": zstd_stream}
CODECS = tuple(FORMS)
"""The codecs by their numbers, from 1."""


def decompressed(steps: Stepwise, codec: str, data: bytes) -> bytes:
    """Return the content of a stream.

    Raises:
        NotTaken: the stream is cut or damaged.
    """
    steps.accept(f"{codec}.stream", data)
    try:
        content: bytes = FORMS[codec].read(data, steps)
    except NotTaken:
        steps.accept("stream")
        raise
    return content


def compressed(steps: Stepwise, codec: str, data: bytes) -> bytes:
    """Return a stream."""
    stream = FORMS[codec].write(data, steps)
    return steps.way(f"{codec}.stream", CONTENT).raw(stream)
