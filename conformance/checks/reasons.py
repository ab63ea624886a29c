"""Why an implementation rejects bytes, in its own view and in the reference's: counted, never a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.implementation.outcome import REFUSALS, Outcome
from reference import Malformed, MessageSchema, decode

if TYPE_CHECKING:
    from conformance.implementation.tally import Tally


def count_reason(schema: MessageSchema, wire: bytes, outcome: Outcome, tally: Tally) -> None:
    """Take in the reason that was given for a rejection, beside the reference's; nothing where either has none."""
    if outcome.kind not in REFUSALS or not outcome.reason:
        return
    try:
        decode(schema, wire)
    except Malformed as error:
        if error.reason is not None:
            tally.reasons[str(error.reason), outcome.reason] += 1
