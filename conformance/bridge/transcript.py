"""One conversation with a harness from its start to its end, and what is wrong about it whatever was said.

All requests are written, the input ends, and everything that the harness writes until it ends is read: neither side
waits for the other, and nothing is lost.
"""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.bridge.protocol import Message, reply_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 160


@dataclass(frozen=True)
class Complaint:
    """What a harness does wrong, and how to mend it."""

    wrong: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.wrong}. {self.remedy}."


@dataclass(frozen=True)
class Line:
    """One line for a harness, and the id that its reply must have."""

    text: bytes
    id: int | None
    request: Message
    """What is on the line; empty if that is no JSON object."""

    def __str__(self) -> str:
        return _short(self.text)


def line(number: int, request: Message) -> Line:
    """A request under an id."""
    numbered = {"id": number, **request}
    return Line(json.dumps(numbered).encode(), number, numbered)


def broken_line(text: bytes) -> Line:
    """A line that is no JSON object, and so has no id."""
    return Line(text, None, {})


@dataclass(frozen=True)
class Conversation:
    """What was asked, what came back, and how it ended."""

    asked: tuple[Line, ...]
    said: tuple[bytes, ...]
    status: int | None
    """The exit status; None if the harness had to be ended."""
    stderr: str
    seconds: float

    @property
    def replies(self) -> tuple[Message, ...]:
        """What was said, as far as it is JSON objects."""
        found = (_object(each) for each in self.said)
        return tuple(each for each in found if each is not None)

    def complaints(self) -> Iterator[Complaint]:
        """What is wrong about the form of it; at most one of each kind."""
        problem = self._stray() or self._mixed_up() or self._missing() or self._not_valid()
        if problem is not None:
            yield problem
        elif self.status is None:
            yield Complaint(
                f"it goes on for more than {self.seconds:g} seconds after the end of its input",
                "At the end of standard input write what replies are left, and exit with status 0",
            )
        elif self.status != 0:
            yield Complaint(
                f"at the end of its input it ends with {self._cause()}",
                "The end of standard input is the usual end: exit with status 0",
            )

    def _stray(self) -> Complaint | None:
        for each in self.said:
            if _object(each) is None:
                return Complaint(
                    f"it wrote {_short(each)} to standard output, which is no reply",
                    "Standard output is for replies alone, one JSON object a line; write all else to standard error",
                )
        return None

    def _mixed_up(self) -> Complaint | None:
        ids, expected = [reply.get("id") for reply in self.replies], [each.id for each in self.asked]
        if len(ids) > len(expected):
            return Complaint(
                f"it wrote {len(ids)} lines in reply to {len(expected)} requests", "Write one line for each request"
            )
        if ids == expected[: len(ids)]:
            return None
        at = next(index for index, number in enumerate(ids) if number != expected[index])
        if sorted(map(repr, ids)) == sorted(map(repr, expected)):
            wrong = f"replies come in another order than their requests: the one to id {expected[at]} is number "
            return Complaint(
                f"{wrong}{ids.index(expected[at]) + 1} in place of {at + 1}",
                "Answer in the order of the requests, even if a later one is done sooner",
            )
        return Complaint(
            f"the reply to {self.asked[at]} has the id {json.dumps(ids[at])}",
            "Give each reply the id of its request; null to a line that is no JSON object",
        )

    def _missing(self) -> Complaint | None:
        if len(self.said) == len(self.asked):
            return None
        first = self.asked[len(self.said)]
        if self.status is None:
            wrong = f"{first} was not answered within {self.seconds:g} seconds"
            return Complaint(wrong, "Read line by line, and answer each; do not wait for the end of the input")
        words = f", saying {_short(self.stderr.encode())}" if self.stderr else ""
        return Complaint(
            f"it ended with {self._cause()} before it had answered {first}{words}",
            "Answer whatever comes, with the outcome protocol-error or unsupported; only the end of the input ends it",
        )

    def _not_valid(self) -> Complaint | None:
        for each, reply in zip(self.asked, self.replies, strict=True):
            problem = reply_problem(each.request, reply)
            if problem is not None:
                return Complaint(
                    f"the reply to {each} is not as the schema says: {problem}",
                    "See protocol.schema.json and README.md in conformance/bridge for what belongs into it",
                )
        return None

    def _cause(self) -> str:
        status = self.status or 0
        return signal.Signals(-status).name if status < 0 else f"exit status {status}"


def converse(command: Sequence[str], lines: Sequence[Line], seconds: float) -> Conversation:
    """Start a harness, say all lines, end its input, and hear what it says, for at most so many seconds.

    Raises:
        OSError: the command cannot be run.
    """
    text = b"".join(each.text + b"\n" for each in lines)
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as late:
        return Conversation(tuple(lines), _lines(late.stdout), None, _last(late.stderr), seconds)
    return Conversation(tuple(lines), _lines(done.stdout), done.returncode, _last(done.stderr), seconds)


def _lines(output: bytes | None) -> tuple[bytes, ...]:
    return tuple((output or b"").splitlines())


def _last(stderr: bytes | None) -> str:
    return " ".join((stderr or b"").decode(errors="replace").split())[-SHOWN:]


def _object(text: bytes) -> Message | None:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _short(text: bytes) -> str:
    shown = text.decode(errors="replace")
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}... ({len(shown)} characters)"
