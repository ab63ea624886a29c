"""The explanation of one value of a wire type alone: an int32, a compact string, a varint, a tag section."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.explaining.bodies import body_parts, conclusion_of
from conformance.explaining.explanation import Explanation
from conformance.explaining.fields import field_at
from conformance.explaining.values import Said, describer
from conformance.implementation.targets import WireType
from reference import Malformed, Unencodable, primitive
from reference.codec import trace
from reference.definitions.model import RELEASED
from reference.paths import joined
from reference.primitives import VALUE

if TYPE_CHECKING:
    from reference import FieldSchema, Primitive, Span

APACHE_KAFKA = "Apache Kafka"


def explain_wire_type(name: str, wire: bytes) -> Explanation:
    """Return what the bytes of a value of a wire type are; any bytes have an explanation.

    Raises:
        UnknownPrimitive: there is no wire type of that name.
    """
    alone = primitive(name)
    fields = partial(_field_at, alone)
    read = trace(wire, alone.wire_type.read)
    parts = body_parts(fields, wire, read, partial(_describe, alone))
    conclusion = conclusion_of(read, _canonical(alone, wire), RELEASED)
    does = WireType(alone).judge(wire).apache_kafka
    if does is not None:
        conclusion = replace(conclusion, readers={APACHE_KAFKA: str(does)})
    return Explanation(name, wire, parts, conclusion)


def _field_at(alone: Primitive, path: str) -> FieldSchema | None:
    """Return the type as a field, or the element of an array; None for what is no type of a field."""
    return None if alone.schema is None else field_at(alone.schema, joined(VALUE, path))


def _describe(alone: Primitive, span: Span, piece: bytes) -> Said:
    if alone.range is not None:
        return Said(alone.name, str(alone.decode_leniently(piece).value))
    return describer(partial(_field_at, alone))(span, piece)


def _canonical(alone: Primitive, wire: bytes) -> bytes | None:
    """Return the bytes that a writer makes of the value that is read; None if there are none."""
    with suppress(Malformed, Unencodable):
        return alone.encode(alone.decode_leniently(wire).value)
    return None
