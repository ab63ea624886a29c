"""What a violation does to the users of an implementation, and on which messages: the order of findings."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from conformance.implementation.outcome import FATAL, REFUSALS, Kind

if TYPE_CHECKING:
    from conformance.findings.violations import Violation

HOT_PATH = frozenset(
    f"{api}{kind}"
    for api in (
        "Produce",
        "Fetch",
        "Metadata",
        "ApiVersions",
        "FindCoordinator",
        "JoinGroup",
        "SyncGroup",
        "Heartbeat",
        "LeaveGroup",
        "OffsetCommit",
        "OffsetFetch",
    )
    for kind in ("Request", "Response")
) | {"RequestHeader", "ResponseHeader"}
"""What every client sends and reads all the time."""

NOT_SOUND = {"rejected", "refused", "no crash"}
"""What is expected of an implementation that is given something invalid, or anything at all."""

REFUSED = "refused: "
"""How it begins what is expected of a server that is sent what is no request."""

OF_PROCESSES = frozenset(("connection.survival", "connection.claimed-size", "connection.resources"))
"""The rules that a process breaks, whether or not what it was sent is sound."""

_REFUSALS = {str(kind) for kind in REFUSALS}
_FATAL = {str(kind) for kind in FATAL}


class Harm(IntEnum):
    """What users suffer, the worst first."""

    SOUND_REFUSED = 0
    MISREAD = 1
    MISWRITTEN = 2
    FATAL = 3
    """A crash, a hang or too much memory, on hostile bytes."""
    INVALID_TAKEN = 4


def harm_of(violation: Violation) -> Harm:
    """Return what a violation does to users."""
    is_sound = violation.expected not in NOT_SOUND and not violation.expected.startswith(REFUSED)
    if violation.outcome in _FATAL and (not is_sound or violation.rule in OF_PROCESSES):
        return Harm.FATAL
    if not is_sound:
        return Harm.INVALID_TAKEN
    if violation.direction in {"encode", "header"} or violation.outcome == Kind.BYTES:
        return Harm.MISWRITTEN
    return Harm.SOUND_REFUSED if violation.outcome in _REFUSALS | _FATAL else Harm.MISREAD
