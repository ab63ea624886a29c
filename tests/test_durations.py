"""Tables of `make durations` from its measurements, by `tests.helpers.durations`."""

import tomllib
from typing import Any

import pytest

from tests.helpers.durations import Seconds, now, summed, written


def row(test: str, phase: str, cpu: float) -> dict[str, Any]:
    return {"test": test, "phase": phase, "cpu": cpu, "clock": 2 * cpu}


ROWS = [
    row("a/test_b.py::test_c", "setup", 3),
    row("a/test_b.py::test_c", "call", 2),
    row("a/test_b.py::test_c", "call", 4),
    row("a/test_b.py::test_d", "call", 0),
]


def test_a_file_has_the_sum_a_function_the_mean_and_set_up_the_largest() -> None:
    """A function below half a second of either is left out."""
    tables = summed(ROWS)
    assert tables["files"] == {"a/test_b.py": (9, 18)}
    assert tables["functions"] == {"a/test_b.py::test_c": (3, 6)}
    assert tables["set-up"] == {"a/test_b.py": (3, 6)}


def test_the_file_has_steps_in_their_order_and_tests_by_name() -> None:
    text = written({"test": Seconds(9, 5), "lint": Seconds(1, 1)}, summed(ROWS))
    tables = tomllib.loads(text)
    assert list(tables["steps"]) == ["test", "lint"]
    assert tables["functions"] == {"a/test_b.py::test_c": {"cpu": 3, "clock": 6}}


@pytest.mark.parametrize(("cpu", "clock", "slow"), [(0.6, 3.9, False), (0.7, 0.0, True), (0.0, 4.0, True)])
def test_long_computing_or_waiting_is_slow(cpu: float, clock: float, slow: bool) -> None:  # noqa: FBT001
    assert Seconds(cpu, clock).is_slow() is slow


def test_seconds_never_run_backwards() -> None:
    before = now()
    sum(range(100_000))
    assert min(now() - before) >= 0
