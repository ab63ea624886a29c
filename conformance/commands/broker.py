"""The command `kafka-conformance broker`, for the suite against a server behind a port, or for single frames."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.codec.bridge.hangs import SURE
from conformance.commands.common import NothingTestedError, errors_shown, release_named
from conformance.commands.run import WrongOptionError, run_pytest, tests_of
from conformance.commands.suite_command import OF_PYTEST, PYTEST_OPTIONS, SuiteCommand
from conformance.judge.findings.wording import actual_text, expected_text
from conformance.live.address import Address
from conformance.live.server.connection import TooBusy
from conformance.live.server.exchanges import read_found_exchange
from conformance.live.server.resending import say_surely
from conformance.live.server.started import StartedServer
from conformance.report.files.found_cases import SUFFIX
from conformance.suite.options import REACHING, SERVERS, RunOptions, options_of
from conformance.suite.server_run import server_at
from conformance.system.command_words import command_words
from conformance.system.proc import descriptors, tree_memory
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.live.server.resending import Exchange
    from conformance.live.server.server import Server

USAGE = "HOST:PORT|--start COMMAND [OPTIONS] [OPTIONS OF run]"
SENDING = "HOST:PORT --send HEX|FILE [--send …] [--times N] [--unauthenticated]"
LACK = "broker needs the address of a server, as 127.0.0.1:9092, or with --start the command that starts one"

EPILOG = """Without --no-op and --throw-away it only asks what changes nothing. --throw-away and --memory refuse an
address that is not on this machine, unless --not-loopback is given. The exit status is 0 without new findings, 1 with
new findings, 4 for a wrong option or a server whose first answer cannot be read.

With --send it sends these frames alone, and judges what comes. The exit status is 1 if anything is wrong with that.
--release holds, and the options by which a server is reached: --start, --sasl, --user, --tls, --cafile, --certfile,
--deadline, --pid."""

OF_SENDING = (*REACHING, "release", "pid")


@click.command(
    cls=SuiteCommand,
    options={
        "Options": [each for each in options_of(SERVERS) if each.name != "broker"],
        "Options of every run": options_of(""),
    },
    own="Single frames",
    usages=(USAGE, SENDING),
    tables={OF_PYTEST: PYTEST_OPTIONS, "Tests, of which -k chooses some": tests_of("server")},
    epilog=EPILOG,
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--send",
    "connections",
    multiple=True,
    metavar="HEX[,HEX…]|FILE",
    help="Send these frames, or pieces of frames, one after another on one connection; or a found case. Repeatable.",
)
@click.option("--times", type=click.IntRange(1), default=1, metavar="N", help="Send it all so often.")
@click.option("--unauthenticated", is_flag=True, help="Send it on connections that are not authenticated.")
def broker(
    words: tuple[str, ...], connections: tuple[str, ...], times: int, *, unauthenticated: bool, **values: Any
) -> None:
    """Test the server at an address by frames alone, without an adapter."""
    has_address = bool(words) and not words[0].startswith("-")
    options = RunOptions.of({**values, "broker": words[0] if has_address else None})
    words = words[1:] if has_address else words
    if not options.names_server:
        raise WrongOptionError(LACK)
    if not connections:
        raise SystemExit(run_pytest("kafka-conformance broker", options, words))
    others = [*(each.flag for each in options.given if each.name not in {*OF_SENDING, "broker"}), *words]
    if others:
        raise click.UsageError(f"with --send: {others[0]} has no meaning")
    is_sound = send(options, Sending(connections, times, is_authenticated=not unauthenticated))
    raise SystemExit(0 if is_sound else 1)


SHOWN = 3
"""The number of times the same exchange is shown, if it is sent more often."""

MIB = 2**20


@dataclass(frozen=True)
class Sending:
    """The frames to send to a server, and how often.

    Each of `connections` is hex with commas, or the file of a found case. The command line names a missing `release`.
    """

    connections: tuple[str, ...]
    times: int = 1
    is_authenticated: bool = True
    release: str | None = None

    def read(self) -> Sending:
        """Return itself, or the frames in a found case's file, or raise `click.UsageError` or `BadFoundCase`."""
        named = [text for text in self.connections if text.endswith(SUFFIX)]
        if not named:
            return self
        if len(self.connections) > 1 or self.times > 1 or not self.is_authenticated:
            raise click.UsageError(f"{named[0]} says what is sent: no other --send, --times or --unauthenticated")
        case = read_found_exchange(Path(named[0]))
        connections = tuple(",".join(frame.hex() for frame in frames) for frames in case.by_connection)
        return Sending(connections, case.times, case.is_authenticated, case.release.name)

    def pieces(self) -> list[list[bytes]]:
        """Return the bytes of the pieces of each connection, or raise `click.UsageError` if one is no hex."""
        try:
            return [[bytes.fromhex(piece) for piece in text.split(",")] for text in self.connections]
        except ValueError as error:
            raise click.UsageError(f"--send takes hex, frames apart by commas: {error}") from error


def send(options: RunOptions, sending: Sending) -> bool:
    """Send frames to the server at an address or started by `--start`, or raise `click.ClickException` without one.

    Return whether all answers are as expected, and the server still answers afterwards.
    """
    with errors_shown():
        sending = sending.read()
    pieces = sending.pieces()
    if options.broker and options.start:
        raise click.UsageError("--send needs the address of a server, or --start with the command that starts one")
    with ExitStack() as stack:
        started = StartedServer(command_words(options.start)) if options.start else None
        if started:
            stack.callback(started.stop)
        place = started.address if started else Address.parse(options.broker)
        release, pid = release_named(options.release or sending.release), started.pid if started else options.pid
        server = replace(server_at(place, release, options), pid=pid)
        try:
            return _send(server, pieces, sending)
        except TooBusy as busy:
            raise NothingTestedError(f"{place}: {busy}") from busy
        except OSError as error:
            raise click.ClickException(f"{place}: {text_of(error)}") from error


def _send(server: Server, pieces: Sequence[Sequence[bytes]], sending: Sending) -> bool:
    before = _resources(server.pid)
    is_sound = True
    for turn in range(sending.times):
        for connection in pieces:
            for exchange in say_surely(server, connection, is_authenticated=sending.is_authenticated):
                is_sound &= not exchange.departures
                if turn < SHOWN:
                    _show(exchange)
    if before is not None:
        _show_resources(before, _resources(server.pid))
    is_alive = server.answers() or server.answers(SURE)
    echo(f"afterwards  {'answers on a new connection' if is_alive else 'no answer on new connections'}")
    return is_sound and is_alive


def _show(exchange: Exchange) -> None:
    echo(f"sent        {exchange.about}")
    echo(f"came        {exchange.reply}")
    for departure in exchange.departures:
        place = f" at {departure.path}" if departure.path else ""
        wrong, expected = actual_text(departure.observation), expected_text(departure.expectation)
        echo(f"wrong       {departure.rule}{place}: {wrong}; expected: {expected}")
    if not exchange.departures:
        echo("            as expected")


def _resources(pid: int | None) -> tuple[int, int] | None:
    """Return the bytes of memory and the number of descriptors of a process, or None if they are unknown."""
    memory, files = (tree_memory(pid), descriptors(pid)) if pid else (None, None)
    return None if memory is None or files is None else (memory, files)


def _show_resources(before: tuple[int, int], after: tuple[int, int] | None) -> None:
    if after is not None:
        memory, files = (late - early for early, late in zip(before, after, strict=True))
        echo(f"process     {memory / MIB:+.0f} MiB of memory, {files:+d} descriptors")
