"""The one way to write a file: under a temporary name beside it, which becomes its own name when all of it is on disk.

Readers never see half a file, not even after a loss of power. A symbolic link stays, and what it points to is replaced.
A device, a pipe or an open file of this process, such as /dev/null or /dev/stdout, is written to and never replaced.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = ".kafka-conformance-"
"""What the names of unfinished files have: `.report.jsonl.kafka-conformance-6f1d02ab`."""

SHOWN_NAME = 50
"""Characters of a name that a temporary name begins with; a file system allows 255 bytes."""

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
MODE = 0o666
"""The mode of a new file, from which the system takes what the user's umask says."""

HINTS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room there, or name another place"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "name a place that you may write to"),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "name a file in a folder that exists"),
    errno.EISDIR: "name a file",
}
OTHER_HINT = "name another place"

_LINKS = 40
"""How many links the system follows at most."""


class NotWritten(ConformanceError):
    """A file or folder that cannot be written.

    Args:
        path: which one.
        reason: what the system says.
        hint: what to do.
        kept: where that is which should be in it; empty: nowhere.
    """

    def __init__(self, path: object, reason: str, hint: str, kept: str = "") -> None:
        super().__init__(path, reason, hint, kept)
        self.path = path
        self.reason = reason
        self.hint = hint
        self.kept = kept

    @classmethod
    def by(cls, path: object, error: OSError) -> NotWritten:
        """Return what an error of the system means for a file."""
        return cls(path, error.strerror or str(error), HINTS.get(error.errno or 0, OTHER_HINT))

    def __str__(self) -> str:
        kept = f". What belongs there is kept in {self.kept}" if self.kept else ""
        return f"{self.path} cannot be written: {self.reason}; {self.hint}{kept}"


@contextmanager
def explained(path: object) -> Iterator[None]:
    """Raise errors of the system as what they mean for a file.

    Raises:
        NotWritten: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise NotWritten.by(path, error) from error


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, with the line ends that it has. Errors are as of `PendingFile`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file as a whole. Errors are as of `PendingFile`."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary file to write to, which becomes `path` at the end, or vanishes with an error.

    Raises:
        NotWritten: `path` cannot be written, or an OSError came from within; what was there before is as it was.
    """
    with explained(path):
        replacement = PendingFile(path)
        try:
            yield replacement.temporary
            replacement.finish()
        except BaseException:
            replacement.discard()
            raise


class PendingFile:
    """A file that is being written, under a temporary name.

    Args:
        path: what it will be; a link is followed.

    Raises:
        NotWritten: there can be no such file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with explained(path):
            self._before = _status(path)
            self._straight = is_written_straight(path)
            self.target = path if self._straight else Path(os.path.realpath(path))
            self.temporary = _new_file(_temporary_folder() if self._straight else self.target.parent, path.name)

    def finish(self) -> None:
        """Give the file its name, once its content is on disk; what it replaces leaves it its mode and its owner.

        Raises:
            NotWritten: that cannot be; the temporary file is still there.
        """
        with explained(self.path):
            if self._straight:
                _copy_into(self.path, self.temporary)
                self.temporary.unlink()
                return
            sync(self.temporary)
            if self._before is not None:
                _take_after(self.temporary, self._before)
            self.temporary.replace(self.target)
            with suppress(OSError):  # some file systems cannot; its name is there, for readers of today
                sync(self.target.parent)

    def discard(self) -> None:
        """Delete the temporary file, if there is one."""
        with suppress(OSError):
            self.temporary.unlink(missing_ok=True)


def is_unfinished(name: str) -> bool:
    """Return whether a name is one of those that unfinished files have."""
    return name.startswith(".") and re.search(rf"{re.escape(MARK)}[0-9a-f]{{8}}$", name) is not None


def is_written_straight(path: Path) -> bool:
    """Return whether a path is written to, and not replaced: a device, a pipe, or an open file of this process.

    Raises:
        OSError: it cannot be looked at, or is a folder.
    """
    before = _status(path)
    return before is not None and (_own_file(path) is not None or not stat.S_ISREG(before.st_mode))


def sync(path: Path) -> None:
    """Have the content of a file, or the names in a folder, written to disk.

    Raises:
        OSError: they cannot be.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _status(path: Path) -> os.stat_result | None:
    """Return the status of what a path names, through links; None: there is nothing."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return status


def _own_file(path: Path) -> int | None:
    """Return the number of the open file of this process that a path names, as /dev/stdout does; None: it names none.

    It may be a regular file; that of standard output has what was printed so far.
    """
    text = str(path)
    for _ in range(_LINKS):
        folder, name = os.path.split(os.path.abspath(text))  # noqa: PTH100  # the link itself is looked at
        text = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
        if match := _own_pattern().fullmatch(text):
            return int(match[1] or match[2])
        if not os.path.islink(text):  # noqa: PTH114
            return None
        text = os.path.join(os.path.dirname(text), os.readlink(text))  # noqa: PTH115, PTH118, PTH120
    return None


def _own_pattern() -> re.Pattern[str]:
    return re.compile(rf"/proc/{os.getpid()}(?:/task/[0-9]+)?/fd/([0-9]+)|/dev/fd/([0-9]+)")


def _new_file(folder: Path, name: str) -> Path:
    """Return a new and empty file of a temporary name."""
    temporary = folder / f".{name[:SHOWN_NAME]}{MARK}{secrets.token_hex(4)}"
    os.close(os.open(temporary, NEW, MODE))
    return temporary


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir())


def _take_after(new: Path, before: os.stat_result) -> None:
    """Give a file the owner of another one, as far as the user may, and its mode."""
    with suppress(OSError):
        os.chown(new, before.st_uid, before.st_gid)
    new.chmod(stat.S_IMODE(before.st_mode))


def _copy_into(path: Path, content: Path) -> None:
    """Write the content of a file to a device, a pipe, or an open file of this process."""
    sys.stdout.flush()  # what was printed comes first
    with content.open("rb") as source, _opened(path) as sink:
        shutil.copyfileobj(source, sink)


def _opened(path: Path) -> BinaryIO:
    number = _own_file(path)
    return os.fdopen(os.open(path, os.O_WRONLY) if number is None else os.dup(number), "wb")
