"""The case of a frame that was seen: it is judged again from its bytes, and no implementation is called."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.findings.violations import Case, Violation
from conformance.implementation.outcome import Kind
from conformance.implementation.targets import Body, RecordsField
from conformance.implementation.targets.records import RECORD_BATCHES
from conformance.live.traffic.embedded import schema_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.targets import Target
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import Departure
    from reference import MessageSchema

WRITTEN = "encode"
"""The direction of everything that is seen: somebody wrote it."""


@dataclass(frozen=True)
class SeenCase(Case):
    """A frame of a capture, or a message in it.

    Attributes:
        of: the message.
        data: the frame without its size, or the bytes of the message in it.
        frame: the number of the frame in the capture.
        within: the field that has the message; empty for the frame itself.
        path: the field that is wrong.
    """

    kind: ClassVar[str] = "seen"

    of: Target
    data: bytes
    frame: int
    within: str = ""
    path: str = ""

    @property
    def name(self) -> str:  # type: ignore[override]  # a frame's name follows from its number
        """The number of the frame, and where in it the message is."""
        return f"frame {self.frame}" + (f", {self.within}" if self.within else "")

    @property
    def target(self) -> Target:
        """The message."""
        return self.of

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    def extras(self) -> dict[str, Any]:
        """Return where it was seen."""
        return {"frame": self.frame, "within": self.within}

    def run(self, session: Session) -> Iterator[Violation]:  # noqa: ARG002  # there is nothing to run
        """Yield nothing: what was seen is judged where it is read."""
        yield from ()

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # as `Case` says
        """Return the command that shows the frame; `impl` is the file of the capture."""
        return shlex.join(["kafka-conformance", "judge", impl, "--frame", str(self.frame), *options])

    def violated(self, departure: Departure) -> Violation:
        """Return a departure as a violation in this case."""
        expected, actual = departure.expected, departure.actual
        return Violation(departure.rule, departure.path, str(Kind.BYTES), WRITTEN, expected, actual, self)


def seen_from(event: dict[str, Any], definitions: Definitions) -> Violation:
    """Return the violation behind the event of one that was seen.

    Raises:
        UnknownMessage: no release has the message.
    """
    message, wire = event["message"], bytes.fromhex(event["wire"])
    target = RecordsField() if message == RECORD_BATCHES else Body(_schema(message, event["version"], definitions))
    return Violation.from_event(event, SeenCase(target, wire, event["frame"], event["within"], event["path"]))


def _schema(message: str, version: int, definitions: Definitions) -> MessageSchema:
    found = schema_among(definitions, message, version)
    return definitions.among[0].schema(message, version) if found is None else found[1]
