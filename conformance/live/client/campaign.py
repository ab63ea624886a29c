"""Many trials of a client, several at a time: each answer gets a process of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conformance.catalogue.rules import SURVIVAL
from conformance.findings.report.results import Results
from conformance.live.client.answers import response_schema
from conformance.live.client.cases import AnswerCase, answer_from
from conformance.live.client.sound import MOST, check_sound_answers
from conformance.live.client.trial import TIMES, Observation, observe, repeated
from conformance.live.client.variations import SORT as SOUND
from conformance.live.client.variations import Sort
from conformance.live.traffic.judgement import WAYS
from reference import Result, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.violations import Violation
    from conformance.live.client.hostile import HostileAnswer
    from conformance.live.client.sound import ErrorAnswer
    from conformance.live.client.trial import Baseline, Subject

if TYPE_CHECKING:
    Answer = HostileAnswer | ErrorAnswer


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
    cut: list[str] = field(default_factory=list)
    """The sorts of sound answers with so many places that no more were looked for."""

    def __post_init__(self) -> None:
        release = self.subject.definitions.among[0]
        self.results = Results(self.known_failures, lambda event: answer_from(event, release), (), WAYS)

    def run(self, answers: Sequence[Answer], workers: int, done: Callable[[str], object] = lambda _: None) -> None:
        """Give each answer to the client, each in a process of its own."""
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(self._try, answer): answer for answer in answers}
            try:
                for future in as_completed(futures):
                    self._count(futures[future], future.result())
                    done(f"{futures[future].full_name}: {future.result()}")
            except BaseException:
                self.subject.ended.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        self.results.settle()

    def vary(self, done: Callable[[str], object] = lambda _: None) -> None:
        """Give the client sound answers of every shape."""
        places = 0
        for one in check_sound_answers(self.subject, self.baseline):
            if isinstance(one, Sort):
                self.results.tally.case(SOUND)
                self.cut += [one.name] if places == MOST else []
                places = 0
                done(f"sound answers, {one.name}")
            else:
                self.results.take(one)
                places += 1
                done(f"{one.case.name}: {one.actual}")
        self.results.settle()

    def _try(self, answer: Answer) -> Observation:
        def attempt() -> Observation:
            answer.is_said = False
            return observe(self.subject, self.subject.run(answer, self.baseline.memory))

        return repeated(attempt, self.times)

    def _count(self, answer: Answer, observation: Observation) -> None:
        if not answer.is_said:
            self.unsaid.append(answer.full_name)
            return
        self.results.tally.case(answer.sort)
        if observation.kind is not None:
            self.results.take(self._violation(answer, observation))

    def _violation(self, answer: Answer, observation: Observation) -> Violation:
        """Return a deadly outcome, blamed on the one rule that the answer breaks, else on survival."""
        schema = response_schema(self.subject.definitions, answer.pair)
        case = AnswerCase(schema, answer.full_name, answer.path, answer.wire, answer.kind)
        if answer.is_frame:
            return case.violated(SURVIVAL, answer.path, "no crash", observation)
        verdict = judge(schema, answer.wire)
        alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
        return case.violated(
            verdict.rules[0] if alone else SURVIVAL, verdict.path or answer.path, "no crash", observation
        )
