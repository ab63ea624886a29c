"""One vector: bytes, and all that is known of them, as JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.flags import flags_of_rules
from reference import Result, judge, load_release, to_json

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


def with_unique_ids(name: str, vectors: list[Json]) -> list[Json]:
    """The vectors as they are.

    Raises:
        AssertionError: two of them have the same id.
    """
    repeated = [each for each, count in Counter(vector["id"] for vector in vectors).items() if count > 1]
    if repeated:
        raise AssertionError(f"{name}: ids of more than one vector: {', '.join(repeated[:5])}")
    return vectors


def _vector(release: str, schema: MessageSchema, case: Case) -> Json:
    known = verdict_of(release, schema, case.wire)
    flags = list(dict.fromkeys((*case.flags, *known.pop("flags"))))
    vector = {"id": case.id, "result": known.pop("result"), "wire": case.wire.hex(), "flags": flags, **known}
    return vector if case.given is None else vector | {"given": to_json(schema, case.given)}


def verdict_of(release: str, schema: MessageSchema, wire: bytes) -> Json:
    """What a vector says of its bytes: the result, the flags of the rules that they depart from, and what follows."""
    verdict = judge(schema, wire)
    known: Json = {"result": str(verdict.result), "flags": list(flags_of_rules(verdict.rules))}
    if verdict.result is Result.INVALID:
        return known | {"reason": str(verdict.reason), "offset": verdict.offset, "path": verdict.path}
    if verdict.result is Result.UNSPECIFIED:
        return known | ({} if load_release(release).proposed else _observed(release, schema, verdict))
    known["value"] = to_json(schema, verdict.value or {})
    if verdict.canonical is not None and verdict.canonical != wire:
        known["canonical"] = verdict.canonical.hex()
    return known


def _observed(release: str, schema: MessageSchema, verdict: Verdict) -> Json:
    """What Apache Kafka makes of bytes that the protocol leaves open; it knows no message of a proposal."""
    does: Json = {"accepts": verdict.value is not None}
    if verdict.value is not None:
        does["consumed"] = verdict.consumed
        does["value"] = to_json(schema, verdict.value)
        does["canonical"] = None if verdict.canonical is None else verdict.canonical.hex()
    return {"observed": {f"apache-kafka-{release}": does}}
