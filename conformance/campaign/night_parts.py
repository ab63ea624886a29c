"""The parts of nights: cases made by moves, pair by pair, in rounds without end: a clock may stop anywhere."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.plan import PART_COST, Part
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.campaign.spark.corpus_plan import ROW_COST, width
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.selection import other_names, parse_selection, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.plan import Parameters
    from reference import Release

SEED = "night"

FEWEST_ROWS = 50
"""The cases of a pair in a round, at least."""


class PartStream(NamedTuple):
    """All parts of all nights: round after round the same ones, each time with further cases.

    Attributes:
        parameters: of the campaign.
        of_round: the parts of the first round, those of different implementations in turn.
        rows: the cases of a pair in a round, at most.
    """

    parameters: Parameters
    of_round: tuple[Part, ...]
    rows: int

    def part(self, number: int) -> Part:
        """Return a part; the first one has number 0."""
        turn, place = divmod(number, len(self.of_round))
        subject, blocks = self.of_round[place]
        return Part(subject, tuple(block._replace(first=block.first + turn * self.rows) for block in blocks))

    def parts(self, first: int) -> Iterator[tuple[int, Part]]:
        """Yield all parts from number `first` on."""
        return ((number, self.part(number)) for number in count(first))

    @property
    def digest(self) -> str:
        """A hash of the parts: those of other definitions, messages or implementations have another one."""
        labels = [subject.label for subject in self.parameters.subjects]
        return sha256(json.dumps([self.parameters.release, labels, self.of_round, self.rows]).encode()).hexdigest()


def stream_of(impls: Sequence[str], release: Release, messages: tuple[str, ...]) -> PartStream:
    """Load every implementation once, and plan a round; arguments and errors are as of `prepared`."""
    schemas = select(list(release.schemas()), parse_selection(messages), other_names())
    cost = sum(ROW_COST + width(schema.body) for schema in schemas)
    rows = max(FEWEST_ROWS, PART_COST // max(1, cost))
    parameters, parts = prepared(
        CampaignRequest(
            *(impls, release, rows * len(schemas), SEED, None),
            fixed=False,
            messages=messages,
            limits=DecodeLimits(),
            moves=True,
            is_night=True,
        )
    )
    by_subject = [[part for part in parts if part.subject == index] for index in range(len(impls))]
    ordered = sorted((place, part.subject, part) for own in by_subject for place, part in enumerate(own))
    return PartStream(parameters, tuple(part for *_, part in ordered), rows)
