"""Codecs of the drafts of KIP-482 and of KIP-625 with one fault."""

from dataclasses import replace

from reference import FieldSchema
from tests.mutants.mutant import mutants
from tests.mutants.tags import inflexible, number
from tests.second_codec.bodies import KnownBody, SectionWay, StructWay
from tests.second_codec.dialects import EncodingWay, bits_of, folded, unwoven, woven
from tests.second_codec.left_out import NO_BOUND, NO_LIMIT
from tests.second_codec.steps import VARINT, FixedWay, Input, LengthWay, Misstep, Tags, VarintWay, shortest, signed

_BACKWARDS = SectionWay(entries=lambda entries: entries[::-1])
_WITH_DEFAULTS = SectionWay(omits=lambda _field, _value: False)
_WITHOUT_SECTION = StructWay(of=inflexible)


def _unknown_last(entries: Tags) -> Tags:
    return sorted(entries, key=lambda entry: not isinstance(entry[1], KnownBody))


def _side_by_side(form: bytes) -> bytes:
    size, tag = unwoven(Input(form).varint("", 64))
    return shortest(tag) + shortest(size)


def _in_place_of(kind: str) -> EncodingWay:
    """Return the way of an encoding of a kind, in as many bits."""
    return EncodingWay(name=lambda field: f"{kind}{bits_of(str(field.encoding))}")


def _in_bits_of_type(kind: str) -> EncodingWay:
    return EncodingWay(name=lambda field: f"{kind}{bits_of(field.type)}")


def _narrowed(field: FieldSchema, number: int) -> int:
    return signed(number, bits_of(field.written_type))


def _clipped(field: FieldSchema, number: int) -> int:
    highest = (1 << bits_of(field.written_type) - 1) - 1
    return max(-highest - 1, min(number, highest))


def _without_sign(field: FieldSchema, number: int) -> int:
    return number if field.written_type == field.type else number & (1 << bits_of(field.written_type)) - 1


def _ten_bytes(bits: int, also: Misstep | None) -> Misstep:
    way = VarintWay(most=10, refuses=lambda number, _size: number >> bits > 0)
    return Misstep(f"encoded/*packed{bits}", way, also)


_KIP482 = {
    "buffer-at-the-end": None,
    "length-counts-the-tag": number(lambda length: length + folded(2)),
    "length-not-folded": number(lambda length: length // 2),
    "tag-before-length": None,
    "little-endian-tag": FixedWay(piece=lambda piece: piece[::-1]),
    "end-mark-missing": VarintWay(form=lambda _form: b""),
    "descending-entries": _BACKWARDS,
    "unknown-fields-last": SectionWay(entries=_unknown_last),
    "default-in-the-buffer": _WITH_DEFAULTS,
    "nested-buffer-missing": _WITHOUT_SECTION,
    "compact-strings": LengthWay(form=lambda form: replace(form, compact=True)),
    "kip-482-first-draft-length-filled-overlooked": None,
    "kip-482-first-draft-order-on-read-overlooked": None,
    "negative-length-ends": number(lambda length: 0 if length % 2 else length),
    "tags-without-sign": FixedWay(number=lambda tag: tag % 2**16),
    "as-far-as-it-goes": NO_BOUND,
    "section-at-the-end": None,
    "header-bits-swapped": number(lambda header: woven(*reversed(unwoven(header)))),
    "header-not-woven": VarintWay(form=_side_by_side),
    "descending-tags": _BACKWARDS,
    "default-in-the-section": _WITH_DEFAULTS,
    "nested-section-missing": _WITHOUT_SECTION,
    "released-protocol": None,
    "header-bits-dropped": VARINT,
    "kip-482-second-draft-length-filled-overlooked": None,
    "kip-482-second-draft-order-on-read-overlooked": None,
    "kip-482-second-draft-tag-within-31-bits-overlooked": None,
    "data-as-far-as-it-goes": NO_BOUND,
}
_KIP625 = {
    "packed-not-folded": _in_place_of("upacked"),
    "packed-with-the-sign-lowest": number(lambda pattern: pattern + 2 * (pattern % 2)),
    "upacked-folded": _in_place_of("packed"),
    "upacked-in-the-bits-of-the-type": _in_bits_of_type("upacked"),
    "fixed-in-the-bits-of-the-type": _in_bits_of_type("fixed"),
    "encodings-ignored": None,
    "narrowed-silently": EncodingWay(number=_narrowed),
    "clipped-to-the-encoding": EncodingWay(number=_clipped),
    "surplus-bits-dropped": VARINT,
    "varints-of-ten-bytes": _ten_bytes(16, _ten_bytes(32, _ten_bytes(64, None))),
    "sign-lost-on-promotion": EncodingWay(number=_without_sign),
    "encoding-of-the-version-before": EncodingWay(name=lambda _field: "fixed32"),
    "width-of-the-version-before": EncodingWay(name=lambda _field: "fixed32"),
}

KIP482 = tuple(mutants(_KIP482, table="proposals.tsv"))
KIP625 = tuple(mutants(_KIP625, table="proposals.tsv"))
(LENIENT,) = mutants({"long-strings-written": NO_LIMIT}, table="proposals.tsv")
"""A codec without a limit of strings, which the second draft of KIP-482 leaves open."""
