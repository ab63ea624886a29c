"""Writing files so that nobody ever sees half of one; and one at a time at a folder."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reference.errors import ConformanceError

try:
    import fcntl
except ImportError:  # as on Windows: there nobody is kept from a folder
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEME = "://"
"""What a URI has, and no path."""

LOCK = ".lock"


class InUse(ConformanceError):
    """A folder that another process is working on."""


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path`: under a temporary name in the same folder, then renamed.

    Raises:
        OSError: the folder is missing or not writable; the old file, if any, is as it was.
    """
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file in the folder of `path`, to write to: it becomes `path` at the end, or vanishes with an error.

    Raises:
        OSError: the folder is missing or not writable; the old file, if any, is as it was.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def alone(folder: Path, work: str) -> Iterator[None]:
    """Hold a folder, made if need be, for this process alone; the system lets go of it when the process ends.

    Raises:
        InUse: another process holds it; the text names it by its number.
        OSError: the folder is not writable.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a+", encoding="ascii") as lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise InUse(f"{folder} is in use by another {work}, process {holder}. Wait for its end.") from error
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield
