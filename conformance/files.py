"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
