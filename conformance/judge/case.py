"""A case, and the events that come of it.

A case gives what it asks, gets the outcomes, and yields events. Whoever runs it counts, records or shows them: no check
counts anything by itself. A `Violation` is one rule that is broken in one case.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import Struct

from conformance.adapter import DIRECTIONS
from conformance.judge.clusters import case_rank, cluster_of, cluster_of_field
from conformance.judge.events import observed, side_of
from conformance.judge.forms import Broken, Key, Limit
from reference.paths import without_indexes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Ask, Session
    from conformance.codec.targets import Target
    from conformance.judge.clusters import CaseRank
    from conformance.judge.events import Expectation, Observation
    from conformance.judge.forms import Pair
    from conformance.judge.standing import Blame, Standing

EDGE_VALUES, GENERATED_VALUES = "edge values", "generated values"
"""Sorts of cases of which some succeed with every codec."""

HOSTILE_INPUTS, INVALID_INPUTS = "hostile inputs", "invalid inputs"
UNENCODABLE_VALUES, AFTER_A_REFUSAL = "unencodable values", "messages after a refusal"
INVALID_FRAMES, INVALID_STORED = "invalid frames", "invalid stored messages"
MADE_FROM_BASES = frozenset(
    (HOSTILE_INPUTS, INVALID_INPUTS, UNENCODABLE_VALUES, AFTER_A_REFUSAL, INVALID_FRAMES, INVALID_STORED)
)
"""The sorts of cases that are made from valid values which the implementation may refuse."""

Json = dict[str, Any]


class Case(ABC):
    """One input of a check. It can be stored and read again.

    The classes are in `conformance.judge.checks`, each beside the check that makes it; `all_cases` there lists them.
    """

    kind: ClassVar[str]
    """The name of the class in files."""

    directions: ClassVar[tuple[Direction, ...]] = DIRECTIONS
    """The directions in which an implementation is tried: it must offer one of them."""

    is_sound: ClassVar[bool] = False
    """Whether it is a sound value, of which traits are noted."""

    name: str
    """The name of the case: unique among the deterministic cases of a message and a kind."""

    path: str
    """The field that it is about; empty for the message itself."""

    @property
    @abstractmethod
    def target(self) -> Target:
        """What is on the wire."""

    @property
    def deterministic(self) -> bool:
        """Whether every run tries it."""
        return True

    @property
    def is_tampered(self) -> bool:
        """Whether bytes were changed to make it: what they mean then, if they mean anything, is no common value."""
        return False

    @property
    def traits(self) -> frozenset[str]:
        """What its value has that codecs are often wrong about; empty for what is no sound value."""
        return frozenset()

    @property
    def wire(self) -> bytes | None:
        """The bytes of the case; None if it is a value that has none."""
        return None

    @property
    def value(self) -> str | None:
        """The JSON text of the value of the case; None if it is bytes."""
        return None

    def extras(self) -> Json:
        """Return the members of `CaseForm` that this kind of case has beyond name, path, bytes and value."""
        return {}

    def replay_arguments(self, direction: str) -> list[str]:
        """Return the options of `kafka-conformance replay` that run this case again; see `Violation.direction`."""
        return input_arguments(self, by_value=direction == "encode")

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:
        """Return the command that runs this case again, ready to be pasted into a shell."""
        words = ["kafka-conformance", "replay", "--impl", impl, "--message", self.target.message]
        words += ["--version", str(self.target.version), *options]
        return shlex.join([*words, *self.replay_arguments(direction)])

    def violation(
        self, blame: Blame, found: Outcome | Observation, expectation: Expectation, direction: str
    ) -> Violation:
        """Return a violation in this case."""
        return Violation(blame.rule, blame.path, direction, expectation, observed(found), self)


class CodecCase(Case):
    """A case of a codec: what it asks, and how the answers are judged."""

    is_counted: ClassVar[bool] = False
    """Whether its outcomes are counted by direction: those of bodies and of record batches are."""

    @abstractmethod
    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:
        """Return what to ask next; nothing: it can be judged.

        Args:
            session: with the implementation, which says what it offers.
            answers: to what was asked so far; empty at first.
            standing: what earlier cases of the check have shown.
        """

    @abstractmethod
    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Yield what came of it; more is asked only to tell what a violation is about."""

    def again(self, session: Session) -> Iterable[CodecCase | Event]:  # noqa: ARG002  # a subclass may ask before
        """Return what is run to try the case by itself, whatever it was made from."""
        return (self,)


MAXIMUM_REPLAYED = 400
"""From this length on a deterministic case is replayed by its name."""


