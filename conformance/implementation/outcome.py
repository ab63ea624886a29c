"""What an implementation did with one case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of outcome."""

    BYTES = "bytes"
    """It wrote bytes."""
    VALUE = "value"
    """It read a value."""
    REJECTED = "rejected"
    """It refused, by one of its declared rejections."""
    UNCLASSIFIED = "rejected-unclassified"
    """It raised something else: taken for a refusal, and shown."""
    UNSUPPORTED = "unsupported"
    UNREPRESENTABLE = "unrepresentable"
    CRASHED = "crashed"
    """A signal, or an exception that no codec may let out: MemoryError, RecursionError, not an Exception."""
    TIMED_OUT = "timed-out"
    EXHAUSTED_MEMORY = "exhausted-memory"
    PROTOCOL_ERROR = "protocol-error"
    """It returned something that is neither bytes nor a value."""
    NOT_RUN = "not-run"
    """Not tried any more, since too much before it ended the child process."""


REFUSALS = frozenset((Kind.REJECTED, Kind.UNCLASSIFIED))
"""The outcomes that count as a refusal."""

ABSENT = frozenset((Kind.UNSUPPORTED, Kind.UNREPRESENTABLE, Kind.NOT_RUN))
"""The outcomes that say nothing about right or wrong."""

FATAL = frozenset((Kind.CRASHED, Kind.TIMED_OUT, Kind.EXHAUSTED_MEMORY, Kind.PROTOCOL_ERROR))
"""The outcomes that are a failure on any input."""


@dataclass(frozen=True)
class Outcome:
    """What happened: bytes, a value, or a text about why there is neither."""

    kind: Kind
    wire: bytes | None = None
    value: Any = None
    consumed: int | None = None
    text: str = ""
    """The exception's type and message, or what else there is to say."""
    reason: str = ""
    """Why bytes were rejected, in the words of `reference.Reason`, if the adapter tells."""
    raised_in: str = ""
    """The module whose code raised the exception."""

    def __str__(self) -> str:
        if self.kind is Kind.BYTES and self.wire is not None:
            return self.wire.hex() or "no bytes"
        if self.kind is Kind.VALUE:
            return repr(self.value)
        return f"{self.kind}: {self.text}" if self.text else str(self.kind)


class Answered(Exception):  # it is an answer, not an error
    """Raised by an adapter that knows the outcome itself, since another process told it."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome
