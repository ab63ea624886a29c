"""The outcome of one call of an implementation, which is bytes, a value, a refusal or a failure."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct


class Kind(StrEnum):
    """The kinds of outcome."""

    BYTES = "bytes"
    """It wrote bytes."""
    VALUE = "value"
    """It read a value."""
    REJECTED = "rejected"
    """It refused with one of its declared exceptions."""
    UNCLASSIFIED = "rejected-unclassified"
    """It raised another exception: counted as a refusal, and reported."""
    UNSUPPORTED = "unsupported"
    UNREPRESENTABLE = "unrepresentable"
    CRASHED = "crashed"
    """A signal ended it, or it raised an exception that no codec may raise: RecursionError, or one that is not an
    Exception.
    """
    TIMED_OUT = "timed-out"
    EXHAUSTED_MEMORY = "exhausted-memory"
    PROTOCOL_ERROR = "protocol-error"
    """It returned or wrote something other than bytes or a value."""
    HARNESS_ERROR = "harness-error"
    """A harness blames its own code, and not the implementation's."""
    NOT_RUN = "not-run"
    """Skipped, because inputs before it ended the child process."""

    __hash__ = str.__hash__  # that of Enum is a function of Python, and each outcome is looked up in several sets


REFUSALS = frozenset((Kind.REJECTED, Kind.UNCLASSIFIED))
"""The outcomes that count as a refusal."""

ABSENT = frozenset((Kind.UNSUPPORTED, Kind.UNREPRESENTABLE, Kind.NOT_RUN))
"""The outcomes that are neither right nor wrong."""

OF_THE_ADAPTER = frozenset((Kind.PROTOCOL_ERROR, Kind.HARNESS_ERROR))
"""The outcomes of mistakes in the adapter or harness, never findings."""

FATAL = frozenset((Kind.CRASHED, Kind.TIMED_OUT, Kind.EXHAUSTED_MEMORY)) | OF_THE_ADAPTER
"""The outcomes that are a failure on any input."""


class Outcome(Struct, frozen=True):
    """Bytes, a value, or a text with the reason for neither."""

    kind: Kind
    wire: bytes | None = None
    value: Any = None
    consumed: int | None = None
    text: str = ""
    """The exception's type and message, or another explanation; printable."""
    reason: str = ""
    """The reason why bytes were rejected, as a value of `reference.Reason`; empty if the adapter does not classify it.
    """
    raised_in: str = ""
    """The module whose code raised the exception."""
    place: str = ""
    """The file and line of the adapter's own code in which Python raised the exception; empty for a refusal."""

    def __str__(self) -> str:
        if self.kind is Kind.BYTES and self.wire is not None:
            return self.wire.hex() or "no bytes"
        if self.kind is Kind.VALUE:
            return repr(self.value)
        text = f"{self.kind}: {self.text}" if self.text else str(self.kind)
        return f"{text} ({self.place})" if self.place else text


NOT_ASKED = Outcome(Kind.UNSUPPORTED)
"""The outcome of a call that an implementation does not offer."""
