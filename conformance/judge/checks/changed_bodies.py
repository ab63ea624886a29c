"""The cases of changed bytes of bodies, made from base values that the implementation accepts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.generate.chosen_bytes import changes_of_bases
from conformance.generate.covering import Covering
from conformance.generate.depth import depth_in
from conformance.generate.hostile_bodies import changed_case
from conformance.generate.hostile_bodies import hostile_cases as every_hostile_case
from conformance.generate.refused_bytes import base_of, invalid_bytes
from conformance.judge.bases import bases_of, masked
from conformance.judge.checks.body_bytes import TRAILING, TRAILING_NAME, hostile_case, invalid_case, trailing_case
from conformance.targets import DECODE, Body
from reference import MessageSchema, encode
from reference import judge as judge_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.codec.session import Session
    from conformance.generate.edge_values import Bases
    from conformance.generate.origin import ChangedBytes
    from conformance.judge.case import Event
    from conformance.judge.kinds import CodecCase


def invalid_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield every invalid input of a message, made from accepted base values."""
    target = Body(schema)
    if not session.offers(target, DECODE):
        return
    taken = bases_of(session, target)
    yield from taken.events(schema)
    for each in invalid_bytes(schema, taken.bases):
        case = invalid_case(schema, each.name, each.path, each.wire, each.rule)
        yield replace(case, source=each.origin, is_inconclusive=base_of(each.origin) in taken.refused)


def trailing_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield a message with each of `TRAILING` after it."""
    if session.offers(Body(schema), DECODE):
        wire = encode(schema, bases_of(session, Body(schema)).bases.populated)
        yield from (trailing_case(Body(schema), TRAILING_NAME, wire + trailing) for trailing in TRAILING)


def hostile_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield every hostile input of a message, made from accepted base values."""
    target = Body(schema)
    if not session.offers(target, DECODE):
        return
    taken = bases_of(session, target)
    yield from taken.events(schema)
    made: dict[bytes, CodecCase] = {}
    for each in every_hostile_case(schema, taken.bases, lambda values: masked(session, schema, values)):
        case = _made(schema, each)
        made.setdefault(case.input, case)
        yield case
    if schema.flexible:  # all bytes chosen for the vectors of other versions are among those above
        yield from _of_vectors(session, schema, taken.bases, made)


def _of_vectors(
    session: Session, schema: MessageSchema, bases: Bases, made: Mapping[bytes, CodecCase]
) -> Iterator[CodecCase]:
    """Yield the changes that the golden vectors have and no other case."""
    tried = Covering(made)
    # The beginnings of these are among the invalid bytes.
    wholes = [encode(schema, value) for value in (bases.populated, bases.unknown_tag or bases.minimal)]
    depth = depth_in(session.release, schema.message, schema.version)
    chosen = changes_of_bases(
        schema, depth, bases, lambda wire: made[wire].verdict if wire in made else judge_bytes(schema, wire)
    )
    for base, change in chosen:
        if tried.keeps(change.wire) and not any(whole.startswith(change.wire) for whole in wholes):
            yield _made(schema, changed_case(base, change))


def _made(schema: MessageSchema, each: ChangedBytes) -> CodecCase:
    return hostile_case(schema, each.name, each.wire, each.origin.base or each.name, path=each.path, source=each.origin)
