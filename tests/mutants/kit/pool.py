"""Processes to try mutants, forked from this one, so that they inherit its modules and functions are not pickled."""

from __future__ import annotations

import os
import resource
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from conformance.system.parents import end_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

Item = TypeVar("Item")
Result = TypeVar("Result")
WALL_SECONDS = 300
ADDRESS_SPACE = 4 << 30
_FORK = get_context("fork")
_work: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []


def followed(console: Console, items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield items and show the progress, without a thread, for processes are forked."""
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.update(task, advance=1, refresh=True)


def tried(function: Callable[[Item], Result], items: Sequence[Item], workers: int, chunk: int = 1) -> Iterator[Result]:
    """Yield the results of a function for the items in their order, in this process if there is one worker."""
    if workers == 1:
        yield from map(function, items)
        return
    with _inherited(function, items), _FORK.Pool(workers, end_with, (os.getpid(),)) as pool:
        yield from pool.imap(_made_of, range(len(items)), chunksize=chunk)


@contextmanager
def _inherited(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[None]:
    _work.append((function, items))
    try:
        yield
    finally:
        _work.pop()


def _made_of(number: int) -> Any:
    function, items = _work[-1]
    return function(items[number])


class Answer(NamedTuple):
    """The answer of a process about one item."""

    item: Any
    result: Any
    """The result of the function, or a text with the exit code of a process without one."""
    seconds: float


class _Trial(NamedTuple):
    item: Any
    process: Any
    connection: Connection
    begin: float

    @property
    def is_over(self) -> bool:
        return not self.process.is_alive() or monotonic() - self.begin > WALL_SECONDS

    def answer(self) -> Answer:
        seconds = monotonic() - self.begin
        if self.process.is_alive() and not self.connection.poll():
            self.process.kill()
        self.process.join()
        has_answered = self.process.exitcode == 0 and self.connection.poll()
        result = self.connection.recv() if has_answered else f"no answer, exit code {self.process.exitcode}"
        self.connection.close()
        return Answer(self.item, result, seconds)


def tried_within(
    cpu_seconds: int, function: Callable[[Item], object], items: Iterable[Item], workers: int
) -> Iterator[Answer]:
    """Yield the answers as they come, each of a process of its own, and kill one that takes longer."""
    running: list[_Trial] = []
    for item in items:
        running.append(_started(function, item, cpu_seconds))
        while len(running) >= workers:
            yield from _ended(running)
    while running:
        yield from _ended(running)


def _started(function: Callable[[Item], object], item: Item, cpu_seconds: int) -> _Trial:
    connection, child = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_try, args=(os.getpid(), function, item, cpu_seconds, child))
    process.start()
    child.close()
    return _Trial(item, process, connection, monotonic())


def _ended(running: list[_Trial]) -> Iterator[Answer]:
    wait([trial.process.sentinel for trial in running], timeout=1)
    for trial in [each for each in running if each.is_over]:
        running.remove(trial)
        yield trial.answer()


def _try(parent: int, function: Callable[[Any], object], item: Any, cpu_seconds: int, answer: Connection) -> None:
    end_with(parent)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    answer.send(function(item))
