"""One process at a time at a folder."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from conformance.system.writing import explained
from reference.errors import ConformanceError

try:
    import fcntl
except ImportError:  # as on Windows: there nobody is kept from a folder
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = ".lock"


class InUse(ConformanceError):
    """A folder that another process is working on."""


@contextmanager
def alone(folder: Path, work: str) -> Iterator[None]:
    """Hold a folder, made if need be, for this process alone; the system lets go of it when the process ends.

    Raises:
        InUse: another process holds it; the text names it by its number.
        NotWritten: the folder is not writable.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("a+", encoding="ascii")
    with lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise InUse(f"{folder} is in use by another {work}, process {holder}. Wait for its end.") from error
        with explained(folder):
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
        yield
