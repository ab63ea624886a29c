"""Processes of other programs, as Linux describes them in /proc.

The functions find related processes and measure their resources.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
PARENT_AT, GROUP_AT, TIMES_AT = 1, 2, slice(11, 15)
"""The places of parent, process group and processor times in /proc/PID/stat, counted from the end of the name."""

KIBIBYTE = 1024


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


def group_memory(group: int) -> int:
    """Return the sum of the memory peaks of a group's processes in bytes.

    It is 0 on systems without /proc.
    """
    return sum(peak_memory(process) for process in members(group))


def members(group: int) -> list[int]:
    """Return the live processes of a group."""
    return [process for process, of in _numbers(GROUP_AT).items() if of == group]


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants.

    The command that starts a server often stays its parent and waits for it. The list is empty on systems without
    /proc.
    """
    parents = _numbers(PARENT_AT)
    found = [pid] if pid in parents else []
    for process in found:  # it grows meanwhile: children of children come later
        found += [child for child, parent in parents.items() if parent == process]
    return found


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


def _numbers(place: int) -> dict[int, int]:
    """Return one number of /proc/PID/stat for every process.

    The result is empty on systems without /proc.
    """
    numbers = {}
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir(PROC)):  # noqa: PTH208  # some hundreds, at each start of a harness
            if fields := _fields(int(name)):
                numbers[int(name)] = int(fields[place])
    return numbers


def _fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name.

    The name is in parentheses and may have any character. The list is empty if the process has ended.
    """
    with suppress(OSError):
        return (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return []


def _line(pid: int, label: str) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * KIBIBYTE for line in lines if line.startswith(label)), 0)
