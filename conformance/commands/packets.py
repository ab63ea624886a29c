"""Common parts of the commands for files of packets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from conformance.system.terminal import echo

if TYPE_CHECKING:
    from conformance.live.capture.packet_files import Traffic

port_option = click.option(
    "--port",
    "ports",
    type=click.IntRange(1, 65535),
    multiple=True,
    help="A port of servers, in a file of packets. Repeatable; without it, the ports to which requests go.",
)


def show_troubles(traffic: Traffic) -> None:
    """Print the unreadable parts of a file of packets on standard error, after all of its frames were taken."""
    for trouble in traffic.troubles:
        echo(f"note: {trouble}", err=True)
