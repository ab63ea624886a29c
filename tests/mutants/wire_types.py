"""Mutants of wire types alone, without fields of such a type in any message."""

from tests.helpers.releases import NEWEST
from tests.mutants.around import mutants
from tests.second_codec.steps import VarintWay, signed


def _folded_in_32_bits(number: int) -> int:
    value = signed(number >> 1 ^ -(number & 1))
    return value << 1 ^ value >> 32


WAYS = {
    "varint-with-the-sign-first": VarintWay(number=lambda number: number + 2 * (number & 1)),
    "varlong-folded-in-32-bits": VarintWay(number=_folded_in_32_bits),
    "unsigned-varint-read-with-a-sign": VarintWay(number=signed),
    "varint-of-ten-bytes": VarintWay(most=10),
}

MUTANTS = tuple(mutants("wire types", "wire_types.tsv", WAYS, NEWEST))
"""Every mutant of wire types alone."""
