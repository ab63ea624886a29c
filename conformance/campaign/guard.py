"""Runs a part in a process of its own; and again, if writing a case ended that, with this outcome for the case."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import IO, TYPE_CHECKING, Any, cast

from conformance.campaign.part_process import request_of
from conformance.campaign.recording import Journal, Place, State
from conformance.implementation.outcome import Kind
from conformance.pipeline.session import ARCHIVE, unpacked
from conformance.processes.output import Pipe
from conformance.processes.own import PYTHON
from conformance.processes.path import current_folder
from conformance.processes.programs import start
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from conformance.campaign.plan import Parameters, Part
    from conformance.processes.programs import Program

PROCESS = "conformance.campaign.part_process"
POLL = 0.05

PATIENCE = 4
"""The deadlines of a decode that one call of a writer may take."""

LONGEST_WRITING = 30.0
"""Seconds that it may take at least: the machine may be busy."""

MAXIMUM_DEATHS = 20
"""Cases of one part whose writing may end the process."""

MAXIMUM_TEXT = 1_000
"""Bytes of the beginning, and of the end, of what a process says that are shown."""


class PartFailed(ConformanceError):
    """A part that cannot be run; the text says why."""


def run_guarded(parameters: Parameters, part: Part, number: int, output: str) -> dict[str, Any]:
    """Run a part, keep its results in `output`, and return what was kept of it.

    Raises:
        PartFailed: its process ends outside of a call of the implementation, or too often.
    """
    fatal: dict[Place, str] = {}
    while True:
        with tempfile.TemporaryFile() as notes:
            journal = Journal(notes.fileno())
            request = request_of(parameters, part, number, output, fatal)
            patience = max(LONGEST_WRITING, PATIENCE * parameters.deadline)
            reply, kind, said = _attempt(request, journal, patience, parameters.folder)
            if reply is not None:
                return _sound(reply, parameters, part)
            state = journal.read()
            if state is None or not state.is_writing or state.place in fatal or len(fatal) >= MAXIMUM_DEATHS:
                raise PartFailed(_problem(parameters, part, state, said))
            fatal[state.place] = kind


def _attempt(request: str, journal: Journal, patience: float, folder: str) -> tuple[dict[str, Any] | None, str, str]:
    """Return the reply of one process, or None; the kind of outcome that its end is; what it said last."""
    with start(
        [*PYTHON, "-m", PROCESS, "3"],
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        environment={**os.environ, "PYTHONPATH": os.pathsep.join(_import_path(folder))},
        others=[journal.descriptor],
    ) as process:
        stdin, stdout, stderr = (cast("IO[bytes]", pipe) for pipe in (process.stdin, process.stdout, process.stderr))
        errors = Pipe(stderr, MAXIMUM_TEXT)
        with suppress(BrokenPipeError), os.fdopen(stdin.fileno(), "wb", closefd=False) as writer:
            writer.write(request.encode())
        stdin.close()
        hung = _watch(process, errors, journal, patience)
        line, said = stdout.read(), errors.text()
    return (json.loads(line) if line else None), str(Kind.TIMED_OUT if hung else Kind.CRASHED), said


def _watch(process: Program, errors: Pipe, journal: Journal, patience: float) -> bool:
    """Wait for the end of a process; kill one that is in the same call of a writer for too long, and return so."""
    last: State | None = None
    since = time.monotonic()
    while process.wait(POLL) is None:
        errors.drain()
        state = journal.read()
        if state is None or not state.is_writing or state != last:
            last, since = state, time.monotonic()
        elif time.monotonic() - since > patience:
            process.kill()
            return True
    return False


def _sound(reply: dict[str, Any], parameters: Parameters, part: Part) -> dict[str, Any]:
    if "error" in reply:
        raise PartFailed(f"{parameters.subjects[part.subject].label}: {reply['error']}")
    return reply


def _problem(parameters: Parameters, part: Part, state: State | None, said: str) -> str:
    label = parameters.subjects[part.subject].label
    where = "before its first case"
    if state is not None:
        block = part.blocks[state.place.block]
        where = f"in {block.pair}, case {state.place.case}"
    return f"the process of a part of {label} ended {where}, and cannot go on: {said or 'it said nothing'}"


def _import_path(folder: str) -> list[str]:
    """Return this process's import path without its current folder, and that folder, of the driver, behind it.

    The archive that a worker of Spark has is there as a folder, too.
    """
    behind, current = Path(folder).resolve(), Path(current_folder()).resolve()
    entries = [Path(entry).resolve() for entry in sys.path if Path(entry).exists()]
    path = [entry for entry in entries if entry not in {behind, current}]
    return [str(unpacked(entry) if entry.name == ARCHIVE else entry) for entry in (*path, behind)]
