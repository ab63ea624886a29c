"""One vector: bytes, and all that is known of them, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.flags import flags_of_rules
from reference import Result, judge, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference import MessageSchema, Verdict

Json = dict[str, Any]


class Case(NamedTuple):
    """Bytes that become a vector."""

    id: str
    """What varies, unique within the group: see `conformance.golden.slugs`."""
    wire: bytes
    flags: tuple[str, ...]
    """What was done; what the bytes depart from is added by the verdict."""
    given: dict[str, Any] | None = None
    """A value with fields of other versions that is written as these bytes too."""


def vectors_of(release: str, schema: MessageSchema, cases: Iterable[Case]) -> list[Json]:
    """The vectors of one (message, version), each with its verdict."""
    return [_vector(release, schema, case) for case in cases]


def _vector(release: str, schema: MessageSchema, case: Case) -> Json:
    verdict = judge(schema, case.wire)
    vector: Json = {
        "id": case.id,
        "result": str(verdict.result),
        "wire": case.wire.hex(),
        "flags": list(dict.fromkeys((*case.flags, *flags_of_rules(verdict.rules)))),
    }
    if verdict.result is Result.VALID:
        vector |= _valid(schema, case, verdict)
    elif verdict.result is Result.INVALID:
        vector |= {"reason": str(verdict.reason), "offset": verdict.offset, "path": verdict.path}
    else:
        vector["observed"] = {f"apache-kafka-{release}": _observed(schema, verdict)}
    return vector


def _valid(schema: MessageSchema, case: Case, verdict: Verdict) -> Json:
    parts: Json = {"value": to_json(schema, verdict.value or {})}
    if verdict.canonical is not None and verdict.canonical != case.wire:
        parts["canonical"] = verdict.canonical.hex()
    if case.given is not None:
        parts["given"] = to_json(schema, case.given)
    return parts


def _observed(schema: MessageSchema, verdict: Verdict) -> Json:
    """What Apache Kafka makes of bytes that the protocol leaves open."""
    if verdict.value is None:
        return {"accepts": False}
    return {
        "accepts": True,
        "consumed": verdict.consumed,
        "value": to_json(schema, verdict.value),
        "canonical": None if verdict.canonical is None else verdict.canonical.hex(),
    }
