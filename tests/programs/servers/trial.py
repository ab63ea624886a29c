"""Trying every server: it is built, started, asked for its APIs, and stopped."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from conformance.codec.bridge.memory import MEBIBYTE
from conformance.system.proc import resident_memory
from tests.programs.asking import announced_apis
from tests.programs.servers.server import Server
from tests.programs.trials import try_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.programs.servers.server import ServerProgram

COLUMNS = ("build s", "start s", "stop s", "MiB", "APIs")
SECONDS_TO_ANSWER = 5.0


def try_servers(programs: Sequence[ServerProgram]) -> None:
    """Try every server, and print a table.

    Raises:
        Failures: not everything was as it should be; the rest was tried nevertheless.
    """
    try_programs(programs, _try, COLUMNS)


def _try(program: ServerProgram) -> tuple[str, ...]:
    began = time.monotonic()
    program.prepare()
    prepared = time.monotonic() - began
    with Server(program) as server:
        apis = announced_apis(server.address, SECONDS_TO_ANSWER)
        memory = resident_memory(server.pid)
        began = time.monotonic()
    stopped = time.monotonic() - began
    seconds = (f"{prepared:.1f}", f"{server.seconds:.1f}", f"{stopped:.1f}")
    return (*seconds, str(memory // MEBIBYTE), str(len(apis)))
