"""The members of a vector of record batches that follow from its bytes.

Compressed streams have no canonical bytes: `compressed` says so, and readers compare what comes out of them. Apache
Kafka has two readers, a consumer and a broker, and `readers` says what each of them does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.golden.flags import flags_of_rules
from reference import ApacheKafka, Result
from reference.errors import InternalError
from reference.records.compression import NONE

if TYPE_CHECKING:
    from conformance.implementation.targets import RecordsField
    from reference import RecordsVerdict
    from reference.records.verdict import Observed

Json = dict[str, Any]
NOT_STATED = frozenset(("record.offset-delta",))
"""Rules of which the bytes depart, and it is not stated what a broker does with them."""


def known_of_records(target: RecordsField, wire: bytes) -> Json:
    """Return `result`, `flags` of the rules, and the other members of vectors/README.md.

    Raises:
        InternalError: nobody knows whether the bytes are valid, since too much comes out of their streams.
    """
    verdict = target.observe(wire)
    if verdict.client is None:
        raise InternalError(verdict.detail)
    known: Json = {"result": str(verdict.result), "flags": list(flags_of_rules(dict.fromkeys(verdict.rules)))}
    if verdict.result is Result.INVALID:
        known |= _invalid(verdict)
    elif verdict.result is Result.VALID:
        known |= _valid(target, verdict, wire)
    else:
        known |= _unspecified(target, verdict, wire)
    return known | {"readers": {f"apache-kafka-{target.release}": readers_of(verdict)}}


def readers_of(verdict: RecordsVerdict) -> dict[str, Json]:
    """Return what the consumer does, and the broker, where that is stated."""
    stated = {"client": verdict.client, "broker": verdict.broker if is_broker_stated(verdict) else None}
    return {name: _observed(observed) for name, observed in stated.items() if observed is not None}


def is_broker_stated(verdict: RecordsVerdict) -> bool:
    """Return whether a vector says what the broker does: not where the consumer stops inside of a compressed stream.

    Nor where unspecified bytes end the consumer: it is not known there whether it was inside of one.
    """
    if verdict.client is not None and verdict.client.does is ApacheKafka.REJECTS:
        return verdict.within is None and verdict.result is Result.INVALID
    return NOT_STATED.isdisjoint(verdict.rules)


def _observed(observed: Observed) -> Json:
    if observed.does is ApacheKafka.ACCEPTS:
        return {"accepts": True}
    return {"accepts": False, "exception": observed.exception, "rule": observed.rule}


def _invalid(verdict: RecordsVerdict) -> Json:
    place = {"reason": str(verdict.reason), "offset": verdict.offset, "path": verdict.path}
    return place if verdict.within is None else place | {"within": verdict.within}


def _valid(target: RecordsField, verdict: RecordsVerdict, wire: bytes) -> Json:
    known = {"value": target.to_json(verdict.value)}
    if is_compressed(verdict.value):
        return known | {"compressed": True}
    canonical = verdict.canonical
    if canonical is None:
        raise InternalError(f"nobody writes the value of {wire.hex()}, which is valid")
    return known if canonical == wire else known | {"canonical": canonical.hex()}


def _unspecified(target: RecordsField, verdict: RecordsVerdict, wire: bytes) -> Json:
    does: Json = {"accepts": verdict.value is not None}
    compressed = verdict.value is not None and is_compressed(verdict.value)
    if verdict.value is not None:
        canonical = None if compressed else verdict.canonical
        does |= {
            "consumed": len(wire),
            "value": target.to_json(verdict.value),
            "canonical": None if canonical is None else canonical.hex(),
        }
    known: Json = {"observed": {f"apache-kafka-{target.release}": does}}
    return known | {"compressed": True} if compressed else known


def is_compressed(value: Any) -> bool:
    """Return whether a batch or message of a field is compressed."""
    return any(batch["compression"] != NONE for batch in value["batches"])
