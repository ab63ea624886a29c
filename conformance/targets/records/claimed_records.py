"""The parts of a `records` field within the claims of an implementation, and the choices that are left to a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import ApacheKafka, Result, judge_records

if TYPE_CHECKING:
    from conformance.targets.record_claims import RecordsClaims
    from reference import RecordsVerdict

Value = dict[str, Any]

BATCHES, MESSAGE_SETS = "batches", "message-sets"
PLAIN_GROUPS = frozenset((BATCHES, MESSAGE_SETS))
"""The groups of edge values without a codec; each other group is named by its codec."""


def outside(claims: RecordsClaims, group: str, value: dict[str, Any] | None = None, *, writing: bool = False) -> str:
    """Return the reason for leaving out a group of cases, or a value in it.

    Empty if it is tried.
    """
    if group == MESSAGE_SETS and claims.legacy_message_sets in ({"no", "read"} if writing else {"no"}):
        return "message sets"
    codecs = {group} - PLAIN_GROUPS | {batch["compression"] for batch in (value or {}).get("batches", ())}
    missing = sorted(codecs - set(claims.codecs))
    return f"codec {', '.join(missing)}" if missing else ""


def result_for(claims: RecordsClaims, verdict: RecordsVerdict) -> Result:
    """Return the result due from a reader with these claims.

    A broker need accept only the batches accepted by Apache Kafka's broker, for Produce has rules of its own. A reader
    without message sets may reject them.
    """
    if verdict.result is not Result.VALID or verdict.value is None:
        return verdict.result
    if claims.reader == "broker" and (verdict.broker is None or verdict.broker.does is not ApacheKafka.ACCEPTS):
        return Result.UNSPECIFIED
    groups = ((BATCHES if "records" in batch else MESSAGE_SETS, batch) for batch in verdict.value["batches"])
    is_outside = any(outside(claims, group, {"batches": [batch]}) for group, batch in groups)
    return Result.UNSPECIFIED if is_outside else Result.VALID


def as_chosen(claims: RecordsClaims, content: Value, wire: bytes) -> Value:
    """Return a value with the choices of the writer of these bytes.

    A batch may be left uncompressed, and a writer without a leader epoch in its interface writes its own.
    """
    written = judge_records(wire).value
    if written is None or len(written["batches"]) != len(content["batches"]):
        return content
    pairs = zip(content["batches"], written["batches"], strict=True)
    return content | {"batches": [batch | _choices(claims, batch, other) for batch, other in pairs]}


def _choices(claims: RecordsClaims, batch: Value, written: Value) -> Value:
    if "records" not in batch or "records" not in written:
        return {}
    names = ["compression"] if written["compression"] == "none" else []
    if claims.leader_epoch == "own":
        names.append("partitionLeaderEpoch")
    return {name: written[name] for name in names}
