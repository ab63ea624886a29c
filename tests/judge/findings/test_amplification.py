"""Memory and time for each hostile byte, from the text of an outcome."""

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.case import Violation
from conformance.judge.events import SURVIVAL, Answered
from conformance.judge.findings.finding import Amplification, amplification_of, largest
from tests.helpers.cases import violation

WIRE = bytes(100)
LATE = "no answer within 3 seconds; 3.0 s of processor time, load 1.0 on 2 processors"


def ended(outcome: str, text: str, wire: bytes = WIRE) -> Violation:
    observed = Answered(outcome, explanation=text)
    return violation(
        "codec.survival", "FetchResponse", direction="decode", expectation=SURVIVAL, observation=observed, wire=wire
    )


@pytest.mark.parametrize(
    ("outcome", "text", "memory", "is_least"),
    [
        ("exhausted-memory", "allocated 2048 MiB for 67 bytes", 2_048 << 20, False),
        ("exhausted-memory", "resident memory grew by 268 MiB for 5295 bytes (limit 1000 MiB)", 268 << 20, False),
        ("exhausted-memory", "MemoryError (limit 1000 MiB)", 1_000 << 20, True),
        ("crashed", "ended by SIGABRT: memory allocation of 2147483647 bytes failed", 2**31 - 1, False),
        ("crashed", "runtime: out of memory: cannot allocate 34359738368-byte block (4 in use)", 1 << 35, False),
    ],
)
def test_memory_for_the_bytes_is_reported(outcome: str, text: str, memory: int, is_least: bool) -> None:  # noqa: FBT001  # a column
    assert amplification_of(ended(outcome, text)) == Amplification(len(WIRE), memory, is_least=is_least)


def test_time_for_the_bytes_is_at_least_the_limit(snapshot: SnapshotAssertion) -> None:
    found = amplification_of(ended("timed-out", LATE))
    assert str(found) == snapshot


def test_memory_is_reported_for_each_byte(snapshot: SnapshotAssertion) -> None:
    found = amplification_of(ended("exhausted-memory", "allocated 100 MiB for 100 bytes"))
    assert str(found) == snapshot


@pytest.mark.parametrize(
    ("outcome", "text"), [("crashed", "ended by SIGSEGV (limit 1000 MiB)"), ("rejected", "no"), ("value", "")]
)
def test_other_ends_have_no_amplification(outcome: str, text: str) -> None:
    assert amplification_of(ended(outcome, text)) is None


def test_no_bytes_have_no_amplification() -> None:
    assert amplification_of(ended("timed-out", LATE, b"")) is None


def test_of_several_cases_the_largest_of_memory_counts() -> None:
    late, some = (
        ended("timed-out", LATE),
        ended("exhausted-memory", "allocated 70 MiB for 100 bytes"),
    )
    more = ended("exhausted-memory", "allocated 70 MiB for 10 bytes", bytes(10))
    assert largest([late, some, more]) == amplification_of(more)
