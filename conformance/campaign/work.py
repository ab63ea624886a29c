"""A task of a campaign, run in this process: what comes of it is kept, and what goes wrong belongs to who made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.attempts import attempt
from conformance.campaign.kernel import STORE, run_parts
from conformance.campaign.spark.storage import Storage, StorageFailed, patiently
from conformance.codec.bridge.harness_errors import HarnessLostError
from conformance.system.writing import NotWritten
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from conformance.campaign.kernel import Host
    from conformance.campaign.plan import Parameters, Subject, Task
    from conformance.codec.session import Session


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

    def subject(self, task: Task) -> Subject:
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
    told = [error for error in errors if error]
    if told:
        more = f" (and {len(told) - 1} other tasks)" if len(told) > 1 else ""
        raise TaskFailed(f"{told[0]}{more}. The other tasks are kept: the same command goes on from them.")
