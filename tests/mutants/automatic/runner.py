"""Each mutant in a process of its own, forked from one that has imported everything and knows what is expected."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
from dataclasses import dataclass
from math import ceil
from multiprocessing.connection import Connection, wait
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from conformance.system.parents import end_with
from tests.mutants.automatic.trial import first_violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.mutants.automatic.mutations import Mutant

TOLERANCE = 4
"""How many times the time of the processor that a copy takes in which nothing is changed; beyond, a mutant hangs."""
WALL_SECONDS = 300
ADDRESS_SPACE = 4 << 30

_FORK = multiprocessing.get_context("fork")


class UnsoundCopy(Exception):
    """The suite finds something wrong with a copy in which nothing is changed: no verdict would mean anything."""


@dataclass(frozen=True)
class Fate:
    """What became of a mutant."""

    mutant: Mutant
    killed_by: str | None
    """The rule and the outcome of the first violation, or the limit that the process broke; None: it survived."""
    seconds: float


@dataclass(frozen=True)
class _Trial:
    mutant: Mutant
    process: Any
    answer: Connection
    begin: float

    def fate(self) -> Fate:
        """Return what the process answered; one that is dead or out of time answers nothing."""
        seconds = monotonic() - self.begin
        if self.process.is_alive() and not self.answer.poll():
            self.process.kill()
        self.process.join()
        killed_by = self.answer.recv() if self._has_answered() else f"no answer, exit code {self.process.exitcode}"
        self.answer.close()
        return Fate(self.mutant, killed_by, seconds)

    def _has_answered(self) -> bool:
        return self.process.exitcode == 0 and self.answer.poll()


def fates_of(mutants: Iterable[Mutant], workers: int) -> Iterator[Fate]:
    """Yield the fate of each mutant, as they come.

    Raises:
        UnsoundCopy: a copy without a change is found wrong.
    """
    begin = process_time()
    violation = first_violation(None)
    if violation is not None:
        raise UnsoundCopy(violation)
    cpu_seconds = ceil(TOLERANCE * (process_time() - begin))
    gc.freeze()
    yield from fates_within(cpu_seconds, mutants, workers)


def fates_within(cpu_seconds: int, mutants: Iterable[Mutant], workers: int) -> Iterator[Fate]:
    """Yield the fate of each mutant, as they come; one that takes longer is killed."""
    running: list[_Trial] = []
    for mutant in mutants:
        running.append(_started(mutant, cpu_seconds))
        while len(running) >= workers:
            yield from _ended(running)
    while running:
        yield from _ended(running)


def _started(mutant: Mutant, cpu_seconds: int) -> _Trial:
    answer, child = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_try, args=(os.getpid(), mutant, cpu_seconds, child))
    process.start()
    child.close()
    return _Trial(mutant, process, answer, monotonic())


def _ended(running: list[_Trial]) -> Iterator[Fate]:
    """Wait for some trials to end, and take them off the list."""
    wait([trial.process.sentinel for trial in running], timeout=1)
    for trial in list(running):
        if not trial.process.is_alive() or monotonic() - trial.begin > WALL_SECONDS:
            running.remove(trial)
            yield trial.fate()


def _try(parent: int, mutant: Mutant, cpu_seconds: int, answer: Connection) -> None:
    end_with(parent)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    answer.send(first_violation(mutant))
