"""Trying every client: it is built, and run against a broker."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from conformance.bridge.errors import HarnessStartError
from conformance.bridge.memory import MEBIBYTE
from conformance.live.programs.clients.run import run_client
from conformance.live.programs.servers import SERVERS, Server
from conformance.live.programs.trials import try_all
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.live.programs.clients.client import ClientProgram
    from conformance.live.programs.servers import ServerProgram

COLUMNS = ("build s", "run s", "peak MiB")


def try_clients(programs: Sequence[ClientProgram], upstream: str | None) -> None:
    """Run every client against a broker, and print a table.

    Args:
        programs: the clients.
        upstream: its address; None to start Apache Kafka's newest release, or kfake where that cannot be had.

    Raises:
        Failures: not everything was as it should be; the rest was tried nevertheless.
    """
    with ExitStack() as stack:
        address = upstream or stack.enter_context(Server(_broker())).address
        try_all(programs, lambda program: _try(program, address), COLUMNS)


def _try(program: ClientProgram, address: str) -> tuple[str, ...]:
    began = time.monotonic()
    command = program.command()
    prepared = time.monotonic() - began
    run = run_client(program.name, command, address)
    if run.status != 0:
        raise HarnessStartError(run.problem)
    return f"{prepared:.1f}", f"{run.seconds:.1f}", str(run.memory // MEBIBYTE)


def _broker() -> ServerProgram:
    newest = SERVERS[f"kafka-{newest_release()}"]
    return newest if not newest.missing else SERVERS["kfake"]
