"""Processes of other programs, as Linux tells of them in /proc: which belong together, and what they take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
PARENT_AT, GROUP_AT, TIMES_AT = 1, 2, slice(11, 15)
"""The places of parent, process group and processor times in /proc/PID/stat, counted from behind the name."""

KIBIBYTE = 1024


def resident_memory(pid: int) -> int:
    """Return the bytes of resident memory of a process; 0 if it has ended, or where the system does not tell."""
    return _line(pid, "VmRSS:")


def peak_memory(pid: int) -> int:
    """Return the peak of the resident memory of a process, in bytes; 0 likewise."""
    return _line(pid, "VmHWM:")


def group_memory(group: int) -> int:
    """Return the sum of the peaks of resident memory of a group's processes; 0 where the system does not tell."""
    return sum(peak_memory(process) for process in members(group))


def members(group: int) -> list[int]:
    """Return the processes of a group that live."""
    return [process for process, of in _numbers(GROUP_AT).items() if of == group]


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants: what starts a server often waits for it. Empty if the system is silent."""
    parents = _numbers(PARENT_AT)
    found = [pid] if pid in parents else []
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def descriptors(pid: int) -> int | None:
    """Return how many descriptors a process and its descendants have open; None: this system does not tell."""
    counts = []
    for process in process_tree(pid):
        with suppress(OSError):
            counts.append(sum(1 for _ in (PROC / str(process) / "fd").iterdir()))
    return sum(counts) if counts else None


def tree_memory(pid: int) -> int | None:
    """Return the resident memory of a process and its descendants, in bytes; None: this system does not tell."""
    return sum(resident_memory(process) for process in process_tree(pid)) or None


def processor_seconds(pid: int) -> float:
    """Return the seconds of processor time of a process and its descendants; 0 where the system does not tell.

    On a busy machine they tell a slow start from one that never ends. Those of descendants that have ended count too.
    """
    return sum(sum(map(int, _fields(process)[TIMES_AT])) for process in process_tree(pid)) / os.sysconf("SC_CLK_TCK")


def _numbers(place: int) -> dict[int, int]:
    """Return one number of /proc/PID/stat of every process; none where the system does not tell."""
    numbers = {}
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir(PROC)):  # noqa: PTH208  # some hundreds, at each start of a harness
            if fields := _fields(int(name)):
                numbers[int(name)] = int(fields[place])
    return numbers


def _fields(pid: int) -> list[str]:
    """Return what /proc/PID/stat has behind the name, which is in parentheses; nothing if the process has ended."""
    with suppress(OSError):
        return (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return []


def _line(pid: int, label: str) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * KIBIBYTE for line in lines if line.startswith(label)), 0)
