"""Processes that try mutants, and samples of mutants."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.mutants.kit.pool import tried, tried_within
from tests.mutants.kit.samples import drawn, of_each

FUNCTIONS: list[Callable[[], int]] = [lambda: 1, lambda: 2, lambda: 3]


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    """Items need not be pickled."""
    assert list(tried(lambda function: function(), FUNCTIONS, workers)) == [1, 2, 3]


def test_one_worker_is_this_process_and_more_are_others() -> None:
    """Caches of this process serve one worker."""
    assert set(tried(lambda _: os.getpid(), FUNCTIONS, workers=1)) == {os.getpid()}
    assert os.getpid() not in set(tried(lambda _: os.getpid(), FUNCTIONS, workers=2))


def test_the_answer_of_a_process_names_its_item() -> None:
    """Each item has a process of its own."""
    answers = list(tried_within(60, lambda item: (item, os.getpid()), [1, 2], workers=2))
    assert {answer.item: answer.result[0] for answer in answers} == {1: 1, 2: 2}
    assert len({answer.result[1] for answer in answers}) == 2


def test_the_exit_code_of_a_process_stands_for_a_missing_answer() -> None:
    """It counts as an answer of its item."""
    [answer] = tried_within(60, lambda _: os._exit(3), [1], workers=1)
    assert str(answer.result).endswith(" exit code 3")


def test_a_draw_is_the_same_at_each_run_and_in_any_order() -> None:
    """Items are drawn by their names."""
    first = drawn(range(100), 5)
    assert len(first) == 5
    assert first == drawn(reversed(range(100)), 5)
    assert first != list(range(5))


def test_items_of_a_kind_are_drawn_by_their_names() -> None:
    """Each kind has its own."""
    groups = of_each(range(10), lambda item: item % 2, str)
    assert [sorted(group) for group in groups] == [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]
    assert groups == [drawn(group) for group in groups]
