"""The speed of codecs on the same input.

All are measured in one run, so that their ratios are comparable between machines. Values and record batches go through
the adapter in this process, hostile bytes through its child process.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.codec.bridge.isolation import ChildCodec
from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.generate.drawn_values import sample
from conformance.generate.record_building import batch, record
from conformance.judge.checks.changed_bodies import hostile_cases
from conformance.judge.count_lines import OutcomeCount
from conformance.judge.engine import counted, run
from conformance.judge.kinds import CodecCase
from conformance.judge.tally import Tally
from conformance.targets import DECODE, ENCODE, Ask, Body, RecordsField
from conformance.targets.outcome import Kind
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

    @property
    def write(self) -> Ask:
        """The request to write the value."""
        return Ask(ENCODE, Body(self.schema), self.value)

    @property
    def read(self) -> Ask:
        """The request to read the bytes."""
        return Ask(DECODE, Body(self.schema), self.wire)


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


def shared(session: Session, samples: Sequence[BenchSample]) -> list[BenchSample]:
    """Return the samples an implementation can represent, write and read."""
    return [each for each in samples if is_written(session, each) and is_read(session, each)]


def is_written(session: Session, each: BenchSample) -> bool:
    """Return whether an implementation writes the value."""
    return session.offers(Body(each.schema), ENCODE) and session.ask(each.write).kind is Kind.BYTES


def is_read(session: Session, each: BenchSample) -> bool:
    """Return whether an implementation reads the bytes."""
    return session.offers(Body(each.schema), DECODE) and session.ask(each.read).kind is Kind.VALUE


def codec_speed(session: Session, samples: Sequence[BenchSample]) -> Speed:
    """Measure an implementation through its adapter."""
    writes, reads = [each.write for each in samples], [each.read for each in samples]
    return Speed(_rate(session, writes), _rate(session, reads), len(samples))


def _rate(session: Session, asks: Sequence[Ask]) -> float:
    """Return calls per second of the adapter's own function, whose results are not checked, or of a harness."""
    function = getattr(session.claims, asks[0].target.function(asks[0].what), None)
    if function is None:
        return best_of(asks, session.ask)
    arguments = [ask.target.arguments(ask.what, ask.content) for ask in asks]
    return best_of(arguments, lambda each: function(*each))


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


def records_speeds(session: Session) -> Iterator[RecordsSpeed]:
    """Yield the speeds of the reference and of an implementation on the same batches, for each compression."""
    target = RecordsField()
    for compression in COMPRESSIONS:
        values = [_records(number, compression) for number in range(BATCHES)]
        wires = [encode_records(value) for value in values]
        yield RecordsSpeed("reference", compression, best_of(values, encode_records), best_of(wires, decode_records))
        writes, reads = [Ask(ENCODE, target, each) for each in values], [Ask(DECODE, target, each) for each in wires]
        yield RecordsSpeed(session.claims.name, compression, _rate(session, writes), _rate(session, reads))


def _records(number: int, compression: str) -> dict[str, Any]:
    # Compression makes it about half as long.
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
    """The speed on hostile cases, as two rates, since a codec that aborts costs a new child process each time."""

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
    """Measure an implementation on the hostile cases of what it reads, or raise `AdapterError` without an adapter."""
    codec = load_codec(impl, release)
    done = HostileSpeed()
    with ChildCodec(codec.claims.spec, release.name) as decoder:
        session, tally = Session(codec, release, decoder), Tally()
        read = [schema for schema in schemas if session.offers(Body(schema), DECODE)]
        # Built before the measurement.
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
    for (direction, kind), count in tally.of(OutcomeCount).items():
        if direction == "decode":
            done.outcomes[kind] += count
    return done


def _cpu_seconds() -> float:
    return sum(os.times()[:4])
