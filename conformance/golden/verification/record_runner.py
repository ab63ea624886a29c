"""Vectors of record batches on an implementation: what it claims to know of them, and streams of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.checks.records.scope import MESSAGE_SETS, outside, result_for
from conformance.implementation.records.claims import EVERY_RECORD
from conformance.implementation.records.comparison import records_difference
from reference import Malformed, Result, decode_records, records_from_json
from reference.records.records_field import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.implementation.records.claims import RecordsClaims
    from conformance.implementation.targets import RecordsField

Json = dict[str, Any]


def as_claimed(claims: RecordsClaims, target: RecordsField, vector: Json) -> Json:
    """Return a vector with its result left open where a reader with these claims is not asked for it."""
    if claims == EVERY_RECORD:
        return vector
    verdict = target.observe(bytes.fromhex(vector["wire"]), check_crc=claims.checks_crc)
    is_asked = result_for(claims, verdict) == vector["result"]
    return vector if is_asked else {**vector, "result": str(Result.UNSPECIFIED)}


def written_forms(claims: RecordsClaims, vector: Json) -> Iterator[Json]:
    """Yield the value of a vector, without the part of a batch at its end, if a writer has its codecs and magics."""
    value = records_from_json(vector["value"])
    groups = ("batches" if "records" in batch else MESSAGE_SETS for batch in value["batches"])
    if not any(outside(claims, group, value, writing=True) for group in groups):
        yield {**vector["value"], PARTIAL: ""}


def stream_problems(content: Json, wire: bytes) -> Iterator[str]:
    """Yield what is wrong with written bytes that hold compressed streams: they must say the same."""
    try:
        other = records_difference(content, decode_records(wire))
    except Malformed as error:
        yield f"encode: {wire.hex():.80}, {error}"
    else:
        if other is not None:
            yield f"encode: {other.path} is {other.actual!r:.80}, not {other.expected!r:.80}"
