"""Sudden ends of a program in a fork, by `kill -9` or by a full disk.

A moment is the number of a change of names in the folder: a file opened for writing, a rename, a deletion, a new
folder. So each moment comes again on every machine.
"""

import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.helpers.runs import Finished, forked

Program = Callable[[], object]

CHANGING = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}
AT_EVERY_CHANGE, NIGHTLY = 5, 20


def moments(total: int, numbers: range) -> Iterator[int]:
    """Yield a moment below a total for each number, the same ones in every run."""
    for number in numbers:
        yield random.Random(number).randrange(total)  # noqa: S311  # no secret


def count_of(program: Program, folder: Path) -> int:
    """Run a program to its end, and return the number of its moments."""
    counts = folder.with_name(f"{folder.name}.count")

    def run(_: list[str]) -> None:
        seen = _watch(folder, None)
        program()
        counts.write_text(str(seen[0]), encoding="ascii")

    forked(run).ended(0)
    return int(counts.read_text(encoding="ascii"))


def killed(program: Program, folder: Path, moment: int) -> None:
    """Run a program, and kill it at a moment."""

    def run(_: list[str]) -> None:
        _watch(folder, moment)
        program()

    assert forked(run).status == -signal.SIGKILL


def on_a_full_disk(program: Program, size: int) -> Finished:
    """Run a program that can write `size` bytes to any file.

    Further bytes are an error, as on a full disk.
    """

    def run(_: list[str]) -> object:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        return program()

    return forked(run)


def _watch(folder: Path, moment: int | None) -> list[int]:
    """Count moments from now on, and kill this process at one of them."""
    seen, inside, process = [0], f"{folder}{os.sep}", os.getpid()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if os.getpid() != process or not _is_change(event, arguments) or not str(arguments[0]).startswith(inside):
            return
        if seen[0] == moment:
            os.kill(process, signal.SIGKILL)
        seen[0] += 1

    sys.addaudithook(hook)
    return seen


def _is_change(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "open":
        return isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in CHANGING
