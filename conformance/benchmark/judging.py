"""The oracle on millions of byte strings: every one gets a verdict in time and without an exception.

Half of the strings are valid encodings tampered with in their structure, the others valid ones mutated anywhere, and
random bytes. All depend only on the number of their block, so that a slow or deadly one can be built again.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from conformance.bridge.memory import peak_memory
from conformance.generate.choices import SeededChoices
from conformance.generate.hostile import LONGEST, mutate, tampered
from conformance.generate.values import sample
from reference import MessageSchema, encode_with_spans, judge, load_release, minimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.choices import Choices
    from reference import Encoded

BLOCK = 500
"""Byte strings of one block."""

PER_VALUE = 20
"""Byte strings made from each generated value."""

LONGEST_RANDOM = 200
DEADLINE = 60
"""Seconds for one block, which normally takes milliseconds; after that a verdict counts as hanging."""


class Block(NamedTuple):
    """Byte strings of one message, identified by their seed."""

    release: str
    message: str
    version: int
    number: int
    size: int


class Slowest(NamedTuple):
    """The byte string whose verdict took longest."""

    seconds: float = 0.0
    where: str = ""
    wire: str = ""


@dataclass
class Judged:
    """Counts and times of many verdicts."""

    results: Counter[str] = field(default_factory=Counter)
    rewritten: int = 0
    """The number of values that were read and could be written again."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Byte strings by the way they were made."""
    failures: list[str] = field(default_factory=list)
    """Exceptions and hanging verdicts, each with its bytes."""
    slowest: Slowest = field(default_factory=Slowest)
    peaks: dict[int, int] = field(default_factory=dict)
    """Peak memory in bytes, by process."""
    cpu_seconds: float = 0.0

    def add(self, other: Judged) -> None:
        """Add the counts of another block."""
        self.results += other.results
        self.rewritten += other.rewritten
        self.kinds += other.kinds
        self.failures += other.failures
        self.slowest = max(self.slowest, other.slowest)
        self.cpu_seconds += other.cpu_seconds
        for process, peak in other.peaks.items():
            self.peaks[process] = max(peak, self.peaks.get(process, 0))


def judge_many(release: str, count: int, workers: int) -> Iterator[Judged]:
    """Judge `count` byte strings, spread evenly over all pairs of `release`; yield the result of each block."""
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(judge_block, blocks(release, count), chunksize=4)


def blocks(release: str, count: int) -> Iterator[Block]:
    """Yield blocks for `count` byte strings, one for each pair in turn."""
    schemas = list(load_release(release).schemas())
    for index, start in enumerate(range(0, count, BLOCK)):
        turn, pair = divmod(index, len(schemas))
        schema = schemas[pair]
        yield Block(release, schema.message, schema.version, turn, min(BLOCK, count - start))


def judge_block(block: Block) -> Judged:
    """Return the verdicts on one block."""
    schema = load_release(block.release).schema(block.message, block.version)
    judged, started = Judged(), time.process_time()
    with _deadline(DEADLINE):
        for kind, wire in islice(byte_strings(schema, block.number), block.size):
            judged.kinds[kind] += 1
            _judge_one(judged, schema, wire)
    judged.cpu_seconds = time.process_time() - started
    judged.peaks[os.getpid()] = peak_memory()
    return judged


def _judge_one(judged: Judged, schema: MessageSchema, wire: bytes) -> None:
    start = time.perf_counter()
    try:
        verdict = judge(schema, wire)
        judged.rewritten += verdict.canonical is not None
        judged.results[verdict.result] += 1
    except Exception as error:  # noqa: BLE001  # judging must never raise
        judged.failures.append(f"{schema} {wire.hex()}: {error!r}")
    seconds = time.perf_counter() - start
    if seconds > judged.slowest.seconds:
        judged.slowest = Slowest(seconds, str(schema), wire.hex())


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after each such period, where the system has timers."""
    if sys.platform == "win32":
        yield
        return
    signal.signal(signal.SIGALRM, _too_late)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_late(_number: int, _frame: object) -> NoReturn:
    raise TimeoutError("no verdict in time")


def byte_strings(schema: MessageSchema, number: int) -> Iterator[tuple[str, bytes]]:
    """Yield byte strings without end, each with its kind; always the same ones for a `number`."""
    choices = SeededChoices(f"judge/{schema}/{number}")
    for index in range(sys.maxsize):
        encoded = encode_with_spans(schema, sample(schema, f"judge/{number}/{index}"))
        if len(encoded.wire) > LONGEST:
            encoded = encode_with_spans(schema, minimal(schema))
        for turn in range(PER_VALUE):
            kind, make = _KINDS[turn % len(_KINDS)]
            yield kind, make(encoded, choices)


def _random(_encoded: Encoded, choices: Choices) -> bytes:
    wire = choices.integer(0, 2 ** (8 * LONGEST_RANDOM) - 1).to_bytes(LONGEST_RANDOM, "big")
    return wire[: choices.below(LONGEST_RANDOM + 1)]


_KINDS: tuple[tuple[str, Callable[[Encoded, Choices], bytes]], ...] = (
    ("tampered", tampered),
    ("damaged", lambda encoded, choices: mutate(encoded.wire, choices)),
    ("tampered", tampered),
    ("random", _random),
)
"""The kinds of byte strings, in turn."""
