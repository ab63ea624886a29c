"""The errors of a harness in the order of its life, and what the client concludes from them.

A *harness* is here any child process that answers requests: a program in another language, the Python child that
decodes hostile bytes, or a JVM with Apache Kafka's classes.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import Kind
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


FROM_OUTSIDE = frozenset((signal.SIGTERM, *(getattr(signal, name, 0) for name in ("SIGKILL", "SIGHUP")))) - {0}
"""Signals that no code sends to itself by mistake."""


@dataclass(frozen=True)
class Ending:
    """How a child process ended, or was ended, and the end of its standard error."""

    status: int
    """The exit status; minus the signal's number if a signal ended the process."""
    stderr: str
    """Printable lines."""

    @property
    def is_from_outside(self) -> bool:
        """Whether the machine, or who runs it, may have ended the process: for want of memory, or to make room."""
        return -self.status in FROM_OUTSIDE

    @property
    def cause(self) -> str:
        """The signal by its name, or the exit status."""
        if self.status < 0:
            return f"ended by {signal_name(-self.status)}"
        return f"exit status {self.status}"

    def __str__(self) -> str:
        return f"{self.cause}; standard error: {self.stderr or 'nothing'}"


def signal_name(number: int) -> str:
    """Return the name of a signal: `SIGABRT`; real-time signals have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class HarnessError(ConformanceError):
    """A harness that cannot be used, or that does not answer as it should."""


class HarnessStartError(HarnessError):
    """The harness cannot be built or started; the text says what is missing, or what the process wrote."""


class HarnessLostError(HarnessError):
    """The process that children are forked from was ended from outside."""


class HarnessHelloError(HarnessError):
    """The harness does not answer `hello`, or answers it in a way that makes further requests pointless."""


class HarnessFailedError(HarnessError):
    """A running harness stopped answering. It has been ended, and its standard error is in the text.

    The first request without a reply need not be the culprit: replies to later requests, and its own reply, may have
    been lost in the buffers of the child. `Policy` says how the client finds the culprit.

    Attributes:
        problem: what happened.
        ending: how the child ended.
        is_from_outside: whether the machine, or who runs it, may have ended it.
        replies: the replies that arrived before.
        lost: how many requests behind them were done, though their replies did not arrive; the one behind those is the
            culprit.
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
    """The harness did not answer within the deadline."""


class HarnessProtocolError(HarnessFailedError):
    """The harness wrote something that is not the reply to the oldest request."""


class HarnessExhaustedError(HarnessError):
    """The harness has failed so often that it is not started again."""


MAXIMUM_STDERR = 200
"""How many characters of the standard error of a crashed child are kept, without paths, which differ by machine: the
beginning and the end, as some traces begin with the cause, and others end with it."""


def conclusion(error: HarnessFailedError, deadline: float) -> dict[str, Any]:
    """Return the reply that the client concludes for a request on which a harness failed."""
    if isinstance(error, HarnessTimeoutError):
        return {"outcome": Kind.TIMED_OUT, "text": f"no answer within {deadline:g} seconds"}
    if isinstance(error, HarnessDiedError):
        words = _ends(" ".join(word for word in error.ending.stderr.split() if "/" not in word))
        return {"outcome": Kind.CRASHED, "text": f"{error.ending.cause}: {words}" if words else error.ending.cause}
    return {"outcome": Kind.PROTOCOL_ERROR, "text": error.problem}


def _ends(text: str) -> str:
    """Return a text, or its first and its last words: as many, however many digits the numbers in them have."""
    half = MAXIMUM_STDERR // 2
    if len(text) <= MAXIMUM_STDERR:
        return text
    words = text.split(" ")
    last = list(_words_within(reversed(words), half))
    return " ".join((*_words_within(words, half), "...", *reversed(last)))


def _words_within(words: Iterable[str], maximum: int) -> Iterator[str]:
    """Yield words, of which the last may be cut, up to so many characters; a number counts as one."""
    for word in words:
        if maximum <= 0:
            return
        yield word[:MAXIMUM_STDERR]
        maximum -= 1 + len(_NUMBER.sub("0", word))


_NUMBER = re.compile(r"(?:0x)?[0-9a-f]*\d[0-9a-f]*")
