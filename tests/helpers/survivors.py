"""Processes surviving the first process of a command.

The descendants of a command carry a variable of its environment, so they are found in any session and below any parent.
"""

import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from conformance.system.proc import PROC, process_tree

MARK = "KAFKA_CONFORMANCE_TESTED"
SUPERVISOR = " -I -S - "
"""In the command line of a supervisor and its keepers, which end their programs with the suite."""
SECONDS_TO_END = 5.0
SECONDS_TO_BEGIN = 60.0
PAUSE = 0.02


class Marked:
    """A command and its descendants.

    Attributes:
        seen: every process found so far.
    """

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._mark = f"{MARK}={secrets.token_hex(8)}"
        name, _, value = self._mark.partition("=")
        self._first = subprocess.Popen(  # noqa: S603  # our own command
            words,
            cwd=folder,
            env={**environment, name: value},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.seen = {self._first.pid}

    def processes(self) -> dict[int, str]:
        """Return the command line of each live process."""
        found = {}
        for name in filter(str.isdigit, os.listdir(PROC)):  # noqa: PTH208  # some hundreds, again and again
            with suppress(OSError):  # it has ended meanwhile
                if self._mark.encode() in (PROC / name / "environ").read_bytes().split(b"\0"):
                    words = (PROC / name / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(name)] = words.decode(errors="replace").strip()
        self.seen |= found.keys()
        return found

    def wait_for(self, number: int) -> None:
        """Return when this many processes were seen."""
        until = time.monotonic() + SECONDS_TO_BEGIN
        while len(self.seen) < number:
            self.processes()
            assert self._first.poll() is None, f"it ends after {len(self.seen)} processes"
            assert time.monotonic() < until, f"it has no more than {len(self.seen)} processes"
            time.sleep(PAUSE)

    def kill(self, seconds: float = SECONDS_TO_END) -> dict[int, str]:
        """Kill the first process, and return the processes left after some seconds."""
        self._first.kill()
        self._first.wait()
        return _left_of(self.processes, seconds)

    def kill_in_the_middle(self) -> dict[int, str]:
        """Kill a process with children, and return its children left after some seconds."""
        until = time.monotonic() + SECONDS_TO_BEGIN
        while not (trees := self._trees()):
            assert time.monotonic() < until, "none of its processes starts others"
            time.sleep(PAUSE)
        middle = max(trees, key=lambda pid: len(trees[pid]))
        with suppress(ProcessLookupError):
            os.kill(middle, signal.SIGKILL)
        below = set(trees[middle])
        return _left_of(lambda: {pid: words for pid, words in self.processes().items() if pid in below}, SECONDS_TO_END)

    def _trees(self) -> dict[int, list[int]]:
        """Return the descendants of each process between the first and the last ones, but for supervisors."""
        found = self.processes().items()
        middle = [pid for pid, words in found if pid != self._first.pid and SUPERVISOR not in words]
        return {pid: tree for pid in middle if (tree := process_tree(pid)[1:])}

    def end(self) -> None:
        """End all processes by force."""
        while left := self.processes():
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._first.poll()


def _left_of(processes: Callable[[], dict[int, str]], seconds: float) -> dict[int, str]:
    until = time.monotonic() + seconds
    while (left := processes()) and time.monotonic() < until:
        time.sleep(PAUSE)
    return left


@contextmanager
def marked(words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Marked]:
    """Start a command, and end whatever is left of it at the end."""
    command = Marked(words, folder, os.environ if environment is None else environment)
    try:
        yield command
    finally:
        command.end()
