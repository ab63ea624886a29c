"""The parts of a campaign, run: here, in processes of this machine, or wherever a worker of Spark is."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.folder import keep_part
from conformance.campaign.kernel import SAFE, Host, run_part
from conformance.files.unpacked import unpacked
from conformance.pipeline.storage import Storage
from conformance.processes.forks import forked
from conformance.processes.own import worker_pool
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.campaign.plan import Parameters, Part


PATIENCE = 120
"""Seconds without an event after which a part is held up: more than inputs that hang may take together."""


class PartFailed(ConformanceError):
    """A part that cannot be run; the text says why."""


class Work(NamedTuple):
    """What a worker needs.

    Attributes:
        parameters: of the campaign.
        output: its folder, for every worker.
    """

    parameters: Parameters
    output: str


def run_and_keep(work: Work, number: int, part: Part) -> str:
    """Run a part and keep its results; return what is wrong with it, empty if nothing is.

    It is run in a fork of this process. If that comes to no end, because the implementation has ended it or held it up
    outside of its own child, the part is run again, and everything is asked of the child.
    """
    _find_adapters(work.parameters.folder)
    memory = work.parameters.memory
    told = forked(lambda beat: _told(work, number, part, Host(False, memory, beat)), PATIENCE)  # noqa: FBT003  # a tuple
    return _told(work, number, part, SAFE) if told is None else told


def _told(work: Work, number: int, part: Part, host: Host) -> str:
    parameters = work.parameters
    try:
        result = run_part(parameters, part, host)
        keep_part(Storage(work.output), number, part, result, has_rows=parameters.keeps_rows)
    except ConformanceError as error:
        return f"{parameters.subjects[part.subject].label}: {error}"
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


def run_in_processes(work: Work, workers: int, parts: Iterable[tuple[int, Part]]) -> None:
    """Run parts, so many side by side; each is taken up when a process is free, and control-C ends those that run.

    Raises:
        PartFailed: a part cannot be run.
    """
    waiting, running = iter(parts), set[Future[str]]()
    with worker_pool(workers, ignore_interrupts) as pool:
        try:
            while True:
                running |= {pool.submit(run_and_keep, work, *each) for each in islice(waiting, workers - len(running))}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                check(future.result() for future in done)
        except BrokenProcessPool as error:
            raise PartFailed("a process that ran parts was ended. The same command goes on from those kept.") from error
        except BaseException:
            for process in multiprocessing.active_children():
                process.kill()
            raise


def ignore_interrupts() -> None:
    """Leave control-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check(errors: Iterable[str]) -> None:
    """Raise PartFailed if there are any."""
    told = [error for error in errors if error]
    if told:
        more = f" (and {len(told) - 1} other parts)" if len(told) > 1 else ""
        raise PartFailed(f"{told[0]}{more}. The other parts are kept: the same command goes on from them.")
