"""The command `kafka-conformance explain`, for the meaning of each byte of a message, frame, capture or log."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from conformance.commands.common import FILE, errors_shown, release_named, release_option
from conformance.commands.explain_captures import FrameChoice
from conformance.commands.explain_guesses import named_bytes
from conformance.commands.explain_logs import LogChoice, of_unknown_log
from conformance.commands.explain_named import AnsweredRequest, api_key_of, explain_named, framed
from conformance.commands.explain_things import Things
from conformance.commands.packets import port_option
from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.capture import SIDES
from conformance.report.explain.rendering import dump, tree
from conformance.system.system_errors import text_of
from conformance.system.terminal import echo, new_console
from reference.explained.explanation import explanation_as_json
from reference.explained.records import explain_records
from reference.inputs.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.live.capture.capture import Side
    from reference.explained.explanation import Explanation


class BytesType(click.ParamType[bytes]):
    """Bytes as a text, `@FILE`, or `-` for standard input."""

    name = "bytes|@file|-"

    def convert(self, value: str | bytes, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Return the bytes, or raise `click.BadParameter` for a text of none or an unreadable file."""
        if isinstance(value, bytes):
            return value
        try:
            return named_bytes(value, _is_sized)
        except OSError as error:
            self.fail(text_of(error), param, ctx)
        except (ValueError, BadInput) as error:
            self.fail(str(error), param, ctx)


def _is_sized(data: bytes) -> bool:
    return int.from_bytes(data[:4], "big") == len(data) - 4


BYTES = BytesType()


EXAMPLES = """\b
Examples:
  kafka-conformance explain dump.txt
  kafka-conformance explain 0000000a00120000000000070000
  kafka-conformance explain MetadataRequest 12 01010000
  kafka-conformance explain --frame @answer.bin --api Metadata --version 12
  kafka-conformance explain 00000000000000000000.log --contents
  kafka-conformance explain dump.pcap --number 12"""
VERSION = r"v?[0-9]{1,5}"
WORDS = ("MESSAGE", "VERSION", "BYTES")


