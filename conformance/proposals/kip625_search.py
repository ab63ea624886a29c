"""Which reading of KIP-625's example comes closest to the two sizes that it prints.

The names in the response (hosts, cluster, topic) are the same in both cases, so that the difference of the two sizes,
2,856 bytes, does not depend on them; and for any reading one total length of names gives the best case exactly. So
readings are compared by their differences, as long as that length is possible.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from conformance.proposals.kip625_metadata import BEST, NAMES, Reading, schema_of, size, worst

DOCUMENT_BEST = 1170
DOCUMENT_WORST = 4026
DIFFERENCE = DOCUMENT_WORST - DOCUMENT_BEST

FEWEST_LETTERS = 3
"""Of all names: one for each host and one for the topic; the cluster need not have any."""

CHOICES: dict[str, tuple[Any, ...]] = {
    "version": (9, 10),
    "kind": ("upacked", "packed"),
    "whole_message": (True, False),
    "counts_tags": (False, True),
    "in_sync": (2, 1),
    "offline": (0, 1, 2),
    "identifier": (2**28, 2**27),
    "error_code": (256, 2**15 - 1),
    "high_partitions": (True, False),
    "high_epoch": (True, False),
}
"""What is tried for each property of a reading, the plain one first."""


class Candidate(NamedTuple):
    """A reading, and what it comes to with names of such a length that the best case has the document's size."""

    reading: Reading
    letters: int
    """Of all names together."""
    worst: int

    @property
    def miss(self) -> int:
        """How many bytes more than the document's the worst case has."""
        return self.worst - DOCUMENT_WORST

    @property
    def departures(self) -> tuple[str, ...]:
        """What is not as in the plain reading."""
        plain = Reading()
        names = [each.name for each in fields(Reading)]
        return tuple(name for name in names if getattr(self.reading, name) != getattr(plain, name))


@cache
def candidates() -> tuple[Candidate, ...]:
    """Every reading whose best case can have the document's size."""
    readings = (Reading(**dict(zip(CHOICES, values, strict=True))) for values in product(*CHOICES.values()))
    return tuple(found for found in map(candidate, readings) if found.letters >= FEWEST_LETTERS)


def candidate(reading: Reading) -> Candidate:
    """What a reading comes to; `letters` may be fewer than there can be."""
    schema = schema_of(reading)
    best, most = size(reading, schema, BEST), size(reading, schema, worst(reading))
    return Candidate(reading, NAMES + DOCUMENT_BEST - best, DOCUMENT_BEST + most - best)


def closest(count: int) -> list[Candidate]:
    """The readings whose worst case is closest to the document's; of those that come to the same, the plainest."""
    plainest: dict[int, Candidate] = {}
    for each in sorted(candidates(), key=lambda each: (abs(each.miss), len(each.departures), each.departures)):
        plainest.setdefault(each.miss, each)
    return list(plainest.values())[:count]


def tried() -> int:
    """How many readings there are."""
    return prod(map(len, CHOICES.values()))
