"""The compression codecs of record batches, namely gzip, snappy, lz4 and zstd.

>>> from reference.records.compression.base import Stream
>>> stream = Stream(CODECS["gzip"].compress(b"records"), limit=100)
>>> CODECS["gzip"].decompress(stream)
>>> stream.data
b'records'

Compressed bytes are not canonical: other levels and other libraries have other ones, and all of them are valid.
"""

from __future__ import annotations

from reference.records.compression import gzip_members, lz4, snappy, zstd
from reference.records.compression.base import Codec

NONE = "none"

CODECS = {
    codec.name: codec
    for codec in (
        Codec(1, "gzip", gzip_members.RULE, gzip_members.compress, gzip_members.decompress, gzip_members.open_stream),
        Codec(2, "snappy", snappy.XERIAL, snappy.compress, snappy.decompress, snappy.open_stream),
        Codec(3, "lz4", lz4.RULE, lz4.compress, lz4.decompress, lz4.open_stream),
        Codec(4, "zstd", zstd.RULE, zstd.compress, zstd.decompress, zstd.open_stream),
    )
}
"""Every codec by its name in Apache Kafka's configuration; no compression is `NONE`."""

NAMES = (NONE, *CODECS)
"""The names of codecs, by their number."""
