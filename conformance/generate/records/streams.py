"""Compressed streams of forms that this project's compressors do not write: sound ones, unusual ones, wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.records import gzip_streams as gzip
from conformance.generate.records import lz4_streams as lz4
from conformance.generate.records import snappy_streams as snappy
from conformance.generate.records import zstd_streams as zstd

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORMS = {"gzip": gzip.forms, "snappy": snappy.forms, "lz4": lz4.forms, "zstd": zstd.forms}


def stream_forms(codec: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes in every form: a name, and the stream; the oracle tells which are sound."""
    yield from _FORMS[codec](data)
