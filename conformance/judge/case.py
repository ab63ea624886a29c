"""A case of a check, and the events of its run.

The caller of a run counts, records or shows the events: no check counts anything by itself. A `Violation` is one rule
broken in one case.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from conformance.definitions.catalogue import UNSPECIFIED
from conformance.generate.origin import CaseOrigin, origin_of
from conformance.judge.clusters import case_rank, cluster_of, cluster_of_field
from conformance.judge.count_lines import AdaptedBase, BeyondLimit, Inconclusive, Limit, ReasonLine
from conformance.judge.events import observed, side_of
from conformance.judge.forms import Broken, Key
from conformance.judge.levels import level_of
from reference.paths import without_indexes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.judge.clusters import CaseRank
    from conformance.judge.events import Expectation, Observation
    from conformance.judge.forms import Pair
    from conformance.targets import Ask, Blame, Target
    from conformance.targets.outcome import Outcome

EDGE_VALUES, GENERATED_VALUES = "edge values", "generated values"
"""Categories of cases for which every codec succeeds at least once."""

HOSTILE_INPUTS, INVALID_INPUTS = "hostile inputs", "invalid inputs"
UNENCODABLE_VALUES, AFTER_A_REFUSAL = "unencodable values", "messages after a refusal"
INVALID_FRAMES, INVALID_STORED = "invalid frames", "invalid stored messages"
MADE_FROM_BASES = frozenset(
    (HOSTILE_INPUTS, INVALID_INPUTS, UNENCODABLE_VALUES, AFTER_A_REFUSAL, INVALID_FRAMES, INVALID_STORED)
)
"""The categories of cases made from valid base values, which the implementation may refuse."""

Json = dict[str, Any]


class Case:
    """One input of a check, in a form that files can store.

    Those of codecs are a `conformance.judge.kinds.CodecCase`; those of servers, clients and captures are beside their
    checks.
    """

    if TYPE_CHECKING:

        @property
        def kind(self) -> str:
            """The word for its kind in files."""

        @property
        def target(self) -> Target:
            """The thing on the wire."""

        @property
        def name(self) -> str:
            """The name, unique among the deterministic cases of a message and a kind."""

        @property
        def path(self) -> str:
            """The field under test; empty for the message itself."""

    @property
    def origin(self) -> CaseOrigin:
        """The change that made it, as far as its name says."""
        return origin_of(self.name)

    @property
    def is_counted(self) -> bool:
        """Whether its outcomes are counted by direction, as for bodies and record batches."""
        return False

    @property
    def is_sound(self) -> bool:
        """Whether it is a valid value with traits."""
        return False

    @property
    def deterministic(self) -> bool:
        """Whether every run tries it."""
        return True

    @property
    def is_tampered(self) -> bool:
        """Whether it was made by changing bytes.

        If such bytes are valid at all, their value is not a common one.
        """
        return False

    @property
    def traits(self) -> frozenset[str]:
        """The traits of its value that codecs are often wrong about.

        Empty unless it is a valid value.
        """
        return frozenset()

    @property
    def wire(self) -> bytes | None:
        """The bytes of the case, or None for a value without bytes."""
        return None

    @property
    def value(self) -> str | None:
        """The JSON text of the value of the case, or None for bytes."""
        return None

    def extras(self) -> Json:
        """Return the further members of `CaseForm` of this kind, beyond name, path, bytes and value."""
        return {}

    def replay_arguments(self, direction: str) -> list[str]:
        """Return the options of `kafka-conformance replay` for this case.

        Args:
            direction: as `Violation.direction`.
        """
        return input_arguments(self, by_value=direction == "encode")

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:
        """Return the shell command that runs this case again."""
        words = ["kafka-conformance", "replay", "--impl", impl, "--message", self.target.message]
        words += ["--version", str(self.target.version), *options]
        return shlex.join([*words, *self.replay_arguments(direction)])

    def violation(
        self, blame: Blame, found: Outcome | Observation, expectation: Expectation, direction: str
    ) -> Violation:
        """Return a violation in this case."""
        return Violation(blame.rule, blame.path, direction, expectation, observed(found), self)


MAXIMUM_REPLAYED = 400
"""The length of bytes or value above which a deterministic case is replayed by its name."""


def input_arguments(case: Case, *, by_value: bool) -> list[str]:
    """Return the value or bytes of a case as options.

    A long input of a deterministic case would fill the screen; its name takes the place.
    """
    given = case.value if by_value else None
    words = ["--wire", (case.wire or b"").hex()] if given is None else ["--value", given]
    return ["--case", case.name] if case.deterministic and len(words[1]) > MAXIMUM_REPLAYED else words


@dataclass(frozen=True)
class Violation:
    """One rule broken in one case."""

    rule: str
    path: str
    direction: str
    """encode or decode; frame, stored or header for bytes around a body."""
    expectation: Expectation
    observation: Observation
    case: Case

    @classmethod
    def of(cls, event: Broken, case: Case) -> Violation:
        """Return the violation of `event` in its case."""
        return cls(event.rule, event.path, event.direction, event.expectation, event.observation, case)

    @property
    def outcome(self) -> str:
        """The kind of outcome, or `consumed`, `size` or `header-version` for a wrong number."""
        return self.observation.outcome

    @property
    def message(self) -> str:
        """The message, or the wire type."""
        return self.case.target.message

    @property
    def version(self) -> int:
        """The version of the message."""
        return self.case.target.version

    @property
    def pair(self) -> Pair:
        """The message and its version."""
        return self.message, self.version

    @property
    def side(self) -> str:
        """The side with the broken rule, `decode` for a reader or `encode` for a writer."""
        return side_of(self.direction, self.expectation.what)

    @property
    def is_left_open(self) -> bool:
        """Whether its rule demands nothing of its side."""
        return level_of(self.rule, self.side, self.outcome) == UNSPECIFIED

    @property
    def deterministic(self) -> bool:
        """Whether every run meets it."""
        return self.case.deterministic

    @cached_property
    def cluster(self) -> str:
        """The text of the implementation without values, or a field.

        See `conformance.judge.clusters`.
        """
        of_field = cluster_of_field(self.rule, self.outcome, self.message, self.field)
        return of_field or cluster_of(self.observation, self.message)

    @property
    def key(self) -> Key:
        """The key of the finding of this violation."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def field(self) -> str:
        """The field of the violation, as a path without indices."""
        return without_indexes(self.path)

    @cached_property
    def weight(self) -> tuple[CaseRank, int, int, str, int, str, str, str, str]:
        """The sort key for the choice of a finding's example.

        The smallest is shown. No two violations have the same weight, so that the choice does not depend on the order
        of processes.
        """
        wire, value = self._input
        size = len(wire) + len(value)
        place = (self.message, self.version, self.case.name)
        is_elsewhere = self.case.path != self.path
        rank = case_rank(self.case.origin, self.outcome, deterministic=self.deterministic, is_elsewhere=is_elsewhere)
        length, last = self.expectation.length, repr(self.observation)
        return (rank, size, length, *place, self.direction, wire + value, last)

    @cached_property
    def _input(self) -> tuple[str, str]:
        """The bytes in hex and the JSON form of the value.

        The text is empty if there is none, or for a value beside bytes to read.
        """
        value = None if self.direction == "decode" else self.case.value
        return (self.case.wire or b"").hex(), value or ""

    def event(self) -> Broken:
        """Return the event, from which `conformance.judge.checks.all_cases` makes the violation again."""
        wire, value = self._input
        return Broken(
            kind=self.case.kind,
            rule=self.rule,
            message=self.message,
            version=self.version,
            path=self.path,
            outcome=self.outcome,
            cluster=self.cluster,
            direction=self.direction,
            case=self.case.name,
            expectation=self.expectation,
            observation=self.observation,
            wire=wire,
            value=value,
            deterministic=self.deterministic,
            **self.case.extras(),
        )


