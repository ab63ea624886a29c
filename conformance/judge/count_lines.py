"""Counts of cases and outcomes, in one form for events, the sums of an item and the lines of a report."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from conformance.targets.outcome import Kind

UNASKED = "nothing more is asked: "
"""The beginning of the reason for a server without any request."""

AFTER_DEATH = "after a death: "
"""The beginning of the reason for a request like one that ended a server."""


class Inconclusive(Struct, frozen=True, tag_field="event", tag="inconclusive"):
    """Inconclusive cases of a category in a pair.

    They prove nothing, since their valid base value is refused as well.
    """

    cases: str
    pair: str
    count: Count


class AdaptedBase(Struct, frozen=True, tag_field="event", tag="adapted-base"):
    """A field of base values with another value than the usual one, which is refused."""

    pair: str
    path: str


class UnspecifiedProfile(Struct, frozen=True, tag_field="event", tag="unspecified-profile"):
    """The number of times that an input left open by a rule was accepted, or refused."""

    rule: str
    accepts: bool
    count: Count


class Limit(Struct, frozen=True, tag_field="event", tag="limit"):
    """The sizes tried for one limit, up to the declared limit and beyond it.

    Attributes:
        name: the name of the limit, as `tags`.
        taken: the largest accepted size.
        refused: the smallest refused size; -1 if none was.
        declared: the declared limit; -1 if there is none.
    """

    name: str
    taken: Count
    refused: int
    declared: int


class BeyondLimit(Struct, frozen=True, tag_field="event", tag="beyond-limit"):
    """Refused values beyond a declared limit, which is legal."""

    name: str
    count: Count


class UnspecifiedReading(Struct, frozen=True, tag_field="event", tag="unspecified-reading"):
    """The number of times that accepted bytes were read as another value than by Apache Kafka."""

    rule: str
    reading: str
    count: Count


class Untried(Struct, frozen=True, tag_field="event", tag="unsupported"):
    """Calls for a message without support in the implementation."""

    message: str
    reason: str
    count: Count

    @property
    def kind(self) -> str:
        """The outcome of these calls."""
        return str(self.__struct_config__.tag)


class UnrepresentableLine(Untried, frozen=True, tag_field="event", tag="unrepresentable"):
    """Calls with values that its types cannot hold."""


class NotRun(Untried, frozen=True, tag_field="event", tag="not-run"):
    """Cases left out after others of their hang group had ended or stopped the implementation."""


class ReasonLine(Struct, frozen=True, tag_field="event", tag="reason"):
    """The number of rejections with a reason, beside that of the reference."""

    reference: str
    given: str
    count: Count


class OutcomeCount(Struct, frozen=True, tag_field="event", tag="outcome-count"):
    """The number of outcomes of a kind in a direction."""

    direction: str
    kind: str
    count: Count


class Unclassified(Struct, frozen=True, tag_field="event", tag="unclassified"):
    """The number of exceptions of a type outside of the declared rejections."""

    exception: str
    count: Count


UNTRIED = {Kind.NOT_RUN: NotRun, Kind.UNREPRESENTABLE: UnrepresentableLine, Kind.UNSUPPORTED: Untried}
"""The counts of calls without a right or wrong result, by their outcome."""

CountLine: TypeAlias = (
    Inconclusive
    | AdaptedBase
    | UnspecifiedProfile
    | Limit
    | BeyondLimit
    | UnspecifiedReading
    | Untried
    | UnrepresentableLine
    | NotRun
    | ReasonLine
)
"""The counts that are lines of a report."""

REPORTED: tuple[type[CountLine], ...] = (
    *(Inconclusive, AdaptedBase, UnspecifiedProfile, Limit, BeyondLimit, UnspecifiedReading),
    *UNTRIED.values(),
    ReasonLine,
)
"""The same in the order of a report."""
