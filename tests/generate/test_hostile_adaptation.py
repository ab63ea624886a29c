"""The base values of mutated encodings, adapted many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.hostile_bodies import FEWEST, MAXIMUM_LEFT_OUT, hostile_cases
from reference import load_release
from tests.helpers.releases import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL = load_release(BASE).schema("HeartbeatResponse", 0)
Value = dict[str, Any]


class CountedAdaptation:
    """Accepts one value in `accepts_one_in`, and keeps the number of values of each call."""

    def __init__(self, accepts_one_in: int) -> None:
        self.requested: list[int] = []
        self._accepts_one_in = accepts_one_in
        self._seen = 0

    def __call__(self, values: Sequence[Value]) -> list[Value | None]:
        """Return the values, and None for those left out."""
        self.requested.append(len(values))
        numbers = range(self._seen, self._seen + len(values))
        self._seen += len(values)
        return [None if number % self._accepts_one_in else value for number, value in zip(numbers, values, strict=True)]


def test_each_call_asks_for_as_many_values_as_cases_are_missing() -> None:
    """The calls get no more values in total than calls with one value each."""
    search = CountedAdaptation(1)
    made = [case.name for case in hostile_cases(SMALL, adapt=search)]
    assert len(made) == FEWEST
    given = sum(not name.startswith("mutated-") for name in made)
    assert search.requested[0] == FEWEST - given
    assert search.requested == sorted(search.requested, reverse=True)


def test_left_out_values_give_no_case_and_are_replaced() -> None:
    """The accepted values keep their numbers, and with them their mutations."""
    every = {case.name: case.wire for case in hostile_cases(SMALL, adapt=CountedAdaptation(1))}
    made = {case.name: case.wire for case in hostile_cases(SMALL, adapt=CountedAdaptation(2))}
    numbers = [int(name.removeprefix("mutated-")) for name in made if name.startswith("mutated-")]
    assert numbers
    assert all(number % 2 == 0 for number in numbers)
    assert all(made[name] == every[name] for name in made.keys() & every.keys())


def test_no_more_are_asked_for_after_too_many_were_left_out() -> None:
    """A reader without any accepted value is not asked for ever."""
    search = CountedAdaptation(10**9)
    assert sum(case.name.startswith("mutated-") for case in hostile_cases(SMALL, adapt=search)) == 1
    assert MAXIMUM_LEFT_OUT < sum(search.requested) <= MAXIMUM_LEFT_OUT + FEWEST + 1
