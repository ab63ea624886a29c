"""The only loop that runs cases, sends their requests and yields their events.

    for event in run(session, cases): ...

Bytes that may be invalid are read together, in a child process where there is one. A harness gets the other requests
of many cases ahead. All cases are judged in their order.

`counted` counts the events of a run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from conformance.judge.case import Ended, LeftOpen, Tried, Violation, Waited
from conformance.judge.kinds import CaseTrial, CodecCase
from conformance.judge.standing import Standing
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.tally import Tally
    from conformance.targets import Ask
    from conformance.targets.outcome import Outcome

CASES_AHEAD = 64
"""The number of cases with requests sent ahead.

Each has about two requests, so the harness need not wait for the suite.
"""

MILLISECONDS = 1000


def run(session: Session, cases: Iterable[CodecCase | Event]) -> Iterator[Event]:
    """Run cases and yield the events of each.

    Events among the cases are yielded in their place. The cases are those of one check: the evidence of an earlier one
    on a base decides about the cases made from it.
    """
    standing, stream = Standing(), iter(cases)
    while batch := _next_of(session, stream, standing):
        trials = [each for each in batch if isinstance(each, _Running)]
        yield from _read_together(session, trials)
        # A batch may have many isolated cases, so their further requests are sent ahead in chunks.
        for chunk in _chunks(batch):
            _send_ahead(session, [each for each in chunk if isinstance(each, _Running)], standing)
            for each in chunk:
                if isinstance(each, _Running):
                    yield from _of_case(session, each)
                else:
                    yield each


def violations(session: Session, cases: Iterable[CodecCase | Event]) -> Iterator[Violation]:
    """Run cases and yield the violations."""
    return (event for event in run(session, cases) if isinstance(event, Violation))


def _next_of(session: Session, stream: Iterator[CodecCase | Event], standing: Standing) -> list[_Running | Event]:
    """Return the next batch of cases.

    It has any number of cases with isolated requests only, and at most `CASES_AHEAD` others.
    """
    batch: list[_Running | Event] = []
    apart = 0
    while apart < CASES_AHEAD and (each := next(stream, None)) is not None:
        if isinstance(each, CodecCase):
            trial = CaseTrial(session, each, standing)
            asks = trial.requests()
            batch.append(_Running(trial, asks))
            # Isolated requests are sent together, whatever their number.
            apart += any(not ask.isolated for ask in asks)
        else:
            batch.append(each)
    return batch


def _chunks(batch: Sequence[_Running | Event]) -> Iterator[Sequence[_Running | Event]]:
    return (batch[start : start + CASES_AHEAD] for start in range(0, len(batch), CASES_AHEAD))


@dataclass(slots=True)
class _Running:
    """A trial that runs, with its next requests and the calls so far."""

    trial: CaseTrial
    asks: Sequence[Ask]
    tried: list[Tried] = field(default_factory=list)

    def take(self, ask: Ask, outcome: Outcome, milliseconds: float) -> None:
        """Add the outcome of a call."""
        self.tried.append(Tried(self.trial.case, ask, outcome, milliseconds))
        self.trial.answers[ask.key] = outcome


def _read_together(session: Session, trials: Sequence[_Running]) -> Iterator[Waited]:
    """Read the bytes that may be invalid, and yield the time taken by inputs without an answer.

    Each call gets the mean of their times.
    """
    isolated = [(trial, ask) for trial in trials for ask in trial.asks if ask.isolated]
    if not isolated:
        return
    before, start = session.waited, time.perf_counter()
    outcomes = session.read_together([ask for _, ask in isolated])
    mean = MILLISECONDS * (time.perf_counter() - start) / len(isolated)
    for (trial, ask), outcome in zip(isolated, outcomes, strict=True):
        trial.take(ask, outcome, mean)
    for trial in trials:
        trial.asks = [ask for ask in trial.asks if not ask.isolated]
    if session.waited > before:
        yield Waited(session.waited - before)


def _send_ahead(session: Session, trials: Sequence[_Running], standing: Standing) -> None:
    """Send a harness the next requests, as if every base were accepted."""
    if session.sends_ahead:
        presumed = standing.presumed()
        following = (each.asks or replace(each.trial, standing=presumed).requests() for each in trials)
        session.send([ask for asks in following for ask in asks])


def _of_case(session: Session, running: _Running) -> Iterator[Event]:
    """Send the requests of a case until it has no more, then judge it."""
    trial, asks = running.trial, running.asks
    while asks or (asks := trial.requests()):
        for ask in asks:
            start = time.perf_counter()
            outcome = session.ask(ask)
            running.take(ask, outcome, MILLISECONDS * (time.perf_counter() - start))
        # The next requests may depend on these answers.
        asks = ()
    yield from running.tried
    yield from trial.judged()
    yield Ended(trial.case)


def counted(events: Iterable[Event], tally: Tally) -> Iterator[Violation]:
    """Yield the violations among events, and count the others.

    A violation of what a rule leaves open to its side belongs to the profile.
    """
    for event in events:
        if isinstance(event, Violation) and event.is_left_open:
            tally.take(LeftOpen((event.rule,), accepts=event.outcome in (Kind.BYTES, Kind.VALUE)))
        elif isinstance(event, Violation):
            yield event
        else:
            tally.take(event)
