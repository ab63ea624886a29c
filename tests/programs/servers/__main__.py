"""Start a server by `python -m tests.programs.servers`, and end it with its own input or by SIGTERM.

It prints one line with the address when the server answers. Everything else goes to standard error, and the server's
output into its log.
"""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.codec.bridge.memory import MEBIBYTE
from conformance.system.proc import resident_memory
from conformance.system.terminal import echo
from conformance.system.whole_files import write_text
from tests.programs.servers import PASSWORD, SERVERS, USER, Server, Settings
from tests.programs.servers.server import announced_apis
from tests.programs.trials import Failures, list_all, try_programs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from tests.programs.servers import ServerProgram

PAUSE = 0.2
COLUMNS = ("build s", "start s", "stop s", "MiB", "APIs")
SECONDS_TO_ANSWER = 5.0
PORT = click.IntRange(0, 65535)
FILE = click.Path(dir_okay=False, path_type=Path)


def _properties(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for key, equals, _ in pairs:
        if not key or not equals:
            raise click.BadParameter(f"{key!r} is not KEY=VALUE, as in num.io.threads=2")
    return {key: value for key, _, value in pairs}


@click.command()
@click.argument("name", type=click.Choice(list(SERVERS)), required=False)
@click.option("--port", type=PORT, default=0, help="Where it listens on 127.0.0.1 (default: a free port).")
@click.option("--advertise", metavar="HOST:PORT", help="The address that it tells its clients, as that of a proxy.")
@click.option("--sasl", is_flag=True, help=f"Ask clients for the user {USER!r} with the password {PASSWORD!r}.")
@click.option("--upstream", metavar="HOST:PORT", help="The server behind a proxy (default: it starts one).")
@click.option(
    "--set",
    "properties",
    multiple=True,
    callback=_properties,
    metavar="KEY=VALUE",
    help="A setting of Kafka; repeatable.",
)
@click.option("--log", type=FILE, help="The server's log (default: a new file in the cache).")
@click.option("--pid-file", type=FILE, help="A file for the number of the server's process.")
@click.option("--all", "try_all", is_flag=True, help="Build, start, ask and stop every server; print a table.")
def main(  # noqa: PLR0913, PLR0917  # as many options as there are
    name: str | None,
    port: int,
    advertise: str | None,
    sasl: bool,  # noqa: FBT001
    upstream: str | None,
    properties: dict[str, str],
    log: Path | None,
    pid_file: Path | None,
    try_all: bool,  # noqa: FBT001
) -> None:
    """Start a server, print its address, and keep it until standard input ends, or SIGTERM.

    Without a name: list the servers.
    """
    signal.signal(signal.SIGTERM, _end)
    try:
        if try_all:
            try_servers(list(SERVERS.values()))
        elif name is None:
            list_all(list(SERVERS.values()))
        else:
            _serve(Server(SERVERS[name], Settings(port, advertise, sasl, upstream, properties), log=log), pid_file)
    except (HarnessStartError, Failures) as error:
        raise click.ClickException(str(error)) from error


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End on a signal, and stop the servers on the way out."""
    sys.exit(0)


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


def _serve(server: Server, pid_file: Path | None) -> None:
    with server:
        if pid_file:
            write_text(pid_file, f"{server.pid}\n")
        echo(f"{server.program.name}: process {server.pid}, after {server.seconds:.1f} s; log {server.log}", err=True)
        echo(server.address)
        sys.stdout.flush()
        while server.status is None and not _input_has_ended():
            pass
        if server.status is not None:
            raise HarnessStartError(server.obituary())


def _input_has_ended() -> bool:
    """Wait a little, and return whether standard input is a pipe closed by its writer."""
    mode = os.fstat(0).st_mode
    is_pipe = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    ready, _, _ = select.select([0] if is_pipe else [], [], [], PAUSE)
    return bool(ready) and not os.read(0, 4096)


if __name__ == "__main__":
    main()
