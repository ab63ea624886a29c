"""The parts of nights.

Their cases are made by moves, message version by message version, in endless rounds. A clock may stop a night after any
part.
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.pipeline.corpus_plan import ROW_COST, width
from conformance.campaign.plan import PART_COST, Part
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.selection import other_names, parse_selection, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.plan import Parameters
    from reference import Release

SEED = "night"

FEWEST_ROWS = 50
"""The least number of cases of a message version in a round."""


class PartStream(NamedTuple):
    """All parts of all nights.

    Every round has the same parts, each time with further cases.

    Attributes:
        parameters: the campaign's parameters.
        of_round: the parts of the first round, those of different implementations in turn.
        rows: the most cases of a message version in a round.
    """

    parameters: Parameters
    of_round: tuple[Part, ...]
    rows: int

    def part(self, number: int) -> Part:
        """Return a part by its number, from 0 on."""
        turn, place = divmod(number, len(self.of_round))
        subject, blocks = self.of_round[place]
        return Part(subject, tuple(block._replace(first=block.first + turn * self.rows) for block in blocks))

    def parts(self, first: int) -> Iterator[tuple[int, Part]]:
        """Yield all parts from number `first` on."""
        return ((number, self.part(number)) for number in count(first))

    @property
    def digest(self) -> str:
        """A hash of the parts.

        It differs for other definitions, messages or implementations.
        """
        labels = [subject.label for subject in self.parameters.subjects]
        return sha256(json.dumps([self.parameters.release, labels, self.of_round, self.rows]).encode()).hexdigest()


def stream_of(impls: Sequence[str], release: Release, messages: tuple[str, ...]) -> PartStream:
    """Load every implementation once, and plan a round.

    Arguments and errors are those of `prepared`.
    """
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
