"""Operations per second of a harness: when it counts as warm, and which hostile inputs are told by themselves."""

import shlex
import sys
import time
from collections.abc import Sequence
from typing import Any, cast

import pytest

from conformance.benchmark import costs, rates
from conformance.benchmark.costs import Sorted, sort_by_cost
from conformance.benchmark.rates import is_steady, rate
from conformance.bridge.client import Client
from conformance.implementation.outcome import Kind
from tests.helpers.runs import invoke

SHORT = 0.001
SLOW = {"is": "slow"}
DEADLY = {"is": "deadly"}
SILENT = {"is": "silent"}
GREEDY = {"is": "greedy"}
USUAL = {"is": "usual"}


class Answering:
    """In place of a client: some requests take time, end the harness, or are not sent any more."""

    def __init__(self) -> None:
        self.restarts = 0
        self.asked: list[Any] = []

    def ask(self, request: Any) -> dict[str, Any]:
        self.asked.append(request)
        if request == SLOW:
            time.sleep(2 * costs.SLOW)
        if request == DEADLY:
            self.restarts += 1
        special = Kind.NOT_RUN if request == SILENT else Kind.EXHAUSTED_MEMORY
        return {"outcome": special if request in (SILENT, GREEDY) else Kind.REJECTED}

    def ask_many(self, requests: Sequence[Any]) -> list[dict[str, Any]]:
        return [self.ask(request) for request in requests]

    def sorted(self, *inputs: tuple[Any, str]) -> Sorted:
        return sort_by_cost(cast("Client", self), inputs)

    def rate(self, *requests: Any) -> rates.Rate:
        return rate(cast("Client", self), requests)


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


def test_a_harness_that_ends_on_every_request_has_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "ROUND", SHORT)
    assert Answering().rate(DEADLY).per_second == 0


def test_calls_in_which_the_harness_ends_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "ROUND", SHORT)
    monkeypatch.setattr(rates, "FEWER", (1,))
    assert Answering().rate(USUAL, DEADLY).per_second > 0


def test_fewer_requests_are_sent_in_a_call_where_the_harness_ends_in_every_larger_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is in the calls in which it still ends is left out, and said so."""
    monkeypatch.setattr(rates, "ROUND", SHORT)
    monkeypatch.setattr(rates, "FEWER", (4, 2))
    found = Answering().rate(USUAL, USUAL, USUAL, DEADLY)
    assert (found.in_flight, found.left_out) == (2, 0.5)
    assert found.per_second > 0


def test_warming_ends_with_the_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "ROUND", SHORT)
    monkeypatch.setattr(rates, "LONGEST_WARMING", 0.0)
    assert not Answering().rate(USUAL).is_steady


def test_slow_inputs_are_told_by_themselves() -> None:
    found = Answering().sorted((USUAL, "a"), (SLOW, "b"))
    assert found.ordinary == [USUAL]
    assert [seconds > costs.SLOW for seconds in found.slow] == [True]


def test_inputs_that_take_too_much_memory_are_told_by_themselves() -> None:
    found = Answering().sorted((USUAL, "a"), (GREEDY, "b"))
    assert (found.ordinary, len(found.greedy), found.count) == ([USUAL], 1, 2)


def test_an_input_is_slow_only_if_it_always_is() -> None:
    client = Answering()
    client.sorted((SLOW, ""))
    assert client.asked == [SLOW] * costs.ATTEMPTS


def test_a_kind_that_has_ended_the_harness_twice_is_left_out() -> None:
    client = Answering()
    found = client.sorted((DEADLY, "a"), (SILENT, "a"), (USUAL, "a"), (USUAL, "b"))
    assert (found.ended["a"], found.left_out, found.ordinary, found.count) == (2, 1, [USUAL], 4)
    assert client.asked == [DEADLY, SILENT, USUAL]


def test_inputs_without_a_kind_are_all_tried() -> None:
    client = Answering()
    assert client.sorted(*[(DEADLY, "")] * 3, (USUAL, "")).ordinary == [USUAL]


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> str:
    """A harness of this project, that is measured for a moment."""
    monkeypatch.setattr(rates, "ROUND", SHORT)
    monkeypatch.setattr(rates, "FEWER", (1,))
    words = [sys.executable, "-m", "conformance.bridge.child", "--release=4.3.0", "--impl=tests.fakes.two_messages"]
    return f"stdio:{shlex.join(words)}"


def test_the_command_shows_rates_and_what_is_not_in_them(child: str) -> None:
    done = invoke("bench", "harness", "--release=4.3.0", "--impl", child)
    assert done.exit_code == 0, done.output
    assert "warmed up for: encodes " in done.output
    assert "hostile inputs, of which" in done.output
    assert "0 ended the harness or had no answer; 0 like them were not sent" in done.output
    assert "load average: " in done.output


def test_several_harnesses_are_in_one_table_at_the_end(child: str) -> None:
    done = invoke("bench", "harness", "--release=4.3.0", "--impl", child, "--impl", child)
    assert done.exit_code == 0, done.output
    _, _, table = done.output.rpartition("load average: ")
    assert table.count("reference ") == 2


def test_an_implementation_without_a_harness_is_a_clear_error() -> None:
    done = invoke("bench", "harness", "--impl", "tests.fakes.two_messages")
    assert done.exit_code == 1
    assert "runs in this process" in str(done.output or done.exception)
