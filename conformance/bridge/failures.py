"""What the death, the silence or the nonsense of a child process is taken for, and how long it may be silent."""

from __future__ import annotations

from conformance.bridge.transport import HarnessDiedError, HarnessError, HarnessTimeoutError
from conformance.implementation.outcome import Kind, Outcome

DEADLINE = 3.0
"""Seconds for one request: some libraries run for more than twenty on seven bytes."""

START_DEADLINE = 60.0
"""Seconds for the start of a child, until it has answered for the first time."""

MAXIMUM_STDERR = 200
"""How much of a dying child's last words is kept; without paths, which are this machine's."""


def death(error: HarnessError, deadline: float) -> Outcome:
    """The outcome of the request that a child did not answer as it should; `deadline`: seconds that it had."""
    if isinstance(error, HarnessTimeoutError):
        return Outcome(Kind.TIMED_OUT, text=f"no answer within {deadline:g} seconds")
    if isinstance(error, HarnessDiedError):
        said = " ".join(word for word in error.ending.said.split() if "/" not in word)[:MAXIMUM_STDERR]
        return Outcome(Kind.CRASHED, text=f"{error.ending.cause}: {said}" if said else error.ending.cause)
    return Outcome(Kind.PROTOCOL_ERROR, text=error.problem)
