"""The commands `kafka-conformance capture` and `redact`, for frames of connections, and captures without records."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import click

from conformance.commands.common import FILE, errors_shown, output_file, output_option, release_named, release_option
from conformance.commands.group import CommandGroup
from conformance.commands.packets import port_option, show_troubles
from conformance.definitions.defining_releases import Definitions
from conformance.live.address import Address, BadAddress
from conformance.live.capture.capture import CaptureHeader, CaptureWriter, write_capture
from conformance.live.capture.packet_files import PacketImport, open_traffic
from conformance.live.capture.proxy import RecordingProxy, ResponseChanges
from conformance.live.capture.redaction import Redactor
from conformance.report.words import counted
from conformance.system.file_kinds import CAPTURE
from conformance.system.terminal import echo
from conformance.system.whole_files import NotWritten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conformance.live.capture.capture import CapturedFrame, Redaction

HIGHEST_PORT = 65535


def address_from(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Address | None:
    """Return the address of an option, None without it, or raise `click.BadParameter` for no address."""
    try:
        return None if text is None else Address.parse(text)
    except BadAddress as error:
        raise click.BadParameter(str(error)) from error


redact_option = click.option(
    "--redact",
    type=click.Choice(("no", "drop", "hash")),
    is_flag=False,
    flag_value="drop",
    default="no",
    help="Blank the contents of records: with zeros, or with a hash by a key that is kept nowhere.",
)


@click.group(cls=CommandGroup, invoke_without_command=True, subcommand_metavar="[import ...]")
@click.option("--listen", type=click.IntRange(0, HIGHEST_PORT), help="The port for clients; 0: any.")
@click.option("--upstream", metavar="HOST:PORT", callback=address_from, help="The server.")
@output_option("the capture", output_file(CAPTURE), required=False)
@click.option(
    "--cap-versions", type=click.IntRange(min=0), default=0, help="Announce versions up to N below the maximum only."
)
@click.option(
    "--keep-addresses", "rewrites", is_flag=True, flag_value=False, default=True, help="Pass on advertised addresses."
)
@redact_option
@release_option
@click.pass_context
def capture(  # noqa: PLR0913, PLR0917  # one argument for each option
    context: click.Context,
    listen: int | None,
    upstream: Address | None,
    output: Path | None,
    cap_versions: int,
    rewrites: bool,  # noqa: FBT001  # click passes it by name
    redact: Redaction,
    release_name: str | None,
) -> None:
    """Record the frames between clients and a server, until Ctrl-C.

    Clients connect to 127.0.0.1 at the port of --listen. Addresses of brokers in responses become the proxy's own, so
    that clients stay on it; frames are recorded as they were written, without SASL bytes and other secrets.
    """
    if context.invoked_subcommand is not None:
        return
    if listen is None or upstream is None or output is None:
        raise click.UsageError("--listen, --upstream and --output are needed; or `import`, for packets in a file")
    definitions = Definitions.beginning_with(release_named(release_name))
    changes = ResponseChanges(definitions, cap_versions, addresses=rewrites)
    counts: Counter[str] = Counter()
    ended, unwritten = asyncio.Event(), list[NotWritten]()
    with errors_shown(), CaptureWriter(output, CaptureHeader(redact, cap_versions)) as writer:
        redactor = Redactor(definitions, redact)

        def take(frame: CapturedFrame) -> None:
            try:
                writer.write(redactor.take(frame))
                counts[frame.sender] += 1
            except NotWritten as error:  # the connection's task would swallow it
                unwritten.append(error)
                ended.set()

        proxy = RecordingProxy(upstream, take, changes=changes, port=listen)
        with suppress(KeyboardInterrupt):
            asyncio.run(_record(proxy, ended))
        if unwritten:
            raise unwritten[0]
    _summary(output, proxy.connections, counts, proxy.troubles)


async def _record(proxy: RecordingProxy, ended: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # not on Windows: there KeyboardInterrupt ends it
            loop.add_signal_handler(number, ended.set)
    async with proxy:
        echo(f"clients reach the server at {proxy.address}; Ctrl-C ends the capture")
        await ended.wait()


def _summary(output: Path, connections: int, counts: Counter[str], troubles: Iterable[str]) -> None:
    frames = f"{counts['client']:,} frames of clients and {counts['server']:,} of servers"
    echo(f"{output}: {frames} on {counted(connections, 'connection')}")
    for trouble in troubles:
        echo(f"note: {trouble}", err=True)


@capture.command("import", short_help="Make a capture of a pcap or pcapng file.")
@click.argument("file", type=FILE)
@output_option("the capture", output_file(CAPTURE))
@redact_option
@port_option
@release_option
def import_packets(
    file: Path, output: Path, redact: Redaction, ports: tuple[int, ...], release_name: str | None
) -> None:
    """Make a capture of packets that another program captured, in a pcap or pcapng file.

    TCP streams are put together. Missing parts of them are named, and so are frames left out because their requests are
    unknown. Secrets are not in the capture.
    """
    definitions = Definitions.beginning_with(release_named(release_name))
    counts: Counter[str] = Counter()
    with errors_shown():
        packets = PacketImport(file, definitions, ports)
        frames = packets.frames(redact)
        first = next(frames, None)
        if first is None:
            why = "".join(f"; {trouble}" for trouble in packets.troubles)
            raise click.ClickException(f"{file} has no frames{why}")
        with CaptureWriter(output, CaptureHeader(redact)) as writer:
            for frame in chain((first,), frames):
                counts[frame.sender] += 1
                writer.write(frame)
    _summary(output, packets.connections, counts, packets.troubles)


@click.command("redact")
@click.argument("file", type=FILE)
@output_option("the redacted capture", output_file(CAPTURE))
@click.option("--how", type=click.Choice(("drop", "hash")), default="drop", help="As --redact of capture.")
@port_option
@release_option
def redact_command(file: Path, output: Path, how: Redaction, ports: tuple[int, ...], release_name: str | None) -> None:
    """Write a capture, or a file of packets as a capture, without the contents of records.

    A frame that cannot be read, for example of a version that no release has, is cut after its correlation id.
    """
    definitions = Definitions.beginning_with(release_named(release_name))
    with errors_shown():
        traffic = open_traffic(file, definitions, ports)
        header = replace(traffic.header, redacted=how)
        count = write_capture(output, header, Redactor(definitions, how).take_all(traffic.frames))
        show_troubles(traffic)
    echo(f"{output}: {count:,} frames")
