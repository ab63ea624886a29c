"""The frames of a capture or of a file of packets: a line for each, or the meaning of those that are chosen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from conformance.commands.packets import show_troubles
from conformance.live.capture.conversation import SeenFrame, explanation_of, seen_in
from conformance.live.capture.packet_files import open_traffic
from conformance.system.terminal import echo
from reference.error_codes import codes_in, error_name
from reference.explained.explanation import Explanation, explanation_as_json
from reference.explained.frames import read_as

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.capture import Side


@dataclass(frozen=True)
class FrameChoice:
    """The choice of frames of a capture. An attribute of None chooses all frames.

    `api` is a name, as `Metadata`. `broken` chooses frames that break a rule or have an error code. `ports` are those
    of servers in a file of packets, none for those that speak Kafka.
    """

    number: int | None = None
    connection: int | None = None
    correlation_id: int | None = None
    side: Side | None = None
    api: str | None = None
    broken: bool = False
    ports: tuple[int, ...] = ()

    def takes(self, seen: SeenFrame) -> bool:
        """Return whether a frame is shown."""
        conditions = (
            (self.number, seen.frame.number),
            (self.connection, seen.frame.connection),
            (self.correlation_id, None if seen.judged is None else seen.judged.correlation_id),
            (self.side, seen.frame.sender),
            (self.api, seen.name.removesuffix("Request").removesuffix("Response")),
        )
        is_chosen = all(requested is None or requested == actual for requested, actual in conditions)
        return is_chosen and (not self.broken or bool(seen.departures or errors_of(seen)))

    @property
    def is_of_one(self) -> bool:
        """Whether frames are chosen by a number of theirs."""
        return self.number is not None or self.correlation_id is not None

    def __str__(self) -> str:
        options = {"number": self.number, "connection": self.connection, "correlation-id": self.correlation_id}
        named = {**options, "from": self.side, "api": self.api}
        words = [f"--{name} {value}" for name, value in named.items() if value is not None]
        return " ".join([*words, *(["--broken"] if self.broken else [])])


def explain_capture(
    definitions: Definitions, path: Path, choice: FrameChoice, form: str, show: Callable[[Explanation], None]
) -> None:
    """Print a line for each chosen frame of a capture, or the meaning of those chosen by a number.

    A capture without a chosen frame raises `click.ClickException`.
    """
    table, count = FrameTable(), 0
    is_listed = form == "tree" and not choice.is_of_one
    traffic = open_traffic(path, definitions, choice.ports, choice.number)
    for seen in seen_in(definitions, traffic.frames, lambda frame: choice.number in {None, frame.number}):
        # Frames before a chosen one are read as well, since a response needs its request.
        line = table.line_of(seen)
        if not choice.takes(seen):
            continue
        if is_listed:
            echo(line if count else f"{HEADINGS}\n{line}")
        else:
            show_frame(seen, explanation_of(seen), form, show)
        count += 1
        if choice.number is not None:
            break
    show_troubles(traffic)
    if not count:
        which = f" with {choice}" if str(choice) else "s"
        raise click.ClickException(f"{path} has no frame{which}")
    if is_listed:
        echo(f"\n{count:,} frames; --number N explains one of them")


HEADINGS = f"{'frame':>6} {'time':>9} {'conn':>4} {'from':<6} {'bytes':>8} {'ms':>8}  message, errors, verdict"


LONGEST_CLIENT = 24
"""The number of characters shown of a client id."""


class FrameTable:
    """Makes a line for each frame, with the time that the response took."""

    def __init__(self) -> None:
        self._asked: dict[int, float] = {}

    def line_of(self, seen: SeenFrame) -> str:
        """Return the line of a frame, under `HEADINGS`."""
        frame = seen.frame
        self._asked[frame.number] = frame.at
        asked = None if seen.request is None else self._asked.pop(seen.request, None)
        took = "" if asked is None else f"{1000 * (frame.at - asked):.1f}"
        errors = f"  {', '.join(errors)}" if (errors := errors_of(seen)) else ""
        size = len(frame.payload) + frame.cut + sum(frame.emptied.values())
        place = f"{frame.number:>6} {frame.at:>9.3f} {frame.connection:>4} {frame.sender}"
        return f"{place} {size:>8} {took:>8}  {seen}{_client(seen)}{errors}  {verdict_of(seen)}"


def _client(seen: SeenFrame) -> str:
    header = seen.judged.header if seen.judged is not None else None
    client = (header or {}).get("ClientId")
    shown = client if client is None or len(client) <= LONGEST_CLIENT else f"{client[:LONGEST_CLIENT]}…"
    return f" of {shown!r}" if client else ""


def verdict_of(seen: SeenFrame) -> str:
    """Return the verdict on a frame in a few words: the broken rules, those of messages in it as well."""
    rules = [departure.rule for departure in seen.departures]
    rules += [f"{inner.path}: {departure.rule}" for inner in seen.embedded for departure in inner.departures]
    verdict = ", ".join(rules) or (f"not judged: {seen.unknown}" if seen.unknown else "canonical")
    is_other = seen.judged is not None and seen.judged.asked is not None
    return f"{verdict}, {read_as(seen.version)}" if is_other else verdict


def errors_of(seen: SeenFrame) -> list[str]:
    """Return the names of the error codes in a frame, each once."""
    value = seen.judged.value if seen.judged is not None and seen.judged.direction == "response" else None
    codes = dict.fromkeys(codes_in(value))
    return [error_name(code) or f"error {code}" for code in codes if code]


def show_frame(seen: SeenFrame, explanation: Explanation, form: str, show: Callable[[Explanation], None]) -> None:
    """Print a frame of a capture with its place there, with JSON in one line."""
    frame = seen.frame
    if form == "json":
        place = {"number": frame.number, "connection": frame.connection, "from": frame.sender, "at": frame.at}
        document: dict[str, Any] = {**explanation_as_json(explanation), "frame": {**place, "request": seen.request}}
        echo(json.dumps(document))
        return
    answered = f", answers frame {seen.request}" if seen.request is not None else ""
    echo(f"frame {frame.number}, connection {frame.connection}, from the {frame.sender} at {frame.at:.3f} s{answered}")
    show(explanation)
    echo()
