"""The memory that this machine has left, for processes with a limit."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
OWN_CGROUPS = Path("/proc/self/cgroup")
CGROUPS = Path("/sys/fs/cgroup")

KIBIBYTE = 1024

WORKERS = "PYTEST_XDIST_WORKER_COUNT"
"""The variable with the number of processes that share the memory, as pytest-xdist sets it."""


def share_of_memory() -> int | None:
    """Return the bytes that this process may give to one process of its own, or None if the system does not tell.

    One share is left to the machine, and each worker of a run gets one.
    """
    left = [each for each in (_of_machine(), *map(_of_cgroup, _cgroups())) if each is not None]
    return max(0, min(left)) // (int(os.environ.get(WORKERS, "1")) + 1) if left else None


def _of_machine() -> int | None:
    with suppress(OSError):
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * KIBIBYTE
    return None


def _cgroups() -> list[Path]:
    """Return the folders of this process's cgroups with memory, of version 1 and 2, up to the root."""
    folders = [CGROUPS, CGROUPS / "memory"]  # in a container these are its own
    with suppress(OSError):
        for line in OWN_CGROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if "memory" in controllers.split(",") or not controllers:
                folder = CGROUPS / ("memory" if controllers else "") / path.strip("/")
                folders += [folder, *folder.parents]
    return [each for each in dict.fromkeys(folders) if each.is_relative_to(CGROUPS)]


def _of_cgroup(folder: Path) -> int | None:
    """Return the bytes that a cgroup has left, or None if it has no limit. Cached files can go, and so do not count."""
    for limit, usage, cached in (
        ("memory.max", "memory.current", "inactive_file "),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "),
    ):
        with suppress(OSError, ValueError):
            most, used = (int((folder / name).read_text(encoding="ascii")) for name in (limit, usage))
            statistics = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
            freed = (int(line.split()[1]) for line in statistics if line.startswith(cached))
            return most - used + next(freed, 0)
    return None
