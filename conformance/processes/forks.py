"""Work in a fork of this process, which it may end or hold up."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CAN_FORK = hasattr(os, "fork")


def forked(work: Callable[[Callable[[], object]], str], patience: int) -> str | None:
    """Return what `work` returns in a fork of this process; None if that comes to no end, or where there are no forks.

    Args:
        work: is given a function to call now and then.
        patience: seconds without such a call after which the fork is ended.
    """
    if not CAN_FORK:
        return None
    reading, writing = os.pipe()
    parent, process = os.getpid(), os.fork()
    if not process:
        os.close(reading)
        _run(work, parent, patience, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(process, 0)
    return told.decode(errors="replace") if status == 0 else None


def _run(work: Callable[[Callable[[], object]], str], parent: int, patience: int, writing: int) -> None:
    """Do the work, and end this process; it also ends with its parent. What it prints goes to standard error."""

    def beat() -> None:
        signal.alarm(patience)
        if os.getppid() != parent:
            os._exit(1)

    status = 1
    try:
        os.dup2(2, 1)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        beat()
        os.write(writing, work(beat).encode())
        status = 0
    finally:
        os._exit(status)
