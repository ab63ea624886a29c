"""The command `kafka-conformance explain`.

It shows the meaning of each byte of a message, a frame, a field of records or a capture. Bytes come as hex on the
command line, from a file, or from standard input. They are shown as a tree, a dump, or JSON.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from conformance.commands.common import FILE, errors_shown, release_named, release_option
from conformance.commands.explain_frames import AnsweredRequest, framed
from conformance.commands.packets import port_option, show_troubles
from conformance.live.capture.capture import SIDES
from conformance.live.capture.conversation import SeenFrame, explanation_of, seen_in
from conformance.live.capture.defining_releases import Definitions
from conformance.live.capture.packet_files import PORTS, open_traffic
from conformance.report.explain.explained_messages import explain_message
from conformance.report.explain.explained_records import explain_records
from conformance.report.explain.explanation import explanation_as_json
from conformance.report.explain.rendering import dump, tree
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo, new_console
from reference.inputs.errors import BadInput
from reference.inputs.files import read_bytes

if TYPE_CHECKING:
    from conformance.live.capture.capture import Side
    from conformance.report.explain.explanation import Explanation
    from reference import Release

STANDARD_INPUT, FILE_MARK = "-", "@"
HEX_DIGITS = b"0123456789abcdefABCDEF"
SEPARATORS = ("0x", "0X", ":", "_", ",")
"""Texts without a meaning between digits, like white space."""


class BytesType(click.ParamType[bytes]):
    """Bytes as hex, `@FILE`, or `-` for standard input.

    A file has bytes or hex.
    """

    name = "hex|@file|-"

    def convert(self, value: str | bytes, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Return the bytes.

        Raises:
            click.BadParameter: the text is no hex, or the file cannot be read.
        """
        if isinstance(value, bytes):
            return value
        try:
            return bytes_from(value)
        except OSError as error:
            self.fail(text_of(error), param, ctx)
        except (ValueError, BadInput) as error:
            self.fail(str(error), param, ctx)


def bytes_from(text: str) -> bytes:
    """Return the bytes of a word on the command line.

    Raises:
        ValueError: the word is no hex. The text says where.
        BadInput: the file is no regular file, or too large.
        OSError: the file cannot be read.
    """
    if text == STANDARD_INPUT:
        return from_content(sys.stdin.buffer.read())
    if text.startswith(FILE_MARK):
        return from_content(read_bytes(Path(text.removeprefix(FILE_MARK))))
    return from_hex(text)


def from_content(content: bytes) -> bytes:
    """Return the bytes of a file, or those of its hex digits if it has nothing else."""
    text = content.decode("latin-1")
    digits = _digits_of(text).encode("latin-1")
    if content.strip() and not digits.translate(None, HEX_DIGITS):
        return from_hex(text)
    return content


def from_hex(text: str) -> bytes:
    """Return the bytes of hex digits.

    Spaces, line ends, `:`, `_`, `,` and `0x` between digits have no meaning.

    Raises:
        ValueError: another character is among them, or the number of digits is odd. The text says which, and what to
            do.
    """
    digits = _digits_of(text)
    wrong = re.search(r"[^0-9a-fA-F]", digits)
    if wrong:
        shown = f"{text:.40}…" if len(text) > 40 else text  # noqa: PLR2004  # enough to know it again
        raise ValueError(
            f"{shown!r} is not hex: {wrong[0]!r} is no hex digit. A file is named as {FILE_MARK}FILE, "
            f"standard input as {STANDARD_INPUT}"
        )
    if len(digits) % 2:
        raise ValueError(f"an odd number of hex digits, {len(digits)}: one is missing or too many")
    return bytes.fromhex(digits)


def _digits_of(text: str) -> str:
    for separator in SEPARATORS:
        text = text.replace(separator, "")
    return "".join(text.split())


BYTES = BytesType()


EXAMPLES = """\b
Examples:
  kafka-conformance explain MetadataRequest 12 01010000
  kafka-conformance explain --frame 0000000a00120000000000070000
  kafka-conformance explain --frame @answer.bin --api Metadata --version 12
  kafka-conformance explain --records - < batches.bin
  kafka-conformance explain --capture session.jsonl --number 12"""
VERSION = r"v?[0-9]{1,5}"
WORDS = ("MESSAGE", "VERSION", "BYTES")


