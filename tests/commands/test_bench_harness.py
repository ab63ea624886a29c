"""Operations per second of a harness, and when it counts as warm."""

import shlex
import sys
from collections.abc import Sequence
from typing import Any, cast

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.child_client import Client
from conformance.commands import bench_harness as harness
from conformance.commands.bench_harness import is_steady, rate
from tests.helpers.releases import BASE
from tests.helpers.runs import error_of, invoke

SHORT = 0.001


class Answering:
    """A client that counts its requests."""

    def __init__(self) -> None:
        self.asked = 0

    def ask_many(self, requests: Sequence[Any]) -> list[dict[str, Any]]:
        self.asked += len(requests)
        return [{} for _ in requests]


@pytest.mark.parametrize(
    ("measured", "steady"),
    [
        ([100.0, 100.0], False),
        ([100.0, 100.0, 100.0], True),
        ([100.0, 104.0, 99.0], True),
        ([100.0, 100.0, 110.0], False),
        ([100.0, 110.0, 100.0], False),
        ([50.0, 100.0, 110.0, 111.0, 112.0], True),
    ],
)
def test_a_rate_is_steady_when_the_last_two_are_about_as_good_as_those_before(
    measured: list[float], *, steady: bool
) -> None:
    assert is_steady(measured) is steady


def test_warming_ends_with_the_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measured rounds send at once about the number of requests to be in flight."""
    monkeypatch.setattr(harness, "ROUND", 0.0)
    monkeypatch.setattr(harness, "LONGEST_WARMING", 0.0)
    client = Answering()
    found = rate(cast("Client", client), [{}] * 3)
    assert not found.is_steady
    assert found.per_second > 0
    assert client.asked == harness.ROUNDS * 3 * (harness.IN_FLIGHT // 3)


def test_operation_not_offered_has_no_rate() -> None:
    assert rate(cast("Client", Answering()), []).per_second == 0


def test_each_harness_stands_below_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness is one of this project, measured for a moment."""
    monkeypatch.setattr(harness, "ROUND", SHORT)
    words = [
        sys.executable,
        "-m",
        "conformance.codec.bridge.child",
        f"--release={BASE}",
        "--impl=tests.fakes.two_messages",
    ]
    child = f"stdio:{shlex.join(words)}"
    done = invoke("bench", "harness", f"--release={BASE}", "--impl", child, "--impl", child)
    assert done.exit_code == 0, done.output
    assert done.output.count(": warmed up for: ") == 2
    _, _, table = done.output.rpartition("codec ")
    assert table.count("reference ") == 2


def test_an_implementation_without_a_harness_is_a_clear_error(snapshot: SnapshotAssertion) -> None:
    done = invoke("bench", "harness", "--impl", "tests.fakes.two_messages")
    assert error_of(done, 1) == snapshot
