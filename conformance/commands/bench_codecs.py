"""The speed of codecs on the same input.

All codecs are measured in one run, so that their ratios are comparable between machines. There are three inputs.
Generated values and record batches go through the adapter in this process. Hostile bytes go through its child process,
and every outcome is judged.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.codec.bridge.isolation import IsolatedCodec
from conformance.codec.bridge.loading import load_adapter
from conformance.codec.driver import Implementation
from conformance.codec.outcome import Kind
from conformance.codec.session import Session
from conformance.codec.tally import Tally
from conformance.generate.drawn_values import sample
from conformance.generate.records.building import batch, record
from conformance.judge.checks.body_bytes import hostile_cases
from conformance.judge.engine import counted, run
from conformance.judge.kinds import CodecCase
from reference import MessageSchema, decode, decode_records, encode, encode_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference import Release

Item = TypeVar("Item")
ROUNDS = 5

COMPRESSIONS = ("none", "lz4")
BATCHES = 20
RECORDS, SIZE = 100, 100
"""The number of records in a batch, and of bytes in the value of each."""


class BenchSample(NamedTuple):
    """One value and its bytes."""

    schema: MessageSchema
    value: dict[str, Any]
    wire: bytes


class Speed(NamedTuple):
    """Operations per second, in the best of several rounds."""

    encodes: float
    decodes: float
    samples: int


def corpus(schemas: Sequence[MessageSchema], count: int) -> list[BenchSample]:
    """Return `count` generated values of each schema."""
    samples = []
    for schema in schemas:
        for index in range(count):
            value = sample(schema, f"benchmark/{index}")
            samples.append(BenchSample(schema, value, encode(schema, value)))
    return samples


def reference_speed(samples: Sequence[BenchSample]) -> Speed:
    """Measure the reference, without spans."""
    return Speed(
        best_of(samples, lambda each: encode(each.schema, each.value)),
        best_of(samples, lambda each: decode(each.schema, each.wire)),
        len(samples),
    )


def shared(implementation: Implementation, samples: Sequence[BenchSample]) -> list[BenchSample]:
    """Return the samples an implementation can represent, write and read."""
    return [each for each in samples if is_written(implementation, each) and is_read(implementation, each)]


def is_written(implementation: Implementation, each: BenchSample) -> bool:
    """Return whether an implementation writes the value."""
    is_offered = implementation.offers("encode", each.schema)
    return is_offered and implementation.encode(each.schema, each.value).kind is Kind.BYTES


def is_read(implementation: Implementation, each: BenchSample) -> bool:
    """Return whether an implementation reads the bytes."""
    is_offered = implementation.offers("decode", each.schema)
    return is_offered and implementation.decode(each.schema, each.wire).kind is Kind.VALUE


def adapter_speed(implementation: Implementation, samples: Sequence[BenchSample]) -> Speed:
    """Measure an implementation through its adapter."""
    write, read = implementation.adapter.encode, implementation.adapter.decode
    assert write is not None  # noqa: S101  # see `shared`
    assert read is not None  # noqa: S101  # see `shared`
    return Speed(
        best_of(samples, lambda each: write(each.schema, each.value)),
        best_of(samples, lambda each: read(each.schema, each.wire)),
        len(samples),
    )


def best_of(samples: Sequence[Item], work: Callable[[Item], object]) -> float:
    """Return the number of calls of `work` per second, in the best of several rounds over the samples."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for each in samples:
            work(each)
        best = min(best, time.perf_counter() - start)
    return len(samples) / best


class RecordsSpeed(NamedTuple):
    """Record batches per second of one codec and one compression."""

    name: str
    compression: str
    encodes: float
    decodes: float


def records_speeds(implementation: Implementation) -> Iterator[RecordsSpeed]:
    """Yield the speeds of the reference and of an implementation on the same batches, for each compression."""
    adapter = implementation.adapter
    assert adapter.encode_records is not None  # noqa: S101  # see `kafka-conformance bench records`
    assert adapter.decode_records is not None  # noqa: S101
    codecs = {
        "reference": (encode_records, decode_records),
        implementation.name: (adapter.encode_records, adapter.decode_records),
    }
    for compression in COMPRESSIONS:
        values = [_records(number, compression) for number in range(BATCHES)]
        wires = [encode_records(value) for value in values]
        for name, (write, read) in codecs.items():
            yield RecordsSpeed(name, compression, best_of(values, write), best_of(wires, read))


def _records(number: int, compression: str) -> dict[str, Any]:
    """Return a field of one batch.

    Compression makes its values about half as long.
    """
    value = bytes((number + index * index) % 251 for index in range(SIZE // 2)) + bytes(SIZE // 2)
    held = [record(offset, key=b"key", value=value) for offset in range(RECORDS)]
    return {"batches": [batch(*held, compression=compression)], "partial": b""}


@dataclass
class CaseRate:
    """A number of cases, and the seconds for them."""

    cases: int = 0
    seconds: float = 0.0

    @property
    def per_second(self) -> float:
        """Cases per second."""
        return self.cases / self.seconds if self.seconds else 0.0

    def add(self, cases: int, seconds: float) -> None:
        """Add the cases of a message."""
        self.cases += cases
        self.seconds += seconds


@dataclass
class HostileSpeed:
    """The speed on hostile cases.

    A codec that aborts costs a new child process each time, so there are two rates.
    """

    all_cases: CaseRate = field(default_factory=CaseRate)
    undisturbed: CaseRate = field(default_factory=CaseRate)
    """The rate of messages without the end of a child process."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """The outcomes of all decodes, of hostile bytes and of the valid ones needed for judging."""
    violations: int = 0
    deaths: int = 0
    cpu_seconds: float = 0.0
    """The processor time of this process and its children, starts included."""


def hostile_speed(impl: str, release: Release, schemas: Sequence[MessageSchema]) -> HostileSpeed:
    """Measure an implementation on every hostile case of the schemas it reads.

    Cases are built before the measurement.

    Raises:
        AdapterError: there is no such adapter.
    """
    implementation = Implementation(load_adapter(impl, release))
    done = HostileSpeed()
    with IsolatedCodec(implementation.adapter.spec, release.name) as decoder:
        session, tally = Session(implementation, release, decoder), Tally()
        read = [schema for schema in schemas if implementation.offers("decode", schema)]
        inputs = [(schema, hostile_cases(session, schema)) for schema in read]
        work = [(schema, [each for each in cases if isinstance(each, CodecCase)]) for schema, cases in inputs]
        used, first = _cpu_seconds(), decoder.restarts
        for _, cases in work:
            before, start = decoder.restarts, time.perf_counter()
            done.violations += len(list(counted(run(session, cases), tally)))
            seconds = time.perf_counter() - start
            done.all_cases.add(len(cases), seconds)
            if decoder.restarts == before:
                done.undisturbed.add(len(cases), seconds)
        done.deaths = decoder.restarts - first
    done.cpu_seconds = _cpu_seconds() - used
    for (direction, kind), count in tally.outcomes.items():
        if direction == "decode":
            done.outcomes[kind] += count
    return done


def _cpu_seconds() -> float:
    """Return the processor time of this process and of its ended children, in seconds."""
    return sum(os.times()[:4])
