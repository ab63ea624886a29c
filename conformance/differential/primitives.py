"""The proof of each wire type alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.questions import Question, read, rejected, written
from conformance.generate.primitives import broken_primitives, primitive_values
from reference import Malformed, Primitive, Unencodable, primitive, primitives
from reference.values.comparison import float_bits

if TYPE_CHECKING:
    from collections.abc import Iterator


WRITTEN_FROM_WIDER_TYPES = frozenset(("uint16", "uint32"))
"""Java has no unsigned types: these are written from a wider one, and it is the setter of a message that refuses."""


def primitive_questions() -> Iterator[Question]:
    """Each wire type, both ways, and what it must refuse."""
    for name in primitives():
        each = primitive(name)
        for index, value in enumerate(primitive_values(each)):
            yield from _questions(each, f"{name}/{index}", value)
        for wire in broken_primitives(each):
            yield from _broken_question(each, wire)


def _questions(each: Primitive, name: str, value: Any) -> Iterator[Question]:
    request = {"op": "encode-primitive", "name": each.name, "value": each.to_json(value)}
    try:
        wire = each.encode(value)
    except Unencodable as error:
        if error.rule == "number.range" and each.name in WRITTEN_FROM_WIDER_TYPES:
            return
        yield Question("primitives not writable", name, request, rejected(str(error)))
        return
    yield Question("primitives written", name, request, written(lambda: wire))
    yield _read_question(each, name, wire)


def _read_question(each: Primitive, name: str, wire: bytes) -> Question:
    decoded = each.decode(wire)

    def compare(reply: Any) -> object:
        value = each.from_json(reply["value"])
        same = _bits(value) == _bits(decoded.value) and reply["consumed"] == decoded.consumed
        return None if same else f"{wire.hex()} as {dict(reply)}"

    return Question("primitives read", name, _decode_request(each, wire), read(compare))


def _bits(value: Any) -> Any:
    return float_bits(value) if isinstance(value, float) else value


def _broken_question(each: Primitive, wire: bytes) -> Iterator[Question]:
    """What is invalid is refused; sound bytes are read; what is left open is no question."""
    name = f"{each.name} from {wire.hex()}"
    try:
        each.decode(wire)
    except Malformed as error:
        if error.reason is not None:
            request = _decode_request(each, wire)
            yield Question("primitives not readable", name, request, rejected(str(error)))
        return
    yield _read_question(each, name, wire)


def _decode_request(each: Primitive, wire: bytes) -> dict[str, Any]:
    return {"op": "decode-primitive", "name": each.name, "wire": wire.hex()}
