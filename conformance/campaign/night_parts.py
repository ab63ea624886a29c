"""The parts of nights, and their results.

The cases of a part are made by moves, message version by message version, in endless rounds. A clock may stop a night
after any part.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from conformance.campaign.folder import read_document
from conformance.campaign.pipeline.batches import OF_PART, PLAN
from conformance.campaign.pipeline.corpus_plan import ROW_COST, width
from conformance.campaign.pipeline.engines import PART
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.plan import PART_COST, Part
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.campaign.rows import FINDING, IMPLEMENTATION
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.selection import other_names, parse_selection, select
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.campaign.pipeline.engines import Row
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.plan import Parameters
    from reference import Release

SEED = "night"

FEWEST_ROWS = 50
"""The least number of cases of a message version in a round."""


class PartStream(NamedTuple):
    """All parts of all nights. Every round has the same parts, each time with further cases.

    Attributes:
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

    def blocks(self, numbers: Iterable[int], until: float) -> Iterator[Row]:
        """Yield the blocks of parts up to a time of `time.monotonic`."""
        for number in numbers:
            if time.monotonic() >= until:
                return
            for block in self.part(number).planned:
                yield {PART: number, PLAN: 0, **block}

    @property
    def digest(self) -> str:
        """A hash of the parts, another one for other definitions, messages or implementations."""
        labels = [subject.label for subject in self.parameters.subjects]
        return sha256(json.dumps([self.parameters.release, labels, self.of_round, self.rows]).encode()).hexdigest()


def stream_of(impls: Sequence[str], release: Release, messages: tuple[str, ...]) -> PartStream:
    """Load every implementation once, and plan a round, with the arguments and errors of `prepared`."""
    schemas = select(list(release.schemas()), parse_selection(messages), other_names())
    cost = sum(ROW_COST + width(schema.body) for schema in schemas)
    rows = max(FEWEST_ROWS, PART_COST // max(1, cost))
    parameters, parts = prepared(
        CampaignRequest(
            *(impls, release, rows * len(schemas), SEED, None, False, messages, DecodeLimits()),
            moves=True,
            is_night=True,
        )
    )
    in_turn = zip_longest(*([part for part in parts if part.subject == index] for index in range(len(impls))))
    return PartStream(parameters, tuple(filter(None, chain.from_iterable(in_turn))), rows)


PARTS, SUFFIX = "parts", ".json"

SECONDS = 10
"""The time between two files of results."""

_OF_FINDING = (IMPLEMENTATION, "rule", "outcome", "error", "message", "version", "place")


class KeptParts:
    """The results of a night's parts, kept in files of some seconds each. Those that are in the folder count.

    Findings of the same key, pair and field are one, with the smallest example.
    """

    def __init__(self, folder: Storage) -> None:
        self._folder = folder
        self._waiting: list[Row] = []
        self._written = time.monotonic()
        self.parts: dict[int, Row] = {}
        self.findings: dict[tuple[Any, ...], Row] = {}
        for name, content in folder.files(SUFFIX):
            problem = f"{folder.within(name)} has no results of a night"
            advice = ". Delete it, and run the night again."
            for form in read_document(list[_OfPart | _OfFinding], content, name, problem, advice):
                self._take(msgspec.to_builtins(form))

    def add(self, rows: Iterable[Row]) -> None:
        """Add the rows of whole parts."""
        for row in rows:
            if row.get("problem"):
                raise JobFailed("night", row["problem"], "The results of the other parts are kept.")
            own = {name: value for name, value in row.items() if value is not None}
            self._waiting.append(own)
            self._take(own)
        if time.monotonic() - self._written > SECONDS:
            self.write()

    def write(self) -> None:
        """Write the results added since the last time."""
        if self._waiting:
            last = next(reversed(self.parts), 0)  # no other file has results of this part
            self._folder.write(f"{last:06}{SUFFIX}", json.dumps(self._waiting).encode())
            self._waiting = []
        self._written = time.monotonic()

    def _take(self, row: Row) -> None:
        if row["kind"] != FINDING:
            self.parts[row["number"]] = row
            return
        key = tuple(row.get(name) for name in _OF_FINDING)
        known = self.findings.setdefault(key, {**row, "cases": 0})
        known["cases"] += row["cases"]
        known["example"] = min(filter(None, (known.get("example"), row.get("example"))), default=None)


class _OfPart(Struct, tag_field="kind", tag=OF_PART):
    implementation: str
    number: Count
    rows: Count
    hash: int
    cases: Count
    deaths: Count
    seconds: float
    faults: str = ""


class _OfFinding(Struct, tag_field="kind", tag=FINDING):
    implementation: str
    rule: str
    outcome: str
    error: str
    message: str
    version: int
    place: str
    cases: Count
    example: str = ""
