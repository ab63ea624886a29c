"""Counts what a run has tried, from its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.asks import DECODE, ENCODE
from conformance.judge.case import (
    Beyond,
    Judged,
    LeftOpen,
    Reasoned,
    Replied,
    RulesTried,
    Skipped,
    Tamed,
    Tried,
    Untried,
    Violation,
    Waited,
)
from conformance.judge.forms import Limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.tally import Tally
    from conformance.judge.case import Event

COUNTED = frozenset((ENCODE, DECODE))
"""The calls whose outcomes are counted."""


FRAME = "frame"
"""The direction under which replies are counted."""


def counted(events: Iterable[Event], tally: Tally) -> Iterator[Violation]:
    """Yield the violations among events, and count the others."""
    for event in events:
        if isinstance(event, Violation):
            yield event
        else:
            take(tally, event)


def take(tally: Tally, event: Event) -> None:  # noqa: C901, PLR0912  # one line for each kind of event
    """Count one event."""
    match event:
        case Tried():
            if event.case.is_counted and event.ask.what in COUNTED:
                tally.count(event.ask.what, event.case.target.message, event.outcome)
        case Judged():
            tally.case(event.sort, event.count)
        case RulesTried():
            tally.tried.update(event.rules)
        case Skipped():
            tally.rest(event.sort, event.pair, event.count)
        case Beyond():
            tally.beyond[event.limit] += 1
        case Limit():
            tally.limits.add((event.name, event.taken, event.refused, event.declared))
        case LeftOpen():
            tally.profile(event.rules, accepts=event.accepts)
            if event.reading:
                tally.readings[event.rules[0], event.reading] += 1
        case Reasoned():
            tally.reasons[event.reference, event.given] += 1
        case Tamed():
            tally.tamed.add((event.pair, event.path))
        case Untried():
            tally.count(event.direction, event.message, event.outcome)
        case Replied():
            tally.count(FRAME, event.message, event.outcome)
        case Waited():
            tally.waited += event.seconds
