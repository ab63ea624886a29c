"""One golden vector, with bytes, and everything known about them, as JSON.

Compressed streams have no canonical bytes: they are marked by `compressed`, and readers compare their content. Apache
Kafka has two readers of records, a consumer and a broker, and `readers` has the reaction of each.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.covering import Covering
from conformance.targets import RecordsField, StoredForm, WholeFrame
from conformance.vectors.flags import flags_of_rules
from reference import ApacheKafka, Result, Unencodable, Verdict, load_release
from reference.errors import InternalError
from reference.records.compression import NONE
from reference.records.records_field import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.targets import Target
    from reference import RecordsVerdict
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
    Record batches also have `readers`, and other members of vectors/README.md.

    Raises:
        InternalError: the validity of the bytes is unknown, since their streams have too much content.
    """
    verdict: Any = target.observe(wire) if isinstance(target, RecordsField) else target.judge(wire)
    if verdict.result is Result.UNSPECIFIED and isinstance(target, WholeFrame | StoredForm):
        return {"result": str(verdict.result), "flags": []}  # no vector: the rules about these have no flags
    if not isinstance(target, RecordsField):
        readers = {}
    elif verdict.client is None:
        raise InternalError(verdict.detail)
    else:
        readers = {"readers": {f"apache-kafka-{release}": readers_of(verdict)}}
    known: Json = {"result": str(verdict.result), "flags": list(flags_of_rules(dict.fromkeys(verdict.rules)))}
    return {**known, **_of_result(release, target, verdict, wire), **readers}


def _of_result(release: str, target: Target, verdict: Any, wire: bytes) -> Json:
    if verdict.result is Result.INVALID:
        within = {} if getattr(verdict, "within", None) is None else {"within": verdict.within}
        return {"reason": str(verdict.reason), "offset": verdict.offset, "path": verdict.path, **within}
    known: Json = {}
    if verdict.result is Result.VALID:
        known = _content(target, verdict.value)
        canonical = known.pop("canonical")
        if canonical is None and not _is_compressed(target, verdict.value):
            raise InternalError(f"nobody writes the value of {wire.hex()}, which is valid")
        known |= {} if canonical in {None, wire.hex()} else {"canonical": canonical}
    elif load_release(release).published:
        known = {"observed": {f"apache-kafka-{release}": _observed(target, verdict, wire)}}
    return known | {"compressed": True} if _is_compressed(target, verdict.value) else known


def _observed(target: Target, verdict: Verdict | RecordsVerdict, wire: bytes) -> Json:
    """Return the reaction of Apache Kafka to unspecified bytes.

    It knows no message of a proposal or a folder.
    """
    does = verdict.apache_kafka if isinstance(verdict, Verdict) else verdict.client and verdict.client.does
    if does is not ApacheKafka.ACCEPTS:
        return {"accepts": False}
    consumed = verdict.consumed if isinstance(verdict, Verdict) else len(wire)
    return {"accepts": True, "consumed": consumed, **_content(target, verdict.value)}


def _content(target: Target, value: Any) -> Json:
    """Return a value, and the bytes written for it, or None if a writer refuses it, or may compress it in many ways."""
    canonical = None
    if not _is_compressed(target, value):
        with suppress(Unencodable):
            written = {**value, PARTIAL: b""} if isinstance(target, RecordsField) else value
            canonical = target.write(written).hex()
    return {"value": target.to_json(value), "canonical": canonical}


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


def _is_compressed(target: Target, value: Any) -> bool:
    """Return whether a batch or message of a field is compressed."""
    batches = value["batches"] if isinstance(target, RecordsField) and value is not None else ()
    return any(batch["compression"] != NONE for batch in batches)
