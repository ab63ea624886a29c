"""The replies that a client concludes itself: of requests on which a harness failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.bridge.errors import HarnessDiedError, HarnessTimeoutError
from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from conformance.bridge.errors import HarnessFailedError

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
    """Return a text, or its beginning and its end."""
    half = MAXIMUM_STDERR // 2
    return text if len(text) <= MAXIMUM_STDERR else f"{text[:half].rstrip()} ... {text[-half:].lstrip()}"
