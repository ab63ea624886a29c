"""The outputs of a run, checked before it begins, and kept in a temporary place if they cannot be written later."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.whole_files import NotWritten, PendingFile, explained, is_written_straight, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.system.whole_files import FileKind

PROBE = bytes(4096)
"""Written to find out whether a place is full."""

PREFIX = "kafka-conformance-kept-"


def try_file(path: Path, kind: FileKind | None = None) -> None:
    """Check that a file of a kind can be written, without a change to its content, or raise NotWritten."""
    with explained(path):
        if is_written_straight(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(13, os.strerror(13))
            return
        replacement = PendingFile(path, kind)
        try:
            with replacement.temporary.open("wb", buffering=0) as probe:
                probe.write(PROBE)
                os.fsync(probe.fileno())
        finally:
            replacement.discard()


def try_folder(folder: Path) -> None:
    """Check that files can be written to a folder, without making it if it does not exist yet.

    Raises:
        NotWritten: they cannot.
    """
    with explained(folder):
        place = folder.absolute()
        while not os.path.lexists(place):  # the nearest folder that exists decides: the others are made in it
            place = place.parent
        if not place.is_dir():
            raise NotADirectoryError(20, f"{place} is no folder")
    try:
        try_file(place / "probe")
    except NotWritten as error:
        raise NotWritten(folder, error.reason, error.hint) from error


def write_or_keep(path: Path, text: str, kind: FileKind | None = None) -> None:
    """Write the result of a run, or keep it in a temporary file if that fails.

    Raises:
        NotWritten: it could not be written; the text names the temporary file.
    """
    try:
        write_text(path, text, kind)
    except NotWritten as error:
        raise NotWritten(error.path, error.reason, error.hint, _kept([(path.name, text)])) from error


def write_all_or_keep(folder: Path, files: Iterable[tuple[str, str]], kind: FileKind | None = None) -> None:
    """Write results of a run to a folder, made if need be, or keep them elsewhere if that fails.

    Each result is a name and a text, and all are of one kind.

    Raises:
        NotWritten: one could not be written; the text names a temporary folder with it and the later ones.
    """
    left = list(files)
    try:
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        while left:
            write_text(folder / left[0][0], left[0][1], kind)
            del left[0]
    except NotWritten as error:
        raise NotWritten(error.path, error.reason, error.hint, _kept(left)) from error


def _kept(files: Iterable[tuple[str, str]]) -> str:
    """Return the path of a new temporary folder with files, empty if the system has no temporary place either."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError:
        return ""
    return str(folder)
