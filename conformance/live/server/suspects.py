"""The frames that may have ended a server, where several workers of a run share it.

A frame of a kind without an answer so far is sent alone, so that no other frame is on its way at a death. Each worker
without an answer tells the others when it sent the frame, by the clock of the machine. A frame sent after another one
lost the server did not end it. Of those sent before, the one of the rarest kind is to blame.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

try:
    import fcntl
except ModuleNotFoundError:  # Windows: frames of several workers may be on their way at once
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".suspect"


@dataclass(frozen=True)
class Suspect:
    """The last frame of a worker before the server was lost.

    Attributes:
        sent_at: when the frame was sent, in seconds.
        lost_at: when the worker noticed, in seconds.
        known: the number of answered requests of its kind.
    """

    worker: str
    sent_at: float
    lost_at: float
    is_answered: bool
    known: int


class Suspects:
    """The suspects of all workers, and their turns, in a folder of the run."""

    def __init__(self, folder: Path, worker: str) -> None:
        self._folder, self.worker = folder, worker
        self._turns = (folder / "turns").open("wb")

    @contextmanager
    def turn(self, *, alone: bool) -> Iterator[None]:
        """Return a context for frames; with `alone` no other worker sends any, as long as it lasts."""
        if fcntl is not None:
            fcntl.flock(self._turns, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        try:
            yield
        finally:
            if fcntl is not None:
                fcntl.flock(self._turns, fcntl.LOCK_UN)

    def close(self) -> None:
        """End the turns of this worker."""
        self._turns.close()

    def name(self, suspect: Suspect) -> None:
        """Tell the other workers of the frame of this one."""
        written = self._folder / f"{self.worker}.new"
        written.write_text(json.dumps(asdict(suspect)))
        written.replace(self._folder / f"{self.worker}{SUFFIX}")

    def clear(self) -> None:
        """Take it back, as the server lives."""
        (self._folder / f"{self.worker}{SUFFIX}").unlink(missing_ok=True)

    def at_the_end(self) -> list[Suspect]:
        """Return the suspects, the one to blame first."""
        every = list(self._all())
        lost_at = min((each.lost_at for each in every if not each.is_answered), default=None)
        before = [each for each in every if lost_at is None or each.sent_at <= lost_at]
        return sorted(before, key=lambda each: (each.is_answered, each.known, each.sent_at, each.worker))

    def _all(self) -> Iterator[Suspect]:
        for file in sorted(self._folder.glob(f"*{SUFFIX}")):
            yield Suspect(**json.loads(file.read_text()))
