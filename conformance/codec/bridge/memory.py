"""The memory limits of a decode, by address space and by the peak of resident memory.

The limit of the address space catches memory reserved by a library, used or not. The peak shows a library that fills
hundreds of megabytes for an input of a few bytes, below that limit.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.proc import bytes_of_peak

if TYPE_CHECKING:
    from collections.abc import Callable


try:
    import resource
except ImportError:  # as on Windows: memory is not limited there, and only the deadline protects
    resource = None  # type: ignore[assignment]

MEBIBYTE = 2**20

ALLOWANCE = 64 * MEBIBYTE
"""Bytes for any input, far more than any valid message of the suite takes."""

FACTOR = 1024
"""Further bytes for each byte of an input: an element may be one byte, and its object hundreds."""


def affordable(mebibytes: int) -> int:
    """Return a limit on memory in MiB, lowered to what the machine has left for a process, but never to 0, no limit."""
    left = share_of_memory()
    return mebibytes if left is None else min(mebibytes, max(1, left // MEBIBYTE))


def limit_memory(mebibytes: int, pid: int = 0) -> None:
    """Limit the growth of the address space of a process, of this one for `pid` 0, where the system can do it."""
    if resource is None or (pid and not hasattr(resource, "prlimit")):
        return
    limit = _address_space(pid) + mebibytes * MEBIBYTE  # a runtime may reserve far more than this at its start
    for number, new in ((resource.RLIMIT_AS, limit), (resource.RLIMIT_CORE, 0)):
        _, hard = _limit(pid, number)
        _limit(pid, number, (new if hard == resource.RLIM_INFINITY else min(new, hard), hard if new else 0))


def _limit(pid: int, number: int, limits: tuple[int, int] | None = None) -> tuple[int, int]:
    if pid:
        with suppress(ProcessLookupError):
            return resource.prlimit(pid, number, *([limits] if limits else []))
        return resource.RLIM_INFINITY, resource.RLIM_INFINITY
    if limits:
        resource.setrlimit(number, limits)
    return resource.getrlimit(number)


def _address_space(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        # a guess where the system does not report it
        return 2048 * MEBIBYTE
    return pages * resource.getpagesize()


def peak_memory() -> int:
    """Return the peak of resident memory of this process in bytes, or 0 where the system does not report it."""
    if resource is None:
        return 0
    return bytes_of_peak(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def out_of_proportion(grown: int, size: int) -> bool:
    """Return whether `grown` bytes of memory are too many for an input of `size` bytes."""
    return grown > ALLOWANCE + FACTOR * size


class PeakWatch:
    """The growth of this process's peak of resident memory from one request to the next."""

    def __init__(self) -> None:
        self._peak = peak_memory()

    def excess(self, size_of: Callable[[], int]) -> str:
        """Return a text if the peak grew too much for a request, whose bytes `size_of` returns, or an empty text."""
        before, self._peak = self._peak, peak_memory()
        grown = self._peak - before
        if not out_of_proportion(grown, 0):
            return ""
        size = size_of()
        if not out_of_proportion(grown, size):
            return ""
        return f"resident memory grew by {grown // MEBIBYTE} MiB for {size} bytes of request"

    def forgive(self, size: int) -> None:
        """Reset the peak after a large reply, so that its memory counts for no other request."""
        if size > MEBIBYTE:
            self._peak = peak_memory()


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
