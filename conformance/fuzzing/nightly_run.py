"""A night: slices side by side until the budget is spent."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from conformance.fuzzing.batch import FOUND, SEARCH, Slice
from conformance.fuzzing.summary import Summary
from conformance.suite.found_cases import SUFFIX, BadFoundCase, recorded_pair
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.fuzzing.batch import Plan, Result
    from conformance.fuzzing.rotation import Rotation

SLICE_SECONDS = 60.0
"""What a slice is meant to take: long beside the second or two that a process takes to start."""

FIRST_PAIRS = 2
"""How many pairs a slice has, before it is known how long one takes."""

MARGIN = 0.8
"""The part of the time left that a slice is given: some pairs take longer than others."""

SHORTEST = 5.0
"""With fewer seconds left no slice is begun."""

PAUSE = 0.05


class NightFailed(ConformanceError):
    """No slice can be run at all; the text is what the first one said."""


class Budget(NamedTuple):
    """When a night is over: when the time is up, or when every pair has had that many turns."""

    seconds: float
    rounds: int | None = None


class Night:
    """One night's search.

    Args:
        plan: what every slice is given.
        rotation: whose turn it is.
        budget: when it is over.
        workers: how many slices run side by side.
    """

    def __init__(self, plan: Plan, rotation: Rotation, budget: Budget, workers: int) -> None:
        self._plan = plan
        self._rotation = rotation
        self._workers = workers
        self.budget = budget
        self._began = time.monotonic()
        self._running: list[Slice] = []
        self._alone: deque[str] = deque()
        """Pairs of slices that died, each to be searched by itself: one of them is to blame."""
        self._measured = (0, 0.0)
        self.summary = Summary(rotation.searched)

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def run(self, progress: Callable[[], None]) -> Summary:
        """Search until the budget is spent, or until control-C; `progress` is called now and then.

        Raises:
            NightFailed: the suite refuses to run.
        """
        known = {file.name for file in self._plan.found.glob(f"*{SUFFIX}")}
        try:
            self._try_found_cases()
            while self._running or self._has_time:
                self._step()
                progress()
        except KeyboardInterrupt:
            self.summary.interrupted = True
        finally:
            self._stop()
        self.summary.seconds = self.elapsed
        self.summary.found = sorted({file.name for file in self._plan.found.glob(f"*{SUFFIX}")} - known)
        return self.summary

    @property
    def _has_time(self) -> bool:
        return self.budget.seconds - self.elapsed >= SHORTEST and len(self._finished) < len(self._rotation.searched)

    @property
    def _finished(self) -> set[str]:
        """The pairs that need no further turn in this night."""
        rounds = self.budget.rounds
        return {pair for pair, turns in self._rotation.searched.items() if rounds is not None and turns >= rounds}

    def _try_found_cases(self) -> None:
        """What earlier nights found comes first, all of it, whoever's turn it is."""
        pairs = set()
        for file in sorted(self._plan.found.glob(f"*{SUFFIX}")):
            try:
                pairs.add(recorded_pair(file))
            except BadFoundCase as error:
                raise NightFailed(str(error)) from error
        offered = sorted(pairs & set(self._rotation.searched))
        if offered:
            self._running.append(Slice(self._plan, offered, FOUND))

    def _step(self) -> None:
        """Take in what has ended, begin what there is time for, and stop what there is no time for."""
        for each in [each for each in self._running if not each.is_running]:
            self._running.remove(each)
            self._take(each.result())
        while len(self._running) < self._workers and self._has_time:
            pairs = self._next_pairs()
            if not pairs:
                break
            self._running.append(Slice(self._plan, pairs))
        if self.elapsed >= self.budget.seconds:
            for each in self._running:
                each.stop()
        time.sleep(PAUSE)

    def _next_pairs(self) -> list[str]:
        if self._alone:
            return [self._alone.popleft()]
        busy = {pair for running in self._running for pair in running.pairs if running.marker == SEARCH}
        busy |= self._finished | set(self._alone)
        pairs, seconds = self._measured
        if not pairs:
            return self._rotation.next(FIRST_PAIRS, busy)
        time_left = min(SLICE_SECONDS, MARGIN * (self.budget.seconds - self.elapsed))
        return self._rotation.next(max(1, int(time_left * pairs / seconds)), busy)

    def _take(self, result: Result) -> None:
        if result.is_refused:
            raise NightFailed(result.output.strip())
        self.summary.add(result)
        if result.marker != SEARCH:
            return
        if result.has_died and len(result.pairs) > 1:
            self._alone.extend(result.pairs)
        elif not result.stopped:
            self._rotation.done(result.pairs)
            pairs, seconds = self._measured
            self._measured = (pairs + len(result.pairs), seconds + result.seconds)

    def _stop(self) -> None:
        """Have what still runs write down what it has."""
        for each in self._running:
            each.stop()
        for each in self._running:
            while each.is_running:
                time.sleep(PAUSE)
            result = each.result()
            if not result.is_refused:
                self.summary.add(result)
        self._running.clear()
