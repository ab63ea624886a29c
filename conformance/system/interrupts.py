"""Signals that end a command as control-C does: with its programs ended, and nothing half written."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING = ("SIGTERM", "SIGHUP")
"""The signals of a service manager, and of a closed terminal."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for each signal that would end this process without any clean-up.

    Ignored signals stay ignored, as SIGHUP below `nohup`. Only the main thread may do this; others go without.
    """
    before = {} if threading.current_thread() is not threading.main_thread() else _abrupt()
    for number in before:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _abrupt() -> dict[int, signal.Handlers]:
    numbers = (getattr(signal, name) for name in ENDING if hasattr(signal, name))
    return {number: signal.SIG_DFL for number in numbers if signal.getsignal(number) is signal.SIG_DFL}
