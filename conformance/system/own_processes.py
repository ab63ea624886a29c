"""The suite's own Python processes.

They import the same modules as this process, from any current folder, and nothing from that folder unasked.
"""

from __future__ import annotations

import os
import signal
import site
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.import_path import HOME, OURS, SAFE, current_folder
from conformance.system.parents import end_with
from conformance.system.unpacked import extracted_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PYTHON = (sys.executable, "-P")
"""The command for Python without the current folder on its import path."""

COMMAND = (*PYTHON, "-m", "conformance")

PATH = "PYTHONPATH"


def own_environment(**further: str) -> dict[str, str]:
    """Return the environment for a process started by `PYTHON`.

    Python finds this project there, and what its user has named in PYTHONPATH, but nothing in the current folder: it
    imports modules such as sitecustomize at its start.
    """
    home = [] if _is_installed() else [_home()]
    named = [_resolved(entry) for entry in filter(None, os.environ.get(PATH, "").split(os.pathsep))]
    path = [*home, *(place for place in named if place != _resolved(current_folder()) and place not in home)]
    return {**os.environ, PATH: os.pathsep.join(path), **further}


def import_path() -> str:
    """Return this process's import path for `take_import_path`, with the current folder last, if it is there at all."""
    places = list(dict.fromkeys(_resolved(entry) for entry in sys.path if Path(entry).exists()))
    folder = _resolved(current_folder())
    if folder in places and folder != _home():
        places = [*(place for place in places if place != folder), folder]
    return os.pathsep.join(places)


def _home() -> str:
    """Return the folder that this project is imported from, or the unpacked copy of an archive."""
    return _resolved(extracted_path(Path(HOME, "conformance")).parent)


def _is_installed() -> bool:
    return _home() in map(_resolved, (*site.getsitepackages(), site.getusersitepackages()))


def _resolved(entry: str | Path) -> str:
    return str(Path(entry).resolve())


def foreign_environment() -> Mapping[str, str]:
    """Return the environment for a program of others, whose Python follows its user's settings only."""
    if os.environ.get(SAFE) != OURS:
        return os.environ
    return {name: text for name, text in os.environ.items() if name != SAFE}


def keep_children_safe() -> None:
    """Let libraries, such as those for pools of workers, start Python without the current folder on its import path."""
    os.environ.setdefault(SAFE, OURS)


def leave_children_alone() -> None:
    """Undo `keep_children_safe`."""
    if os.environ.get(SAFE) == OURS:
        del os.environ[SAFE]


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Run a pool of worker processes as long as the context lasts.

    They share no state with this process, leave control-C to it, and end with it. The thread that calls this gives the
    pool its tasks.
    """
    keep_children_safe()
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (os.getpid(),)) as pool:
            yield pool
    finally:
        leave_children_alone()


def _begin(parent: int) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
