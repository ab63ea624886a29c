"""The processor time of a child process: on a busy machine it tells a slow start from one that never ends."""

from __future__ import annotations

import os
from pathlib import Path

_AFTER_NAME = 11
"""Fields of /proc/PID/stat between the name, in parentheses, and the user time: see proc_pid_stat(5)."""


def processor_seconds(pid: int) -> float:
    """Return the seconds of processor time of a process and its ended children; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    times = text.rpartition(")")[2].split()[_AFTER_NAME : _AFTER_NAME + 4]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
