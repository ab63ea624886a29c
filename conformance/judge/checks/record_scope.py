"""The parts of record batches supported by an implementation, as it declares.

The others are not tried, but counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import Kind, Outcome
from conformance.codec.targets import RECORD_BATCHES
from conformance.judge.case import NotAsked
from reference import ApacheKafka, Result

if TYPE_CHECKING:
    from conformance.codec.record_claims import RecordsClaims
    from reference import RecordsVerdict

MESSAGE_SETS = "message-sets"
PLAIN_GROUPS = frozenset(("batches", MESSAGE_SETS))
"""The groups of edge values without a codec; each other group is named by its codec."""


def outside(claims: RecordsClaims, group: str, value: dict[str, Any] | None = None, *, writing: bool = False) -> str:
    """Return the reason for leaving out a group of cases, or a value in it.

    Empty if it is tried.
    """
    if group == MESSAGE_SETS and claims.legacy_message_sets == "no":
        return "message sets"
    if group == MESSAGE_SETS and writing and claims.legacy_message_sets == "read":
        return "message sets"
    codecs = {group} - PLAIN_GROUPS | {batch["compression"] for batch in (value or {}).get("batches", ())}
    missing = sorted(codecs - set(claims.codecs))
    return f"codec {', '.join(missing)}" if missing else ""


def not_tried(direction: str, reason: str) -> NotAsked:
    """Return the event of a case that is not tried."""
    return NotAsked(direction, RECORD_BATCHES, Outcome(Kind.UNSUPPORTED, text=reason))


def result_for(claims: RecordsClaims, verdict: RecordsVerdict) -> Result:
    """Return the result due from a reader with these claims.

    A broker need accept only the batches accepted by Apache Kafka's broker, for Produce has rules of its own. A reader
    without message sets may reject them.
    """
    if verdict.result is not Result.VALID or verdict.value is None:
        return verdict.result
    if claims.reader == "broker" and (verdict.broker is None or verdict.broker.does is not ApacheKafka.ACCEPTS):
        return Result.UNSPECIFIED
    if any(outside(claims, _group(batch), {"batches": [batch]}) for batch in verdict.value["batches"]):
        return Result.UNSPECIFIED
    return Result.VALID


def _group(batch: dict[str, Any]) -> str:
    return "batches" if "records" in batch else MESSAGE_SETS
