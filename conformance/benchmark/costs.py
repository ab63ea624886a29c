"""Hostile inputs by what each costs: one that runs for long takes the time of thousands of others.

A count that the bytes claim may be a loop, or an array, of so many elements. What that takes, time or memory, is the
library's, and is told by itself; the rate of the others is the harness's.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.bridge.client import Client
    from conformance.bridge.protocol import Message

SLOW = 0.01
"""Seconds beyond which an input is slow; on an idle machine most take less than a thousandth of a second."""

ATTEMPTS = 3
"""How often an input is tried that seems slow: the machine may have had other work."""

ENDINGS_OF_A_KIND = 2
"""Inputs of a kind on which the harness may end before the others of that kind are left out."""


@dataclass
class Sorted:
    """Hostile inputs, sorted."""

    ordinary: list[Message] = field(default_factory=list)
    slow: list[float] = field(default_factory=list)
    """Seconds of each slow input."""
    greedy: list[float] = field(default_factory=list)
    """Seconds of each input that is not slow, and takes too much memory."""
    ended: Counter[str] = field(default_factory=Counter)
    """Inputs on which the harness ended, or did not answer, by kind."""
    left_out: int = 0
    """Inputs of those kinds that were not sent."""

    @property
    def count(self) -> int:
        """The number of all inputs."""
        return len(self.ordinary) + len(self.slow) + len(self.greedy) + self.ended.total() + self.left_out


def sort_by_cost(client: Client, inputs: Iterable[tuple[Message, str]]) -> Sorted:
    """Send requests one by one, and sort them by how long the answer takes; each has its kind, or an empty text."""
    costs = Sorted()
    for request, kind in inputs:
        if kind and costs.ended[kind] >= ENDINGS_OF_A_KIND:
            costs.left_out += 1
            continue
        seconds, outcome = _cost(client, request)
        if seconds is None:
            costs.ended[kind] += 1
        elif seconds > SLOW:
            costs.slow.append(seconds)
        elif outcome == Kind.EXHAUSTED_MEMORY:
            costs.greedy.append(seconds)
        else:
            costs.ordinary.append(request)
    return costs


def _cost(client: Client, request: Message) -> tuple[float | None, str]:
    """Return the seconds until the answer, at best, and its outcome; None if the harness ends, or does not answer."""
    best, outcome = float("inf"), ""
    for _ in range(ATTEMPTS):
        restarts, start = client.restarts, time.perf_counter()
        outcome = client.ask(request)["outcome"]
        if client.restarts > restarts or outcome == Kind.NOT_RUN:
            return None, outcome
        best = min(best, time.perf_counter() - start)
        if best <= SLOW:
            break
    return best, outcome
