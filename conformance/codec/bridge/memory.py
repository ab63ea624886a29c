"""How much memory a decode may use: a limit of the address space, and a check of the peak of resident memory.

The limit catches what a library reserves, used or not. Below it, a library may still fill hundreds of megabytes for an
input of a few bytes, and succeed: that shows in the peak of resident memory.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    import resource
except ImportError:  # as on Windows: memory is not limited there, and only the deadline protects
    resource = None  # type: ignore[assignment]

MEBIBYTE = 2**20

ALLOWANCE = 64 * MEBIBYTE
"""Bytes that any input may take: far more than any valid message of the suite takes."""

FACTOR = 1024
"""Bytes that each byte of an input may take beyond that: an element may be one byte, and its object hundreds."""


def limit_memory(mebibytes: int, pid: int = 0) -> None:
    """Limit the growth of a process's address space, this one's if `pid` is 0; nothing where the system cannot."""
    if resource is None or (pid and not hasattr(resource, "prlimit")):
        return
    limit = _address_space(pid) + mebibytes * MEBIBYTE
    for number, wanted in ((resource.RLIMIT_AS, limit), (resource.RLIMIT_CORE, 0)):
        _, hard = _limit(pid, number)
        _limit(pid, number, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard if wanted else 0))


def _limit(pid: int, number: int, limits: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return the soft and hard limits of a process, after setting them if they are given."""
    if pid:
        with suppress(ProcessLookupError):
            return resource.prlimit(pid, number, *([limits] if limits else []))
        return resource.RLIM_INFINITY, resource.RLIM_INFINITY
    if limits:
        resource.setrlimit(number, limits)
    return resource.getrlimit(number)


def _address_space(pid: int) -> int:
    """Return the bytes of address space in use; a guess where the system does not report them."""
    try:
        pages = int(Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 2048 * MEBIBYTE
    return pages * resource.getpagesize()


def peak_memory() -> int:
    """Return the peak of resident memory of this process in bytes; 0 where the system does not report it."""
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def out_of_proportion(grown: int, size: int) -> bool:
    """Return whether memory that grew by `grown` bytes is too much for an input of `size` bytes."""
    return grown > ALLOWANCE + FACTOR * size


class PeakWatch:
    """Watches how the peak of resident memory of this process grows from one request to the next."""

    def __init__(self) -> None:
        self._peak = peak_memory()

    def excess(self, size_of: Callable[[], int]) -> str:
        """Return what to say if it grew too much for a request of so many bytes; empty if it did not."""
        before, self._peak = self._peak, peak_memory()
        grown = self._peak - before
        if not out_of_proportion(grown, 0):
            return ""
        size = size_of()
        if not out_of_proportion(grown, size):
            return ""
        return f"resident memory grew by {grown // MEBIBYTE} MiB for {size} bytes of request"

    def forgive(self, size: int) -> None:
        """Have memory that a reply of so many bytes took count for no other request."""
        if size > MEBIBYTE:
            self._peak = peak_memory()
