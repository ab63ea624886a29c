"""How much memory a process of another program takes, as Linux tells it."""

from __future__ import annotations

from pathlib import Path

KIBIBYTE = 1024


def resident_memory(pid: int) -> int:
    """Return the bytes of resident memory of a process; 0 if it has ended, or where the system does not tell."""
    return _line(pid, "VmRSS:")


def peak_memory(pid: int) -> int:
    """Return the peak of the resident memory of a process, in bytes; 0 likewise."""
    return _line(pid, "VmHWM:")


def _line(pid: int, label: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * KIBIBYTE for line in lines if line.startswith(label)), 0)
