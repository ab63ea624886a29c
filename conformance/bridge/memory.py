"""How much memory a decode may take: a limit of the address space, and what has really been used.

The limit catches what a library reserves, whether it uses it or not. Below it, a library may still fill hundreds of
megabytes for an input of a few bytes, and succeed: that shows in the peak of resident memory.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

with suppress(ImportError):  # not every system has it: there, nothing is limited, and the deadline alone protects
    import resource

MEBIBYTE = 2**20

ALLOWANCE = 64 * MEBIBYTE
"""Bytes that any input may take: far more than any sound message of the suite does."""

FACTOR = 1024
"""Bytes that each byte of an input may take beyond that: an element may be one byte, and its object hundreds."""


def limit_memory(mebibytes: int) -> None:
    """Let this process's address space grow by that much and no more; an allocation beyond it is a MemoryError."""
    if "resource" not in globals():
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _address_space() + mebibytes * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Bytes of address space that this process has by now; a guess where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 2048 * MEBIBYTE
    return pages * resource.getpagesize()


def peak_memory() -> int:
    """Bytes of the largest resident memory that this process ever had; 0 where the system does not tell."""
    if "resource" not in globals():
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def out_of_proportion(grown: int, size: int) -> bool:
    """Whether memory that grew by `grown` bytes is too much for an input of `size` bytes."""
    return grown > ALLOWANCE + FACTOR * size
