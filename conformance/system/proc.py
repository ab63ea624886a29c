"""Processes of other programs, as Linux describes them in /proc.

The functions find related processes and measure their resources.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
STATE_AT, PARENT_AT, GROUP_AT, SESSION_AT, TIMES_AT = 0, 1, 2, 3, slice(11, 15)
"""The places of state, parent, process group, session and processor times in /proc/PID/stat, counted from the end of
the name."""

READY = "R"
"""The state of a thread that runs, or waits for a processor."""

KIBIBYTE = 1024
NANOSECOND = 1e-9


class Task(NamedTuple):
    """The times of a thread in seconds, since its start.

    Attributes:
        ran: on a processor.
        waited: for a processor, or None if the system does not tell.
        is_ready: whether it runs or waits for a processor now.
    """

    ran: float = 0.0
    waited: float | None = 0.0
    is_ready: bool = False


def resident_memory(pid: int) -> int:
    """Return the resident memory of a process in bytes.

    It is 0 if the process has ended, and on systems without /proc.
    """
    return _line(pid, "VmRSS:")


def peak_memory(pid: int) -> int:
    """Return the peak of the resident memory of a process in bytes.

    It is 0 if the process has ended, and on systems without /proc.
    """
    return _line(pid, "VmHWM:")


def bytes_of_peak(maximum: int) -> int:
    """Return the bytes of a peak of resident memory as of getrusage(2)."""
    return maximum if sys.platform == "darwin" else maximum * KIBIBYTE


def largest_memory(pid: int) -> int:
    """Return the resident memory in bytes of the largest process among one and its descendants.

    It is 0 on systems without /proc.
    """
    return max(map(resident_memory, process_tree(pid)), default=0)


def group_memory(group: int) -> int:
    """Return the sum of the memory peaks of a group's processes in bytes.

    It is 0 on systems without /proc.
    """
    return sum(peak_memory(process) for process in members(group))


def members(group: int) -> list[int]:
    """Return the live processes of a group."""
    [groups] = _numbers(GROUP_AT)
    return [process for process, of in groups.items() if of == group]


def process_tree(pid: int) -> list[int]:
    """Return a process, its descendants, and the other processes of its session.

    The command that starts a server often stays its parent and waits for it. The list is empty on systems without
    /proc.
    """
    parents, sessions = _numbers(PARENT_AT, SESSION_AT)
    found = [pid] if pid in parents else []
    found += [process for process, session in sessions.items() if session == pid != process]
    for process in found:  # it grows meanwhile: children of children come later
        found += [child for child, parent in parents.items() if parent == process and child not in found]
    return found


def task_tree(pid: int) -> dict[int, Task]:
    """Return the threads of a process and its descendants, by their numbers.

    It is empty on systems without /proc.
    """
    tasks = {}
    for process in process_tree(pid):
        folder = PROC / str(process) / "task"
        with suppress(OSError):
            for name in os.listdir(folder):  # noqa: PTH208  # as in `_numbers`
                with suppress(OSError, IndexError):  # it has ended meanwhile
                    tasks[int(name)] = _task(folder / name)
    return tasks


def _task(folder: Path) -> Task:
    fields = _fields_of(folder / "stat")
    is_ready = fields[STATE_AT] == READY
    with suppress(OSError, ValueError):
        ran, waited, _ = (folder / "schedstat").read_text(encoding="ascii").split()
        return Task(int(ran) * NANOSECOND, int(waited) * NANOSECOND, is_ready)
    return Task(sum(map(int, fields[TIMES_AT][:2])) / os.sysconf("SC_CLK_TCK"), None, is_ready)


def descriptors(pid: int) -> int | None:
    """Return the number of open descriptors of a process and its descendants.

    It is None on systems without /proc.
    """
    counts = []
    for process in process_tree(pid):
        with suppress(OSError):
            counts.append(sum(1 for _ in (PROC / str(process) / "fd").iterdir()))
    return sum(counts) if counts else None


def tree_memory(pid: int) -> int | None:
    """Return the resident memory of a process and its descendants in bytes.

    It is None on systems without /proc.
    """
    return sum(resident_memory(process) for process in process_tree(pid)) or None


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants in seconds.

    On a busy machine it separates a slow start from an endless one. Times of descendants that have ended count too. It
    is 0 on systems without /proc.
    """
    return sum(sum(map(int, _fields(process)[TIMES_AT])) for process in process_tree(pid)) / os.sysconf("SC_CLK_TCK")


def _numbers(*places: int) -> list[dict[int, int]]:
    """Return numbers of /proc/PID/stat for every process, by their places.

    The results are empty on systems without /proc.
    """
    numbers: list[dict[int, int]] = [{} for _ in places]
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir(PROC)):  # noqa: PTH208  # some hundreds, at each start of a harness
            if fields := _fields(int(name)):
                for place, found in zip(places, numbers, strict=True):
                    found[int(name)] = int(fields[place])
    return numbers


def _fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name.

    The name is in parentheses and may have any character. The list is empty if the process has ended.
    """
    with suppress(OSError):
        return _fields_of(PROC / str(pid) / "stat")
    return []


def _fields_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()


def _line(pid: int, label: str) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * KIBIBYTE for line in lines if line.startswith(label)), 0)
