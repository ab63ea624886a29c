"""The frames of a capture that `kafka-conformance explain --capture` shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from conformance.commands.common import show_troubles
from conformance.commands.explain_output import Form, show_frame
from conformance.live.packets.importing import PORTS, open_traffic
from conformance.live.traffic.conversation import explanation_of, seen_in

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.live.judging.definitions import Definitions
    from conformance.live.traffic.capture import Side
    from conformance.live.traffic.conversation import Seen


@dataclass(frozen=True)
class Choice:
    """Which frames of a capture are shown; None leaves something open.

    Attributes:
        number: the number of the frame in the capture.
        connection: the number of the connection.
        correlation_id: the correlation id, of requests and responses.
        side: who sent it.
        ports: the ports of servers, in a file of packets.
    """

    number: int | None = None
    connection: int | None = None
    correlation_id: int | None = None
    side: Side | None = None
    ports: tuple[int, ...] = PORTS

    def takes(self, seen: Seen) -> bool:
        """Say whether a frame is shown."""
        asked = (
            (self.number, seen.frame.number),
            (self.connection, seen.frame.connection),
            (self.correlation_id, None if seen.judged is None else seen.judged.correlation_id),
            (self.side, seen.frame.sender),
        )
        return all(wanted is None or wanted == actual for wanted, actual in asked)

    def __str__(self) -> str:
        options = {"number": self.number, "connection": self.connection, "correlation-id": self.correlation_id}
        named = [f"--{name} {value}" for name, value in {**options, "from": self.side}.items() if value is not None]
        return " ".join(named)


def explain_capture(definitions: Definitions, path: Path, choice: Choice, form: Form) -> None:
    """Print the chosen frames of a capture; all frames before them are read, as they say what responses answer.

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
