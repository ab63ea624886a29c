"""The processes that run tasks.

A worker has a server for each implementation, loaded for the life of the worker. A server is a fork of the worker. An
implementation that ends its process or hangs costs no more than that server. The worker replaces it after a failed
task, and after a change to one of its loaded files.

On one machine a pool runs tasks in parallel. The server itself stores the results of a task, and attributes a failure
to the implementation, the machine or the storage.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import pickle
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
from conformance.codec.bridge.hangs import HANGS_OF_A_RUN, SECONDS_OF_A_RUN, SURE
from conformance.codec.bridge.harness_errors import FROM_OUTSIDE, HarnessLostError, signal_name
from conformance.system.forks import CAN_FORK, Fork, ForkReply, Forks
from conformance.system.own_processes import worker_pool
from conformance.system.time_limits import load
from conformance.system.unpacked import unpacked
from conformance.system.whole_files import NotWritten
from reference.errors import ConformanceError
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.system.forks import Beat

STORING = 300
"""Seconds to store the results of a task, even if the storage does not answer at once."""

HOSTS = Forks(4)
"""The servers of this process."""


def run_and_keep(work: Work, task: Task) -> str:
    """Run a task, store its results, and return the problem of the implementation.

    The problem is empty if there is none. If the implementation ends or hangs its server, outside of its own child
    process, the task is run again with all calls in the child.

    Raises:
        TaskLost: the machine has ended a process, or the storage cannot be read or written.
    """
    _find_adapters(work.parameters.folder)
    if not CAN_FORK:
        return _run_safely(work, task)
    parameters, subject = work.parameters, work.subject(task)
    server = partial(Fork, partial(serve, parameters, subject), _patience(parameters))
    reply = HOSTS.ask(_purpose(parameters, subject), pickle.dumps((work, task)), server)
    if reply.answer is None:
        return _end_of(reply, work, task)
    problem, is_lost = json.loads(reply.answer)
    if is_lost:
        raise TaskLost(problem)
    return str(problem)


def _purpose(parameters: Parameters, subject: CampaignSubject) -> Hashable:
    """Return the purpose of a server, the same for all its tasks."""
    definitions = parameters.release, parameters.definitions, os.environ.get(FURTHER)
    return subject, definitions, parameters.limits, parameters.folder


def _patience(parameters: Parameters) -> dict[str, int]:
    """Return the seconds of silence allowed in each phase, as of `TimeLimit`.

    They exceed the time that inputs may hang together.
    """
    running = 2 * (SECONDS_OF_A_RUN + HANGS_OF_A_RUN * SURE * parameters.deadline)
    return {LOAD: int(START_DEADLINE), RUN: math.ceil(running), STORE: STORING}


def _end_of(reply: ForkReply, work: Work, task: Task) -> str:
    """Return the problem of the implementation after the end of its server.

    Raises:
        TaskLost: the machine or the storage has ended the server.
    """
    name = work.name(task)
    if -reply.status in FROM_OUTSIDE:
        ended = f"its process was ended by {signal_name(-reply.status)}, in the phase {reply.phase!r}"
        raise TaskLost(f"{name}: {ended} ({load()})")
    if reply.is_held_up and reply.phase == LOAD:
        return f"{name}: loading the implementation takes longer than {START_DEADLINE:g} seconds; {load()}"
    if reply.is_held_up and reply.phase == STORE:
        raise TaskLost(f"{name}: {work.output} does not answer within {STORING} seconds")
    return _run_safely(work, task)


def _run_safely(work: Work, task: Task) -> str:
    with ExitStack() as held:
        return run(work, task, SAFE, lambda: held.enter_context(opened(work.parameters, work.subject(task))))


def serve(parameters: Parameters, subject: CampaignSubject, requests: Iterable[bytes], beat: Beat) -> Iterator[str]:
    """Run tasks of an implementation, until one fails or the implementation has changed.

    Args:
        parameters: the parameters of the first task's campaign; sessions of the other campaigns have the same ones.
        subject: the implementation.
        requests: the work and the task of each, pickled.
        beat: called with the phase for each event.

    Yields:
        The problem of the implementation, and whether the task is lost, as JSON.
    """
    host, files = Host(False, parameters.memory, beat), _Files()  # noqa: FBT003  # a tuple
    with ExitStack() as held:
        session = cache(lambda: held.enter_context(opened(parameters, subject, host)))
        for request in requests:
            if files.have_changed():
                return
            work, task = pickle.loads(request)  # noqa: S301  # of this project's own process
            problem, is_lost = _problem(work, task, host, session)
            files.note()  # an implementation may import modules in its first task only
            yield json.dumps((problem, is_lost))
            if problem:
                return


def _problem(work: Work, task: Task, host: Host, session: Callable[[], Session]) -> tuple[str, bool]:
    """Return the problem of a task, and whether the task is lost."""
    try:
        return run(work, task, host, session), False
    except TaskLost as lost:
        return str(lost), True


class _Files:
    """The files of this process's imported modules, with the times of their last changes."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}
        self.note()

    def note(self) -> None:
        """Note the files imported since the last call."""
        for module in [*sys.modules.values()]:
            file = getattr(module, "__file__", None)
            if file and file not in self._times:
                self._times[file] = _changed(file)

    def have_changed(self) -> bool:
        """Return whether one of the files has changed since it was noted."""
        return any(_changed(file) != time for file, time in self._times.items())


