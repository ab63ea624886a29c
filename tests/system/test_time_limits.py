"""Limits of a process, with a clock and threads made for the test."""

from __future__ import annotations

import re
import time

import pytest

from conformance.system import time_limits
from conformance.system.proc import Task
from conformance.system.time_limits import LONGEST, WITHOUT_PROC, TimeLimit, clock_limit

LIMIT = 2.0


class Machine:
    """A clock, and the times of the threads of a process."""

    def __init__(self) -> None:
        self.now = 100.0
        self.tasks: dict[int, Task] = {}

    def work(self, seconds: float, *, ran: float = 0.0, waited: float = 0.0, threads: int = 1) -> None:
        """Advance the clock, and let each of some threads run and wait for a processor in a part of this time."""
        self.now += seconds
        for number in range(threads):
            before = self.tasks.get(number, Task())
            self.tasks[number] = Task(before.ran + ran * seconds, (before.waited or 0.0) + waited * seconds)

    def seconds_until_over(self, limit: TimeLimit, **shares: float) -> float:
        """Return the seconds of the clock until a limit is over."""
        began = self.now
        while not limit.is_over():
            self.work(0.05, **shares)  # type: ignore[arg-type]  # `threads` is a whole number
        return self.now - began


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(time, "monotonic", lambda: made.now)
    monkeypatch.setattr(time_limits, "task_tree", lambda _pid: dict(made.tasks))
    return made


def about(seconds: float) -> object:
    return pytest.approx(seconds, abs=0.6)  # a few looks


def test_a_loop_is_ended_after_its_processor_time(machine: Machine) -> None:
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), ran=1.0) == about(LIMIT)


def test_a_sleep_is_ended_by_the_clock(machine: Machine) -> None:
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), threads=1) == about(LIMIT)


def test_a_poll_with_some_work_is_ended_like_a_sleep(machine: Machine) -> None:
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), ran=0.1) == about(LIMIT)


def test_a_loop_on_a_busy_machine_gets_its_processor_time(machine: Machine) -> None:
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), ran=0.25, waited=0.75) == about(4 * LIMIT)


def test_a_process_without_a_processor_is_ended_at_last_and_not_blamed(machine: Machine) -> None:
    limit = TimeLimit(1, LIMIT)
    assert machine.seconds_until_over(limit, ran=0.01, waited=0.99) == about(LONGEST * LIMIT)
    assert limit.is_for_lack_of_processors


def test_a_loop_is_blamed(machine: Machine) -> None:
    limit = TimeLimit(1, LIMIT)
    machine.seconds_until_over(limit, ran=0.25, waited=0.75)
    assert not limit.is_for_lack_of_processors


def test_processor_time_is_the_sum_over_running_threads(machine: Machine) -> None:
    """Compilers and collectors of a runtime run beside the codec."""
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), ran=1.0, threads=4) == about(LIMIT)


def test_threads_waiting_for_each_other_are_one(machine: Machine) -> None:
    """An interpreter with one lock has such threads, and else each hang makes the next one take longer."""
    assert machine.seconds_until_over(TimeLimit(1, LIMIT), ran=0.25, threads=4) == about(LIMIT)


def test_a_suspension_of_the_suite_itself_does_not_count(machine: Machine) -> None:
    limit = TimeLimit(1, LIMIT)
    machine.work(1.0)
    assert not limit.is_over()
    machine.work(3600.0)
    assert not limit.is_over()


def test_system_without_proc_has_a_longer_limit_of_the_clock(machine: Machine) -> None:
    limit = TimeLimit(None, LIMIT)
    machine.tasks.clear()
    began = machine.now
    while not limit.is_over():
        machine.now += 0.05
    assert machine.now - began == about(WITHOUT_PROC * LIMIT)
    assert str(limit).startswith(f"{WITHOUT_PROC * LIMIT:g} seconds")


def test_ready_thread_without_running_waits_for_a_processor(machine: Machine) -> None:
    """Some systems have the state of a thread, and not the time of its waiting."""
    limit = TimeLimit(1, LIMIT)
    began = machine.now
    while not limit.is_over():
        machine.now += 0.05
        machine.tasks[1] = Task(0.0, None, is_ready=True)
    assert machine.now - began == about(LONGEST * LIMIT)


def test_the_words_have_the_processor_time_and_the_load(machine: Machine) -> None:
    limit = TimeLimit(1, LIMIT)
    machine.seconds_until_over(limit, ran=1.0)
    assert re.match(r"2 seconds; 2\.\d s\b.*, load ", str(limit))


def test_idle_process_may_have_less_time(machine: Machine) -> None:
    """A client without a connection needs less than one with a starting runtime."""
    limit = TimeLimit(1, 10 * LIMIT, idle=LIMIT)
    assert machine.seconds_until_over(limit) == about(LIMIT)
    assert str(limit).startswith("2 seconds; 0.0 s ")


def test_a_process_waits_for_a_processor_with_its_partner(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "tasks_of", lambda _pid: {9: Task(0.0, 0.75 * machine.now)})
    assert machine.seconds_until_over(TimeLimit(1, LIMIT, partner=2)) == about(4 * LIMIT)


def test_an_unknown_process_has_no_processor_time_in_the_words(machine: Machine) -> None:
    machine.tasks.clear()
    limit = clock_limit(LIMIT)
    assert machine.seconds_until_over(limit, threads=0) == about(LIMIT)
    assert "processor time" not in str(limit)
