"""Processes of other programs, and their resources, as Linux describes them in /proc."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
STATE_AT, PARENT_AT, GROUP_AT, TIMES_AT = 0, 1, 2, slice(11, 15)
"""Places in /proc/PID/stat, counted from the end of the name."""

READY = "R"
"""The state of a thread that runs, or waits for a processor."""

KIBIBYTE = 1024
NANOSECOND = 1e-9


class Task(NamedTuple):
    """The times of a thread in seconds, since its start.

    Attributes:
        ran: on a processor.
        waited: for a processor, or None if the system does not tell.
    """

    ran: float = 0.0
    waited: float | None = 0.0
    is_ready: bool = False


def resident_memory(pid: int) -> int:
    """Return the resident memory of a process in bytes, or 0 if it has ended, and on systems without /proc."""
    return _line(pid, "VmRSS:")


def peak_memory(pid: int) -> int:
    """Return the peak of the resident memory of a process in bytes, 0 as for `resident_memory`."""
    return _line(pid, "VmHWM:")


def bytes_of_peak(maximum: int) -> int:
    """Return the bytes of a peak of resident memory as of getrusage(2)."""
    return maximum if sys.platform == "darwin" else maximum * KIBIBYTE


def largest_memory(pid: int) -> int:
    """Return the resident memory in bytes of the largest of a process and its descendants, or 0 without /proc."""
    return max(map(resident_memory, process_tree(pid)), default=0)


def group_memory(group: int) -> int:
    """Return the sum of the memory peaks of a group's processes in bytes, or 0 on systems without /proc."""
    return sum(peak_memory(process) for process in members(group))


def members(group: int) -> list[int]:
    """Return the live processes of a group."""
    return [process for process, of in _numbers(GROUP_AT).items() if of == group]


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants, or none on systems without /proc.

    The command that starts a server often stays its parent and waits for it.
    """
    found = [pid] if _fields(pid) else []
    try:
        for process in found:  # it grows meanwhile: children of children come later
            found += _children(process)
    except FileNotFoundError:  # not every kernel lists children
        return _found_by_parents(pid)
    return found


def _children(pid: int) -> list[int]:
    """Raise FileNotFoundError if the system does not list them."""
    children = []
    with suppress(NotADirectoryError, ProcessLookupError):
        for task in _names(f"{PROC}/{pid}/task"):
            try:
                children += [int(child) for child in _read(f"{PROC}/{pid}/task/{task}/children").split()]
            except FileNotFoundError:
                if os.path.exists(f"{PROC}/{pid}/task/{task}"):  # noqa: PTH110  # a look has to be fast
                    raise
    return children


def _found_by_parents(pid: int) -> list[int]:
    parents = _numbers(PARENT_AT)
    found = [pid] if pid in parents else []
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def task_tree(pid: int) -> dict[int, Task]:
    """Return the threads of a process and its descendants, by their numbers, or none on systems without /proc."""
    return {number: task for process in process_tree(pid) for number, task in tasks_of(process).items()}


def tasks_of(process: int) -> dict[int, Task]:
    """Return the threads of a process, by their numbers, or none on systems without /proc."""
    tasks = {}
    for name in _names(f"{PROC}/{process}/task"):
        with suppress(OSError, IndexError):  # it has ended meanwhile
            tasks[int(name)] = _task(f"{PROC}/{process}/task/{name}")
    return tasks


def _task(folder: str) -> Task:
    fields = _fields_of(f"{folder}/stat")
    is_ready = fields[STATE_AT] == READY
    with suppress(OSError, ValueError):
        ran, waited, _ = _read(f"{folder}/schedstat").split()
        return Task(int(ran) * NANOSECOND, int(waited) * NANOSECOND, is_ready)
    return Task(sum(map(int, fields[TIMES_AT][:2])) / os.sysconf("SC_CLK_TCK"), None, is_ready)


def descriptors(pid: int) -> int | None:
    """Return the number of open descriptors of a process and its descendants, or None on systems without /proc."""
    counts = []
    for process in process_tree(pid):
        with suppress(OSError):
            counts.append(sum(1 for _ in (PROC / str(process) / "fd").iterdir()))
    return sum(counts) if counts else None


def tree_memory(pid: int) -> int | None:
    """Return the resident memory of a process and its descendants in bytes, or None on systems without /proc."""
    return sum(resident_memory(process) for process in process_tree(pid)) or None


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants in seconds, or 0 on systems without /proc.

    On a busy machine it separates a slow start from an endless one. Times of descendants that have ended count too.
    """
    return sum(sum(map(int, _fields(process)[TIMES_AT])) for process in process_tree(pid)) / os.sysconf("SC_CLK_TCK")


def _numbers(place: int) -> dict[int, int]:
    numbers = {}
    for name in filter(str.isdigit, _names(str(PROC))):
        if fields := _fields(int(name)):
            numbers[int(name)] = int(fields[place])
    return numbers


def _fields(pid: int) -> list[str]:
    """Return those after the name, or none if the process has ended."""
    with suppress(OSError):
        return _fields_of(f"{PROC}/{pid}/stat")
    return []


def _fields_of(path: str) -> list[str]:
    """Return the fields after the name, which is in parentheses and may have any character."""
    return _read(path).rpartition(")")[2].split()


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208  # as in `_children`
    return []


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123  # as in `_children`
        return file.read()


def _line(pid: int, label: str) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * KIBIBYTE for line in lines if line.startswith(label)), 0)
