"""Our own Python processes: they import the same modules as this one, wherever they are started."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.import_path import OURS, SAFE, current_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PYTHON = (sys.executable, "-P")
"""What starts Python without the current folder on its import path."""

COMMAND = (*PYTHON, "-m", "conformance")
"""What starts the command `kafka-conformance`."""


def own_environment(**further: str) -> dict[str, str]:
    """Return this process's environment with its import path, for a process that is started by `PYTHON`.

    The current folder is behind all else there, as `add_current_folder` has it, if it is on the path at all.
    """
    folder = str(Path(current_folder()).resolve())
    places = [str(Path(entry).resolve()) for entry in sys.path if Path(entry).exists()]
    last = [folder] if folder in places else []
    path = [place for place in places if place != folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*path, *last]), **further}


def foreign_environment() -> Mapping[str, str]:
    """Return this process's environment for a program of others: Python there does as its user has set."""
    if os.environ.get(SAFE) != OURS:
        return os.environ
    return {name: text for name, text in os.environ.items() if name != SAFE}


def keep_children_safe() -> None:
    """Let libraries that start Python, as pools of workers are, do so without the current folder on its path."""
    os.environ.setdefault(SAFE, OURS)


def leave_children_alone() -> None:
    """Take that back."""
    if os.environ.get(SAFE) == OURS:
        del os.environ[SAFE]


@contextmanager
def worker_pool(workers: int, begin: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Run a pool of processes that begin with nothing of this one, but `begin`, as long as the context lasts."""
    keep_children_safe()
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), begin) as pool:
            yield pool
    finally:
        leave_children_alone()
