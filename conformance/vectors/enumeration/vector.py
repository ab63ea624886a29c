"""One golden vector, with bytes, and everything known about them, as JSON.

Compressed streams have no canonical bytes: they are marked by `compressed`, and readers compare their content. Apache
Kafka has two readers of records, a consumer and a broker, and `readers` has the reaction of each.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.targets import RecordsField, StoredForm, WholeFrame
from conformance.vectors.flags import flags_of_rules
from reference import ApacheKafka, Result, Unencodable, load_release
from reference.errors import InternalError
from reference.records.compression import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.targets import Target
    from reference import RecordsVerdict, Verdict
    from reference.records.verdict import Observed

Json = dict[str, Any]

_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NEGATIVE = re.compile(r"(?:^|(?<==))-(?=[0-9])")
_BETWEEN = re.compile(r"[^a-z0-9]+")

UNWRITABLE = "unwritable"
"""The result of a vector without bytes, whose value has to be refused."""

LONGEST_LINE = 264_000
"""The most characters of a vector: 65,536 bytes occur twice in one, with little else."""
OF_THE_REST = 500
"""The most characters of a vector beside its bytes and its value."""

NOT_STATED = frozenset(("record.offset-delta",))
"""Rules broken by bytes for which the reaction of a broker is not stated."""

NUL_IN_TEXT = "NulInText"
"""The flag of vectors unreadable for JSON parsers with C strings."""


class VectorBytes(NamedTuple):
    """The bytes of a future vector."""

    id: str
    """The name of the variation, unique within the group: see `slug`."""
    wire: bytes
    flags: tuple[str, ...]
    """The class of the case; the flags of the rules violated by the bytes are added."""
    given: dict[str, Any] | None = None
    """A value with fields of other versions dropped by a writer, so also written as these bytes."""


class UnwritableCase(NamedTuple):
    """The value of a future vector, to be refused by a writer."""

    id: str
    """As of `VectorBytes`."""
    value: Any
    flags: tuple[str, ...]


AnyCase = VectorBytes | UnwritableCase


class Covering(set[Hashable]):
    """The kinds of cases kept so far, so that each is tried once."""

    def keeps(self, *kinds: Hashable) -> bool:
        """Return whether all of these kinds are new, and add them if they are."""
        is_new = self.isdisjoint(kinds)
        self.update(kinds if is_new else ())
        return is_new


def distinct(cases: Iterable[AnyCase], others: Iterable[AnyCase] = ()) -> Iterator[Any]:
    """Yield the cases with bytes that neither an earlier one nor any of the others has, and those without bytes."""
    covering = Covering(getattr(each, "wire", each.id) for each in others)
    return (each for each in cases if covering.keeps(getattr(each, "wire", each.id)))


def is_short(target: Target, content: Any, longest: int = LONGEST_LINE) -> bool:
    """Return whether the vector of a content has at most `longest` characters.

    The content may have no bytes.
    """
    with suppress(Unencodable):
        longest -= 2 * len(target.write(content))
    return len(json.dumps(target.to_json(content), separators=(",", ":"))) <= longest - OF_THE_REST


def slug(*parts: str) -> str:
    """Join parts to an id of lower-case words with hyphens between them.

    An id never has a running number over all cases: a new case must not rename later ones.

    >>> slug("Topics[0].LeaderEpoch", "-1")
    'topics-0-leader-epoch-minus-1'
    """
    words = (_WORD_BEGINS.sub("-", _NEGATIVE.sub("minus-", part)) for part in parts if part)
    return _BETWEEN.sub("-", "-".join(words).lower()).strip("-")


def vectors_of(release: str, target: Target, cases: Iterable[VectorBytes | UnwritableCase]) -> list[Json]:
    """Return the vectors of one group.

    Raises:
        InternalError: two cases have the same id.
    """
    vectors = [
        _vector(release, target, case) if isinstance(case, VectorBytes) else _unwritable(target, case) for case in cases
    ]
    repeated = [name for name, count in Counter(vector["id"] for vector in vectors).items() if count > 1]
    if repeated:
        raise InternalError(f"{release} {target}: ids of more than one vector: {', '.join(repeated[:5])}")
    return vectors


def _vector(release: str, target: Target, case: VectorBytes) -> Json:
    known = known_of(release, target, case.wire)
    given = {} if case.given is None else {"given": target.to_json(case.given)}
    nul = (NUL_IN_TEXT,) if _holds_nul([known, given]) else ()
    flags = list(dict.fromkeys((*case.flags, *nul, *known.pop("flags"))))
    return {"id": case.id, "result": known.pop("result"), "wire": case.wire.hex(), "flags": flags, **known, **given}


def _holds_nul(form: Any) -> bool:
    """Return whether some string of a JSON form has U+0000 in it."""
    if isinstance(form, dict):
        return any(map(_holds_nul, form.values()))
    return any(map(_holds_nul, form)) if isinstance(form, list) else isinstance(form, str) and "\0" in form


def _unwritable(target: Target, case: UnwritableCase) -> Json:
    form = target.to_json(case.value)
    return {"id": case.id, "result": UNWRITABLE, "flags": list(case.flags), "value": form, **refusal_of(target, form)}


def refusal_of(target: Target, form: Any) -> Json:
    """Return `refusal`, `rule` and `path`, the reason why the value of a JSON form is not written.

    Raises:
        InternalError: it is written.
    """
    try:
        wire = target.write(target.from_json(form))
    except Unencodable as error:
        return {"refusal": str(error.reason), "rule": error.rule, "path": error.path}
    raise InternalError(f"{target}: {form} is written as {wire.hex()}")


def known_of(release: str, target: Target, wire: bytes) -> Json:
    """Return the members of a vector derived from its bytes.

    Always `result`, and `flags` of the rules violated by the bytes. If invalid `reason`, `offset`, `path`. If valid
    `value`, and `canonical` if a writer writes other bytes. If unspecified `observed`, in releases of Apache Kafka.
    Record batches also have `readers`, and others: see `known_of_records`.
    """
    if isinstance(target, RecordsField):
        return known_of_records(target, wire)
    verdict = target.judge(wire)
    if verdict.result is Result.UNSPECIFIED and isinstance(target, WholeFrame | StoredForm):
        return {"result": str(verdict.result), "flags": []}  # no vector: the rules about these have no flags
    known: Json = {"result": str(verdict.result), "flags": list(flags_of_rules(verdict.rules))}
    if verdict.result is Result.INVALID:
        return known | {"reason": str(verdict.reason), "offset": verdict.offset, "path": verdict.path}
    if verdict.result is Result.UNSPECIFIED:
        return known | (_observed(release, target, verdict) if load_release(release).published else {})
    canonical = target.write(verdict.value)
    known["value"] = target.to_json(verdict.value)
    return known if canonical == wire else known | {"canonical": canonical.hex()}


def _observed(release: str, target: Target, verdict: Verdict) -> Json:
    """Return the reaction of Apache Kafka to unspecified bytes.

    It knows no message of a proposal or a folder.
    """
    does: Json = {"accepts": verdict.apache_kafka is ApacheKafka.ACCEPTS}
    if does["accepts"]:
        does["consumed"] = verdict.consumed
        does["value"] = target.to_json(verdict.value)
        does["canonical"] = _canonical(target, verdict.value)
    return {"observed": {f"apache-kafka-{release}": does}}


def _canonical(target: Target, content: Any) -> str | None:
    """Return the bytes written by Apache Kafka for a value it has read, or None if it refuses to write it."""
    try:
        return target.write(content).hex()
    except Unencodable:
        return None


def known_of_records(target: RecordsField, wire: bytes) -> Json:
    """Return `result`, `flags` of the rules, and the other members of vectors/README.md.

    Raises:
        InternalError: the validity of the bytes is unknown, since their streams have too much content.
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
    """Return the reactions of the consumer and the broker, if stated."""
    stated = {"client": verdict.client, "broker": verdict.broker if is_broker_stated(verdict) else None}
    return {name: _of_reader(observed) for name, observed in stated.items() if observed is not None}


def is_broker_stated(verdict: RecordsVerdict) -> bool:
    """Return whether a vector states the reaction of the broker.

    It does not if the consumer stops inside of a compressed stream. Nor does it if unspecified bytes end the consumer,
    since it is unknown whether it was inside of one.
    """
    if verdict.client is not None and verdict.client.does is ApacheKafka.REJECTS:
        return verdict.within is None and verdict.result is Result.INVALID
    return NOT_STATED.isdisjoint(verdict.rules)


def _of_reader(observed: Observed) -> Json:
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
