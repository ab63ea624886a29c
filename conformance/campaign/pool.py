"""The tasks of a campaign in processes of this machine, side by side."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import TYPE_CHECKING

from conformance.campaign.plan import Task
from conformance.campaign.servers import run_and_keep
from conformance.campaign.work import TaskFailed, TaskLost, check
from conformance.system.own_processes import worker_pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.work import Work


LOSSES = 3
"""The pools that may be lost before it is an error: the machine has ended a process of each."""


def run_in_processes(work: Work, workers: int, tasks: Iterable[Task]) -> None:
    """Run tasks, so many side by side; each is taken up when a process is free, and control-C ends those that run.

    Raises:
        TaskFailed: a task cannot be run.
    """
    waiting = iter(tasks)
    for _ in range(LOSSES + 1):
        begun = list[Task]()
        try:
            _run_in_pool(work, workers, waiting, begun)
        except BrokenProcessPool:
            waiting = chain(begun, waiting)
        else:
            return
    problem = f"processes that ran tasks were ended from outside, {LOSSES + 1} times. Is there enough memory?"
    raise TaskFailed(f"{problem} The same command goes on from the tasks that are kept.")


def _run_in_pool(work: Work, workers: int, waiting: Iterator[Task], begun: list[Task]) -> None:
    """Run tasks, and tell which have begun and not ended."""
    running = dict[Future[str], Task]()
    with worker_pool(workers, ignore_interrupts) as pool:
        try:
            while True:
                for task in islice(waiting, workers - len(running)):
                    begun.append(task)
                    running[pool.submit(_run_twice, work, task)] = task
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    check([future.result()])
                    begun.remove(running.pop(future))
        except BaseException:
            for process in multiprocessing.active_children():
                process.kill()
            raise


def _run_twice(work: Work, task: Task) -> str:
    """Run a task as `run_and_keep` does; one that is lost is run once more."""
    try:
        return run_and_keep(work, task)
    except TaskLost:
        pass
    try:
        return run_and_keep(work, task)
    except TaskLost as lost:
        return str(lost)


def ignore_interrupts() -> None:
    """Leave control-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
