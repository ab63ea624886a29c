"""The suite's own Python processes.

They import the same modules as this process, from any current folder.
"""

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
"""The command for Python without the current folder on its import path."""

COMMAND = (*PYTHON, "-m", "conformance")
"""The command for `kafka-conformance` itself."""


def own_environment(**further: str) -> dict[str, str]:
    """Return the environment for a process started by `PYTHON`.

    It is this process's environment, with this process's import path. The current folder comes last there, as by
    `add_current_folder`, if it is on the path at all.
    """
    folder = str(Path(current_folder()).resolve())
    places = [str(Path(entry).resolve()) for entry in sys.path if Path(entry).exists()]
    last = [folder] if folder in places else []
    path = [place for place in places if place != folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*path, *last]), **further}


def foreign_environment() -> Mapping[str, str]:
    """Return this process's environment for a program of others.

    Python in that program follows its user's settings only.
    """
    if os.environ.get(SAFE) != OURS:
        return os.environ
    return {name: text for name, text in os.environ.items() if name != SAFE}


def keep_children_safe() -> None:
    """Let libraries start Python without the current folder on its import path.

    Pools of workers do so, for example.
    """
    os.environ.setdefault(SAFE, OURS)


def leave_children_alone() -> None:
    """Undo `keep_children_safe`."""
    if os.environ.get(SAFE) == OURS:
        del os.environ[SAFE]


@contextmanager
def worker_pool(workers: int, begin: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Run a pool of worker processes as long as the context lasts.

    They share no state with this process.

    Args:
        workers: the number of processes.
        begin: called at the start of each process.
    """
    keep_children_safe()
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), begin) as pool:
            yield pool
    finally:
        leave_children_alone()
