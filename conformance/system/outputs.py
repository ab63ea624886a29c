"""The outputs of a run: tried before it begins, and kept elsewhere where they cannot be written at its end."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.whole_files import NotWritten, PendingFile, explained, is_written_straight, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

PROBE = bytes(4096)
"""What is written to see whether a place is full."""

PREFIX = "kafka-conformance-kept-"


def try_file(path: Path) -> None:
    """See that a file can be written; what is there stays as it is.

    Raises:
        NotWritten: it cannot.
    """
    with explained(path):
        if is_written_straight(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(13, os.strerror(13))
            return
        replacement = PendingFile(path)
        try:
            with replacement.temporary.open("wb", buffering=0) as probe:
                probe.write(PROBE)
                os.fsync(probe.fileno())
        finally:
            replacement.discard()


def try_folder(folder: Path) -> None:
    """See that files can be written to a folder, which need not exist yet; none is made.

    Raises:
        NotWritten: they cannot.
    """
    with explained(folder):
        place = folder.absolute()
        while not os.path.lexists(place):
            place = place.parent
        if not place.is_dir():
            raise NotADirectoryError(20, f"{place} is no folder")
    try:
        try_file(place / "probe")
    except NotWritten as error:
        raise NotWritten(folder, error.reason, error.hint) from error


def write_or_keep(path: Path, text: str) -> None:
    """Write the result of a run; if that fails, keep it in a temporary file.

    Raises:
        NotWritten: it could not be written; the text names the temporary file.
    """
    try:
        write_text(path, text)
    except NotWritten as error:
        raise NotWritten(error.path, error.reason, error.hint, _kept([(path.name, text)])) from error


def write_all_or_keep(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Write results of a run, by name, to a folder, which is made if need be; if that fails, keep them elsewhere.

    Raises:
        NotWritten: one could not be written; the text names the temporary folder that has it and those after it.
    """
    left = list(files)
    try:
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        while left:
            write_text(folder / left[0][0], left[0][1])
            del left[0]
    except NotWritten as error:
        raise NotWritten(error.path, error.reason, error.hint, _kept(left)) from error


def _kept(files: Iterable[tuple[str, str]]) -> str:
    """Keep files in a new temporary folder, and return its path; empty: there is no place for them either."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError:
        return ""
    return str(folder)
