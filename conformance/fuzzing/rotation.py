"""The order in which pairs are searched: those searched least recently come first, from one nightly run to the next."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from conformance.files.writing import write_text
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

FORMAT = 1


class BadState(ConformanceError):
    """A state file that cannot be used; the text says where and why."""


class Rotation:
    """The number of searches of each pair, and when the last one was; kept in a file.

    Raises:
        BadState: the file is not the state of a rotation, or is about another implementation or release.
    """

    def __init__(self, file: Path, about: str, pairs: Iterable[str]) -> None:
        self._file = file
        self._about = about
        kept = _read(file, about) if file.exists() else {}
        self._turn: int = kept.get("turn", 0)
        self._last: dict[str, int] = kept.get("last", {})
        self._pairs = sorted(pairs, key=_scattered)
        self.searched: dict[str, int] = dict.fromkeys(self._pairs, 0)
        """How often each pair was searched in this run."""

    def next(self, count: int, busy: Collection[str]) -> list[str]:
        """Return the pairs to search next, without those that are being searched."""
        free = (pair for pair in self._pairs if pair not in busy)
        return sorted(free, key=lambda pair: self._last.get(pair, -1))[:count]

    def done(self, pairs: Iterable[str]) -> None:
        """Record on disk that these pairs were searched."""
        self._turn += 1
        for pair in pairs:
            self._last[pair] = self._turn
            self.searched[pair] += 1
        kept = {"format": FORMAT, "about": self._about, "turn": self._turn, "last": self._last}
        write_text(self._file, json.dumps(kept, indent=1, sort_keys=True) + "\n")


def _scattered(pair: str) -> str:
    """Return a key that separates the versions of one message."""
    return hashlib.sha256(pair.encode()).hexdigest()


def _read(file: Path, about: str) -> dict[str, Any]:
    try:
        kept = read_json(file)
        sound = kept["format"] == FORMAT and isinstance(kept["turn"], int) and isinstance(kept["last"], dict)
    except (OSError, BadInput, TypeError, KeyError) as error:
        raise BadState(
            f"{file} cannot be read as the state of a nightly run: {error!r}; remove it to begin anew"
        ) from error
    if not sound:
        raise BadState(f"{file} is not the state of a nightly run of this suite; remove it to begin anew")
    if kept["about"] != about:
        raise BadState(f"{file} is about {kept['about']}, not about {about}: give each its own --state")
    return dict(kept)
