"""Checks of a server's memory and descriptors after closed connections and announced sizes, on this machine only."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.judge.case import Judged, RulesTried
from conformance.judge.events import Expectation, Expected, Noted, number
from conformance.live.server.connection import SIZE, TooBusy
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.survival import SURVIVAL, check_survival, plain_case
from conformance.system.proc import descriptors, tree_memory
from conformance.system.time_limits import TimeLimit, clock_limit
from conformance.targets import Blame
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.judge.case import Event, Violation
    from conformance.live.server.black_box import BlackBox

CONNECTIONS = 200
"""The number of opened and closed connections."""

SPARE = 20
"""The number of descriptors allowed to stay open, as those of pools and logs."""

PATIENCE = 5.0
"""Seconds given to a server to release its resources."""

HELD = 0.5
"""Seconds for holding open a connection with an announced size."""

MIB = 2**20
USUAL = 16 * MIB
"""The usual growth of a process's memory, in bytes, as by a runtime with a compiler."""

CATEGORY_OF_CONNECTIONS = "closed connections"
CATEGORY_OF_SIZES = "announced sizes"
UNWATCHED = "announced sizes, memory not watched"
"""Stands for an unknown process; only the server's survival is tested then."""

RESOURCES = Blame("connection.resources")
CLAIMED = Blame("connection.claimed-size", "size")


def check_connections(black_box: BlackBox) -> Iterator[Event]:
    """Check that a server releases the descriptors of closed connections."""
    pid = black_box.pid
    before = descriptors(pid) if pid else None
    if pid is None or before is None:
        return
    case = plain_case(black_box)
    yield Judged(CATEGORY_OF_CONNECTIONS, CONNECTIONS)
    yield RulesTried.of(RESOURCES.rule)
    for _ in range(CONNECTIONS):
        black_box.requester.alone(case.frames[0])

    def kept(seconds: float) -> list[Violation]:
        limit = TimeLimit(pid, max(seconds, PATIENCE))
        left = _settled(lambda: (descriptors(pid) or 0) - before, SPARE, limit)
        if left <= SPARE:
            return []
        text = f"{left} descriptors more after {CONNECTIONS} connections were closed, {limit}"
        seen, expected = Noted(str(Kind.EXHAUSTED_MEMORY), text), number(Expected.DESCRIPTORS, before)
        return [replace(case, times=CONNECTIONS).violation(RESOURCES, seen, expected, "frame")]

    yield from black_box.surely(kept, lambda found: found)
    yield from check_survival(black_box, case)


def check_claimed_sizes(black_box: BlackBox) -> Iterator[Event]:
    """Check that announced sizes without their bytes take no memory, one after another, small ones first."""
    pid, largest = black_box.pid, black_box.permission.largest
    case = plain_case(black_box)
    size = MIB
    while size <= largest:
        black_box.server.budget.check()
        before = tree_memory(pid) if pid else None
        yield Judged(UNWATCHED if before is None else CATEGORY_OF_SIZES)
        yield RulesTried.of(SURVIVAL, *([] if before is None else [CLAIMED.rule]))
        announced = ExchangeCase(case.schema, case.release, f"size {size}", (SIZE.pack(size) + case.frames[0][4:8],))
        with black_box.server.connect() as connection:
            connection.send(announced.frames[0])
            hold(pid)
            after = tree_memory(pid) if pid else None
        if before is not None and after is not None and after - before > max(size // 2, USUAL):
            text = f"{(after - before) // MIB} MiB more in memory, for 8 bytes that announce {size // MIB} MiB"
            seen = Noted(str(Kind.EXHAUSTED_MEMORY), text)
            yield announced.violation(CLAIMED, seen, Expectation(Expected.OWN_MEMORY), "frame")
            return
        yield from check_survival(black_box, announced)
        size *= 4


def hold(pid: int | None) -> None:
    """Wait for a while in which a server handles the beginning of a frame."""
    limit = TimeLimit(pid, HELD) if pid else clock_limit(HELD)
    while not limit.is_over():
        time.sleep(limit.pause)


def _settled(measure: Callable[[], int], enough: int, limit: TimeLimit) -> int:
    """Return a measure once it is small enough, or at the end of the limit, or raise TooBusy."""
    while (value := measure()) > enough and not limit.is_over():
        time.sleep(limit.pause)
    if value > enough and limit.is_for_lack_of_processors:
        raise TooBusy(TOO_BUSY)
    return value
