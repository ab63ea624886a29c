"""Work in a fork of this process, which may crash or hang without any effect on this process."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from conformance.system.parents import end_with
from conformance.system.programs import end_programs
from conformance.system.time_limits import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping
    from multiprocessing.connection import Connection

    Beat = Callable[[str], object]
    """Called with the phase of the work, now and then, and when another phase begins."""
    Answers = Callable[[Iterator[bytes], Beat], Iterator[str]]
    """Yields a text for each request; closes its own resources after the last one."""

CAN_FORK = hasattr(os, "fork")

PHASE, ANSWER = b"p", b"a"
"""First bytes of a fork's frames: the begin or the going on of a phase, and an answer."""

BEAT = 0.2
"""Seconds at least between two frames about the same phase."""

PAUSE = 0.002
"""Seconds between two looks at a fork or a thread that ends."""

# The kernel shows a joined thread for a moment longer: seconds for it to be gone.
_LEAVING = 0.1


def has_more_threads(number: int) -> bool:
    """Return whether the process has more threads, after a moment for those that are just leaving the system."""
    until = time.monotonic() + _LEAVING
    while thread_count() > number:
        if time.monotonic() > until:
            return True
        time.sleep(PAUSE)
    return False


def thread_count() -> int:
    """Return the number of threads of this process, where the system reports them also those unknown to Python."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.is_dir() else threading.active_count()


class ForkReply(NamedTuple):
    """The outcome of a request.

    Attributes:
        answer: None if the fork ended instead.
        phase: the last phase to begin.
        status: the exit status, or minus the number of the signal that ended the fork, SIGALRM after a silence.
    """

    answer: str | None
    phase: str
    status: int = 0

    @property
    def is_held_up(self) -> bool:
        """Whether the fork was ended for being silent too long."""
        return self.status == -signal.SIGALRM

    @property
    def is_declined(self) -> bool:
        """Whether the fork ended by itself and leaves the request to another one."""
        return self.answer is None and self.status == 0


class Fork:
    """A fork of this process that answers requests. It ends when it is closed, and with this process.

    Args:
        answers: the work; its state lives in the fork.
        seconds: the longest silence in each phase, in their order, as of `TimeLimit`; 0 for no limit.
    """

    # This process's ends of the pipes: a further fork must close them.
    _open: ClassVar[set[Connection]] = set()

    def __init__(self, answers: Answers, seconds: Mapping[str, int]) -> None:
        self._first, self._seconds = next(iter(seconds)), seconds
        self._pipe, theirs = Pipe()
        self._open.add(self._pipe)
        parent = os.getpid()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12, where a worker of xdist has threads
            self.pid = os.fork()
        if not self.pid:
            end_with(parent)
            for pipe in self._open:
                pipe.close()
            _run(answers, self._first, theirs)
        theirs.close()

    def ask(self, request: bytes) -> ForkReply:
        """Return the outcome of a request. The fork is closed if it ends, and ended if the wait is interrupted."""
        phase, limit = self._first, self._limit(self._first)
        try:
            self._pipe.send_bytes(request)
            while self._has_message(limit):
                message = self._pipe.recv_bytes()
                if not message.startswith(PHASE):
                    return ForkReply(message[1:].decode(errors="replace"), phase)
                phase = message[1:].decode()
                limit = self._limit(phase)
        except (EOFError, OSError):
            return ForkReply(None, phase, self.close())
        except BaseException:
            os.kill(self.pid, signal.SIGKILL)
            self.close()
            raise
        os.kill(self.pid, signal.SIGKILL)
        killed = self.close()
        is_starved = limit is not None and limit.is_for_lack_of_processors
        return ForkReply(None, phase, killed if is_starved else -signal.SIGALRM)

    def _limit(self, phase: str) -> TimeLimit | None:
        seconds = self._seconds[phase]
        return TimeLimit(self.pid, seconds) if seconds else None

    def _has_message(self, limit: TimeLimit | None) -> bool:
        while not self._pipe.poll(None if limit is None else limit.pause):
            if limit is not None and limit.is_over():
                return self._pipe.poll()
        return True

    def close(self) -> int:
        """End the fork, and return its exit status, or minus the number of the signal that ended it.

        A fork that does not end within the limit of its first phase is ended by force.
        """
        self._open.discard(self._pipe)
        self._pipe.close()
        limit = self._limit(self._first)
        while (ended := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            if limit is not None and limit.is_over():
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(PAUSE)
        return os.waitstatus_to_exitcode(ended[1])


class Forks:
    """The most recently used forks of this process, by purpose."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._forks: dict[Hashable, Fork] = {}

    def ask(self, purpose: Hashable, request: bytes, begin: Callable[[], Fork]) -> ForkReply:
        """Return the outcome of a request to the fork of a purpose, started by `begin` if there is none."""
        fork = self._forks.pop(purpose, None)
        reply = fork and fork.ask(request)
        if not fork or not reply or reply.is_declined:
            fork = begin()
            reply = fork.ask(request)
        if reply.answer is not None:
            self._forks[purpose] = fork  # the last place: the forks at the front were not used for longest
        self._end_all_but(self._most)
        return reply

    def close(self) -> None:
        """End all forks."""
        self._end_all_but(0)

    def _end_all_but(self, number: int) -> None:
        while len(self._forks) > number:
            self._forks.pop(next(iter(self._forks))).close()


def _run(answers: Answers, first: str, pipe: Connection) -> None:
    begun, sent = "", 0.0

    def beat(phase: str) -> None:
        nonlocal begun, sent
        if phase != begun or time.monotonic() - sent > BEAT:
            pipe.send_bytes(PHASE + phase.encode())
            begun, sent = phase, time.monotonic()

    def requests() -> Iterator[bytes]:
        nonlocal begun
        while True:
            try:
                request = pipe.recv_bytes()
            except (EOFError, OSError):
                return
            begun = ""
            beat(first)
            yield request

    status = 1
    try:
        os.dup2(2, 1)  # standard output belongs to the parent's report
        for answer in answers(requests(), beat):
            pipe.send_bytes(ANSWER + answer.encode())
        status = 0
    finally:
        end_programs()
        os._exit(status)
