"""Runs a part in a process of its own; and again, if writing a case ended that, with this outcome for the case."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from conformance.campaign.part_process import request_of
from conformance.campaign.recording import Journal, Place, State
from conformance.implementation.outcome import Kind
from conformance.pipeline.session import ARCHIVE, unpacked
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from conformance.campaign.plan import Parameters, Part

PROCESS = "conformance.campaign.part_process"
POLL = 0.05

PATIENCE = 4
"""The deadlines of a decode that one call of a writer may take."""

LONGEST_WRITING = 30.0
"""Seconds that it may take at least: the machine may be busy."""

MAXIMUM_DEATHS = 20
"""Cases of one part whose writing may end the process."""

MAXIMUM_TEXT = 2_000


class PartFailed(ConformanceError):
    """A part that cannot be run; the text says why."""


def run_guarded(parameters: Parameters, part: Part, number: int, output: str) -> dict[str, Any]:
    """Run a part, keep its results in `output`, and return what was kept of it.

    Raises:
        PartFailed: its process ends outside of a call of the implementation, or too often.
    """
    fatal: dict[Place, str] = {}
    while True:
        with tempfile.TemporaryFile() as notes, tempfile.TemporaryFile() as errors:
            journal = Journal(notes.fileno())
            request = request_of(parameters, part, number, output, fatal)
            patience = max(LONGEST_WRITING, PATIENCE * parameters.deadline)
            reply, kind = _attempt(request, journal, errors, patience, parameters.folder)
            if reply is not None:
                return _sound(reply, parameters, part)
            state = journal.read()
            if state is None or not state.is_writing or state.place in fatal or len(fatal) >= MAXIMUM_DEATHS:
                raise PartFailed(_problem(parameters, part, state, _end_of(errors)))
            fatal[state.place] = kind


def _attempt(
    request: str, journal: Journal, errors: IO[bytes], patience: float, folder: str
) -> tuple[dict[str, Any] | None, str]:
    """Return the reply of one process; without one, the kind of outcome that its end is."""
    with subprocess.Popen(  # noqa: S603  # our own module
        [sys.executable, "-P", "-m", PROCESS, str(journal.descriptor)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(_import_path(folder))},
        pass_fds=[journal.descriptor],
        text=True,
    ) as process:
        if process.stdin is not None:
            with suppress(BrokenPipeError):  # it has ended already: its exit tells
                process.stdin.write(request)
                process.stdin.close()
        hung = _watch(process, journal, patience)
        line = process.stdout.readline() if process.stdout is not None else ""
    if line:
        return json.loads(line), ""
    return None, str(Kind.TIMED_OUT if hung else Kind.CRASHED)


def _watch(process: subprocess.Popen[str], journal: Journal, patience: float) -> bool:
    """Wait for the end of a process; kill one that is in the same call of a writer for too long, and return so."""
    last: State | None = None
    since = time.monotonic()
    while process.poll() is None:
        state = journal.read()
        if state is None or not state.is_writing or state != last:
            last, since = state, time.monotonic()
        elif time.monotonic() - since > patience:
            process.kill()
            process.wait()
            return True
        time.sleep(POLL)
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
        where = f"in {block.message}-v{block.version}, case {state.place.case}"
    return f"the process of a part of {label} ended {where}, and cannot go on: {said or 'it said nothing'}"


def _end_of(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode(errors="replace")[-MAXIMUM_TEXT:].strip()


def _import_path(folder: str) -> list[str]:
    """Return this process's import path, and that folder; the archive that a worker of Spark has, as a folder, too."""
    entries = [Path(entry).resolve() for entry in (*sys.path, folder) if entry and Path(entry).exists()]
    return [str(unpacked(entry) if entry.name == ARCHIVE else entry) for entry in entries]
