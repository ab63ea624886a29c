"""The proof of each wire type alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.broken import broken_cases
from conformance.generate.cases import edge_cases
from conformance.generate.choices import SeededChoices
from conformance.generate.edges import UNKNOWN_TAGS, blob_of
from conformance.generate.refusals import unwritable_cases
from conformance.generate.values import sample
from conformance.proof_questions import Question, read, rejected, written
from reference import Malformed, Primitive, Unencodable, primitive, primitives
from reference.values.comparison import float_bits

if TYPE_CHECKING:
    from collections.abc import Iterator

VALUES = 100
LENGTHS = ("8000", "fffe", "ffff", "7fff", "80000000", "fffffffe", "ffffffff", "7fffffff")
"""Lengths that are negative, null, or beyond anything, as int16 and int32."""
VARINTS = (
    "", "80", "ffffff", "ffffffff", "00", "ffffffff0f", "8080808008", "8180808008", "ffffffff7f", "8080808080",
    "818080808000", "ffffffffff01", "ffffffffffffffffff01", "ffffffffffffffffff7f", "80808080808080808001",
    "ffffffffffffffffffff01", "8080808080808080808000", "8100", "82808000", "8080808000",
)  # fmt: skip
"""Varints cut, overlong, with excess bits, and of one byte too many, for 32 and for 64 bits."""
SECTIONS = ("", "01", "0105", "010502ca", "020501ca", "01ffffffff0f00", "020500", "0105ffffffff0f", "01058080808008")
"""Tag sections with less than they announce, and with sizes that nothing has."""


def primitive_questions() -> Iterator[Question]:
    """Each wire type, both ways, and what it must refuse."""
    for name in primitives():
        each = primitive(name)
        for index, value in enumerate(_values(each)):
            yield from _questions(each, f"{name}/{index}", value)
        for wire in _broken(each):
            yield from _broken_question(each, wire)


def _values(each: Primitive) -> Iterator[Any]:
    """Edges, random values, and values that have no bytes."""
    if each.schema is not None:
        yield from (variation.value["value"] for variation in edge_cases(each.schema))
        yield from (sample(each.schema, f"prove/{index}")["value"] for index in range(VALUES))
        yield from (
            variation.value["value"] for _, variation in unwritable_cases(each.schema) if _sayable(variation.what)
        )
    elif each.range is not None:
        yield from _numbers(*each.range)
    else:
        yield from _sections()


def _sayable(what: str) -> bool:
    """Numbers out of range cannot be said in Java."""
    return not what.lstrip("-").isdigit()


def _numbers(lowest: int, highest: int) -> Iterator[int]:
    """Both sides of every power of two, and as many random numbers of each width."""
    bits = (highest - lowest).bit_length()
    around = {sign * (2**power) + step for power in range(bits) for sign in (1, -1) for step in (-1, 0, 1)}
    yield from sorted(number for number in {*around, lowest, highest} if lowest <= number <= highest)
    choices = SeededChoices(f"prove/{lowest}/{highest}")
    for index in range(VALUES):
        width = 2 ** (index % bits)
        yield choices.integer(max(lowest, -width), min(highest, width))


def _sections() -> Iterator[list[tuple[int, bytes]]]:
    yield []
    yield from ([(tag, body)] for tag in (0, *UNKNOWN_TAGS) for body in (b"", b"\xca\xfe"))
    yield from ([(5, blob_of(length))] for length in (126, 127, 128, 16_383, 16_384))
    yield [(tag, bytes([index])) for index, tag in enumerate(UNKNOWN_TAGS)]
    yield [(tag, b"") for tag in range(200)]


def _questions(each: Primitive, name: str, value: Any) -> Iterator[Question]:
    request = {"op": "encode-primitive", "name": each.name, "value": each.to_json(value)}
    try:
        wire = each.encode(value)
    except Unencodable as error:
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


def _broken(each: Primitive) -> Iterator[bytes]:
    if each.schema is not None:
        yield from (case.wire for case in broken_cases(each.schema))
        yield from (bytes.fromhex(length) for length in LENGTHS)
    elif each.range is None:
        yield from map(bytes.fromhex, SECTIONS)
    yield from map(bytes.fromhex, VARINTS)


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
