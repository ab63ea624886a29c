"""How much memory this process and those it started have taken at most, as Linux tells."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Member(NamedTuple):
    """A process, and its largest resident set so far."""

    pid: int
    name: str
    peak_mib: int


def family() -> list[Member]:
    """This process and its descendants, the largest first; none where the system does not tell."""
    everyone = {pid: facts for pid, facts in map(_facts, PROC.glob("[0-9]*/status")) if facts}
    members = {os.getpid()}
    while more := {pid for pid, facts in everyone.items() if int(facts["PPid"]) in members} - members:
        members |= more
    ours = [
        Member(pid, everyone[pid]["Name"], int(everyone[pid]["VmHWM"].split()[0]) // 1024)
        for pid in members & everyone.keys()
        if "VmHWM" in everyone[pid]
    ]
    return sorted(ours, key=lambda member: -member.peak_mib)


def _facts(status: Path) -> tuple[int, dict[str, str]]:
    """What /proc says of a process; nothing of one that has just ended."""
    try:
        lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0, {}
    return int(status.parent.name), {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
