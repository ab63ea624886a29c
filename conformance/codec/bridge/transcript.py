"""The run of a harness on fixed lines, from its start to its end, with checks of its output.

All lines are written, the input is closed, and the output is read to its end, so neither side waits for the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from conformance.codec.bridge.bridge_json import dumps
from conformance.codec.bridge.harness_errors import TOO_BUSY, HarnessStartError, signal_name
from conformance.codec.bridge.protocol import Message, reply_problem
from conformance.codec.bridge.transport import ALLOWANCE, FACTOR, cannot_run
from conformance.system.printable import printable
from conformance.system.program_runs import run
from reference.suggestions import closed
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAXIMUM_SHOWN = 160

EITHER = "It is your mapping, or the implementation: look at it once; the suite judges the implementation"
"""The hint of a note."""

KEYS = "See docs/reference/bridge.md for the keys of a reply"


@dataclass(frozen=True)
class Diagnostic:
    """A mistake of a harness in printable text, and a hint how to fix it."""

    problem: str
    hint: str
    is_note: bool = False
    """Whether the implementation may be the cause as well, so that it is no certain mistake of the harness."""
    is_of_mapping: bool = False
    """Whether it is a note that is most probably about the harness's mapping."""
    is_own_code: bool = False
    """Whether it is a failure that the harness itself reports of its own code: each reason is shown."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", printable(self.problem))

    def __str__(self) -> str:
        return f"{self.problem}. {closed(self.hint)}"


def note(problem: str, hint: str = EITHER, *, is_of_mapping: bool = False) -> Diagnostic:
    """Return a diagnostic that may be about the implementation."""
    return Diagnostic(problem, hint, is_note=True, is_of_mapping=is_of_mapping)


@dataclass(frozen=True)
class Line:
    """One line for a harness, and the id expected in its reply."""

    text: bytes
    id: int | None
    request: Message
    """The JSON object on the line; empty if there is none."""

    def __str__(self) -> str:
        return _shown(self.text)


def line(number: int, request: Message) -> Line:
    """Return a request with an id."""
    numbered = {"id": number, **request}
    return Line(dumps(numbered), number, numbered)


def invalid_line(text: bytes) -> Line:
    """Return a line that is not a JSON object, and so has no id."""
    return Line(text, None, {})


@dataclass(frozen=True)
class Transcript:
    """The lines of one run of a harness, and its ending."""

    sent: tuple[Line, ...]
    output: tuple[bytes, ...]
    status: int | None
    """The exit status; None if the harness was killed because it did not end."""
    stderr: str
    """The end of its standard error, on one printable line."""
    limit: str = ""
    """The exceeded limit of time in words; empty if none was exceeded."""
    is_more_than: int | None = None
    """The bytes of output at which it was killed, with none of them kept; None if it stayed below."""

    @property
    def replies(self) -> tuple[Message, ...]:
        """The JSON objects in the lines of the output."""
        objects = (_object(text) for text in self.output)
        return tuple(reply for reply in objects if reply is not None)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the first mistake in the form of the output, or in the ending of the harness, if any."""
        parts = self._output(), self._ids(), self._missing_reply(), self._invalid_reply(), self._ending()
        yield from islice(chain.from_iterable(parts), 1)

    def _output(self) -> Iterator[Diagnostic]:
        if self.is_more_than is not None:
            yield Diagnostic(
                f"it wrote more than {self.is_more_than:,} bytes to standard output in reply to "
                f"{len(self.sent)} requests",
                "Write one line for each request, and nothing else, to standard output",
            )
        for text in self.output:
            if _object(text) is None:
                yield Diagnostic(
                    f"it wrote {_shown(text)} to standard output, which is not a reply",
                    "Write only replies to standard output, one JSON object per line; write the rest to standard error",
                )

    def _ids(self) -> Iterator[Diagnostic]:
        ids, expected = [reply.get("id") for reply in self.replies], [sent.id for sent in self.sent]
        if len(ids) > len(expected):
            problem = f"it wrote {len(ids)} lines in reply to {len(expected)} requests"
            yield Diagnostic(problem, "Write one line for each request")
            return
        at = next((index for index, number in enumerate(ids) if not same_value(number, expected[index])), None)
        if at is None:
            return
        if sorted(map(repr, ids)) == sorted(map(repr, expected)):
            yield Diagnostic(
                f"replies are not in the order of their requests: the reply to id {expected[at]} is number "
                f"{ids.index(expected[at]) + 1} in place of {at + 1}",
                "Answer in the order of the requests, even if a later one is ready sooner",
            )
        problem = f"the reply to {self.sent[at]} has the id {json.dumps(ids[at])}"
        yield Diagnostic(problem, "Give each reply the id of its request; null if the line is not a JSON object")

    def _missing_reply(self) -> Iterator[Diagnostic]:
        for first in self.sent[len(self.output) :]:
            if self.status is None:
                problem = f"{first} was not answered within {self.limit}"
                yield Diagnostic(problem, "Read and answer line by line; do not wait for the end of the input")
            stderr = f"; standard error: {self.stderr}" if self.stderr else ""
            yield Diagnostic(
                f"it ended with {self._cause()} before it had answered {first}{stderr}",
                "Answer every line, if need be with the outcome protocol-error or unsupported; "
                "end at the end of the input",
            )

    def _invalid_reply(self) -> Iterator[Diagnostic]:
        for sent, reply in zip(self.sent, self.replies, strict=True):
            problem = reply_problem(sent.request, reply)
            if problem is not None:
                yield Diagnostic(f"the reply to {sent} is not valid by the schema: {problem}", KEYS)

    def _ending(self) -> Iterator[Diagnostic]:
        if self.status is None:
            yield Diagnostic(
                f"it has not ended at the end of its input, within {self.limit}",
                "At the end of standard input write the replies that are left, and exit with status 0",
            )
        elif self.status != 0:
            problem = f"at the end of its input it ends with {self._cause()}"
            yield Diagnostic(problem, "The end of standard input is the normal end: exit with status 0")

    def _cause(self) -> str:
        status = self.status or 0
        return signal_name(-status) if status < 0 else f"exit status {status}"


def run_script(command: Sequence[str], lines: Sequence[Line], seconds: float) -> Transcript:
    """Start a harness, write all lines, close its input, and read its output to its end.

    The seconds are those of a `TimeLimit`.

    Raises:
        HarnessStartError: the command cannot be run, or the machine is too busy for it.
    """
    text = b"".join(sent.text + b"\n" for sent in lines)
    most = ALLOWANCE + FACTOR * len(text)
    try:
        done = run(command, stdin=text, seconds=seconds, most=most)
    except OSError as error:
        raise cannot_run(command, error) from error
    if done.limit is not None and done.limit.is_for_lack_of_processors:
        raise HarnessStartError(f"{command[0]}: {TOO_BUSY}. Check it when the machine has less to do")
    stderr = printable(" ".join(done.errors.split()))[-MAXIMUM_SHOWN:]
    output = () if done.is_full else tuple(done.output.splitlines())
    return Transcript(tuple(lines), output, done.status, stderr, str(done.limit or ""), most if done.is_full else None)


def _object(text: bytes) -> Message | None:
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def shortened(text: str, length: int = 120) -> str:
    """Return a text, or its beginning with the number of all characters."""
    return text if len(text) <= length else f"{text[:length]}... ({len(text)} characters)"


def _shown(text: bytes) -> str:
    return shortened(printable(text.decode(errors="replace")), MAXIMUM_SHOWN)
