"""Random changes anywhere in bytes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from conformance.generate.choices import SeededChoices, pick

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.generate.choices import Choices

MAXIMUM_MUTATIONS = 3

PIECES = tuple(map(bytes.fromhex, (
    "00", "01", "02", "05", "7f", "80", "ff", "ffff", "7fffffff", "ffffffff", "80000000", "8100", "8080808008",
    "ffffffff0f", "ffffffff7f", "8180808010", "808080808000", "c328", "eda080", "eda0", "e282", "f0808080", "c080",
)))  # fmt: skip
"""Bytes inserted by mutations: edges of lengths, counts, markers, tags and varints, and invalid UTF-8."""


def mutated(wire: bytes, seed: str) -> bytes:
    """Return the mutation of `wire` for `seed`, always the same."""
    return mutate(wire, SeededChoices(f"damage/{seed}"))


def mutate(wire: bytes, choices: Choices) -> bytes:
    """Return `wire` with one to three mutations.

    They are random changes anywhere, most with `PIECES`.
    """
    for _ in range(1 + choices.below(MAXIMUM_MUTATIONS)):
        wire = pick(choices, MUTATIONS)(wire, choices)
    return wire


def _flip(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(max(1, len(wire)))
    return wire[:at] + bytes([byte ^ 1 << choices.below(8) for byte in wire[at : at + 1]]) + wire[at + 1 :]


def _put(wire: bytes, choices: Choices, replaced: int | None = None) -> bytes:
    """Insert a piece in place of `replaced` bytes, or of as many bytes as it has if this is None."""
    at, piece = choices.below(len(wire) + 1), pick(choices, PIECES)
    return wire[:at] + piece + wire[at + (len(piece) if replaced is None else replaced) :]


def _delete(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(len(wire) + 1)
    return wire[:at] + wire[at + 1 + choices.below(3) :]


def _cut(wire: bytes, choices: Choices) -> bytes:
    return wire[: choices.below(len(wire) + 1)]


def _append(wire: bytes, choices: Choices) -> bytes:
    return wire + pick(choices, PIECES)


_insert, _replace = partial(_put, replaced=0), partial(_put, replaced=1)
MUTATIONS: tuple[Callable[[bytes, Choices], bytes], ...] = (_flip, _insert, _put, _replace, _delete, _cut, _append)
