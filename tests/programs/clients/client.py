"""A client program with its preparation, its command, and the result of a run."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from subprocess import STDOUT
from typing import TYPE_CHECKING

from conformance.codec.bridge.harness_errors import Ending
from conformance.system.proc import peak_memory
from conformance.system.programs import start
from tests.programs.logs import new_log, tail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

BOOTSTRAP = "KAFKA_BOOTSTRAP"
"""The variable of its environment that has the address of a broker."""

SECONDS = 30
"""What a client takes at most: then it ends itself, with the status 124."""

GRACE = 15.0
"""Seconds after which a client that has not ended itself is ended."""

PAUSE = 0.02


@dataclass(frozen=True)
class ClientProgram:
    """A runnable client.

    Attributes:
        name: its name on the command line.
        version: of the library.
        needs: the programs required on the PATH.
        command: fetches and builds it if need be, and returns the words of its command.
    """

    name: str
    version: str
    needs: tuple[str, ...]
    command: Callable[[], tuple[str, ...]]

    @property
    def missing(self) -> list[str]:
        """The required programs missing here."""
        return [tool for tool in self.needs if shutil.which(tool) is None]


@dataclass(frozen=True)
class ClientRun:
    """The result of a run.

    Attributes:
        name: the client's.
        status: its exit status, or minus the number of the signal that ended it.
        seconds: how long it took.
        memory: its peak of resident memory, in bytes.
        log: its output.
    """

    name: str
    status: int
    seconds: float
    memory: int
    log: Path

    @property
    def problem(self) -> str:
        """Its ending, and the end of its output."""
        return f"{self.name}: {Ending(self.status, tail(self.log))}"


def run_client(name: str, command: Sequence[str], address: str) -> ClientRun:
    """Run a client against the broker at an address, and end it if it does not end itself."""
    log = new_log(name)
    began = time.monotonic()
    with log.open("wb") as output:
        environment = {**os.environ, BOOTSTRAP: address}
        child = start(command, stdout=output.fileno(), stderr=STDOUT, environment=environment)
    memory = 0
    with child:
        while child.status is None and time.monotonic() - began < SECONDS + GRACE:
            memory = max(memory, peak_memory(child.pid))
            child.wait(PAUSE)
    return ClientRun(name, child.end(), time.monotonic() - began, memory, log)
