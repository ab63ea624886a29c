"""The parts of a batch that are for its writer to choose: a value is compared with what was written, these apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import judge_records

if TYPE_CHECKING:
    from conformance.implementation.records.claims import RecordsClaims

Value = dict[str, Any]


def as_chosen(claims: RecordsClaims, content: Value, wire: bytes) -> Value:
    """Return a value with the choices of the writer that has written it as these bytes.

    A batch may be left uncompressed, and a writer that takes no leader epoch writes its own.
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
