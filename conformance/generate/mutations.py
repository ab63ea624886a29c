"""Mutations: one to three random changes anywhere in sound bytes, most with pieces that codecs often misread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.choices import SeededChoices, pick

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.generate.choices import Choices

PIECES = tuple(
    bytes.fromhex(piece)
    for piece in [
        "00",
        "01",
        "02",
        "05",
        "7f",
        "80",
        "ff",
        "ffff",
        "7fffffff",
        "ffffffff",
        "80000000",
        "8100",
        "8080808008",
        "ffffffff0f",
        "ffffffff7f",
        "8180808010",
        "808080808000",
        "c328",
        "eda080",
        "eda0",
        "e282",
        "f0808080",
        "c080",
    ]
)
"""Edges of lengths, counts, markers, tags and varints; and invalid UTF-8."""

MAXIMUM_MUTATIONS = 3


def mutated(wire: bytes, seed: str) -> bytes:
    """Return the mutation of `wire` that belongs to `seed`: always the same."""
    return mutate(wire, SeededChoices(f"damage/{seed}"))


def mutate(wire: bytes, choices: Choices) -> bytes:
    """Return `wire` with one to three mutations, drawn from `choices`."""
    for _ in range(1 + choices.below(MAXIMUM_MUTATIONS)):
        wire = pick(choices, MUTATIONS)(wire, choices)
    return wire


def _flip(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(max(1, len(wire)))
    return wire[:at] + bytes([byte ^ 1 << choices.below(8) for byte in wire[at : at + 1]]) + wire[at + 1 :]


def _insert(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(len(wire) + 1)
    return wire[:at] + pick(choices, PIECES) + wire[at:]


def _overwrite(wire: bytes, choices: Choices) -> bytes:
    at, piece = choices.below(len(wire) + 1), pick(choices, PIECES)
    return wire[:at] + piece + wire[at + len(piece) :]


def _replace(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(len(wire) + 1)
    return wire[:at] + pick(choices, PIECES) + wire[at + 1 :]


def _delete(wire: bytes, choices: Choices) -> bytes:
    at = choices.below(len(wire) + 1)
    return wire[:at] + wire[at + 1 + choices.below(3) :]


def _cut(wire: bytes, choices: Choices) -> bytes:
    return wire[: choices.below(len(wire) + 1)]


def _append(wire: bytes, choices: Choices) -> bytes:
    return wire + pick(choices, PIECES)


MUTATIONS: tuple[Callable[[bytes, Choices], bytes], ...] = (
    _flip,
    _insert,
    _overwrite,
    _replace,
    _delete,
    _cut,
    _append,
)
