"""Files that are written as a whole.

All files of the suite are written here: under a temporary name in the same folder, replaced by the final name when all
content is on disk. Readers never see half a file, not even after a loss of power. A symbolic link stays, and its target
is replaced. A device, a pipe or an open file of this process, such as /dev/null or /dev/stdout, is written to and never
replaced. At a path named by a user only an empty file, and one of the kind to be written, are replaced.
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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MARK = ".kafka-conformance-"
"""A part of the names of unfinished files: `.report.jsonl.kafka-conformance-6f1d02ab`."""

SHOWN_NAME = 50
"""Characters of a name at the beginning of its temporary name. A file system allows 255 bytes."""

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
# Before the system applies the user's umask.
MODE = 0o666

HINTS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room there, or name another place"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "name a place that you may write to"),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "name a file in a folder that exists"),
    errno.EISDIR: "name a file",
}
OTHER_HINT = "name another place"
OTHER_FILE = "name another file, or remove that one"

# Linux follows no more links than this, and then says ELOOP.
_LINKS = 40

HEAD = 64 * 1024
"""The number of bytes at the beginning of a file that show its kind."""


class FileKind(NamedTuple):
    """A kind of file, as `a report`, with a test whether the first `HEAD` bytes are those of such a file."""

    noun: str
    is_own: Callable[[bytes], object]


class NotWritten(ConformanceError):
    """A file or folder that cannot be written. `kept` is the place of the content instead, empty without any."""

    def __init__(self, path: object, reason: str, hint: str, kept: str = "") -> None:
        super().__init__(path, reason, hint, kept)
        self.path = path
        self.reason = reason
        self.hint = hint
        self.kept = kept

    @classmethod
    def by(cls, path: object, error: OSError) -> NotWritten:
        """Return the error for a file that stands for an error of the system."""
        return cls(path, error.strerror or str(error), HINTS.get(error.errno or 0, OTHER_HINT))

    def __str__(self) -> str:
        kept = f". What belongs there is kept in {self.kept}" if self.kept else ""
        return f"{self.path} cannot be written: {self.reason}; {self.hint}{kept}"


@contextmanager
def explained(path: object) -> Iterator[None]:
    """Raise errors of the system as `NotWritten` errors about a file."""
    try:
        yield
    except OSError as error:
        raise NotWritten.by(path, error) from error


def write_text(path: Path, text: str, kind: FileKind | None = None) -> None:
    """Write a text in UTF-8, with its own line ends, or raise the errors of `PendingFile`.

    Names of files may have surrogates, which have no UTF-8. They are written as their escapes.
    """
    write_bytes(path, text.encode(errors="backslashreplace"), kind)


def write_bytes(path: Path, content: bytes, kind: FileKind | None = None) -> None:
    """Write a file as a whole, or raise the errors of `PendingFile`."""
    with replacing(path, kind) as temporary:
        temporary.write_bytes(content)


def write_together(contents: Mapping[Path, tuple[bytes, FileKind | None]]) -> None:
    """Write several files as a whole, each with its kind, or none of them, or raise the errors of `PendingFile`."""
    with ExitStack() as pending:
        for path, (content, kind) in contents.items():
            pending.enter_context(replacing(path, kind)).write_bytes(content)


@contextmanager
def replacing(path: Path, kind: FileKind | None = None) -> Iterator[Path]:
    """Yield a temporary file to write to, which becomes `path` at the end, or vanishes with an error.

    Raises:
        NotWritten: `path` cannot be written, or the block raised an OSError; an earlier file is unchanged.
    """
    with explained(path):
        replacement = PendingFile(path, kind)
        try:
            yield replacement.temporary
            replacement.finish()
        except BaseException:
            replacement.discard()
            raise


class PendingFile:
    """A file under a temporary name, until it is finished.

    Args:
        path: its final path; a link is followed.
        kind: its kind, for a path named by a user. An older file is replaced only if it is empty or of this kind.

    Raises:
        NotWritten: a file of this path is impossible, or another one is there.
    """

    def __init__(self, path: Path, kind: FileKind | None = None) -> None:
        self.path = path
        self._kind = kind
        with explained(path):
            self._before = _status(path)
            self._straight = is_written_straight(path)
            self._refuse_another()
            self.target = path if self._straight else Path(os.path.realpath(path))
            self.temporary = _new_file(_temporary_folder() if self._straight else self.target.parent, path.name)

    def finish(self) -> None:
        """Give the file its name once its content is on disk, and the mode and the owner of the file that it replaces.

        Raises:
            NotWritten: the system refuses, or another file has come; the temporary file is still there.
        """
        with explained(self.path):
            if self._straight:
                _copy_into(self.path, self.temporary)
                self.temporary.unlink()
                return
            sync(self.temporary)
            self._refuse_another()
            if self._before is not None:
                _take_after(self.temporary, self._before)
            self.temporary.replace(self.target)
            with suppress(OSError):  # some file systems cannot; its name is there, for readers of today
                sync(self.target.parent)

    def discard(self) -> None:
        """Delete the temporary file, if it exists."""
        with suppress(OSError):
            self.temporary.unlink(missing_ok=True)

    def _refuse_another(self) -> None:
        if self._kind is None or self._straight or _status(self.path) is None:
            return
        with self.path.open("rb") as file:
            head = file.read(HEAD)
        if head and not self._kind.is_own(head):
            raise NotWritten(self.path, f"the file there is not {self._kind.noun}", OTHER_FILE)


def is_unfinished(name: str) -> bool:
    """Return whether a name is the temporary name of an unfinished file."""
    return name.startswith(".") and re.search(rf"{re.escape(MARK)}[0-9a-f]{{8}}$", name) is not None


def is_written_straight(path: Path) -> bool:
    """Return whether a path is written to, and not replaced, as a device, a pipe, or an open file of this process.

    Raises:
        OSError: the system cannot look at the path, or it is a folder.
    """
    before = _status(path)
    return before is not None and (_own_file(path) is not None or not stat.S_ISREG(before.st_mode))


def sync(path: Path) -> None:
    """Write the content of a file, or the names in a folder, to disk, or raise OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _status(path: Path) -> os.stat_result | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return status


