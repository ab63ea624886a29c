"""`kafka-conformance broker`: the suite against a server behind a port, and single frames to it."""

from __future__ import annotations

import click
import pytest

from conformance.commands.pytest_arguments import own_arguments, print_options
from conformance.live.address import Address
from conformance.live.broker.connection import connect
from conformance.suite.server_run import SERVER_OPTIONS

DEADLINE = 5.0
TIERS = """
Without --no-op and --throw-away it only asks what changes nothing. --throw-away and --memory refuse an address that is
not on this machine, unless --not-loopback is given. --release, --messages, --known-failures, --report, -n and the other
options of `kafka-conformance run` hold as they do there. The exit status is pytest's: 0 nothing new, 1 new findings."""


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--send", "frames", multiple=True, metavar="HEX", help="Send this frame and show what comes.")
def broker(arguments: tuple[str, ...], frames: tuple[str, ...]) -> None:
    """Test the server at an address by frames alone: no adapter is needed."""
    if {"-h", "--help"} & set(arguments):
        _help()
        return
    address, others = _address(arguments)
    if frames:
        _send(address, frames)
        return
    named = [f"--broker={address}"] if address else []
    raise SystemExit(int(pytest.main([*own_arguments(), *named, *others])))


def _address(arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the address, which comes first, and the other arguments; without an address an empty text."""
    if not arguments or arguments[0].startswith("-"):
        return "", arguments
    return arguments[0], arguments[1:]


def _help() -> None:
    """Show the options of runs against a server; those of the suite and of pytest are shown by `run`."""
    click.echo("Usage: kafka-conformance broker HOST:PORT [OPTIONS] [OPTIONS OF run]")
    click.echo("       kafka-conformance broker --start COMMAND [OPTIONS] [OPTIONS OF run]")
    click.echo("       kafka-conformance broker HOST:PORT --send HEX [--send HEX ...]\n")
    click.echo(f"{broker.help}\n")
    print_options(SERVER_OPTIONS)
    click.echo(TIERS)


def _send(address: str, frames: tuple[str, ...]) -> None:
    """Send frames on one connection, and show each answer in hex."""
    try:
        data = [bytes.fromhex(frame) for frame in frames]
    except ValueError as error:
        raise click.UsageError(f"--send takes hex: {error}") from error
    try:
        with connect(Address.parse(address), DEADLINE) as connection:
            for frame in data:
                connection.send(frame)
            for _ in data:
                reply = connection.receive()
                click.echo(str(reply))
                if not reply.is_frame:
                    break
    except OSError as error:
        raise click.ClickException(f"{address}: {error}") from error
