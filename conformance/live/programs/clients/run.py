"""One run of a client program: its exit status, what it wrote, how long it took, and its peak of resident memory."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.bridge.errors import Ending
from conformance.live.processes import peak_memory
from conformance.live.programs.clients.client import BOOTSTRAP, SECONDS
from conformance.live.programs.logs import new_log, tail

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GRACE = 15.0
"""Seconds after which a client that has not ended itself is ended."""

PAUSE = 0.02


@dataclass(frozen=True)
class ClientRun:
    """What came of a run.

    Attributes:
        name: the client's.
        status: its exit status; minus a signal's number if that ended it.
        seconds: how long it took.
        memory: its peak of resident memory, in bytes.
        log: what it wrote.
    """

    name: str
    status: int
    seconds: float
    memory: int
    log: Path

    @property
    def problem(self) -> str:
        """How it ended, and the end of what it wrote."""
        return f"{self.name}: {Ending(self.status, tail(self.log))}"


def run_client(name: str, command: Sequence[str], address: str) -> ClientRun:
    """Run a client against the broker at an address; it is ended if it does not end itself."""
    log = new_log(name)
    began = time.monotonic()
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603  # our own command
            command,
            env={**os.environ, BOOTSTRAP: address},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # an interrupt at the terminal is for this process, which ends the child
        )
    memory = 0
    try:
        while child.poll() is None and time.monotonic() - began < SECONDS + GRACE:
            memory = max(memory, peak_memory(child.pid))
            time.sleep(PAUSE)
    finally:
        child.kill()
        child.wait()
    return ClientRun(name, child.returncode, time.monotonic() - began, memory, log)
