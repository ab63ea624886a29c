"""The speed of codecs on one mixed corpus and in one run, so that ratios are comparable between machines."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.generate.values import sample
from conformance.implementation.outcome import Kind
from reference import MessageSchema, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.implementation.driver import Implementation

Item = TypeVar("Item")
ROUNDS = 5


class Sample(NamedTuple):
    """One value and its bytes."""

    schema: MessageSchema
    value: dict[str, Any]
    wire: bytes


class Speed(NamedTuple):
    """Operations per second: the best of several rounds."""

    encodes: float
    decodes: float
    samples: int


def corpus(schemas: Sequence[MessageSchema], count: int) -> list[Sample]:
    """Return `count` generated values of each schema."""
    samples = []
    for schema in schemas:
        for index in range(count):
            value = sample(schema, f"benchmark/{index}")
            samples.append(Sample(schema, value, encode(schema, value)))
    return samples


def reference_speed(samples: Sequence[Sample]) -> Speed:
    """Measure the reference, without spans."""
    return Speed(
        best_of(samples, lambda each: encode(each.schema, each.value)),
        best_of(samples, lambda each: decode(each.schema, each.wire)),
        len(samples),
    )


def shared(implementation: Implementation, samples: Sequence[Sample]) -> list[Sample]:
    """Return the samples that an implementation can represent, write and read."""
    return [each for each in samples if _works(implementation, each)]


def _works(implementation: Implementation, each: Sample) -> bool:
    if not (implementation.offers("encode", each.schema) and implementation.offers("decode", each.schema)):
        return False
    written = implementation.encode(each.schema, each.value)
    return written.kind is Kind.BYTES and implementation.decode(each.schema, each.wire).kind is Kind.VALUE


def adapter_speed(implementation: Implementation, samples: Sequence[Sample]) -> Speed:
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
    """Return how often a second `work` is done, in the best of several rounds over the samples."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for each in samples:
            work(each)
        best = min(best, time.perf_counter() - start)
    return len(samples) / best
