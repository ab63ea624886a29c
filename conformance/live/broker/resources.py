"""What connections and announced sizes leave behind in a server's process, where it runs on this machine."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.findings.violations import Blame, Violation
from conformance.implementation.outcome import Kind
from conformance.live.broker.cases import ExchangeCase
from conformance.live.broker.connection import SIZE
from conformance.live.broker.sound import check_survival, plain_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.implementation.tally import Tally
    from conformance.live.broker.black_box import BlackBox

CONNECTIONS = 200
"""The number of connections that are opened and closed."""

SPARE = 20
"""Descriptors that may be left over: of pools, of logs."""

PATIENCE = 5.0
"""Seconds within which a server gives back what it took."""

HELD = 0.5
"""Seconds for which an announced size is held open."""

MIB = 2**20
USUAL = 16 * MIB
"""Bytes by which the memory of a process may grow at any time, as by a runtime that compiles its code."""

SORT_OF_CONNECTIONS = "closed connections"
SORT_OF_SIZES = "announced sizes"
RESOURCES = Blame("connection.resources")
CLAIMED = Blame("connection.claimed-size", "size")


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants: what starts a server often waits for it. Empty if the system is silent."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parents[int(entry.parent.name)] = int(entry.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    found = [pid] if pid in parents else []
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def descriptors(pid: int) -> int | None:
    """Return how many descriptors a process and its descendants have open; None: this system does not tell."""
    counts = []
    for process in process_tree(pid):
        with suppress(OSError):
            counts.append(sum(1 for _ in Path(f"/proc/{process}/fd").iterdir()))
    return sum(counts) if counts else None


def resident(pid: int) -> int | None:
    """Return the bytes of a process and its descendants that are in memory; None: this system does not tell."""
    sizes = []
    for process in process_tree(pid):
        with suppress(OSError):
            lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
            sizes += [1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:")]
    return sum(sizes) if sizes else None


def check_connections(black_box: BlackBox, tally: Tally) -> Iterator[Violation]:
    """Check that closed connections give back their descriptors."""
    pid = black_box.pid
    before = descriptors(pid) if pid else None
    if pid is None or before is None:
        return
    case = plain_case(black_box)
    tally.case(SORT_OF_CONNECTIONS, CONNECTIONS)
    for _ in range(CONNECTIONS):
        black_box.talk.alone(case.frames[0])
    left = _settled(lambda: (descriptors(pid) or 0) - before, SPARE)
    if left > SPARE:
        text = f"{left} descriptors more, {PATIENCE:g} s after {CONNECTIONS} connections were closed"
        yield Violation(*RESOURCES, str(Kind.EXHAUSTED_MEMORY), "frame", f"as before: {before}", text, case)
    yield from check_survival(black_box, case)


def check_claimed_sizes(black_box: BlackBox, tally: Tally) -> Iterator[Violation]:
    """Check that sizes that are announced and not sent take no memory: one connection at a time, small ones first."""
    pid, largest = black_box.pid, black_box.permission.largest
    case = plain_case(black_box)
    size = MIB
    while size <= largest:
        tally.case(SORT_OF_SIZES)
        before = resident(pid) if pid else None
        announced = ExchangeCase(case.schema, case.release, f"size {size}", (SIZE.pack(size) + case.frames[0][4:8],))
        with black_box.server.connect() as connection:
            connection.send(announced.frames[0])
            time.sleep(HELD)
            after = resident(pid) if pid else None
        if before is not None and after is not None and after - before > max(size // 2, USUAL):
            text = f"{(after - before) // MIB} MiB more in memory, for 8 bytes that announce {size // MIB} MiB"
            yield Violation(*CLAIMED, str(Kind.EXHAUSTED_MEMORY), "frame", "memory for what has come", text, announced)
            return
        yield from check_survival(black_box, announced)
        size *= 4


def _settled(measure: Callable[[], int], enough: int) -> int:
    """Return a measure when it is small enough, or after the patience."""
    end = time.monotonic() + PATIENCE
    while (value := measure()) > enough and time.monotonic() < end:
        time.sleep(0.1)
    return value
