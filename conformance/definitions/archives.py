"""Jars as inputs: the JSON files in one, with bounds on what they unpack to."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

from reference.errors import ConformanceError
from reference.inputs.files import MEBIBYTE

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How entries of jars are compressed; others unpack a part of their input to any size at once."""

LARGEST_ENTRY = 8 * MEBIBYTE
"""Bytes of a definition; those of Apache Kafka have less than 100 kB."""

LARGEST_TOTAL = 128 * MEBIBYTE
"""Bytes of all JSON files of a jar."""

END = b"PK\x05\x06"
"""What the end of a directory begins with."""

COUNT = 10
"""Where the number of entries is in it, of two bytes."""

ZIP64 = 0xFFFF
"""The number of entries of an archive that has it elsewhere, since it has more."""

DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, RuntimeError, OverflowError, IndexError, NotImplementedError),
)
"""What the library raises for damaged, encrypted or lying archives, beside its own error."""


class BadArchive(ConformanceError):
    """An archive that cannot be read; the text says why."""


def json_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each JSON file in a jar, by name.

    Raises:
        BadArchive: the bytes are no jar, are damaged, encrypted, or unpack to more than the bounds.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_directory(archive, content)
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
            left = LARGEST_TOTAL
            for entry in sorted(entries, key=lambda entry: entry.filename):
                unpacked = _unpacked(archive, entry)
                left -= len(unpacked)
                if left < 0:
                    raise BadArchive(f"its JSON files unpack to more than {LARGEST_TOTAL:,} bytes")
                yield entry.filename, unpacked
    except DAMAGES as error:
        raise BadArchive(str(error) or type(error).__name__) from error


def dates(content: bytes) -> dict[str, str]:
    """Return the date of each JSON file in a jar, as 2026-10-06; `json_files` says whether it can be read."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
    return {entry.filename: "{:04}-{:02}-{:02}".format(*entry.date_time) for entry in entries}


def _check_directory(archive: zipfile.ZipFile, content: bytes) -> None:
    """Compare the directory with the number of entries at its end, and with the names in the entries themselves."""
    found = len(archive.infolist())
    (count,) = struct.unpack_from("<H", content, content.rindex(END) + COUNT)
    if count not in {found, ZIP64}:
        raise BadArchive(f"its directory should have {count} entries, and has {found}")
    for entry in archive.infolist():
        archive.open(entry).close()  # raises where the names differ


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.compress_type not in METHODS:
        raise BadArchive(f"{entry.filename} is compressed by a method that jars do not have, {entry.compress_type}")
    with archive.open(entry) as file:
        unpacked = file.read(LARGEST_ENTRY + 1)
    if len(unpacked) > LARGEST_ENTRY:
        raise BadArchive(f"{entry.filename} unpacks to more than {LARGEST_ENTRY:,} bytes")
    if len(unpacked) != entry.file_size:
        raise BadArchive(f"{entry.filename} unpacks to {len(unpacked):,} bytes, and not to {entry.file_size:,}")
    return unpacked
