"""Read regular files up to a size, but no FIFO or device, as opening or reading it may wait for ever."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reference.inputs.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

MEBIBYTE = 2**20
LARGEST = 128 * MEBIBYTE
"""The greatest number of bytes of a document, as it is in memory as a whole."""

LONGEST = 520 * MEBIBYTE
"""The greatest number of bytes of a line, enough for a frame of the largest size in hex."""


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Open a regular file for reading.

    Raises:
        BadInput: it is a FIFO or a device.
        OSError: it is missing, unreadable, a folder or a socket.
    """
    with open(path, "rb", opener=without_waiting) as file:  # Path.open takes no opener
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BadInput(str(path), "not a regular file; write what it gives to a file, and name that")
        yield file


def without_waiting(path: str, flags: int) -> int:
    """Open a file, also a FIFO without a writer, and return its descriptor: an opener of `open`."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """Return the content of a regular file, with the errors of `opened`, and BadInput if it exceeds `largest` bytes."""
    with opened(path) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise BadInput(str(path), f"larger than {largest:,} bytes, the most that is read of such a file")
    return content


def read_text(path: Path, largest: int = LARGEST) -> str:
    """Return the text of a regular file in UTF-8, without a byte order mark, with the errors of `read_bytes`."""
    return decoded(read_bytes(path, largest), str(path))


def read_lines(path: Path, longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """Yield number, from 1, and text of each line of a regular file in UTF-8, without line ends and a byte order mark.

    Raises:
        BadInput: it is no regular file; a line is longer than `longest` bytes, or is not UTF-8.
        OSError: it is missing or unreadable.
    """
    with opened(path) as file:
        number = 0
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise BadInput(
                    str(path), f"longer than {longest:,} bytes, the most that is read of a line", line=number
                )
            yield number, decoded(line, str(path), number).rstrip("\r\n")


def decoded(content: bytes, source: str, line: int = 0) -> str:
    """Return the text of bytes in UTF-8, without a byte order mark at their beginning.

    Raises:
        BadInput: they are not UTF-8. The error has `source`, and `line` if it is known.
    """
    try:
        return content.removeprefix(BOM_UTF8).decode() if line <= 1 else content.decode()
    except UnicodeDecodeError as error:
        line = line or content.count(b"\n", 0, error.start) + 1
        problem = f"not UTF-8: {error.reason} at byte {error.start}; save it as UTF-8"
        raise BadInput(source, problem, line=line) from error
