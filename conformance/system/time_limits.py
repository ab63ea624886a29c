"""Limits of time that do not depend on the load of the machine.

A process that works is limited by its processor time, for each of its threads that could run. The clock limits the time
in which it neither works nor waits for a processor, and ends everything in the long run.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from conformance.system.proc import Task, task_tree, tasks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

LOAD = "; "
"""The beginning of the words on the processor time and the load, after the words on the limit."""

LOOKS = 6
"""The number of looks at a process in its limit."""

PAUSE = 0.5
"""Seconds at most between two looks."""

BEFORE_FIRST_LOOK = 0.1
"""Seconds at most before the first look, since a look takes longer than most answers."""

LONGEST = 10
"""The factor on a limit for the seconds of the clock, however little the process could work."""

WITHOUT_PROC = 4
"""The factor on a limit where the system does not tell the processor time."""

SEVERAL = 2
"""The pauses that count for one between two looks: this process itself was suspended in longer ones."""


class Spent(NamedTuple):
    """The time since the begin of a limit, in seconds.

    Attributes:
        idle: in which the process neither worked nor waited for a processor.
        processor: of the process and its descendants on processors.
        lost: in which one of its threads waited for a processor.
        ready: of all threads together, on processors and waiting for one.
    """

    clock: float = 0.0
    idle: float = 0.0
    processor: float = 0.0
    lost: float = 0.0
    ready: float = 0.0

    @property
    def threads(self) -> float:
        """The mean number of threads ready to run, at least 1. Threads that wait for each other's lock are one."""
        return max(1.0, self.ready / self.clock) if self.clock else 1.0


class TimeLimit:
    """The limit on the time of one request to a process and its descendants.

    Args:
        pid: the process, or None for one of another machine.
        seconds: the limit.
        idle: the limit on the seconds without any work, or None for the same one.
        partner: a process that serves this one. While it waits for a processor, so does this one.
    """

    def __init__(
        self, pid: int | None, seconds: float, *, idle: float | None = None, partner: int | None = None
    ) -> None:
        self._pid, self.seconds, self._idle = pid, seconds, seconds if idle is None else idle
        self._partner = partner
        self._partners: Mapping[int, Task] = {}
        self._began = self._looked = time.monotonic()
        self._pause = min(seconds / LOOKS, BEFORE_FIRST_LOOK)
        self._has_looked = False
        self._last: Mapping[int, Task] = {}
        self.spent = Spent()
        # The factor on the limit for the seconds of the clock, or 0 if these did not matter.
        self._clocked = 0
        self._exceeded = seconds

    @property
    def pause(self) -> float:
        """The seconds until the next look, at least 0."""
        return max(0.0, self._looked + self._pause - time.monotonic())

    def taken(self) -> float:
        """Look once more, and return the seconds since the begin without those lost for lack of a processor.

        Before the first look they are 0, whatever they are.
        """
        if not self._has_looked:
            return 0.0
        self._look()
        return time.monotonic() - self._began - self.spent.lost

    def is_over(self) -> bool:
        """Look at the process, if it is time, and return whether the limit is exceeded."""
        return time.monotonic() - self._looked >= self._pause and self._is_exceeded(has_tasks=self._look())

    def _look(self) -> bool:
        """Return whether the system tells the process's time."""
        now = time.monotonic()
        passed = min(now - self._looked, SEVERAL * self._pause)
        tasks = {} if self._pid is None else task_tree(self._pid)
        partners = tasks_of(self._partner) if tasks and self._partner is not None else {}
        if self._has_looked:
            self.spent = self._spent(passed, tasks, partners)
        self._has_looked, self._last, self._partners = True, tasks, partners
        self._looked, self._pause = now, min(self.seconds / LOOKS, PAUSE)
        return bool(tasks)

    def _spent(self, passed: float, tasks: Mapping[int, Task], partners: Mapping[int, Task]) -> Spent:
        pairs = [(task, self._last.get(number, Task())) for number, task in tasks.items()]
        beside = [(task, self._partners[number]) for number, task in partners.items() if number in self._partners]
        waits = [_lost(*pair, passed) for pair in pairs]
        lost = max((*waits, *(_lost(*pair, passed) for pair in beside)), default=0.0)
        worked = sum(task.ran - before.ran for task, before in pairs)
        return Spent(
            clock=self.spent.clock + passed,
            idle=self.spent.idle + max(0.0, passed - worked - lost),
            processor=self.spent.processor + worked,
            lost=self.spent.lost + lost,
            ready=self.spent.ready + worked + sum(waits),
        )

    def _is_exceeded(self, *, has_tasks: bool) -> bool:
        self._clocked = LONGEST if has_tasks else WITHOUT_PROC
        self._exceeded, spent = self._clocked * self.seconds, self.spent
        is_idle = spent.idle >= self._idle
        if has_tasks and (is_idle or spent.processor >= self.seconds * spent.threads):
            self._clocked, self._exceeded = 0, self._idle if is_idle else self.seconds
            return True
        return spent.clock >= self._exceeded

    @property
    def is_for_lack_of_processors(self) -> bool:
        """Whether the clock ended a process that waited for a processor for most of the time."""
        return self._clocked == LONGEST and self.spent.lost > self.spent.clock / 2

    def __str__(self) -> str:
        limit = f"{self._exceeded:g} seconds{' of the clock' if self._clocked else ''}"
        worked = "" if self._clocked == WITHOUT_PROC else f"{self.spent.processor:.1f} s of processor time, "
        return f"{limit}{LOAD}{worked}{load()}"


def clock_limit(seconds: float) -> TimeLimit:
    """Return a limit of the clock alone, for a process whose processor time is unknown."""
    return TimeLimit(None, seconds / WITHOUT_PROC)


def load() -> str:
    """Return the load of the machine in words."""
    if not hasattr(os, "getloadavg"):
        return "the system does not tell its load"
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count() or 1} processors"


def _lost(task: Task, before: Task, passed: float) -> float:
    """Return the seconds that a thread waited for a processor, as far as the system tells."""
    if task.waited is not None and before.waited is not None:
        return task.waited - before.waited
    return max(0.0, passed - (task.ran - before.ran)) if task.is_ready else 0.0
