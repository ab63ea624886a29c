"""Operations per second through a harness, many requests in flight: sound ones, and hostile bytes.

The clock runs from the requests, ready as dicts, to the replies, parsed, once the harness is warm. Hostile bytes are
sent one by one before: those on which the harness ends, and those that take long, are counted by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.benchmark.codecs import Speed, corpus, reference_speed
from conformance.benchmark.costs import Sorted, sort_by_cost
from conformance.benchmark.rates import Rate, rate
from conformance.bridge.harness import Harness
from conformance.bridge.loading import load_adapter, stdio_command
from conformance.checks.hostile_bytes import hostile_bytes_cases
from conformance.implementation.driver import Implementation
from conformance.implementation.outcome import Kind
from conformance.implementation.session import Session
from conformance.implementation.targets import Body
from reference import ConformanceError, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.benchmark.codecs import Sample
    from conformance.bridge.protocol import Message

EVERY = 5
"""Hostile bytes are taken of every fifth pair."""


class NoHarnessError(ConformanceError):
    """An implementation in this process has no harness."""


class Throughput(NamedTuple):
    """Operations per second of a harness."""

    name: str
    samples: tuple[int, int]
    """How many values are written, and read."""
    reference: Speed
    """The reference on the same values, in this process."""
    encodes: Rate
    decodes: Rate
    hostile: Rate
    """Of the hostile inputs of ordinary cost."""
    costs: Sorted


def measure_harness(impl: str, release_name: str) -> Throughput:
    """Measure a harness with a generated value of every pair that it writes, and of every one that it reads.

    Raises:
        NoHarnessError: the implementation is Python code.
    """
    release = load_release(release_name)
    implementation = Implementation(load_adapter(impl, release))
    if not implementation.is_over_bridge:
        raise NoHarnessError(f"{impl} runs in this process: `bench --impl={impl}` measures it")
    offers = implementation.offers
    schemas = [schema for schema in release.schemas() if offers("encode", schema) or offers("decode", schema)]
    samples = corpus(schemas, 1)
    writes = [sample for sample in samples if _is_written(implementation, sample)]
    reads = [sample for sample in samples if _is_read(implementation, sample)]
    reference = Speed(
        reference_speed(writes or samples).encodes, reference_speed(reads or samples).decodes, len(samples)
    )
    command = stdio_command(implementation.adapter.spec)
    with Harness(command, release, maximum_restarts=None) as harness:
        encodes = rate(harness, [Body(sample.schema).write_request(sample.value) for sample in writes])
        decodes = rate(harness, [Body(sample.schema).read_request(sample.wire) for sample in reads])
        costs = sort_by_cost(harness, _hostile_requests(Session(implementation, release)))
        hostile = rate(harness, costs.ordinary)
    return Throughput(implementation.name, (len(writes), len(reads)), reference, encodes, decodes, hostile, costs)


def _is_written(implementation: Implementation, sample: Sample) -> bool:
    is_offered = implementation.offers("encode", sample.schema)
    return is_offered and implementation.encode(sample.schema, sample.value).kind is Kind.BYTES


def _is_read(implementation: Implementation, sample: Sample) -> bool:
    is_offered = implementation.offers("decode", sample.schema)
    return is_offered and implementation.decode(sample.schema, sample.wire).kind is Kind.VALUE


def _hostile_requests(session: Session) -> Iterator[tuple[Message, str]]:
    """Yield requests to read hostile bytes, each with its kind."""
    implementation = session.implementation
    offered = [schema for schema in session.release.schemas() if implementation.offers("decode", schema)]
    for schema in offered[::EVERY]:
        for case in hostile_bytes_cases(session, schema):
            yield Body(schema).read_request(case.data), case.tampering
