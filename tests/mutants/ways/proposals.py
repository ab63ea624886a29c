"""Ways of the encodings of KIP-625, and of the sections of KIP-482, by name."""

from collections.abc import Callable

from reference import FieldSchema
from tests.mutants.ways.basics import constant
from tests.second_codec.dialects import EncodingWay, bits_of, folded, unwoven, woven
from tests.second_codec.forms import shortest, signed
from tests.second_codec.steps import Input
from tests.second_codec.ways import VARINT, VarintWay


def _side_by_side(form: bytes) -> bytes:
    size, tag = unwoven(Input(form).varint("", 64))
    return shortest(tag) + shortest(size)


def _ten_bytes(bits: int) -> VarintWay:
    return VarintWay(most=10, refuses=lambda number, _size: number >> bits > 0)


HEADS = {
    "counts-the-tag": VarintWay(number=lambda length: length + folded(2)),
    "bits-swapped": VarintWay(number=lambda header: woven(*reversed(unwoven(header)))),
    "not-woven": VarintWay(form=_side_by_side),
    "surplus-bits-dropped": VARINT,
    **{f"ten-bytes-of-{bits}-bits": _ten_bytes(bits) for bits in (16, 32, 64)},
}


def _in_place_of(kind: str) -> Callable[[FieldSchema], str]:
    """Return the name of an encoding of a kind, in as many bits."""
    return lambda field: f"{kind}{bits_of(str(field.encoding))}"


def _in_bits_of_type(kind: str) -> Callable[[FieldSchema], str]:
    return lambda field: f"{kind}{bits_of(field.type)}"


def _narrowed(field: FieldSchema, number: int) -> int:
    return signed(number, bits_of(field.written_type))


def _clipped(field: FieldSchema, number: int) -> int:
    highest = (1 << bits_of(field.written_type) - 1) - 1
    return max(-highest - 1, min(number, highest))


def _without_sign(field: FieldSchema, number: int) -> int:
    return number if field.written_type == field.type else number & (1 << bits_of(field.written_type)) - 1


ENCODINGS = {
    "upacked": EncodingWay(name=_in_place_of("upacked")),
    "packed": EncodingWay(name=_in_place_of("packed")),
    "upacked-in-the-bits-of-the-type": EncodingWay(name=_in_bits_of_type("upacked")),
    "fixed-in-the-bits-of-the-type": EncodingWay(name=_in_bits_of_type("fixed")),
    "fixed32": EncodingWay(name=constant("fixed32")),
    "narrowed": EncodingWay(number=_narrowed),
    "clipped": EncodingWay(number=_clipped),
    "without-sign": EncodingWay(number=_without_sign),
}
