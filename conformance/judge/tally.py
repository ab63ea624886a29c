"""The sum of the events of cases, as a few events in place of many.

An item of a run sends these to the controller. Most of them are lines of a report.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs

from conformance.adapter import DIRECTIONS
from conformance.judge import count_lines
from conformance.judge.case import Judged, LeftOpen, NotAsked, Replied, RulesTried, Tried, Waited
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.judge.case import Event
    from conformance.targets.outcome import Outcome

FRAME = "frame"
"""The direction for counts of replies."""

MAXIMUM_REASON = 120
"""Characters of a reason. Those with a difference after these are counted as one."""

Summed: TypeAlias = count_lines.CountLine | Judged | count_lines.OutcomeCount | count_lines.Unclassified
Sum: TypeAlias = Summed | RulesTried | Waited
"""An event of a tally."""


class Tally:
    """The sum of events.

    Args:
        events: the first ones.
    """

    def __init__(self, events: Iterable[Event | Sum] = ()) -> None:
        self._counts: defaultdict[type[Summed], Counter[tuple[Any, ...]]] = defaultdict(Counter)
        self.tried: set[str] = set()
        """Rules with a deterministic case, which would have shown a departure from this rule alone."""
        self.waited = 0.0
        """Seconds spent on inputs without an answer."""
        for event in events:
            self.take(event)

    def take(self, event: Event | Sum) -> None:
        """Add an event."""
        match event:
            case Tried() if event.case.is_counted and event.ask.what in DIRECTIONS:
                self._take_outcome(event.ask.what, event.case.target.message, event.outcome)
            case NotAsked():
                self._take_outcome(event.direction, event.message, event.outcome)
            case Replied():
                self._take_outcome(FRAME, event.message, event.outcome)
            case RulesTried():
                self.tried |= event.rules
            case LeftOpen():
                self._take_left_open(event)
            case Waited():
                self.waited += event.seconds
            case _ if isinstance(event, Summed):
                self._add(event)

    def _take_outcome(self, direction: str, message: str, outcome: Outcome) -> None:
        self._add(count_lines.OutcomeCount(direction, str(outcome.kind), 1))
        if outcome.kind in count_lines.UNTRIED:
            self._add(count_lines.UNTRIED[outcome.kind](message, outcome.text[:MAXIMUM_REASON], 1))
        elif outcome.kind is Kind.UNCLASSIFIED:
            self._add(count_lines.Unclassified(outcome.text.partition(":")[0], 1))

    def _take_left_open(self, event: LeftOpen) -> None:
        if len(set(event.rules)) == 1:  # else nothing is known about any of them
            self._add(count_lines.UnspecifiedProfile(event.rules[0], event.accepts, 1))
        if event.reading:
            self._add(count_lines.UnspecifiedReading(event.rules[0], event.reading, 1))

    def _add(self, event: Summed) -> None:
        kind, members = type(event), structs.astuple(event)
        key, count = (members[:-1], members[-1]) if _has_count(kind) else (members, 1)
        if count:
            self._counts[kind][key] += count

    def of(self, kind: type[Summed]) -> Counter[Any]:
        """Return the counts of a kind by its other members, or by the only one."""
        return Counter({key if len(key) > 1 else key[0]: count for key, count in self._counts[kind].items()})

    @property
    def cases(self) -> Counter[str]:
        """The number of cases by category."""
        return self.of(Judged)

    def lines(self) -> Iterator[count_lines.CountLine]:
        """Yield the counts with a line in a report, sorted."""
        return self._sums(count_lines.REPORTED)

    def events(self) -> list[Sum]:
        """Return the events whose sum is this tally."""
        return [RulesTried(frozenset(self.tried)), Waited(self.waited), *self._sums(self._counts)]

    def _sums(self, kinds: Iterable[type[Any]]) -> Iterator[Any]:
        for kind in kinds:
            for key, count in sorted(self._counts[kind].items()):
                yield kind(*key, count) if _has_count(kind) else kind(*key)


def _has_count(kind: type[Summed]) -> bool:
    return "count" in kind.__struct_fields__
