"""Each wire type alone, compared with Apache Kafka."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.comparison import Question, content_difference, other, read, rejected, written
from conformance.generate.primitives import broken_primitives, primitive_values
from conformance.implementation.targets import WireType
from reference import Malformed, Unencodable, primitive, primitives

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITTEN_FROM_WIDER_TYPES = frozenset(("uint16", "uint32"))
"""Java has no unsigned types: these are written from a wider one, and only the setter of a message refuses a number."""


def wire_type_questions() -> Iterator[Question]:
    """Yield the questions about each wire type: values both ways, and bytes that most readers must refuse."""
    for name in primitives():
        target = WireType(primitive(name))
        for index, value in enumerate(primitive_values(target.primitive)):
            yield from _value_questions(target, f"{name}/{index}", value)
        for wire in broken_primitives(target.primitive):
            yield from _bytes_questions(target, wire)


def _value_questions(target: WireType, name: str, value: Any) -> Iterator[Question]:
    try:
        wire = target.write(value)
    except Unencodable as error:
        if error.rule == "number.range" and target.message in WRITTEN_FROM_WIDER_TYPES:
            return
        yield Question.to_write("primitives not writable", name, target, value, rejected(str(error)))
        return
    yield Question.to_write("primitives written", name, target, value, written(wire))
    yield _read_question(target, name, wire)


def _read_question(target: WireType, name: str, wire: bytes) -> Question:
    decoded = target.primitive.decode(wire)

    def difference(reply: Any) -> object:
        return content_difference(target, decoded.value, reply) or other(decoded.consumed, reply["consumed"])

    return Question.to_read("primitives read", name, target, wire, read(difference))


def _bytes_questions(target: WireType, wire: bytes) -> Iterator[Question]:
    """Yield a question about bytes that are valid or invalid; none about unspecified ones."""
    name = f"{target} from {wire.hex()}"
    try:
        target.read(wire)
    except Malformed as error:
        if error.reason is not None:
            yield Question.to_read("primitives not readable", name, target, wire, rejected(str(error)))
        return
    yield _read_question(target, name, wire)
