"""The run of a part of a campaign, whose cases give a row for each outcome.

The engine of checks runs the cases as in pytest, so a case breaks the same rules in both.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import AdapterError
from conformance.campaign.inputs import generated
from conformance.campaign.pipeline.errors import NotThisCorpus
from conformance.campaign.plan import FIXED, KEPT, OTHER, TaskBlock
from conformance.campaign.rows import OutcomeRow
from conformance.judge.case import Ended, Tried, Violation
from conformance.judge.checks.body_bytes import hostile_case, is_body_bytes
from conformance.judge.checks.check_list import run_message, run_other
from conformance.judge.engine import run
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.wording import actual_text
from conformance.targets import DECODE, ENCODE, Body
from conformance.targets.outcome import OF_THE_ADAPTER, Kind, Outcome
from reference import Result, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Case, Event
    from conformance.judge.kinds import CodecCase
    from reference import MessageSchema

NOT_CALLED = Outcome(Kind.NOT_RUN)
HASH_DIGITS = 16
AS_APACHE_KAFKA = "as Apache Kafka"


@dataclass
class PartResult:
    """The results of a part."""

    rows: list[OutcomeRow] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    faults: list[str] = field(default_factory=list)
    """Mistakes of the adapter, and reasons for blocks that were not run."""
    cases: int = 0
    deaths: int = 0
    """The number of deaths of child processes."""
    seconds: float = 0.0
    """Without the start of the session."""


class Input(NamedTuple):
    """A block with the bytes of its cases, if they come from a corpus."""

    block: TaskBlock
    kept: Sequence[tuple[str, bytes]] = ()


def run_part(label: str, session: Session, inputs: Sequence[Input], seed: str) -> PartResult:
    """Return the results of a part, which has budgets of its own.

    The label names the implementation in the rows. All calls are made in the child process of its session.

    Raises:
        AdapterError: the implementation does not continue.
        NotThisCorpus: the corpus lacks rows.
    """
    runner, child = _Runner(label, session, seed), session.child
    result, start = runner.result, perf_counter()
    deaths = 0 if child is None else child.begin_anew()
    for each in inputs:
        runner.run(each)
    result.seconds = perf_counter() - start
    result.deaths = 0 if child is None else child.restarts - deaths
    return result


class _Runner:
    def __init__(self, label: str, session: Session, seed: str) -> None:
        self._label = label
        self._session = session
        self._seed = seed
        self._block = TaskBlock(OTHER, "", 0)
        # The numbers of fixed cases of the current block, by kind and name.
        self._names: Counter[tuple[str, str]] = Counter()
        self.result = PartResult()

    def run(self, given: Input) -> None:
        """Run one block. A block that fails is reported among the faults."""
        self._block = given.block
        self._names.clear()
        try:
            self._take_all(self._events(given))
        except AdapterError as error:
            self.result.faults.append(f"{given.block.pair}: not run to its end: {error}")

    def _events(self, given: Input) -> Iterator[Event]:
        session, block = self._session, given.block
        if block.kind == OTHER:
            return run_other(session, block.message)
        schema = session.release.schema(block.message, block.version)
        if block.kind == FIXED:
            return run_message(session, schema)
        is_read = session.offers(Body(schema), DECODE)
        return run(session, list(self._cases(schema, given)) if is_read else ())

    def _cases(self, schema: MessageSchema, given: Input) -> Iterator[CodecCase]:
        block = given.block
        named = given.kept if block.kind == KEPT else generated(schema, block, self._seed)
        if block.kind == KEPT and len(given.kept) != block.rows:
            problem = f"{len(given.kept)} rows from {block.first} on, not {block.rows}"
            raise NotThisCorpus(f"the corpus has {problem} of {block.pair}; see `corpus check`, and --release")
        for name, wire in named:
            yield hostile_case(schema, name, wire, deterministic=False)

    def _take_all(self, events: Iterable[Event]) -> None:
        calls, broken = list[Tried](), list[Violation]()
        for event in events:
            if isinstance(event, Tried):
                calls.append(event)
            elif isinstance(event, Violation):
                broken.append(event)
            elif isinstance(event, Ended):
                if calls or broken:
                    self._keep(event.case, calls, broken)
                calls, broken = [], []

    def _keep(self, case: Case, calls: Sequence[Tried], found: Sequence[Violation]) -> None:
        result, broken = self.result, list[Violation]()
        result.cases += 1
        for violation in found:
            if violation.outcome not in OF_THE_ADAPTER:
                broken.append(violation)
                result.findings.add(violation)
            elif not result.faults:  # mistakes of the adapter are no findings, and the first one stands for all
                text = actual_text(violation.observation)
                result.faults.append(f"{violation.direction} of {case.target}: {text}")
        own = {each.ask.what: each for each in calls if each.ask.what in {ENCODE, DECODE} and not each.ask.name}
        result.rows += self._rows(case, self._id(case), own, broken)

    def _id(self, case: Case) -> str:
        """Return the id of a case, the same in all campaigns. Equal ids get a number."""
        target, block = case.target, self._block
        folder = "messages" if isinstance(target, Body) else target.folder
        parts = [self._session.release.name, folder, target.message, f"v{target.version}"]
        if block.kind in {FIXED, OTHER}:
            # Groups of record batches share some cases, so their ids have the name of the group.
            if block.message != target.message:
                parts.append(block.message)
            number = self._names[case.kind, case.name]
            self._names[case.kind, case.name] += 1
            parts.append(f"{case.kind}-{number}" if number else case.kind)
        return "/".join([*parts, case.name])

    def _rows(
        self, case: Case, name: str, calls: Mapping[str, Tried], broken: Sequence[Violation]
    ) -> Iterator[OutcomeRow]:
        blamed = {violation.direction for violation in broken}
        for direction, call in calls.items():
            if direction not in blamed:
                yield self._row(case, name, direction, call)
        for violation in broken:
            row = self._row(case, name, violation.direction, calls.get(violation.direction))
            yield row._replace(
                outcome=violation.outcome,
                rule=violation.rule,
                place=violation.field,
                error=violation.cluster or None,
            )

    def _row(self, case: Case, name: str, direction: str, call: Tried | None) -> OutcomeRow:
        verdict = case.verdict if is_body_bytes(case) and direction == DECODE else None
        target, outcome = case.target, NOT_CALLED if call is None else call.outcome
        open_rules = set(verdict.rules) if verdict and verdict.result is Result.UNSPECIFIED else set()
        return OutcomeRow(
            implementation=self._label,
            id=name,
            message=target.message,
            version=target.version,
            direction=direction,
            outcome=str(outcome.kind),
            rule=None,
            place=None,
            result=verdict.result.value if verdict else None,
            reason=verdict.reason.value if verdict and verdict.reason else None,
            open=next(iter(open_rules)) if len(open_rules) == 1 else None,
            reading=self._reading(case, outcome) if open_rules and is_body_bytes(case) else None,
            error=_text_of(outcome),
            milliseconds=0.0 if call is None else call.milliseconds,
            bytes=outcome.consumed if outcome.wire is None else len(outcome.wire),
        )

    def _reading(self, case: CodecCase, outcome: Outcome) -> str | None:
        """Return Apache Kafka's reading, or the hash of another value."""
        if outcome.kind is not Kind.VALUE:
            return None
        value = case.verdict.value
        if value is not None and case.target.difference(self._session.claims, value, outcome.value) is None:
            return AS_APACHE_KAFKA
        try:
            text = json.dumps(to_json(case.schema, outcome.value), sort_keys=True)
        except (TypeError, ValueError, KeyError, AttributeError):
            text = repr(outcome.value)  # a value of the wrong form: only equality matters here
        return sha256(text.encode(errors="surrogatepass")).hexdigest()[:HASH_DIGITS]


def _text_of(outcome: Outcome) -> str | None:
    """Return the type of the exception or the beginning of the error text, and None for an answer."""
    return outcome.text.partition(":")[0][:MAXIMUM_ERROR] or None if outcome.text else None


MAXIMUM_ERROR = 60