@click.command(epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[MESSAGE VERSION BYTES]")
@click.option("--frame", type=BYTES, help="A whole request, size included; or a response, with what it answers.")
@click.option("--response-to", type=BYTES, help="The request that --frame answers.")
@click.option("--api", metavar="NAME|KEY", help="The API that --frame is a response of, as Metadata or 3.")
@click.option("--version", type=click.IntRange(min=0), help="The version of that API.")
@click.option("--without-size", "sized", is_flag=True, flag_value=False, default=True, help="Frames have no size.")
@click.option("--records", type=BYTES, help="The contents of a records field.")
@click.option("--capture", type=FILE, help="A capture, or a pcap: all frames, or those that are chosen.")
@click.option("--number", type=click.IntRange(min=1), help="The number of the frame in the capture.")
@click.option("--connection", type=click.IntRange(min=1), help="The number of the connection.")
@click.option("--correlation-id", type=int, help="The correlation id of requests and responses.")
@click.option("--from", "side", type=click.Choice(SIDES), help="Who sent the frame.")
@click.option("--tree", "form", flag_value="tree", default=True, help="A row for each part, by field (default).")
@click.option("--dump", "form", flag_value="dump", help="Every byte, 16 in a line.")
@click.option("--json", "form", flag_value="json", help="JSON; of a capture one line for each frame.")
@port_option
@release_option
def explain(  # noqa: PLR0913, PLR0917  # one argument for each option
    words: tuple[str, ...],
    frame: bytes | None,
    response_to: bytes | None,
    api: str | None,
    version: int | None,
    sized: bool,  # noqa: FBT001  # click passes it by name
    records: bytes | None,
    capture: Path | None,
    number: int | None,
    connection: int | None,
    correlation_id: int | None,
    side: Side | None,
    form: Form,
    ports: tuple[int, ...],
    release_name: str | None,
) -> None:
    """Show the field, type, value and rule of each byte of a message, and where it departs from the protocol.

    BYTES are hex, @FILE, or - for standard input; a file has hex or the bytes themselves. Any bytes have an
    explanation: after the place where no reader can continue they are named as not read. The exit status is 0 for any
    verdict.
    """
    answered = AnsweredRequest(response_to, api, version)
    choice = FrameChoice(number, connection, correlation_id, side, ports)
    _check_usage([bool(words), frame is not None, records is not None, capture is not None])
    if frame is None and answered != AnsweredRequest():
        raise click.UsageError("--response-to, --api and --version say what --frame answers")
    if capture is None and choice != FrameChoice():
        raise click.UsageError("--number, --connection, --correlation-id, --from and --port choose frames of --capture")
    release = release_named(release_name)
    definitions = Definitions.beginning_with(release)
    with errors_shown():
        if capture is not None:
            explain_capture(definitions, capture, choice, form)
        elif frame is not None:
            show(framed(definitions, frame, answered, sized=sized), form)
        else:
            show(_message(release, words) if records is None else explain_records(records), form)


def _check_usage(given: list[bool]) -> None:
    """Refuse a command with nothing to explain, or with several things."""
    if sum(given) != 1:
        raise click.UsageError("name one thing to explain: MESSAGE VERSION BYTES, --frame, --records, or --capture")


def _message(release: Release, words: tuple[str, ...]) -> Explanation:
    """Return the explanation of the body of a message.

    Raises:
        click.UsageError: the words are not a message, a version and bytes.
        UnknownMessage: the release has no such message, or no such version.
    """
    if len(words) != len(WORDS):
        raise click.UsageError(f"expected {' '.join(WORDS)}, got {len(words)} word{'s' if len(words) != 1 else ''}")
    message, version, text = words
    if not re.fullmatch(VERSION, version):
        raise click.BadParameter(f"{version[:40]!r} is no version, as 12", param_hint="VERSION")
    schema = release.schema(message, int(version.removeprefix("v")))
    try:
        return explain_message(schema, bytes_from(text))
    except (ValueError, BadInput) as error:
        raise click.BadParameter(str(error), param_hint="BYTES") from error


@dataclass(frozen=True)
class FrameChoice:
    """The choice of frames of a capture.

    An attribute of None chooses all frames.

    Attributes:
        number: the number of the frame in the capture.
        connection: the number of the connection.
        correlation_id: the correlation id of requests and responses.
        side: the sender.
        ports: the ports of servers, in a file of packets.
    """

    number: int | None = None
    connection: int | None = None
    correlation_id: int | None = None
    side: Side | None = None
    ports: tuple[int, ...] = PORTS

    def takes(self, seen: SeenFrame) -> bool:
        """Return whether a frame is shown."""
        conditions = (
            (self.number, seen.frame.number),
            (self.connection, seen.frame.connection),
            (self.correlation_id, None if seen.judged is None else seen.judged.correlation_id),
            (self.side, seen.frame.sender),
        )
        return all(requested is None or requested == actual for requested, actual in conditions)

    def __str__(self) -> str:
        options = {"number": self.number, "connection": self.connection, "correlation-id": self.correlation_id}
        named = [f"--{name} {value}" for name, value in {**options, "from": self.side}.items() if value is not None]
        return " ".join(named)


def explain_capture(definitions: Definitions, path: Path, choice: FrameChoice, form: Form) -> None:
    """Print the chosen frames of a capture.

    All frames before them are read as well, since a response needs its request.

    Raises:
        click.ClickException: no frame is chosen.
    """
    count = 0
    traffic = open_traffic(path, definitions, choice.ports)
    for seen in seen_in(definitions, traffic.frames):
        if choice.takes(seen):
            show_frame(seen, explanation_of(seen), form)
            count += 1
    show_troubles(traffic)
    if not count:
        which = f" with {choice}" if str(choice) else "s"
        raise click.ClickException(f"{path} has no frame{which}")


Form = Literal["tree", "dump", "json"]


def show(explanation: Explanation, form: Form) -> None:
    """Print a single explanation, with JSON in several lines."""
    if form == "json":
        echo(json.dumps(explanation_as_json(explanation), indent=2))
    else:
        _print(explanation, form)


def show_frame(seen: SeenFrame, explanation: Explanation, form: Form) -> None:
    """Print a frame of a capture with its place there, with JSON in one line."""
    frame = seen.frame
    if form == "json":
        place = {"number": frame.number, "connection": frame.connection, "from": frame.sender, "at": frame.at}
        document: dict[str, Any] = {**explanation_as_json(explanation), "frame": {**place, "request": seen.request}}
        echo(json.dumps(document))
        return
    answered = f", answers frame {seen.request}" if seen.request is not None else ""
    echo(f"frame {frame.number}, connection {frame.connection}, from the {frame.sender} at {frame.at:.3f} s{answered}")
    _print(explanation, form)
    echo()


def _print(explanation: Explanation, form: Form) -> None:
    """Print the lines of an explanation, in colours on a terminal."""
    console = new_console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in (tree if form == "tree" else dump)(explanation):
        console.print(line)
