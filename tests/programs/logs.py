"""The logs of programs, kept in the cache, since their output is not for the terminal."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from conformance.adapters.harnesses.toolchains import cache_folder
from conformance.system.printable import printable_lines

KEPT = 40
TAIL = 4000


def new_log(name: str) -> Path:
    """Return the path of a new, empty log, and delete all but the newest ones in the cache."""
    folder = cache_folder() / "logs"
    folder.mkdir(exist_ok=True)
    for old in sorted(folder.glob("*.log"), key=_modified)[:-KEPT]:
        old.unlink(missing_ok=True)
    handle, path = tempfile.mkstemp(prefix=f"{name}-", suffix=".log", dir=folder)
    os.close(handle)
    return Path(path)


def tail(log: Path) -> str:
    """Return the end of a log, as printable lines."""
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        return printable_lines(file.read().decode(errors="replace"))


def _modified(path: Path) -> float:
    with suppress(FileNotFoundError):
        return path.stat().st_mtime
    return 0.0