@click.command(epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[THING | MESSAGE VERSION BYTES]")
@click.option("--frame", type=BYTES, help="A whole request, size included; or a response, with what it answers.")
@click.option("--response-to", type=BYTES, help="The request that --frame answers.")
@click.option("--api", metavar="NAME|KEY", help="The API that --frame is a response of, or of the frames of a capture.")
@click.option("--version", type=click.IntRange(min=0), help="The version of that API.")
@click.option("--without-size", "sized", is_flag=True, flag_value=False, default=True, help="Frames have no size.")
@click.option("--records", type=BYTES, help="The contents of a records field.")
@click.option("--capture", type=FILE, help="A capture, or a pcap, as THING.")
@click.option("--number", type=click.IntRange(min=1), help="Explain the frame of a capture with this number.")
@click.option("--correlation-id", type=int, help="Explain the request and the response with this id.")
@click.option("--connection", type=click.IntRange(min=1), help="List one connection of a capture.")
@click.option("--from", "side", type=click.Choice(SIDES), help="List the frames of one side.")
@click.option("--broken", is_flag=True, help="List the frames that break a rule, or have an error code.")
@click.option("--offset", type=click.IntRange(min=0), help="Explain the batch of a log that has this offset.")
@click.option("--batch", type=click.IntRange(min=1), help="Explain the batch of a log with this number.")
@click.option("--contents", is_flag=True, help="List the records of a log, with the messages in them.")
@click.option("--key", help="List the records of a log with this key.")
@click.option("--judge", "judges", is_flag=True, help="Read the records of a log as well.")
@click.option("--topic", help="The topic of a log, if its folder does not name it.")
@click.option("--secrets", is_flag=True, help="Show the secrets in records of a log.")
@click.option("--tree", "form", flag_value="tree", default=True, help="A row for each part, by field (default).")
@click.option("--dump", "form", flag_value="dump", help="Every byte, 16 in a line.")
@click.option("--json", "form", flag_value="json", help="JSON; of a capture or a log one line for each frame or batch.")
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
    correlation_id: int | None,
    connection: int | None,
    side: Side | None,
    form: Form,
    ports: tuple[int, ...],
    release_name: str | None,
    **chosen: Any,
) -> None:
    """Show the field, type, value and rule of each byte, and where bytes depart from the protocol.

    THING is a file, - for standard input, or a text of bytes: hex in any usual form, a dump, a literal of a language, a
    list of numbers, base64. What it is taken for is said first. A file may have such a text, bytes, packets (pcap), a
    capture, or be a log segment or another file of a data folder; captures and logs are listed.

    BYTES are a text, @FILE, or - for standard input. Any bytes have an explanation: after the place where no reader can
    continue they are named as not read. The exit status is 0 for any verdict; 1 if nothing can be explained, or if an
    index does not fit its log.
    """
    words, broken = _with_one_text(words), chosen.pop("broken")
    answered = AnsweredRequest(response_to, api if frame is not None else None, version)
    frames = FrameChoice(number, connection, correlation_id, side, None if frame is not None else api, broken, ports)
    log = LogChoice(**chosen)
    _check_usage([bool(words), frame is not None, records is not None, capture is not None])
    if frame is None and (answered != AnsweredRequest() or (api is not None and records is not None)):
        raise click.UsageError("--response-to, --api and --version say what --frame answers")
    is_thing = capture is not None or (bool(words) and not _is_message(words))
    if not is_thing and (frames, log) != (FrameChoice(), LogChoice()):
        raise click.UsageError("--number and others choose frames of a capture, --offset and others batches of a log")
    release = release_named(release_name)
    definitions = Definitions.beginning_with(release)
    with errors_shown():
        if frames.api is not None:
            frames = replace(frames, api=definitions.name(api_key_of(definitions, frames.api)))
        if frame is not None:
            show(framed(definitions, frame, answered, sized=sized), form)
        elif records is not None:
            show(of_unknown_log(explain_records(records), release), form)
        elif _is_named(definitions, words):
            show(explain_named(definitions, words[0], int(words[1].removeprefix("v")), words[2]), form)
        else:
            things = Things(definitions, frames, log, form, partial(_print, form=form))
            things.explain((str(capture),) if capture is not None else words)


def _with_one_text(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with bytes in several words as one, as they come from `02 00 00` without quotation marks."""
    is_cut = len(words) > len(WORDS) and all(re.fullmatch(r"(?:[0-9a-fA-F]{2})+", word) for word in words[2:])
    return (*words[:2], " ".join(words[2:])) if is_cut else words


def _is_message(words: tuple[str, ...]) -> bool:
    return len(words) == len(WORDS) and re.fullmatch(VERSION, words[1]) is not None


def _check_usage(given: list[bool]) -> None:
    if sum(given) != 1:
        raise click.UsageError(
            "name one thing to explain: THING, MESSAGE VERSION BYTES, --frame, --records, or --capture"
        )


def _is_named(definitions: Definitions, words: tuple[str, ...]) -> bool:
    """Return whether words are a message, a version and bytes, or refuse those that only begin with a message."""
    names = {name.lower() for release in definitions.among for name in release.messages}
    is_message = len(words) > 1 and words[0].lower() in names
    if is_message and len(words) != len(WORDS):
        raise click.UsageError(f"expected {' '.join(WORDS)}, got {len(words)} words")
    if is_message and not _is_message(words):
        raise click.BadParameter(f"{words[1][:40]!r} is no version, as 12", param_hint="VERSION")
    return _is_message(words) and re.search("[g-zG-Z]", words[0]) is not None


Form = Literal["tree", "dump", "json"]


def show(explanation: Explanation, form: Form) -> None:
    """Print a single explanation, with JSON in several lines."""
    if form == "json":
        echo(json.dumps(explanation_as_json(explanation), indent=2))
    else:
        _print(explanation, form=form)


def _print(explanation: Explanation, *, form: Form) -> None:
    console = new_console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = console.width if console.is_terminal else None
    for line in tree(explanation, width) if form == "tree" else dump(explanation):
        console.print(line)
