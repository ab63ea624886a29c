"""Compressed streams of forms that this project's compressors do not write: sound ones, unusual ones, wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.records.streams import gzip, lz4, snappy, zstd

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORMS = {"gzip": gzip.forms, "snappy": snappy.forms, "lz4": lz4.forms, "zstd": zstd.forms}


def stream_forms(codec: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield streams of these bytes in every form: a name, and the stream; the oracle tells which are sound."""
    yield from _FORMS[codec](data)