def _changed(file: str) -> int:
    """Return the time of a file's last change in nanoseconds, or 0 without a file."""
    with suppress(OSError):
        return Path(file).stat().st_mtime_ns
    return 0


def _find_adapters(folder: str) -> None:
    """Put the driver's folder last on the import path.

    An archive of this project on the path is replaced by its unpacked copy. So child processes, which need files,
    import the same modules.
    """
    entries = [Path(entry) for entry in sys.path]
    path = [str(unpacked(entry)) if entry.suffix == ".zip" and _is_ours(entry) else str(entry) for entry in entries]
    sys.path[:] = path if folder in path else [*path, folder]


def _is_ours(archive: Path) -> bool:
    return archive.is_file() and archive in Path(__file__).parents


LOSSES = 3
"""The number of pools to lose before it is an error. The machine has ended a process of each."""


def run_in_processes(work: Work, workers: int, tasks: Iterable[Task]) -> None:
    """Run tasks in parallel in worker processes.

    A free process takes the next task. Control-C ends the running tasks.

    Raises:
        TaskFailed: a task cannot be run.
    """
    waiting = iter(tasks)
    for _ in range(LOSSES + 1):
        begun = list[Task]()
        try:
            _run_in_pool(work, workers, waiting, begun)
        except BrokenProcessPool:  # a pool breaks as a whole: all its running tasks begin again
            waiting = chain(begun, waiting)
        else:
            return
    problem = f"processes that ran tasks were ended from outside, {LOSSES + 1} times. Is there enough memory?"
    raise TaskFailed(f"{problem} The same command goes on from the tasks that are kept.")


def _run_in_pool(work: Work, workers: int, waiting: Iterator[Task], begun: list[Task]) -> None:
    """Run tasks in a pool, with unfinished ones in `begun`."""
    running = dict[Future[str], Task]()
    with worker_pool(workers) as pool:
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
        except BaseException:  # the pool would wait for the running tasks to end
            for process in multiprocessing.active_children():
                process.kill()
            raise


def _run_twice(work: Work, task: Task) -> str:
    """Run a task as `run_and_keep` does, and a lost one once more."""
    try:
        return run_and_keep(work, task)
    except TaskLost:
        pass
    try:
        return run_and_keep(work, task)
    except TaskLost as lost:
        return str(lost)


class TaskFailed(ConformanceError):
    """A task that cannot be run anywhere.

    The text has the reason.
    """


class TaskLost(ConformanceError):
    """A task ended by the machine or the storage.

    The implementation is not to blame. The task may be run again, or elsewhere.
    """


class Work(NamedTuple):
    """The facts for a worker.

    Attributes:
        parameters: the campaign's parameters.
        output: the campaign's folder, for every worker.
    """

    parameters: Parameters
    output: str

    def subject(self, task: Task) -> CampaignSubject:
        """Return the implementation of a task."""
        return self.parameters.subjects[task[0][1].subject]

    def name(self, task: Task) -> str:
        """Return the name of a task in errors."""
        return f"part {task[0][0]} of {self.subject(task).label}"


def run(work: Work, task: Task, host: Host, session: Callable[[], Session]) -> str:
    """Run a task, store its results, and return the problem of the implementation.

    The problem is empty if there is none.

    Args:
        work: the campaign's facts.
        task: parts of one implementation.
        host: this process.
        session: returns the implementation's session, and loads it if need be.

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
    """Raise TaskFailed if there are any errors."""
    problems = [error for error in errors if error]
    if problems:
        more = f" (and {len(problems) - 1} other tasks)" if len(problems) > 1 else ""
        raise TaskFailed(f"{problems[0]}{more}. The other tasks are kept: the same command goes on from them.")
