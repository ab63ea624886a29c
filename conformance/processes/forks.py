"""Work in a fork of this process, which it may end or hold up."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Beat = Callable[[str], object]
    """Called with the phase of the work, now and then, and when another phase begins."""

CAN_FORK = hasattr(os, "fork")

_END = b"\0"
"""Behind each phase, when it begins."""


class Fork(NamedTuple):
    """What came of work in a fork.

    Attributes:
        told: what it returned; None if it came to no end.
        phase: the last one that began.
        status: the exit status; minus the signal's number if a signal ended it.
    """

    told: str | None
    phase: str
    status: int

    @property
    def is_held_up(self) -> bool:
        """Whether it was ended because it was silent for too long."""
        return self.status == -signal.SIGALRM


def forked(work: Callable[[Beat], str], seconds: Mapping[str, int]) -> Fork:
    """Do work in a fork of this process.

    Args:
        work: is given a function to call now and then; in the end it returns a text.
        seconds: by phase, in the order of the work: how long it may be silent; after that the fork is ended.
    """
    reading, writing = os.pipe()
    parent, process = os.getpid(), os.fork()
    if not process:
        os.close(reading)
        _run(work, parent, seconds, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        *phases, told = pipe.read().split(_END)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    phase = phases[-1].decode() if phases else next(iter(seconds))
    return Fork(None if code else told.decode(errors="replace"), phase, code)


def _run(work: Callable[[Beat], str], parent: int, seconds: Mapping[str, int], writing: int) -> None:
    """Do the work, and end this process; it also ends with its parent. What it prints goes to standard error."""
    begun = ""

    def beat(phase: str) -> None:
        nonlocal begun
        signal.alarm(seconds[phase])
        if phase != begun:
            os.write(writing, phase.encode() + _END)
            begun = phase
        if os.getppid() != parent:
            os._exit(1)

    status = 1
    try:
        os.dup2(2, 1)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        beat(next(iter(seconds)))
        os.write(writing, work(beat).encode())
        status = 0
    finally:
        os._exit(status)
