"""Memory and processor time of this process and its descendants, read from Linux's /proc."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class ProcessUsage(NamedTuple):
    """What one process has used so far."""

    pid: int
    name: str
    peak_mib: int
    """Its largest resident set."""
    seconds: float
    """Of processors, in user and system mode."""


def process_tree() -> list[ProcessUsage]:
    """Return the usage of this process and its descendants, the largest first; nothing where there is no /proc."""
    facts = {pid: status for pid, status in map(_status, PROC.glob("[0-9]*/status")) if status}
    tree = {os.getpid()}
    while children := {pid for pid, status in facts.items() if int(status["PPid"]) in tree} - tree:
        tree |= children
    usages = [
        ProcessUsage(pid, facts[pid]["Name"], int(facts[pid]["VmHWM"].split()[0]) // 1024, _seconds(pid))
        for pid in tree & facts.keys()
        if "VmHWM" in facts[pid]
    ]
    return sorted(usages, key=lambda usage: -usage.peak_mib)


def _seconds(pid: int) -> float:
    """Return fields 14 and 15 of stat in seconds; 0 if the process has just ended."""
    try:
        fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _status(path: Path) -> tuple[int, dict[str, str]]:
    """Return a process and the lines of its status; no lines if it has just ended."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0, {}
    return int(path.parent.name), {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
