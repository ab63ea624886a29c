"""The calls by which the mistakes of an adapter are learnt, with valid values of each message and with other bytes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.bridge.form_probes import distinct
from conformance.codec.outcome import Kind
from conformance.codec.selection import newest
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import Body
from reference import MessageSchema, Unencodable, encode, minimal
from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Session
    from reference import FieldSchema

PROBE = "probe of the adapter"
"""The hang group of the calls: after one that ends the library, those of its message are skipped."""


class ReadValueTrial(NamedTuple):
    """A valid value, its bytes, and what was read from them."""

    schema: MessageSchema
    value: dict[str, Any]
    wire: bytes
    outcome: Outcome


class Trials(NamedTuple):
    """The outcomes of the calls.

    Attributes:
        readings: of valid values.
        writings: of the smallest value of each pair.
        refusals: of reading bytes that end too early, with their messages.
        nonsense: of reading other bytes, in the pairs whose smallest value is not read.
    """

    readings: Sequence[ReadValueTrial]
    writings: Sequence[tuple[MessageSchema, Outcome]]
    refusals: Sequence[tuple[MessageSchema, Outcome]]
    nonsense: Sequence[tuple[MessageSchema, Outcome]]


def tried(session: Session, schemas: Sequence[MessageSchema]) -> Trials:
    """Return the outcomes of the calls for some messages.

    Those to read are made where hostile bytes are read, so that an end of the library costs one of them.
    """
    written, read = ([each for each in schemas if session.implementation.offers(way, each)] for way in (ENCODE, DECODE))
    values = [(each, minimal(each)) for each in read]
    values += [(each, value) for each in newest(read) for value in _values_with_content(each)]
    wires = [(schema, encode(schema, value)) for schema, value in values]
    readings = [
        ReadValueTrial(schema, value, wire, outcome)
        for (schema, value), (_, wire), (_, outcome) in zip(values, wires, _read(session, wires), strict=True)
    ]
    full = [(each, encode(each, distinct(each))) for each in newest(read)]
    refused = {each.schema: each.wire for each in readings if each.outcome.kind is not Kind.VALUE}
    nonsense = [(schema, NONSENSE if wire == b"" else b"") for schema, wire in refused.items()]
    return Trials(
        readings,
        [(each, session.apart(Ask(ENCODE, Body(each), minimal(each)))) for each in written],
        _read(session, [(schema, wire[:-1]) for schema, wire in full if wire]),
        _read(session, nonsense),
    )


NONSENSE = b"\xff"


def _read(session: Session, inputs: Sequence[tuple[MessageSchema, bytes]]) -> list[tuple[MessageSchema, Outcome]]:
    """Return the outcomes of reading, with the messages."""
    asks = [
        Ask(DECODE, Body(schema), wire, isolated=True, hang_group=f"{PROBE} {schema.message}")
        for schema, wire in inputs
    ]
    return list(zip((schema for schema, _ in inputs), session.read_together(asks), strict=True))


def _values_with_content(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield values of which each field has content, is empty, or is one."""
    for value in (distinct(schema), _filling(schema.body, 0), _filling(schema.body, 1)):
        with suppress(Unencodable):
            encode(schema, value)
            yield value


def _filling(field: FieldSchema, number: int) -> Any:
    """Return a value with a number in each integer, and nothing in texts and bytes.

    With 1 each field is null that may be null. Each other array has one element.
    """
    if field.nullable and number:
        return None
    if field.element is not None:
        return [_filling(field.element, number)]
    if field.type == "struct":
        return {each.name: _filling(each, number) for each in field.fields}
    if field.type in INTEGER_RANGES:
        return 0 if field.name.endswith("ErrorCode") else number
    return bool(number) if field.type == "bool" else IMPLICIT_DEFAULTS[field.type]
