"""The cases of a body inside of a frame or of a stored message.

A codec may write and read bodies there in another way. Each way to vary or to change a body is tried in one place.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from conformance.adapter import DIRECTIONS
from conformance.generate.covering import Covering
from conformance.generate.origin import CaseOrigin, CasePart
from conformance.generate.value_paths import fields_at
from conformance.judge.bases import bases_of
from conformance.judge.checks.special_values import is_held
from conformance.judge.checks.value_cases import IN_VERSION_0
from conformance.judge.judgement import TO_BE_REFUSED, Due, judge
from conformance.judge.kinds import never
from conformance.targets import DECODE, ENCODE, Body
from conformance.targets.hidden import restored
from conformance.targets.listed import WHOLE
from reference import Result, Unencodable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.kinds import CaseKind, CodecCase, JudgedAnswer
    from conformance.targets import Claims, SchemaTarget

    Made = Callable[[CaseOrigin, Any], CodecCase]

Item = TypeVar("Item")

ENCLOSING = WHOLE | {
    *("AlterClientQuotasRequest", "DeleteGroupsRequest", "DescribeQuorumResponse", "FindCoordinatorRequest"),
    *("MetadataRequest", "ConsumerGroupMemberMetadataValue", "ConsumerProtocolSubscription"),
    *("PartitionChangeRecord", "ProducerSnapshot", "RegisterBrokerRecord"),
}
"""Messages with every type of a field, and with every header or stored form."""


def enclosed_cases(
    session: Session, target: SchemaTarget, plain: Any, of_bytes: Made, of_refused: Made
) -> Iterator[CodecCase]:
    """Yield the cases of other bodies in place of that of a content, for messages of `ENCLOSING`.

    Args:
        session: the session with the implementation.
        target: the frame or the stored message.
        plain: a valid content of the target.
        of_bytes: returns the case of bytes, by its origin.
        of_refused: returns the case of a content without bytes, by its origin.
    """
    if target.message not in ENCLOSING:
        return
    if any(session.offers(target, way) for way in DIRECTIONS):
        yield from _values(session.claims, target, plain, of_bytes)
    if session.offers(target, ENCODE):
        yield from _refused(session.claims, target, plain, of_refused)
    if session.offers(target, DECODE) and target.message != IN_VERSION_0:
        populated = bases_of(session, Body(target.schema)).bases.populated
        covering = Covering()
        for origin, wire in Body(target.schema).damages(populated):
            if not origin.way or not covering.keeps((origin.rule, origin.way)):
                continue
            inside = origin._replace(base=f"{CasePart.BODY}-{origin.base}")
            case = of_bytes(inside, target.enclosing(plain, wire))
            # Valid bytes need not be the canonical ones of their content.
            yield replace(case, inner=wire, row=_read_only(case.row))


@cache
def _read_only(row: CaseKind) -> CaseKind:
    return replace(row, is_written=never)


def _values(claims: Claims, target: SchemaTarget, plain: Any, of_bytes: Made) -> Iterator[CodecCase]:
    """Yield the cases of valid bodies within the declared limits, with what the implementation keeps of them."""
    body = Body(target.schema)
    for origin, value in _one_of_each(body, body.contents()):
        if not claims.limits.exceeded_by(target.schema, value):
            wire = target.write(target.judged(claims, target.with_value(plain, value)))
            yield replace(of_bytes(_inside(origin), wire), inner=value)


def _refused(claims: Claims, target: SchemaTarget, plain: Any, of_refused: Made) -> Iterator[CodecCase]:
    """Yield the cases of bodies without bytes that the implementation can hold."""
    body = Body(target.schema)
    for origin, value in _one_of_each(body, body.refused()):
        case = replace(of_refused(_inside(origin), target.with_value(plain, value)), inner=value)
        has_form = case.refusal is not None and is_held(claims, case.refusal.rule)
        if has_form and restored(target.schema, value, claims.representations) == value:
            yield case


def is_wrong_alone(answer: JudgedAnswer) -> bool:
    """Return whether the body alone is written or read wrong as well, as its own cases show."""
    case, session = answer.case, answer.trial.session
    body = Body(case.schema)
    if case.inner is None or not session.offers(body, answer.way):
        return False
    if answer.way == ENCODE:
        value = body.judged(session.claims, case.inner)
        return judge(session.claims, body, _due_written(body, value), session.encode(body, value)).is_wrong
    wire = case.inner if isinstance(case.inner, bytes) else body.write(body.judged(session.claims, case.inner))
    verdict, [outcome] = body.judge(wire), session.decode_many(body, [wire])
    return judge(session.claims, body, Due(verdict.result, value=verdict.value), outcome).is_wrong


def _due_written(body: Body, value: Any) -> Due:
    try:
        return Due(Result.VALID, body.write(value))
    except Unencodable:
        return TO_BE_REFUSED


def _inside(origin: CaseOrigin) -> CaseOrigin:
    """Return the origin of a variation inside of something else."""
    if not origin.path:
        return CaseOrigin.of_part(CasePart.BODY, origin.way)
    return origin._replace(path=f"{CasePart.BODY}-{origin.path}")


def _type_at(body: Body, path: str) -> str:
    """Return the type of the field of a variation; empty for the whole value, or for tags."""
    try:
        return fields_at(body.schema, path)[-1].type if path else ""
    except LookupError:
        return ""


def _one_of_each(body: Body, items: Iterable[tuple[CaseOrigin, Item]]) -> Iterator[tuple[CaseOrigin, Item]]:
    """Yield the first item of each variation and type of a field."""
    covering = Covering()
    return (each for each in items if covering.keeps((each[0].way, _type_at(body, each[0].path))))
