"""`kafka-conformance broker`: the suite against a server behind a port, and single frames to it."""

from __future__ import annotations

import click
import pytest

from conformance.commands.broker_send import SENDING, Sending, send
from conformance.commands.pytest_arguments import own_arguments, print_options
from conformance.suite.server_run import SERVER_OPTIONS

TIERS = """
Without --no-op and --throw-away it only asks what changes nothing. --throw-away and --memory refuse an address that is
not on this machine, unless --not-loopback is given. --release, --messages, --known-failures, --report, -n and the other
options of `kafka-conformance run` hold as they do there. The exit status is pytest's: 0 nothing new, 1 new findings.

With --send it does nothing else, and judges what comes; the exit status is 1 if anything is wrong with that. --release
and the options by which a server is reached hold: --start, --sasl, --user, --tls, --cafile, --certfile, --deadline."""


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--send",
    "connections",
    multiple=True,
    metavar="HEX[,HEX...]|FILE",
    help="Send these frames, or pieces of frames, one after another on one connection; repeatable. Or a found case.",
)
@click.option("--times", type=click.IntRange(1), default=1, metavar="N", help="Send it all so often.")
@click.option("--unauthenticated", is_flag=True, help="Send it on connections that are not authenticated.")
def broker(arguments: tuple[str, ...], connections: tuple[str, ...], times: int, unauthenticated: bool) -> None:  # noqa: FBT001
    """Test the server at an address by frames alone: no adapter is needed."""
    if {"-h", "--help"} & set(arguments):
        _help()
        return
    address, others = _address(arguments)
    if connections:
        is_sound = send(address, others, Sending(connections, times, is_authenticated=not unauthenticated))
        raise SystemExit(0 if is_sound else 1)
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
    click.echo(f"       kafka-conformance broker HOST:PORT|--start COMMAND {SENDING}\n")
    click.echo(f"{broker.help}\n")
    print_options(SERVER_OPTIONS)
    click.echo(TIERS)
