"""The processes that run tasks: a server for each implementation, which stays loaded as long as the worker lives.

A server is a fork of the worker, so that an implementation which ends its process, or holds it up, costs no more than
that. It is replaced after a task that failed, and when a file that it has loaded was changed.

On one machine a pool runs tasks side by side. In the server itself, what comes of a task is kept, and what goes wrong
belongs to who made it.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import pickle
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.attempts import attempt
from conformance.campaign.kernel import LOAD, RUN, SAFE, STORE, Host, opened, run_parts
from conformance.campaign.plan import CampaignSubject, Parameters, Task
from conformance.campaign.spark.storage import Storage, StorageFailed, patiently
from conformance.codec.bridge.child_client import START_DEADLINE
from conformance.codec.bridge.hangs import SECONDS_OF_A_RUN
from conformance.codec.bridge.harness_errors import FROM_OUTSIDE, HarnessLostError, signal_name
from conformance.system.forks import CAN_FORK, Fork, ForkReply, Forks
from conformance.system.own_processes import worker_pool
from conformance.system.unpacked import unpacked
from conformance.system.whole_files import NotWritten
from reference.errors import ConformanceError
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.system.forks import Beat

STORING = 300
"""Seconds for what came of a task to be kept, where storage does not answer at once."""

SERVERS = Forks(4)
"""Those of this process."""


def run_and_keep(work: Work, task: Task) -> str:
    """Run a task and keep its results; return what is wrong with the implementation, empty if nothing is.

    If the implementation ends its server or holds it up, outside of its own child, the task is run again, and
    everything is asked of the child.

    Raises:
        TaskLost: the machine has ended a process, or the storage cannot be read or written.
    """
    _find_adapters(work.parameters.folder)
    if not CAN_FORK:
        return _run_safely(work, task)
    parameters, subject = work.parameters, work.subject(task)
    server = partial(Fork, partial(serve, parameters, subject), _patience(parameters))
    reply = SERVERS.ask(_purpose(parameters, subject), pickle.dumps((work, task)), server)
    if reply.answer is None:
        return _end_of(reply, work, task)
    problem, is_lost = json.loads(reply.answer)
    if is_lost:
        raise TaskLost(problem)
    return str(problem)


def _purpose(parameters: Parameters, subject: CampaignSubject) -> Hashable:
    """Return what tasks have in common that one server runs."""
    definitions = parameters.release, parameters.definitions, os.environ.get(FURTHER)
    return subject, definitions, parameters.limits, parameters.folder


def _patience(parameters: Parameters) -> dict[str, int]:
    """Return the seconds of silence that each phase is allowed: more than inputs that hang may take together."""
    running = 3 * (SECONDS_OF_A_RUN + 2 * parameters.deadline)
    return {LOAD: int(START_DEADLINE), RUN: math.ceil(running), STORE: STORING}


def _end_of(reply: ForkReply, work: Work, task: Task) -> str:
    """Do what is to be done when a server came to an end."""
    name = work.name(task)
    if -reply.status in FROM_OUTSIDE:
        raise TaskLost(f"{name}: its process was ended by {signal_name(-reply.status)}, in the phase {reply.phase!r}")
    if reply.is_held_up and reply.phase == LOAD:
        return f"{name}: loading the implementation takes longer than {START_DEADLINE:g} seconds"
    if reply.is_held_up and reply.phase == STORE:
        raise TaskLost(f"{name}: {work.output} does not answer within {STORING} seconds")
    return _run_safely(work, task)


def _run_safely(work: Work, task: Task) -> str:
    with ExitStack() as held:
        return run(work, task, SAFE, lambda: held.enter_context(opened(work.parameters, work.subject(task))))


def serve(parameters: Parameters, subject: CampaignSubject, requests: Iterable[bytes], beat: Beat) -> Iterator[str]:
    """Run tasks of an implementation, until one fails or the implementation has changed.

    Args:
        parameters: of the campaign of the first task; those of others differ in nothing that a session is made of.
        subject: the implementation.
        requests: work and task of each, pickled.
        beat: called with the phase for each event.

    Yields:
        what is wrong with the implementation, and whether the task is lost, as JSON.
    """
    host, files = Host(False, parameters.memory, beat), _Files()  # noqa: FBT003  # a tuple
    with ExitStack() as held:
        session = cache(lambda: held.enter_context(opened(parameters, subject, host)))
        for request in requests:
            if files.have_changed():
                return
            work, task = pickle.loads(request)  # noqa: S301  # of this project's own process
            problem, is_lost = _problem(work, task, host, session)
            files.note()
            yield json.dumps((problem, is_lost))
            if problem:
                return


def _problem(work: Work, task: Task, host: Host, session: Callable[[], Session]) -> tuple[str, bool]:
    """Return what is wrong with a task, and whether it is lost."""
    try:
        return run(work, task, host, session), False
    except TaskLost as lost:
        return str(lost), True


class _Files:
    """The files of the modules that this process has imported, and when each was changed."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}
        self.note()

    def note(self) -> None:
        """Note those that were imported since."""
        for module in [*sys.modules.values()]:
            file = getattr(module, "__file__", None)
            if file and file not in self._times:
                self._times[file] = _changed(file)

    def have_changed(self) -> bool:
        """Return whether one of them was changed after it was noted."""
        return any(_changed(file) != time for file, time in self._times.items())


def _changed(file: str) -> int:
    """Return when a file was changed, in nanoseconds; 0 if it is none."""
    with suppress(OSError):
        return Path(file).stat().st_mtime_ns
    return 0


def _find_adapters(folder: str) -> None:
    """Put the folder of the driver behind all else on the import path; this project is there as files.

    What this process starts imports the same: an archive that a worker of Spark has is there as a folder.
    """
    entries = [Path(entry) for entry in sys.path]
    path = [str(unpacked(entry)) if entry.suffix == ".zip" and _is_ours(entry) else str(entry) for entry in entries]
    sys.path[:] = path if folder in path else [*path, folder]


def _is_ours(archive: Path) -> bool:
    return archive.is_file() and archive in Path(__file__).parents


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

    def subject(self, task: Task) -> CampaignSubject:
        """Return the implementation of a task."""
        return self.parameters.subjects[task[0][1].subject]

    def name(self, task: Task) -> str:
        """Return what an error calls a task."""
        return f"part {task[0][0]} of {self.subject(task).label}"


def run(work: Work, task: Task, host: Host, session: Callable[[], Session]) -> str:
    """Run a task and keep its results; return what is wrong with the implementation, empty if nothing is.

    Args:
        work: of the campaign.
        task: of one implementation.
        host: this process.
        session: returns that of the implementation, which may have to be loaded.

    Raises:
        TaskLost: the machine has ended a process, or the storage cannot be read or written.
    """
    parameters, label = work.parameters, work.subject(task).label
    try:
        results = run_parts(parameters, session(), [part for _, part in task], host)
        done = attempt(label, task, results, has_rows=parameters.keeps_rows)
        host.beat(STORE)
        patiently(lambda: done.write(Storage(work.output)))
    except (StorageFailed, NotWritten, HarnessLostError) as error:
        raise TaskLost(f"{work.name(task)}: {error}") from error
    except ConformanceError as error:
        return f"{label}: {error}"
    return ""


def check(errors: Iterable[str]) -> None:
    """Raise TaskFailed if there are any."""
    problems = [error for error in errors if error]
    if problems:
        more = f" (and {len(problems) - 1} other tasks)" if len(problems) > 1 else ""
        raise TaskFailed(f"{problems[0]}{more}. The other tasks are kept: the same command goes on from them.")
