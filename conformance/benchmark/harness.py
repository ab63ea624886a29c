"""Operations per second through a harness, many requests in flight: sound ones, and hostile bytes.

The clock runs from the requests, ready as dicts, to the replies, parsed. Hostile bytes that end the harness are found
before the clock runs, by another process of it, and left out.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from conformance.benchmark.codecs import Speed, corpus, reference_speed
from conformance.bridge.harness import Harness
from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter, stdio_command
from conformance.checks.hostile_bytes import hostile_bytes_cases
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import FATAL, Kind
from conformance.implementation.session import Session
from conformance.implementation.targets import Body
from reference import ConformanceError, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.benchmark.codecs import Sample
    from conformance.bridge.client import Client
    from conformance.bridge.isolation import Input
    from conformance.bridge.protocol import Message

EVERY = 5
"""Hostile bytes are taken of every fifth pair."""

REPEATED = 3
"""How often the operations are sent."""


class NoHarnessError(ConformanceError):
    """An implementation in this process has no harness."""


class Throughput(NamedTuple):
    """Operations per second."""

    name: str
    samples: tuple[int, int]
    """How many values are written, and read."""
    reference: Speed
    """The reference on the same values, in this process."""
    encodes: float
    decodes: float
    hostile: Hostile


class Hostile(NamedTuple):
    """Operations per second on hostile bytes."""

    rate: float
    inputs: int
    """How many were answered in time that counts."""
    left_out: int
    """Those that ended the harness, or were skipped because of them."""
    deaths: int
    """How often it ended or was ended."""


def measure_harness(impl: str, release_name: str) -> Throughput:
    """Measure a harness with a generated value of every pair that it writes, and of every one that it reads.

    Raises:
        NoHarnessError: the implementation is Python code.
    """
    release = load_release(release_name)
    implementation = Implementation(load_adapter(impl, release))
    if not implementation.is_over_bridge:
        raise NoHarnessError(f"{impl} runs in this process: `bench --impl={impl}` measures it")
    samples = corpus(list(release.schemas()), 1)
    writes = [sample for sample in samples if _is_written(implementation, sample)]
    reads = [sample for sample in samples if _is_read(implementation, sample)]
    with Harness(stdio_command(implementation.adapter.spec), release, maximum_restarts=None) as harness:
        return Throughput(
            implementation.name,
            (len(writes), len(reads)),
            Speed(reference_speed(writes or samples).encodes, reference_speed(reads or samples).decodes, len(samples)),
            _rate(harness, [Body(sample.schema).write_request(sample.value) for sample in writes]),
            _rate(harness, [Body(sample.schema).read_request(sample.wire) for sample in reads]),
            _hostile_rate(harness, Session(implementation, release)),
        )


def _is_written(implementation: Implementation, sample: Sample) -> bool:
    is_offered = implementation.offers("encode", sample.schema)
    return is_offered and implementation.encode(sample.schema, sample.value).kind is Kind.BYTES


def _is_read(implementation: Implementation, sample: Sample) -> bool:
    is_offered = implementation.offers("decode", sample.schema)
    return is_offered and implementation.decode(sample.schema, sample.wire).kind is Kind.VALUE


def _rate(client: Client, requests: Sequence[Message]) -> float:
    if not requests:
        return 0.0
    client.ask_many(requests)
    start = time.perf_counter()
    client.ask_many([*requests] * REPEATED)
    return len(requests) * REPEATED / (time.perf_counter() - start)


def _hostile_rate(client: Client, session: Session) -> Hostile:
    every, done, seconds = 0, 0, 0.0
    with IsolatedDecoder(session.implementation.adapter.spec, session.release.name) as decoder:
        for inputs, kinds in _hostile_inputs(session):
            every += len(inputs)
            outcomes = decoder.decode_many(inputs, kinds)
            answered = [
                target.read_request(wire)
                for (target, wire), outcome in zip(inputs, outcomes, strict=True)
                if outcome.kind not in {*FATAL, Kind.NOT_RUN}
            ]
            start = time.perf_counter()
            client.ask_many(answered)
            seconds += time.perf_counter() - start
            done += len(answered)
        return Hostile(done / seconds if seconds else 0.0, done, every - done, decoder.restarts)


def _hostile_inputs(session: Session) -> Iterator[tuple[list[Input], list[str]]]:
    implementation = session.implementation
    offered = [schema for schema in session.release.schemas() if implementation.offers("decode", schema)]
    for schema in offered[::EVERY]:
        cases = list(hostile_bytes_cases(session, schema))
        yield [(Body(schema), case.data) for case in cases], [case.tampering for case in cases]
