"""The plan of a campaign, its parameters and the parts of its work.

Parts depend on the parameters only. A part is work of one implementation, with budgets of its own. So a budget of time
or crashes always cuts the same cases, independent of machines and order.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance import __version__
from conformance.campaign.pipeline.corpus_plan import ROW_COST, cut, width
from conformance.codec.bridge.child_client import DEADLINE
from conformance.codec.bridge.isolation import MEMORY, DecodeLimits
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference import Release

PART_COST = 50_000
"""The approximate cost of a part, in units of `corpus_plan`: two thousand cases, about a second of one core."""

MOST_PARTS = 20_000
"""The most parts of an implementation; beyond it parts grow, since the driver plans all of them."""

FIXED_CASES = 300
"""The approximate number of deterministic cases of a message version."""

FIXED = "fixed"
OTHER = "other"
MADE = "made"
KEPT = "kept"
MOVED = "moved"


@dataclass(frozen=True)
class CampaignSubject:
    """One implementation of a campaign.

    Attributes:
        label: its name in the rows, unique in the campaign.
        impl: its name as given by the user.
        spec: the specification for the workers, such as the command of a program built before.
    """

    label: str
    impl: str
    spec: str
    version: str


class TaskBlock(NamedTuple):
    """Cases of one message version.

    Attributes:
        kind: `made`: rows `first` to `first + rows - 1` of a generated corpus; `kept`: those of a kept one; `moved`:
            bytes made by moves, with these numbers; `fixed`: the deterministic cases of every run; `other`:
            those of a wire type, or of a group of record batches.
        version: its version, or 0 if it has none.
        first: the first row.
        rows: the number of rows; 0 if it is unknown beforehand.
    """

    kind: str
    message: str
    version: int
    first: int = 0
    rows: int = 0

    @property
    def pair(self) -> str:
        """The name of the message version, as `FetchRequest-v17`, or that of a wire type or group."""
        return self.message if self.kind == OTHER else f"{self.message}-v{self.version}"


class Part(NamedTuple):
    """Work with budgets of its own, of one implementation, by its place in the parameters, and with blocks in order."""

    subject: int
    blocks: tuple[TaskBlock, ...]

    @property
    def cases(self) -> int:
        """The approximate number of its cases."""
        return sum(block.rows or FIXED_CASES for block in self.blocks)

    @property
    def planned(self) -> tuple[dict[str, Any], ...]:
        """Its blocks in the form of a plan."""
        return tuple(
            {"block": place, "subject": self.subject, **block._asdict()} for place, block in enumerate(self.blocks)
        )


@dataclass(frozen=True)
class Parameters:
    """All facts that determine the rows of a campaign, besides the implementations themselves."""

    release: str
    subjects: tuple[CampaignSubject, ...]
    cases: int
    """The number of cases without fixed ones; for a corpus its rows, and for a night the cases of a round."""
    seed: str = ""
    corpus: str = ""
    """The place of the corpus; empty if cases are generated."""
    corpus_hash: str = ""
    fixed: bool = False
    moves: bool = False
    """Whether generated cases are made by moves."""
    messages: tuple[str, ...] = ()
    memory: int = MEMORY
    """MiB for a decode."""
    deadline: float = DEADLINE
    """Seconds for a decode."""
    keeps_rows: bool = True
    """Whether outcomes are kept, and not only findings."""
    folder: str = ""
    """A folder to import adapters from, besides installed modules."""
    definitions: str = ""
    """A hash of the definitions, if they come from a folder."""
    suite_version: str = __version__

    @property
    def limits(self) -> DecodeLimits:
        """The limits of a decode."""
        return DecodeLimits(self.memory, self.deadline)

    def as_json(self) -> dict[str, Any]:
        """Return the parameters as they are in the manifest."""
        return asdict(self)

    @property
    def digest(self) -> str:
        """A hash of all facts but places."""
        return sha256(json.dumps(self.without_places().as_json()).encode()).hexdigest()

    def without_places(self) -> Parameters:
        """Return them without the places of corpus, programs and adapters, since these do not change the rows."""
        subjects = tuple(replace(subject, spec="") for subject in self.subjects)
        return replace(self, corpus="", folder="", subjects=subjects)


def parts(parameters: Parameters, blocks: Sequence[TaskBlock], offered: Sequence[frozenset[str]]) -> tuple[Part, ...]:
    """Return the parts of a campaign with all blocks, in order.

    `offered` has the message versions of each implementation, as `FetchRequest-v17`, and names of wire types and
    groups.
    """
    costs = _costs(parameters.release, blocks)
    found = []
    for index, pairs in enumerate(offered):
        own = [block for block in blocks if block.pair in pairs]
        if own:
            prices = [costs[block] for block in own]
            count = -(-sum(prices) // PART_COST)
            found += [Part(index, piece) for piece in cut(own, prices, min(count, MOST_PARTS))]
    return tuple(found)


def _costs(name: str, blocks: Sequence[TaskBlock]) -> Mapping[TaskBlock, int]:
    release = load_release(name)
    return {block: (block.rows or FIXED_CASES) * (ROW_COST + _width(release, block)) for block in blocks}


def _width(release: Release, block: TaskBlock) -> int:
    return 1 if block.kind == OTHER else width(release.schema(block.message, block.version).body)
