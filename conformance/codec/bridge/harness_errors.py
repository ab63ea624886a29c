"""The errors of a harness in the order of its life, and the replies concluded from them.

A *harness* is here any child process with replies to requests: a program in another language, the Python child for
hostile bytes, or a JVM with Apache Kafka's classes.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.targets.outcome import Kind
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.system.time_limits import TimeLimit

FROM_OUTSIDE = frozenset((signal.SIGTERM, *(getattr(signal, name, 0) for name in ("SIGKILL", "SIGHUP")))) - {0}
"""Signals that no code sends to itself by mistake."""

OF_SHELLS = 128
"""A shell ends with this status and the number of the signal that ended its program."""

SMALL = 16 << 20
"""Bytes by which the memory of a process may grow, without being a reason for the machine to end it."""


@dataclass(frozen=True)
class Ending:
    """The end of a child process, and the end of its standard error."""

    status: int
    """The exit status; minus the signal's number if a signal ended the process."""
    stderr: str
    """Printable lines."""
    grown: int | None = None
    """The bytes by which the peak of its memory had grown since it was ready, or None if the system does not tell."""

    @property
    def is_from_outside(self) -> bool:
        """Whether the machine or its user may have ended the process, for lack of memory or to make room."""
        return -self.status in FROM_OUTSIDE or self.status - OF_SHELLS in FROM_OUTSIDE

    @property
    def is_of_machine(self) -> bool:
        """Whether the process is not known to have ended itself. A signal may come for the memory that it took."""
        return self.is_from_outside and (self.grown is None or self.grown > SMALL)

    @property
    def cause(self) -> str:
        """The name of the signal, or the exit status."""
        if self.status < 0:
            return f"ended by {signal_name(-self.status)}"
        return f"exit status {self.status}"

    def __str__(self) -> str:
        return f"{self.cause}; standard error: {self.stderr or 'nothing'}"


def signal_name(number: int) -> str:
    """Return the name of a signal, as `SIGABRT`, or its number for a real-time signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class HarnessError(ConformanceError):
    """A harness is unusable, or does not answer as it should."""


class HarnessStartError(HarnessError):
    """The harness cannot be built or started. The text names the missing tool, or has the output of the process."""


class HarnessLostError(HarnessError):
    """The process from which children are forked was ended from outside."""


class HarnessHelloError(HarnessError):
    """The harness gives no valid answer to `hello`, so further requests are pointless."""


class HarnessFailedError(HarnessError):
    """A running harness stopped answering, and was ended.

    The first request without a reply need not be the culprit: the child's buffers may have held its reply, and later
    ones. `Policy` says how the client finds the culprit.

    Attributes:
        problem: what happened.
        ending: how the child ended.
        is_from_outside: whether the machine or its user may have ended it.
        replies: the replies that arrived before.
        lost: the number of further requests that were done without an arrived reply; the next one is the culprit.
    """

    def __init__(self, problem: str, ending: Ending, replies: Sequence[dict[str, Any]], lost: int = 0) -> None:
        super().__init__(f"{problem}; {ending}")
        self.problem = problem
        self.ending = ending
        self.is_from_outside = isinstance(self, HarnessDiedError) and ending.is_from_outside
        self.replies = replies
        self.lost = lost


class HarnessDiedError(HarnessFailedError):
    """The harness ended with requests unanswered."""


class HarnessTimeoutError(HarnessFailedError):
    """The harness did not answer within `limit`."""

    def __init__(
        self, problem: str, ending: Ending, replies: Sequence[dict[str, Any]], lost: int, limit: TimeLimit
    ) -> None:
        super().__init__(problem, ending, replies, lost)
        self.limit = limit


class HarnessProtocolError(HarnessFailedError):
    """The harness wrote something other than the reply to the oldest request."""


class HarnessExhaustedError(HarnessError):
    """The harness failed too often and is not started again."""


MAXIMUM_STDERR = 200
"""The number of characters kept of a crashed child's standard error, at its beginning and its end: some traces begin
with the cause, and others end with it. Paths are left out, since they differ by machine.
"""


ENDED_BY_MACHINE = "the machine, or somebody else, ended the process, maybe for lack of memory"
TOO_BUSY = "the machine is too busy: the process got no processor for most of the time"


def conclusion(error: HarnessFailedError) -> dict[str, Any]:
    """Return the reply that the client concludes for a request on which a harness failed."""
    if isinstance(error, HarnessTimeoutError):
        if error.limit.is_for_lack_of_processors:
            return {"outcome": Kind.NOT_RUN, "text": TOO_BUSY}
        return {"outcome": Kind.TIMED_OUT, "text": f"no answer within {error.limit}"}
    if isinstance(error, HarnessDiedError):
        if error.ending.is_of_machine:
            return {"outcome": Kind.NOT_RUN, "text": f"{ENDED_BY_MACHINE} ({error.ending.cause})"}
        words = _ends(" ".join(word for word in error.ending.stderr.split() if "/" not in word))
        return {"outcome": Kind.CRASHED, "text": f"{error.ending.cause}: {words}" if words else error.ending.cause}
    return {"outcome": Kind.PROTOCOL_ERROR, "text": error.problem}


def _ends(text: str) -> str:
    half = MAXIMUM_STDERR // 2
    if len(text) <= MAXIMUM_STDERR:
        return text
    # by words in which a number is one character, so that equal crashes with other numbers have equal texts
    words = text.split(" ")
    last = list(_words_within(reversed(words), half))
    return " ".join((*_words_within(words, half), "...", *reversed(last)))


def _words_within(words: Iterable[str], maximum: int) -> Iterator[str]:
    """Yield words up to a number of characters, where a number counts as one. A very long word is cut."""
    for word in words:
        if maximum <= 0:
            return
        yield word[:MAXIMUM_STDERR]
        maximum -= 1 + len(_NUMBER.sub("0", word))


_NUMBER = re.compile(r"(?:0x)?[0-9a-f]*\d[0-9a-f]*")
