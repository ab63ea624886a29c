"""Many trials of a client, several at a time, which handles each answer in a process of its own."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from conformance.definitions.catalogue import SURVIVAL
from conformance.judge.case import Judged, NotAsked, RulesTried
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.findings.wording import actual_text
from conformance.judge.judgement import rule_of_death
from conformance.judge.recording import record
from conformance.live.client.answer_cases import AnswerCase
from conformance.live.client.sound_answers import UNTRIED, Searched, check_sound_answers
from conformance.live.client.trial import TIMES, observe, repeated, response_schema
from conformance.live.client.variations import CATEGORY as SOUND
from conformance.live.client.variations import KINDS, VariationKind, pieces_of
from conformance.targets.outcome import Kind, Outcome
from reference import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.judge.case import Event, Violation
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.live.client.answer_cases import Observation
    from conformance.live.client.hostile_answers import HostileAnswer
    from conformance.live.client.sound_answers import ErrorAnswer
    from conformance.live.client.trial import Baseline, ClientSubject

    Answer = HostileAnswer | ErrorAnswer

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class TrialRunner:
    """The results of many trials."""

    client: ClientSubject
    baseline: Baseline
    known_failures: Sequence[KnownFailure] = ()
    times: int = TIMES
    """The number of runs that must end in the same way for a finding."""
    undelivered: list[str] = field(default_factory=list)
    """The answers without a request for them."""
    cut: dict[str, str] = field(default_factory=dict)
    """The reason for an incomplete search for places, by kind of sound answers."""
    seconds: float = math.inf
    """The time after which no run begins."""
    untried: list[str] = field(default_factory=list)
    """The answers left over at the end of the time."""

    def __post_init__(self) -> None:
        self.results = self.client.results(self.known_failures)
        self._end = time.monotonic() + self.seconds

    def run(self, answers: Sequence[Answer], workers: int, done: Callable[[str], object] = lambda _: None) -> None:
        """Give each answer to the client, each in a process of its own."""
        for answer, observation in self._each(self._try, answers, workers):
            if observation is None:
                self.untried.append(answer.full_name)
            else:
                self._count(answer, observation)
            done(f"{answer.full_name}: {observation or UNTRIED}")

    def vary(self, workers: int = 1, done: Callable[[str], object] = lambda _: None) -> None:
        """Give the client sound answers of every shape, several kinds at a time, with a line for each to `done`."""

        def check(kind: VariationKind) -> Searched:
            return check_sound_answers(self.client, self.baseline, kind, self._is_over)

        for kind, searched in self._each(check, KINDS, workers):
            self._cover(kind, searched)
            self.cut |= {kind.name: searched.cut} if searched.cut else {}
            found = "".join(f"; {each.case.name}: {actual_text(each.observation)}" for each in searched.violations)
            done(f"sound answers, {kind.name}{found}")

    def _each(self, call: Callable[[T], R], items: Sequence[T], workers: int) -> Iterator[tuple[T, R]]:
        """Yield each item with its result, in the order of completion. If anything fails, all clients are ended."""
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(call, item): item for item in items}
            try:
                for future in as_completed(futures):
                    yield futures[future], future.result()
            except BaseException:
                self.client.ended.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _is_over(self) -> bool:
        return time.monotonic() >= self._end

    def _cover(self, kind: VariationKind, searched: Searched) -> None:
        """Record an incomplete search only for pairs with violations."""
        found = defaultdict[str, "list[Violation]"](list)
        for violation in searched.violations:
            found[f"{violation.message}-v{violation.version}"].append(violation)
        pieces = pieces_of(self.client.definitions, kind, self.baseline.pairs)
        for pair in [*found] if searched.cut else dict.fromkeys(str(piece.pair) for piece in pieces):
            cases = max(1, len(found[pair]))
            record(self.results, SOUND, pair, [Judged(SOUND, cases), RulesTried.of(kind.rule), *found[pair]])

    def _try(self, answer: Answer) -> Observation | None:
        if self._is_over():
            return None

        def attempt(client: ClientSubject) -> Observation:
            answer.is_sent = False
            return observe(client, client.run(answer, self.baseline.memory))

        return repeated(self.client, attempt, self.times)

    def _count(self, answer: Answer, observation: Observation) -> None:
        if not answer.is_sent:
            self.undelivered.append(answer.full_name)
            return
        record(self.results, answer.category, str(answer.pair), self._events(answer, observation))

    def _events(self, answer: Answer, observation: Observation) -> Iterator[Event]:
        if observation.kind is Kind.NOT_RUN:
            yield NotAsked("decode", f"{answer.pair.api}Response", Outcome(Kind.NOT_RUN, text=observation.text))
            return
        yield Judged(answer.category)
        yield RulesTried(frozenset((SURVIVAL, answer.rule)) - {""})
        if observation.kind is not None:
            yield self._violation(answer, observation)

    def _violation(self, answer: Answer, observation: Observation) -> Violation:
        """Blame the one rule broken by the answer, else survival."""
        schema = response_schema(self.client.definitions, answer.pair)
        case = AnswerCase(schema, answer.full_name, answer.path, answer.wire, answer.kind)
        if answer.is_frame:
            return case.violated(SURVIVAL, answer.path, SURVIVES, observation)
        if answer.rule:
            return case.violated(answer.rule, answer.path, SURVIVES, observation)
        verdict = judge(schema, answer.wire)
        return case.violated(rule_of_death(verdict), verdict.path or answer.path, SURVIVES, observation)
