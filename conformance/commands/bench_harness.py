"""Operations per second through a warm harness, with many requests in flight.

A virtual machine is slow before it has compiled its code. The measured time begins with the requests as dicts, and ends
with the parsed replies. This process collects no garbage meanwhile, like `timeit`, since the work of its collector on
thousands of replies says nothing about the harness.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.bridge.harness import Harness
from conformance.codec.bridge.loading import load_codec, stdio_command
from conformance.codec.session import Session
from conformance.commands.bench_codecs import Speed, corpus, is_read, is_written, reference_speed
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.codec.bridge.child_client import Client
    from conformance.codec.bridge.protocol import Message
    from reference import Release

ROUND = 0.5
"""The shortest time of one round, in seconds; each round has all requests."""

FASTER = 1.05
"""A harness is warm when neither of the last two rounds was faster than the best one before by this ratio."""

LONGEST_WARMING = 30.0
"""The seconds before the measurement of a harness that stays cold."""

ROUNDS = 5
"""The number of measured rounds; the best one counts."""

IN_FLIGHT = 2000
"""The approximate number of requests in one call, so large that the idle harness at its end does not count."""


class NoHarnessError(ConformanceError):
    """An implementation in this process has no harness."""


class RequestRate(NamedTuple):
    """Requests per second, in the best of several rounds."""

    per_second: float
    warming: float
    """The seconds before the measured rounds."""
    is_steady: bool
    """Whether the rate had stopped growing."""


class Throughput(NamedTuple):
    """Operations per second of a harness."""

    name: str
    samples: tuple[int, int]
    """The numbers of written and of read values."""
    reference: Speed
    """The speed of the reference on the same values, in this process."""
    encodes: RequestRate
    decodes: RequestRate


def measure_harness(impl: str, release: Release) -> Throughput:
    """Measure a harness with a value of every pair it writes or reads, or raise `NoHarnessError` for Python code."""
    session = Session(load_codec(impl, release), release)
    if not session.claims.is_over_bridge:
        raise NoHarnessError(f"{impl} runs in this process: `bench --impl={impl}` measures it")
    samples = corpus(list(release.schemas()), 1)
    writes = [sample for sample in samples if is_written(session, sample)]
    reads = [sample for sample in samples if is_read(session, sample)]
    reference = Speed(
        reference_speed(writes or samples).encodes, reference_speed(reads or samples).decodes, len(samples)
    )
    with Harness(stdio_command(session.claims.spec), release, maximum_restarts=None) as harness:
        encodes = rate(harness, [each.write.request for each in writes])
        decodes = rate(harness, [each.read.request for each in reads])
    return Throughput(session.claims.name, (len(writes), len(reads)), reference, encodes, decodes)


def rate(client: Client, requests: Sequence[Message]) -> RequestRate:
    """Send rounds of requests until their rate is steady, then measure it."""
    if not requests:
        return RequestRate(0.0, 0.0, is_steady=True)
    in_flight = [*requests] * max(1, IN_FLIGHT // len(requests))
    start, was_enabled = time.perf_counter(), gc.isenabled()
    gc.disable()
    try:
        steady = _warm(lambda: _round(client, in_flight), start + LONGEST_WARMING)
        warming = time.perf_counter() - start
        return RequestRate(max(_round(client, in_flight) for _ in range(ROUNDS)), warming, steady)
    finally:
        if was_enabled:
            gc.enable()


def _warm(measure: Callable[[], float], until: float) -> bool:
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


def _round(client: Client, requests: Sequence[Message]) -> float:
    done, start = 0, time.perf_counter()
    while not done or time.perf_counter() < start + ROUND:
        client.ask_many(requests)
        done += len(requests)
    return done / (time.perf_counter() - start)
