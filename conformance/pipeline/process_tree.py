"""What this process and those it started have taken of memory and processors, as Linux tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Member(NamedTuple):
    """A process, its largest resident set, and the seconds of processors that it has had so far."""

    pid: int
    name: str
    peak_mib: int
    seconds: float


def family() -> list[Member]:
    """This process and its descendants, the largest first; none where the system does not tell."""
    everyone = {pid: facts for pid, facts in map(_facts, PROC.glob("[0-9]*/status")) if facts}
    members = {os.getpid()}
    while more := {pid for pid, facts in everyone.items() if int(facts["PPid"]) in members} - members:
        members |= more
    ours = [
        Member(pid, everyone[pid]["Name"], int(everyone[pid]["VmHWM"].split()[0]) // 1024, _seconds(pid))
        for pid in members & everyone.keys()
        if "VmHWM" in everyone[pid]
    ]
    return sorted(ours, key=lambda member: -member.peak_mib)


def _seconds(pid: int) -> float:
    """Of the processors, in user and system mode: fields 14 and 15 of stat; 0 if the process has just ended."""
    try:
        fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _facts(status: Path) -> tuple[int, dict[str, str]]:
    """What /proc says of a process; nothing of one that has just ended."""
    try:
        lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0, {}
    return int(status.parent.name), {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
