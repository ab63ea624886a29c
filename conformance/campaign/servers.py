"""The processes that run tasks: a server for each implementation, which stays loaded as long as the worker lives.

A server is a fork of the worker, so that an implementation which ends its process, or holds it up, costs no more than
that. It is replaced after a task that failed, and when a file that it has loaded was changed.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import sys
from contextlib import ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.campaign.kernel import LOAD, RUN, SAFE, STORE, Host, opened
from conformance.campaign.work import TaskLost, run
from conformance.codec.bridge.child_client import START_DEADLINE
from conformance.codec.bridge.hangs import SECONDS_OF_A_RUN
from conformance.codec.bridge.harness_errors import FROM_OUTSIDE, signal_name
from conformance.system.forks import CAN_FORK, Fork, Forks
from conformance.system.unpacked import unpacked
from reference.release import FURTHER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from conformance.campaign.plan import Parameters, Subject, Task
    from conformance.campaign.work import Work
    from conformance.codec.session import Session
    from conformance.system.forks import Beat, Reply

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
    if reply.told is None:
        return _end_of(reply, work, task)
    told, is_lost = json.loads(reply.told)
    if is_lost:
        raise TaskLost(told)
    return str(told)


def _purpose(parameters: Parameters, subject: Subject) -> Hashable:
    """Return what tasks have in common that one server runs."""
    definitions = parameters.release, parameters.definitions, os.environ.get(FURTHER)
    return subject, definitions, parameters.limits, parameters.folder


def _patience(parameters: Parameters) -> dict[str, int]:
    """Return the seconds of silence that each phase is allowed: more than inputs that hang may take together."""
    running = 3 * (SECONDS_OF_A_RUN + 2 * parameters.deadline)
    return {LOAD: int(START_DEADLINE), RUN: math.ceil(running), STORE: STORING}


def _end_of(reply: Reply, work: Work, task: Task) -> str:
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


def serve(parameters: Parameters, subject: Subject, requests: Iterable[bytes], beat: Beat) -> Iterator[str]:
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
            told, is_lost = _told(work, task, host, session)
            files.note()
            yield json.dumps((told, is_lost))
            if told:
                return


def _told(work: Work, task: Task, host: Host, session: Callable[[], Session]) -> tuple[str, bool]:
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
