"""How many inputs have hung in a run, in all and of each kind; the workers of pytest-xdist count them in one file."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path


class HangCounts:
    """The hangs of one process, or of all processes that share a file.

    Args:
        file: a line for each hang, its kind as JSON; empty: the hangs are not shared. It need not exist.
    """

    def __init__(self, file: str = "") -> None:
        self._file = Path(file) if file else None
        self._size = 0
        self.kinds: Counter[str] = Counter()
        """By kind, as of the last `refresh` and `add`."""

    def refresh(self) -> None:
        """Take in what other processes have counted."""
        if self._file is None:
            return
        with suppress(FileNotFoundError):  # nothing has hung so far
            if self._file.stat().st_size != self._size:
                self._read(self._file)

    def _read(self, file: Path) -> None:
        content = file.read_bytes()
        self._size = len(content)
        self.kinds = Counter(json.loads(line) for line in content.splitlines())

    def add(self, kind: str) -> None:
        """Count one hang."""
        self.kinds[kind] += 1
        if self._file is not None:
            with self._file.open("ab", buffering=0) as file:
                file.write(json.dumps(kind).encode() + b"\n")  # one call of the system, so that lines are whole
