"""How long a child process may be silent, how often it may fail, and which reply stands for a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.bridge.errors import HarnessDiedError, HarnessFailedError, HarnessTimeoutError
from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

DEADLINE = 3.0
"""Seconds for one request: some libraries run for more than twenty seconds on seven bytes."""

START_DEADLINE = 60.0
"""Seconds for the start of a child, until its first reply."""

CRASH_BUDGET = 20
"""How often the child may crash in one call of `Client.ask_many`."""

TIMEOUT_BUDGET = 2
"""How often it may exceed the deadline there: each timeout costs seconds."""

MAXIMUM_STDERR = 200
"""How many characters of the standard error of a crashed child are kept, without paths, which differ by machine."""


class FailureBudget:
    """How often the child may still fail in one call of `Client.ask_many`."""

    def __init__(self) -> None:
        self._crashes = CRASH_BUDGET
        self._timeouts = TIMEOUT_BUDGET

    @property
    def is_spent(self) -> bool:
        """Whether no further request is sent."""
        return self._crashes <= 0 or self._timeouts <= 0

    def take(self, reply: Mapping[str, Any]) -> None:
        """Count the failure that a reply stands for; everything but a timeout counts as a crash."""
        if reply["outcome"] == Kind.TIMED_OUT:
            self._timeouts -= 1
        else:
            self._crashes -= 1


def conclusion(error: HarnessFailedError, deadline: float) -> dict[str, Any]:
    """Return the reply that the client concludes for a request on which a harness failed.

    Args:
        error: how it failed.
        deadline: the seconds that it had.
    """
    if isinstance(error, HarnessTimeoutError):
        return {"outcome": Kind.TIMED_OUT, "text": f"no answer within {deadline:g} seconds"}
    if isinstance(error, HarnessDiedError):
        words = " ".join(word for word in error.ending.stderr.split() if "/" not in word)[:MAXIMUM_STDERR]
        return {"outcome": Kind.CRASHED, "text": f"{error.ending.cause}: {words}" if words else error.ending.cause}
    return {"outcome": Kind.PROTOCOL_ERROR, "text": error.problem}
