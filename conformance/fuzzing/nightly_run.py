"""A nightly run: batches side by side until the budget is spent."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from conformance.fuzzing.batch import FOUND, SEARCH, Batch
from conformance.fuzzing.summary import Summary
from conformance.suite.found_cases import SUFFIX, BadFoundCase, recorded_pair
from reference import ConformanceError, load_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.fuzzing.batch import BatchResult, Plan
    from conformance.fuzzing.rotation import Rotation

BATCH_SECONDS = 60.0
"""The intended duration of a batch: long compared with the second or two that a process takes to start."""

FIRST_PAIRS = 2
"""The number of pairs of a batch, before the time that a pair takes is known."""

MARGIN = 0.8
"""The part of the remaining time that a batch is planned for: some pairs take longer than others."""

SHORTEST = 5.0
"""With fewer seconds left no batch is started."""

PAUSE = 0.05


class NightlyRunFailed(ConformanceError):
    """No batch can be run at all; the text is the output of the first one."""


class Budget(NamedTuple):
    """The end of a nightly run: after so many seconds, or when every pair was searched that many times."""

    seconds: float
    rounds: int | None = None


class NightlyRun:
    """One search within a time budget, with so many batches side by side."""

    def __init__(self, plan: Plan, rotation: Rotation, budget: Budget, workers: int) -> None:
        self._plan = plan
        self._rotation = rotation
        self._workers = workers
        self.budget = budget
        self._began = time.monotonic()
        self._running: list[Batch] = []
        self._alone: deque[str] = deque()
        """Pairs of batches that died, each to be searched by itself: one of them is to blame."""
        self._measured = (0, 0.0)
        self.summary = Summary(rotation.searched, load_release(plan.release))

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def run(self, progress: Callable[[], None]) -> Summary:
        """Search until the budget is spent, or until control-C; `progress` is called now and then.

        Raises:
            NightlyRunFailed: the suite refuses to run.
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
        """The pairs that need no further search in this run."""
        rounds = self.budget.rounds
        return {pair for pair, turns in self._rotation.searched.items() if rounds is not None and turns >= rounds}

    def _try_found_cases(self) -> None:
        """Try all found cases of earlier runs first."""
        pairs = set()
        for file in sorted(self._plan.found.glob(f"*{SUFFIX}")):
            try:
                pairs.add(recorded_pair(file))
            except BadFoundCase as error:
                raise NightlyRunFailed(str(error)) from error
        offered = sorted(pairs & set(self._rotation.searched))
        if offered:
            self._running.append(Batch(self._plan, offered, FOUND))

    def _step(self) -> None:
        """Take in ended batches, start new ones while there is time, and stop those that are out of time."""
        for batch in [batch for batch in self._running if not batch.is_running]:
            self._running.remove(batch)
            self._take(batch.result())
        while len(self._running) < self._workers and self._has_time:
            pairs = self._next_pairs()
            if not pairs:
                break
            self._running.append(Batch(self._plan, pairs))
        if self.elapsed >= self.budget.seconds:
            for batch in self._running:
                batch.stop()
        time.sleep(PAUSE)

    def _next_pairs(self) -> list[str]:
        if self._alone:
            return [self._alone.popleft()]
        busy = {pair for running in self._running for pair in running.pairs if running.marker == SEARCH}
        busy |= self._finished | set(self._alone)
        pairs, seconds = self._measured
        if not pairs:
            return self._rotation.next(FIRST_PAIRS, busy)
        time_left = min(BATCH_SECONDS, MARGIN * (self.budget.seconds - self.elapsed))
        return self._rotation.next(max(1, int(time_left * pairs / seconds)), busy)

    def _take(self, result: BatchResult) -> None:
        if result.is_refused:
            raise NightlyRunFailed(result.output.strip())
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
        """Stop what still runs, and take in its report."""
        for batch in self._running:
            batch.stop()
        for batch in self._running:
            while batch.is_running:
                time.sleep(PAUSE)
            result = batch.result()
            if not result.is_refused:
                self.summary.add(result)
        self._running.clear()
