"""`kafka-conformance broker`: the suite against a server behind a port, and single frames to it."""

from __future__ import annotations

import click
import pytest

from conformance.commands.pytest_arguments import own_arguments
from conformance.live.broker.address import Address
from conformance.live.broker.connection import connect

DEADLINE = 5.0


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("address", metavar="[HOST:PORT]", required=False)
@click.option(
    "--send", "frames", multiple=True, metavar="HEX", help="Send this frame, and show what comes; repeatable."
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def broker(address: str | None, frames: tuple[str, ...], arguments: tuple[str, ...]) -> None:
    """Test the server at HOST:PORT by frames alone: no adapter is needed.

    What it is asked depends on the tier: --no-op, --throw-away and --memory go further than the default, which changes
    nothing. All options of `kafka-conformance run` that do not name an implementation hold here, too, and pytest's own.
    """
    if frames:
        _send(address or "", frames)
        return
    named = [f"--broker={address}"] if address and not address.startswith("-") else [address] if address else []
    raise SystemExit(int(pytest.main([*own_arguments(), *named, *arguments])))


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
