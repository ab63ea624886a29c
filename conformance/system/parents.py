"""The end of a process with its parent, however the parent ends."""

from __future__ import annotations

import os
import signal
import time
from threading import Thread

from conformance.system.supervisor import PARENT_DEATH_SIGNAL, control

PAUSE = 0.5
"""Seconds between two looks at the parent, on systems without such a signal."""


def end_with(parent: int) -> None:
    """End this process with its parent, of which `parent` is the process id, as noted by the parent itself.

    A fork, or another process of our own, calls this before anything else. Linux then ends it by SIGKILL, even while
    foreign code holds the interpreter's lock. Linux does so at the end of the *thread* that has started this process:
    a thread that starts processes must live as long as they do, as the main thread does. On other systems a thread
    here looks at the parent.
    """
    if not control(PARENT_DEATH_SIGNAL, signal.SIGKILL):
        Thread(target=_watch, args=(parent,), daemon=True).start()
    _end_without(parent)


def _watch(parent: int) -> None:
    while True:
        time.sleep(PAUSE)
        _end_without(parent)


def _end_without(parent: int) -> None:
    if os.getppid() != parent:  # another process adopts this one when its parent ends
        os._exit(1)