def input_arguments(case: Case, *, by_value: bool) -> list[str]:
    """Return a case's value or bytes as options; the name of a deterministic one that would fill the screen."""
    given = case.value if by_value else None
    words = ["--wire", (case.wire or b"").hex()] if given is None else ["--value", given]
    return ["--case", case.name] if case.deterministic and len(words[1]) > MAXIMUM_REPLAYED else words


@dataclass(frozen=True)
class Violation:
    """One rule broken in one case."""

    rule: str
    path: str
    direction: str
    """encode or decode; frame, stored or header for what is around a body."""
    expectation: Expectation
    observation: Observation
    case: Case

    @classmethod
    def of(cls, event: Broken, case: Case) -> Violation:
        """Return the violation behind `event`, in the case that it is about."""
        return cls(event.rule, event.path, event.direction, event.expectation, event.observation, case)

    @property
    def outcome(self) -> str:
        """What the implementation did: a kind of outcome, or `consumed`, `size` or `header-version` for a number."""
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
        """Message and version."""
        return self.message, self.version

    @property
    def side(self) -> str:
        """Whose rule it is: `decode`, a reader's, or `encode`, a writer's."""
        return side_of(self.direction, self.expectation.what)

    @property
    def deterministic(self) -> bool:
        """Whether every run meets it."""
        return self.case.deterministic

    @cached_property
    def cluster(self) -> str:
        """What the implementation itself says, without values, or a field; see `conformance.judge.clusters`."""
        of_field = cluster_of_field(self.rule, self.outcome, self.message, self.field)
        return of_field or cluster_of(self.observation, self.message)

    @property
    def key(self) -> Key:
        """What makes two violations one finding."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def field(self) -> str:
        """The field in which it is broken: the path without indices."""
        return without_indexes(self.path)

    @cached_property
    def weight(self) -> tuple[CaseRank, int, int, str, int, str, str, str, str]:
        """The smaller, the more telling. No two violations have the same, so that no order depends on processes."""
        wire, value = self._input
        size = len(wire) + len(value)
        place = (self.message, self.version, self.case.name)
        is_elsewhere = self.case.path != self.path
        rank = case_rank(self.case.name, self.outcome, deterministic=self.deterministic, is_elsewhere=is_elsewhere)
        length, last = self.expectation.length, repr(self.observation)
        return (rank, size, length, *place, self.direction, wire + value, last)

    @cached_property
    def _input(self) -> tuple[str, str]:
        """The bytes in hex and the JSON form of the value; empty where there is none or it says nothing new."""
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
    """One call for a case, and its outcome; it took so many milliseconds."""

    case: CodecCase
    ask: Ask
    outcome: Outcome
    milliseconds: float


class Judged(Struct, frozen=True, tag="judged"):
    """Cases of a sort that count as tested; an empty sort: they count as part of others."""

    category: str
    count: int = 1


class RulesTried(Struct, frozen=True, tag="rules-tried"):
    """Rules of which a violation, and nothing else, would have been seen."""

    rules: frozenset[str]

    @classmethod
    def of(cls, *rules: str) -> RulesTried:
        """Return some rules."""
        return cls(frozenset(rules))


class Skipped(Struct, frozen=True, tag="skipped"):
    """Cases of a sort in a pair that prove nothing, since the valid value behind them is refused as well."""

    category: str
    pair: str
    count: int = 1


class Beyond(Struct, frozen=True, tag="beyond"):
    """A sound value that was refused, and is beyond a limit which the implementation declares."""

    limit: str


class LeftOpen(Struct, frozen=True, tag="left-open"):
    """What was done with something that these rules leave open; and what was read, if it is another value."""

    rules: tuple[str, ...]
    accepts: bool
    reading: str = ""


class Reasoned(Struct, frozen=True, tag="reasoned"):
    """The reason of the reference for a rejection, and the one that was given."""

    reference: str
    given: str


class Adapted(Struct, frozen=True, tag="adapted"):
    """A field of a pair in which the bases have another value than the usual one."""

    pair: str
    path: str


class NotAsked(Struct, frozen=True, tag="untried"):
    """Something that was not asked, with the outcome that says why."""

    direction: str
    message: str
    outcome: Outcome


class Replied(Struct, frozen=True, tag="replied"):
    """What came from a program behind a port for a frame that is about a message."""

    message: str
    outcome: Outcome


class Waited(Struct, frozen=True, tag="waited"):
    """Seconds that inputs without an answer have taken."""

    seconds: float


Event: TypeAlias = (
    Tried
    | Judged
    | RulesTried
    | Skipped
    | Beyond
    | Limit
    | LeftOpen
    | Reasoned
    | Adapted
    | NotAsked
    | Replied
    | Waited
    | Violation
)
"""What comes of cases; a `Violation` is what `Broken` is the event of in files."""
