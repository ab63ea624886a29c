"""The resident memory of a process group, as Linux tells it."""

from __future__ import annotations

from pathlib import Path

from conformance.live.programs.memory import peak_memory

GROUP_AT = 2
"""The place of the process group in /proc/PID/stat, counted from behind the name."""


def group_memory(group: int) -> int:
    """Return the sum of the peaks of resident memory of a group's processes; 0 where the system does not tell."""
    return sum(peak_memory(process) for process in members(group))


def members(group: int) -> list[int]:
    """Return the processes of a group that live."""
    try:
        processes = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    except OSError:
        return []
    return [process for process in processes if _group_of(process) == group]


def _group_of(process: int) -> int | None:
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return int(fields[GROUP_AT]) if len(fields) > GROUP_AT else None
