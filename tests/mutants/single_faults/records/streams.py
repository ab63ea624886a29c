"""The compressed streams of batches and wrappers, read and written: which codec, and what is in which form."""

from __future__ import annotations

from tests.mutants.single_faults.records import gzip_stream, lz4_stream, snappy_stream, zstd_stream
from tests.mutants.single_faults.records.switch import Refused, Switch

CODECS = ("gzip", "snappy", "lz4", "zstd")
"""The codecs by their numbers, from 1."""


def decompressed(codec: str, data: bytes, switch: Switch, *, legacy: bool = False) -> bytes:
    """Return what comes out of a stream; `legacy`: of a message of magic 0.

    Raises:
        Refused: the stream is cut or damaged.
    """
    wrong = switch.at(f"{codec}.stream")
    if wrong == "refused" or (wrong == "empty-refused" and not data):
        raise Refused
    match codec:
        case "gzip":
            return gzip_stream.read(data, switch)
        case "snappy":
            return snappy_stream.read(data, switch)
        case "lz4":
            return lz4_stream.read(data, switch, legacy=legacy)
        case "zstd":
            return zstd_stream.read(data, switch)
    return data


def compressed(codec: str, data: bytes, switch: Switch, *, legacy: bool = False) -> bytes:
    """Return a stream; `legacy`: of a message of magic 0."""
    match codec:
        case "gzip":
            stream = gzip_stream.write(data, switch)
        case "snappy":
            stream = snappy_stream.write(data, switch)
        case "lz4":
            stream = lz4_stream.write(data, switch, legacy=legacy)
        case "zstd":
            stream = zstd_stream.write(data, switch)
        case _:
            return data
    return _damaged(stream, switch.at(f"{codec}.stream"))


def _damaged(stream: bytes, wrong: str) -> bytes:
    what, _, number = wrong.partition("=")
    if what == "cut":
        return stream[: -int(number)]
    if what == "behind":
        return stream + bytes.fromhex(number)
    return stream