def _own_file(path: Path) -> int | None:
    """Return the number of this process's open file that a path such as /dev/stdout names, or None.

    It may be a regular file; that of standard output has the text printed so far.
    """
    text = str(path)
    for _ in range(_LINKS):
        folder, name = os.path.split(os.path.abspath(text))  # noqa: PTH100  # the link itself is looked at
        text = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
        if match := _own_pattern().fullmatch(text):
            return int(match[1] or match[2])
        if not os.path.islink(text):  # noqa: PTH114
            return None
        # One link at a time: `realpath` would go through /proc/PID/fd to the file beyond it.
        text = os.path.join(os.path.dirname(text), os.readlink(text))  # noqa: PTH115, PTH118, PTH120
    return None


def _own_pattern() -> re.Pattern[str]:
    return re.compile(rf"/proc/{os.getpid()}(?:/task/[0-9]+)?/fd/([0-9]+)|/dev/fd/([0-9]+)")


def _new_file(folder: Path, name: str) -> Path:
    temporary = folder / f".{name[:SHOWN_NAME]}{MARK}{secrets.token_hex(4)}"
    os.close(os.open(temporary, NEW, MODE))
    return temporary


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir())


def _take_after(new: Path, before: os.stat_result) -> None:
    """Give a file the mode of another one, and its owner as far as the user may."""
    with suppress(OSError):
        os.chown(new, before.st_uid, before.st_gid)
    new.chmod(stat.S_IMODE(before.st_mode))


def _copy_into(path: Path, content: Path) -> None:
    sys.stdout.flush()  # what was printed comes first
    with content.open("rb") as source, _opened(path) as sink:
        shutil.copyfileobj(source, sink)


def _opened(path: Path) -> BinaryIO:
    number = _own_file(path)
    return os.fdopen(os.open(path, os.O_WRONLY) if number is None else os.dup(number), "wb")
