"""Prepare a client, and become it, by `python -m tests.programs.clients`."""

from __future__ import annotations

import os
import shlex
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.codec.bridge.memory import MEBIBYTE
from conformance.system.terminal import echo
from reference import newest_release
from tests.programs.clients import BOOTSTRAP, CLIENTS, ClientProgram
from tests.programs.clients.client import run_client
from tests.programs.servers import SERVERS, Server
from tests.programs.trials import Failures, list_all, try_programs

if TYPE_CHECKING:
    from tests.programs.servers import ServerProgram

COLUMNS = ("build s", "run s", "peak MiB")


@click.command()
@click.argument("name", type=click.Choice(list(CLIENTS)), required=False)
@click.option("--command", "show", is_flag=True, help="Print the command that runs it, for a shell; do not run it.")
@click.option("--all", "try_all", is_flag=True, help="Build and run every client; print a table.")
@click.option("--upstream", metavar="HOST:PORT", help="For --all: the broker (default: it starts one).")
def main(name: str | None, show: bool, try_all: bool, upstream: str | None) -> None:  # noqa: FBT001  # options
    """Run a client against the broker of KAFKA_BOOTSTRAP, with the client's exit status.

    Without a name: list the clients.
    """
    try:
        if try_all:
            _try_clients(upstream)
        elif name is None:
            list_all(list(CLIENTS.values()))
        elif show:
            echo(shlex.join(CLIENTS[name].command()))
        else:
            _become(CLIENTS[name])
    except (HarnessStartError, Failures) as error:
        raise click.ClickException(str(error)) from error


def _become(program: ClientProgram) -> None:
    """Replace this process, so signals, exit status and memory are the client's own."""
    if BOOTSTRAP not in os.environ:
        raise click.UsageError(f"{BOOTSTRAP} is not set: it is the address of a broker, as 127.0.0.1:9092")
    command = program.command()
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606  # our own command


def _try_clients(upstream: str | None) -> None:
    """Run every client against a broker, by default Apache Kafka's newest release or kfake."""
    with ExitStack() as stack:
        address = upstream or stack.enter_context(Server(_broker())).address
        try_programs(list(CLIENTS.values()), lambda program: _try(program, address), COLUMNS)


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


if __name__ == "__main__":
    main()
