"""Hostile cases per second through the child process, values mapped and every outcome judged.

A codec that aborts costs a new child each time. So there are two rates: over all cases, and without the messages in
which a child ended.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.checks.hostile_bytes import check_hostile_cases, hostile_bytes_cases
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import Kind
from conformance.implementation.session import Session
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import MessageSchema


class Share(NamedTuple):
    """The messages of one process."""

    impl: str
    release: str
    pairs: tuple[tuple[str, int], ...]


@dataclass
class Rate:
    """Cases and their time in seconds; of concurrent processes, the longest time."""

    cases: int = 0
    seconds: float = 0.0

    @property
    def per_second(self) -> float:
        """Cases per second."""
        return self.cases / self.seconds if self.seconds else 0.0

    def beside(self, other: Rate) -> Rate:
        """Return the rate of both together, run concurrently."""
        return Rate(self.cases + other.cases, max(self.seconds, other.seconds))


@dataclass
class Hostile:
    """The result of one share, or of all."""

    all_cases: Rate = field(default_factory=Rate)
    undisturbed: Rate = field(default_factory=Rate)
    """The rate of messages in which no child ended."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Of all decodes: of hostile bytes, and of the valid ones that judging needs."""
    violations: int = 0
    deaths: int = 0
    cpu_seconds: float = 0.0
    """Of the judging processes and their children, starts included."""

    def add(self, other: Hostile) -> None:
        """Add the result of a concurrent process."""
        self.all_cases = self.all_cases.beside(other.all_cases)
        self.undisturbed = self.undisturbed.beside(other.undisturbed)
        self.outcomes += other.outcomes
        self.violations += other.violations
        self.deaths += other.deaths
        self.cpu_seconds += other.cpu_seconds

    @property
    def not_run(self) -> int:
        """Cases that were skipped, because too many of their kind had ended the child."""
        return self.outcomes[Kind.NOT_RUN]


def measure(impl: str, release: str, schemas: Sequence[MessageSchema], workers: int) -> Hostile:
    """Run every hostile case of `schemas` in so many processes, each with a child of its own.

    Raises:
        AdapterError: there is no such adapter.
    """
    total = Hostile()
    with get_context("spawn").Pool(workers) as pool:
        for share in pool.imap_unordered(measure_share, shares(impl, release, schemas, workers)):
            total.add(share)
    return total


def shares(impl: str, release: str, schemas: Sequence[MessageSchema], workers: int) -> Iterator[Share]:
    """Distribute the messages that the implementation reads over the processes."""
    implementation = Implementation(load_adapter(impl, load_release(release)))
    pairs = [(each.message, each.version) for each in schemas if implementation.offers("decode", each)]
    for index in range(workers):
        yield Share(impl, release, tuple(pairs[index::workers]))


def measure_share(share: Share) -> Hostile:
    """Run one share; the cases are built and the child is started before the time is taken."""
    release = load_release(share.release)
    implementation = Implementation(load_adapter(share.impl, release))
    done = Hostile()
    with IsolatedDecoder(implementation.adapter.spec, share.release) as decoder:
        session = Session(implementation, release, decoder)
        schemas = [release.schema(*pair) for pair in share.pairs]
        work = [(schema, list(hostile_bytes_cases(session, schema))) for schema in schemas]
        used, restarts = _cpu_seconds(), decoder.restarts
        for schema, cases in work:
            before, start = decoder.restarts, time.perf_counter()
            done.violations += len(list(check_hostile_cases(session, schema, cases)))
            seconds = time.perf_counter() - start
            _count(done.all_cases, len(cases), seconds)
            if decoder.restarts == before:
                _count(done.undisturbed, len(cases), seconds)
        done.deaths = decoder.restarts - restarts
    done.cpu_seconds = _cpu_seconds() - used
    for (direction, kind), count in session.tally.outcomes.items():
        if direction == "decode":
            done.outcomes[kind] += count
    return done


def _count(rate: Rate, cases: int, seconds: float) -> None:
    rate.cases += cases
    rate.seconds += seconds


def _cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])
