"""Requests per second of a harness that is warm: a virtual machine compiles what it runs often, and is slow before.

This process collects no garbage meanwhile, as in `timeit`: what thousands of replies at a time cost its collector says
nothing about the harness.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.bridge.client import Client
    from conformance.bridge.protocol import Message

ROUND = 0.5
"""Seconds of one round, at the least; each has all requests."""

FASTER = 1.05
"""A harness is warm when neither of the last two rounds was so much faster than the best one before them."""

LONGEST_WARMING = 30.0
"""Seconds after which the rate is measured, warm or not."""

ROUNDS = 5
"""The rounds that are measured, of which the best counts."""

IN_FLIGHT = 2000
"""Requests that are sent in one call: enough that its end, where the harness waits, does not count."""

FEWER = (IN_FLIGHT, IN_FLIGHT // 8, IN_FLIGHT // 40)
"""Requests in one call, where the harness ends in every call of more."""


class Rate(NamedTuple):
    """Requests per second: the best of several rounds."""

    per_second: float
    warming: float
    """Seconds before the rounds that were measured."""
    is_steady: bool
    """Whether the rate had ceased to grow."""
    in_flight: int = IN_FLIGHT
    """Requests in one call."""
    left_out: float = 0.0
    """The share of the calls of the best round in which the harness ended: neither they nor their time count."""


class Round(NamedTuple):
    """Requests per second of one round, and the share of its calls in which the harness ended."""

    per_second: float
    left_out: float


def rate(client: Client, requests: Sequence[Message]) -> Rate:
    """Send requests round after round, until their rate is steady, then measure it.

    Calls in which the harness ends are left out of the rate. If it ends in every one, there are fewer requests in each.
    """
    if not requests:
        return Rate(0.0, 0.0, is_steady=True)
    start = time.perf_counter()
    in_flight = next((size for size in FEWER if _round(client, _calls(requests, size)).per_second), FEWER[-1])
    calls = _calls(requests, in_flight)
    is_steady = _warm(lambda: _round(client, calls).per_second, start + LONGEST_WARMING)
    warming = time.perf_counter() - start
    best = max(_round(client, calls) for _ in range(ROUNDS))
    return Rate(best.per_second, warming, is_steady, in_flight, best.left_out)


def _calls(requests: Sequence[Message], size: int) -> list[list[Message]]:
    if len(requests) < size:
        return [[*requests] * (size // len(requests))]
    return [[*requests[start : start + size]] for start in range(0, len(requests), size)]


def _warm(measure: Callable[[], float], until: float) -> bool:
    """Measure until the rate is steady, or the time is over; return whether it is steady."""
    rates: list[float] = []
    while time.perf_counter() < until:
        rates.append(measure())
        if is_steady(rates):
            return True
    return False


def is_steady(rates: Sequence[float]) -> bool:
    """Return whether the last two rates are about as good as the best one before them."""
    before, last = rates[:-2], rates[-2:]
    return bool(before) and max(last) <= FASTER * max(before)


def _round(client: Client, calls: Sequence[Sequence[Message]]) -> Round:
    done, seconds, made, ended = 0, 0.0, 0, 0
    end = time.perf_counter() + ROUND
    while not done or time.perf_counter() < end:
        for requests in calls:
            restarts, taken = client.restarts, _seconds(client, requests)
            made += 1
            if client.restarts == restarts:
                done += len(requests)
                seconds += taken
            else:
                ended += 1
        if not done:
            return Round(0.0, 1.0)  # it ends in every call
    return Round(done / seconds, ended / made)


def _seconds(client: Client, requests: Sequence[Message]) -> float:
    """Send requests, and return the seconds up to their replies."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        client.ask_many(requests)
        return time.perf_counter() - start
    finally:
        if was_enabled:
            gc.enable()
