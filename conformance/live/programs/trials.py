"""Trying everything that is here: each server is built, started, asked and stopped; each client is built and run.

What takes a program that is not on the PATH is named and left out; in CI that is an error.
"""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, TypeVar

import click
from rich.console import Console
from rich.table import Table

from conformance.bridge.errors import HarnessStartError
from conformance.bridge.memory import MEBIBYTE
from conformance.live.programs.asking import announced_apis
from conformance.live.programs.clients.run import run_client
from conformance.live.programs.memory import resident_memory
from conformance.live.programs.servers import SERVERS, Server
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.live.programs.clients.client import ClientProgram
    from conformance.live.programs.servers import ServerProgram

P = TypeVar("P", bound="Program")

SECONDS_TO_ANSWER = 5.0


class Program(Protocol):
    """A server or a client."""

    @property
    def name(self) -> str:
        """By which it is asked for."""

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and that are not here."""


class Failures(Exception):  # several of them
    """Programs that failed, or that CI needs and does not have."""


def try_servers(programs: Sequence[ServerProgram]) -> None:
    """Try every server, and print a table.

    Raises:
        Failures: not everything was as it should be; the rest was tried nevertheless.
    """
    table = _table("server", "version", "prepared s", "answers after s", "stopped s", "memory MiB", "APIs")
    _try(programs, lambda program: table.add_row(*_try_server(program)), table)


def try_clients(programs: Sequence[ClientProgram], upstream: str | None) -> None:
    """Run every client against a broker, and print a table.

    Args:
        programs: the clients.
        upstream: its address; None to start Apache Kafka's newest release, or kfake where that cannot be had.

    Raises:
        Failures: not everything was as it should be; the rest was tried nevertheless.
    """
    table = _table("client", "version", "prepared s", "run s", "peak MiB")
    with ExitStack() as stack:
        address = upstream or stack.enter_context(Server(_broker())).address
        _try(programs, lambda program: table.add_row(*_try_client(program, address)), table)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < 2 else "right")  # noqa: PLR2004  # names, then numbers
    return table


def _try(programs: Sequence[P], attempt: Callable[[P], None], table: Table) -> None:
    failures = []
    for program in programs:
        if program.missing:
            text = f"{program.name}, which needs {' and '.join(program.missing)}"
            click.echo(f"skipped: {text}", err=True)
            failures += [text] if os.environ.get("CI") else []
            continue
        try:
            attempt(program)
        except (HarnessStartError, OSError) as error:
            failures.append(f"{program.name}: {error}")
    Console().print(table)
    if failures:
        raise Failures("\n".join(failures))


def _try_server(program: ServerProgram) -> tuple[str, ...]:
    began = time.monotonic()
    program.prepare()
    prepared = time.monotonic() - began
    with Server(program) as server:
        apis = announced_apis(server.address, SECONDS_TO_ANSWER)
        memory = resident_memory(server.pid)
        began = time.monotonic()
    stopped = time.monotonic() - began
    times = (f"{prepared:.1f}", f"{server.seconds:.1f}", f"{stopped:.1f}")
    return (program.name, program.version, *times, f"{memory // MEBIBYTE}", str(len(apis)))


def _try_client(program: ClientProgram, address: str) -> tuple[str, ...]:
    began = time.monotonic()
    command = program.command()
    prepared = time.monotonic() - began
    run = run_client(program.name, command, address)
    if run.status != 0:
        raise HarnessStartError(run.problem)
    return program.name, program.version, f"{prepared:.1f}", f"{run.seconds:.1f}", f"{run.memory // MEBIBYTE}"


def _broker() -> ServerProgram:
    newest = SERVERS[f"kafka-{newest_release()}"]
    return newest if not newest.missing else SERVERS["kfake"]
