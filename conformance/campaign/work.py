"""The tasks of a campaign, run: here, in processes of this machine, or wherever a worker of Spark is."""

from __future__ import annotations

import json
import math
import multiprocessing
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.bridge.client import START_DEADLINE
from conformance.bridge.errors import FROM_OUTSIDE, HarnessLostError, signal_name
from conformance.bridge.hangs import SECONDS_OF_A_RUN
from conformance.campaign.attempts import attempt
from conformance.campaign.kernel import LOAD, RUN, SAFE, STORE, Host, run_task
from conformance.files.unpacked import unpacked
from conformance.files.writing import NotWritten
from conformance.pipeline.storage import Storage, StorageFailed, patiently
from conformance.processes.forks import CAN_FORK, forked
from conformance.processes.own import worker_pool
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.campaign.plan import Parameters, Task


STORING = 300
"""Seconds for what came of a task to be kept, where storage does not answer at once."""


class TaskFailed(ConformanceError):
    """A task that cannot be run, and not elsewhere either; the text says why."""


class TaskLost(ConformanceError):
    """A task that the machine or the storage has ended, and no implementation: it may be run again, or elsewhere."""


class Work(NamedTuple):
    """What a worker needs.

    Attributes:
        parameters: of the campaign.
        output: its folder, for every worker.
    """

    parameters: Parameters
    output: str


def run_and_keep(work: Work, task: Task) -> str:
    """Run a task and keep its results; return what is wrong with the implementation, empty if nothing is.

    It is run in a fork of this process. If that comes to no end, because the implementation has ended it or held it up
    outside of its own child, the task is run again, and everything is asked of the child.

    Raises:
        TaskLost: the machine has ended a process, or the storage cannot be read or written.
    """
    _find_adapters(work.parameters.folder)
    if not CAN_FORK:
        return _run(work, task, SAFE)
    memory = work.parameters.memory
    fork = forked(lambda beat: _told(work, task, Host(False, memory, beat)), _patience(work))  # noqa: FBT003  # a tuple
    if fork.told is not None:
        told, is_lost = json.loads(fork.told)
        if is_lost:
            raise TaskLost(told)
        return str(told)
    name = _name(work, task)
    if -fork.status in FROM_OUTSIDE:
        raise TaskLost(f"{name}: its process was ended by {signal_name(-fork.status)}, in the phase {fork.phase!r}")
    if fork.is_held_up and fork.phase == LOAD:
        return f"{name}: loading the implementation takes longer than {START_DEADLINE:g} seconds"
    if fork.is_held_up and fork.phase == STORE:
        raise TaskLost(f"{name}: {work.output} does not answer within {STORING} seconds")
    return _run(work, task, SAFE)


def _patience(work: Work) -> dict[str, int]:
    """Return the seconds of silence that each phase is allowed: more than inputs that hang may take together."""
    running = 3 * (SECONDS_OF_A_RUN + 2 * work.parameters.deadline)
    return {LOAD: int(START_DEADLINE), RUN: math.ceil(running), STORE: STORING}


def _name(work: Work, task: Task) -> str:
    return f"part {task[0][0]} of {_label(work, task)}"


def _label(work: Work, task: Task) -> str:
    return work.parameters.subjects[task[0][1].subject].label


def _told(work: Work, task: Task, host: Host) -> str:
    """Return what is wrong with a task, and whether it is lost, as JSON."""
    try:
        return json.dumps((_run(work, task, host), False))
    except TaskLost as lost:
        return json.dumps((str(lost), True))


def _run(work: Work, task: Task, host: Host) -> str:
    parameters = work.parameters
    try:
        results = run_task(parameters, [part for _, part in task], host)
        done = attempt(_label(work, task), task, results, has_rows=parameters.keeps_rows)
        host.beat(STORE)
        patiently(lambda: done.write(Storage(work.output)))
    except (StorageFailed, NotWritten, HarnessLostError) as error:
        raise TaskLost(f"{_name(work, task)}: {error}") from error
    except ConformanceError as error:
        return f"{_label(work, task)}: {error}"
    return ""


def _find_adapters(folder: str) -> None:
    """Put the folder of the driver behind all else on the import path; this project is there as files.

    What this process starts imports the same: an archive that a worker of Spark has is there as a folder.
    """
    entries = [Path(entry) for entry in sys.path]
    path = [str(unpacked(entry)) if entry.suffix == ".zip" and _is_ours(entry) else str(entry) for entry in entries]
    sys.path[:] = path if folder in path else [*path, folder]


def _is_ours(archive: Path) -> bool:
    return archive.is_file() and archive in Path(__file__).parents


def run_in_processes(work: Work, workers: int, tasks: Iterable[Task]) -> None:
    """Run tasks, so many side by side; each is taken up when a process is free, and control-C ends those that run.

    Raises:
        TaskFailed: a task cannot be run.
    """
    waiting, running = iter(tasks), set[Future[str]]()
    with worker_pool(workers, ignore_interrupts) as pool:
        try:
            while True:
                running |= {pool.submit(_run_twice, work, each) for each in islice(waiting, workers - len(running))}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                check(future.result() for future in done)
        except BrokenProcessPool as error:
            raise TaskFailed("a process that ran tasks was ended. The same command goes on from those kept.") from error
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


def check(errors: Iterable[str]) -> None:
    """Raise TaskFailed if there are any."""
    told = [error for error in errors if error]
    if told:
        more = f" (and {len(told) - 1} other tasks)" if len(told) > 1 else ""
        raise TaskFailed(f"{told[0]}{more}. The other tasks are kept: the same command goes on from them.")