class Tried(Struct, frozen=True, tag="tried"):
    """One call for a case, with its outcome and its time in milliseconds."""

    case: Case
    ask: Ask
    outcome: Outcome
    milliseconds: float


class Judged(Struct, frozen=True, tag_field="event", tag="judged"):
    """The number of tested cases of a category.

    An empty category counts them as part of others.
    """

    category: str
    count: int = 1


class RulesTried(Struct, frozen=True, tag_field="event", tag="rules-tried"):
    """Rules tested by a case.

    The case would have shown a violation of each.
    """

    rules: frozenset[str]

    @classmethod
    def of(cls, *rules: str) -> RulesTried:
        """Return the event of some rules."""
        return cls(frozenset(rules))


class LeftOpen(Struct, frozen=True, tag="left-open"):
    """The behaviour on an input that these rules leave open, and the reading of another value."""

    rules: tuple[str, ...]
    accepts: bool
    reading: str = ""


class NotAsked(Struct, frozen=True, tag="untried"):
    """A request that was not sent, with the outcome for the reason."""

    direction: str
    message: str
    outcome: Outcome


class Replied(Struct, frozen=True, tag="replied"):
    """The reply of a server or client to a frame about a message."""

    message: str
    outcome: Outcome


class Waited(Struct, frozen=True, tag_field="event", tag="waited"):
    """Seconds taken by inputs without an answer."""

    seconds: float


class Ended(Struct, frozen=True, tag="ended"):
    """The end of a case, after its other events."""

    case: Case


Event: TypeAlias = (
    Tried
    | Judged
    | RulesTried
    | Inconclusive
    | BeyondLimit
    | Limit
    | LeftOpen
    | ReasonLine
    | AdaptedBase
    | NotAsked
    | Replied
    | Waited
    | Violation
    | Ended
)
"""The events of cases; `Broken` is the form of a `Violation` in files."""
