"""Many trials of a client, several at a time: each answer gets a process of its own."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from conformance.catalogue.rules import SURVIVAL
from conformance.engine.judgement import rule_of_death
from conformance.findings.events import SURVIVAL as SURVIVES
from conformance.findings.report.results import Results
from conformance.findings.report.wording import actual_text
from conformance.findings.violations import Violation
from conformance.live.client.cases import AnswerCase, answer_from
from conformance.live.client.sound import UNTRIED, Searched, check_sound_answers
from conformance.live.client.trial import TIMES, Observation, observe, repeated, response_schema
from conformance.live.client.variations import SORT as SOUND
from conformance.live.client.variations import SORTS, Sort, pieces_of
from conformance.live.traffic.judgement import WAYS
from reference import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.findings.forms import Broken
    from conformance.findings.known_failures import KnownFailure
    from conformance.live.client.hostile import HostileAnswer
    from conformance.live.client.sound import ErrorAnswer
    from conformance.live.client.trial import Baseline, Subject

    Answer = HostileAnswer | ErrorAnswer

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Campaign:
    """The results of many trials."""

    subject: Subject
    baseline: Baseline
    known_failures: Sequence[KnownFailure] = ()
    times: int = TIMES
    """How often a run must end in the same way to be a finding."""
    unsaid: list[str] = field(default_factory=list)
    """The answers that no request came for."""
    cut: dict[str, str] = field(default_factory=dict)
    """The sorts of sound answers of which not all places were looked for, and why."""
    seconds: float = math.inf
    """After which no run begins."""
    untried: list[str] = field(default_factory=list)
    """The answers that there was no time for."""

    def __post_init__(self) -> None:
        release = self.subject.definitions.among[0]

        def read(event: Broken) -> Violation:
            return Violation.of(event, answer_from(event, release))

        self.results = Results(self.known_failures, read, (), WAYS)
        self._end = time.monotonic() + self.seconds

    def run(self, answers: Sequence[Answer], workers: int, done: Callable[[str], object] = lambda _: None) -> None:
        """Give each answer to the client, each in a process of its own."""
        for answer, observation in self._each(self._try, answers, workers):
            if observation is None:
                self.untried.append(answer.full_name)
            else:
                self._count(answer, observation)
            done(f"{answer.full_name}: {observation or UNTRIED}")
        self.results.settle()

    def vary(self, workers: int = 1, done: Callable[[str], object] = lambda _: None) -> None:
        """Give the client sound answers of every shape, so many sorts at a time."""

        def check(sort: Sort) -> Searched:
            return check_sound_answers(self.subject, self.baseline, sort, self._is_over)

        for sort, searched in self._each(check, SORTS, workers):
            if searched.cut != UNTRIED:
                self.results.tally.case(SOUND)
            self._cover(sort, searched)
            self.cut |= {sort.name: searched.cut} if searched.cut else {}
            for violation in searched.violations:
                self.results.take(violation)
            told = "".join(f"; {each.case.name}: {actual_text(each.observation)}" for each in searched.violations)
            done(f"sound answers, {sort.name}{told}")
        self.results.settle()

    def _each(self, call: Callable[[T], R], items: Sequence[T], workers: int) -> Iterator[tuple[T, R]]:
        """Yield each item with what its call returns, as they end; all clients are ended if anything fails."""
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(call, item): item for item in items}
            try:
                for future in as_completed(futures):
                    yield futures[future], future.result()
            except BaseException:
                self.subject.ended.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _is_over(self) -> bool:
        return time.monotonic() >= self._end

    def _cover(self, sort: Sort, searched: Searched) -> None:
        """Take note in which pairs a sort was tried: of a search that was cut, only of those in which it found."""
        failed = {f"{violation.message}-v{violation.version}": violation for violation in searched.violations}
        pieces = pieces_of(self.subject.definitions, sort, self.baseline.pairs)
        tried = failed if searched.cut else dict.fromkeys(str(piece.pair) for piece in pieces)
        for pair in tried:
            violation = failed.get(pair)
            self.results.coverage.tries(pair, (sort.rule,))
            self._note(pair, SOUND, violation)

    def _note(self, pair: str, sort: str, violation: Violation | None) -> None:
        known = violation is not None and self.results.is_known(violation)
        self.results.coverage.note(pair, sort, failed=violation is not None and not known, known=known)

    def _try(self, answer: Answer) -> Observation | None:
        if self._is_over():
            return None

        def attempt() -> Observation:
            answer.is_said = False
            return observe(self.subject, self.subject.run(answer, self.baseline.memory))

        return repeated(attempt, self.times)

    def _count(self, answer: Answer, observation: Observation) -> None:
        if not answer.is_said:
            self.unsaid.append(answer.full_name)
            return
        self.results.tally.case(answer.sort)
        self.results.coverage.tries(str(answer.pair), (SURVIVAL,))
        violation = None if observation.kind is None else self._violation(answer, observation)
        self._note(str(answer.pair), answer.sort, violation)
        if violation is not None:
            self.results.take(violation)

    def _violation(self, answer: Answer, observation: Observation) -> Violation:
        """Return a deadly outcome, blamed on the one rule that the answer breaks, else on survival."""
        schema = response_schema(self.subject.definitions, answer.pair)
        case = AnswerCase(schema, answer.full_name, answer.path, answer.wire, answer.kind)
        if answer.is_frame:
            return case.violated(SURVIVAL, answer.path, SURVIVES, observation)
        verdict = judge(schema, answer.wire)
        return case.violated(rule_of_death(verdict), verdict.path or answer.path, SURVIVES, observation)
