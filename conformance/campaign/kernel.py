"""One part of a campaign: the cases of one implementation, the suite's own checks, and a row for each outcome.

The checks are those that pytest runs, called in the same way: the same case breaks the same rule here and there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from conformance.adapter import AdapterError
from conformance.bridge.isolation import Limits
from conformance.bridge.opening import open_session
from conformance.campaign.inputs import Inputs
from conformance.campaign.plan import FIXED
from conformance.campaign.recording import ENDED_PROCESS, MILLISECONDS, Call, Place, Progress, RecordingSession
from conformance.campaign.rows import Row
from conformance.catalogue.rules import SURVIVAL
from conformance.checks.absent_fields import check_absent_fields
from conformance.checks.body_cases import BytesCase, ContentCase
from conformance.checks.hostile_bytes import (
    HostileBytesCase,
    hostile_bytes_cases,
    hostile_outcomes,
    judge_hostile,
    value_requests,
)
from conformance.checks.invalid_bytes import (
    InvalidBytesCase,
    TrailingBytesCase,
    invalid_cases,
    invalid_outcomes,
    judge_invalid,
    judge_trailing,
    trailing_cases,
    trailing_outcomes,
)
from conformance.checks.partial_values import check_partial_values
from conformance.checks.state_leaks import check_leaks_of_reading, check_leaks_of_writing
from conformance.checks.unencodable_values import unencodable_cases
from conformance.checks.unspecified_values import unspecified_value_cases
from conformance.checks.values import value_cases
from conformance.findings.events import SURVIVAL as SURVIVES
from conformance.findings.finding import Findings
from conformance.findings.report.wording import actual_text
from conformance.findings.violations import Blame
from conformance.implementation.outcome import OF_THE_ADAPTER, Kind, Outcome
from conformance.implementation.targets import Body
from reference import Result, load_release, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.campaign.plan import Block, Parameters, Part
    from conformance.campaign.recording import Journal
    from conformance.findings.violations import Case, Violation
    from conformance.pipeline.storage import Storage
    from reference import MessageSchema

Value = TypeVar("Value", bound=ContentCase)

HASH_DIGITS = 16
AS_APACHE_KAFKA = "as Apache Kafka"


@dataclass
class PartResult:
    """What came of a part."""

    rows: list[Row] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    faults: list[str] = field(default_factory=list)
    """Mistakes of the adapter, and why blocks were not run."""
    cases: int = 0
    deaths: int = 0
    """How often a child process ended."""
    seconds: float = 0.0
    """Without the start of the session."""


def run_part(
    parameters: Parameters, part: Part, corpus: Storage | None, journal: Journal, fatal: dict[Place, str]
) -> PartResult:
    """Run a part.

    Raises:
        AdapterError: the implementation cannot be loaded.
        NotThisCorpus: the corpus lacks rows.
    """
    subject, release = parameters.subjects[part.subject], load_release(parameters.release)
    limits = Limits(parameters.memory, parameters.deadline)
    with open_session(subject.spec, release, limits) as opened:
        progress = Progress(journal, fatal)
        session = RecordingSession(opened.implementation, release, opened.decoder, progress=progress)
        runner = _Runner(subject.label, session, Inputs(parameters, corpus))
        start = perf_counter()
        for number, block in enumerate(part.blocks):
            runner.run(number, block, release.schema(block.message, block.version))
        runner.result.seconds = perf_counter() - start
        runner.result.deaths = getattr(opened.decoder, "restarts", 0) + len(fatal)
        return runner.result


class _Runner:
    """The blocks of one part, one after the other."""

    def __init__(self, label: str, session: RecordingSession, inputs: Inputs) -> None:
        self._label = label
        self._session = session
        self._inputs = inputs
        self._place = Place(0, 0)
        self.result = PartResult()

    def run(self, number: int, block: Block, schema: MessageSchema) -> None:
        """Run one block; what cannot be run any more is said, and has no rows."""
        self._place = Place(number, 0)
        try:
            if block.kind == FIXED:
                self._fixed(schema)
            elif Body(schema).is_offered(self._session.implementation, "decode"):
                self._hostile(schema, self._inputs.cases(schema, block), "")
        except AdapterError as error:
            self.result.faults.append(f"{schema}: not run to its end: {error}")

    def _fixed(self, schema: MessageSchema) -> None:
        """Run every deterministic check of a message, in the order of the suite: see `checks.cases.BODY_CHECKS`."""
        session, body = self._session, Body(schema)
        writes = body.is_offered(session.implementation, "encode")
        reads = body.is_offered(session.implementation, "decode")
        self._one_by_one(self._ahead(value_cases(schema, real_records=session.real_records)))
        if writes:
            self._of_no_case(check_leaks_of_writing(session, schema))
            self._one_by_one(self._ahead(unencodable_cases(schema)))
            self._one_by_one(unspecified_value_cases(schema))
        if reads:
            self._invalid(schema, list(invalid_cases(session, schema)))
            self._trailing(schema, list(trailing_cases(session, schema)))
            self._of_no_case(check_leaks_of_reading(session, schema))
        if writes:
            self._of_no_case(check_absent_fields(session, schema))
            self._of_no_case(check_partial_values(session, schema))
        if reads:
            self._hostile(schema, list(hostile_bytes_cases(session, schema)), HostileBytesCase.kind)

    def _hostile(self, schema: MessageSchema, cases: Sequence[HostileBytesCase], kind: str) -> None:
        read: set[str] = set()
        for case, call in self._asked_of_values(schema, cases):
            self._begin()
            self._take(case, kind, judge_hostile(self._session, case, call.outcome, read), call)

    def _invalid(self, schema: MessageSchema, cases: Sequence[InvalidBytesCase]) -> None:
        for case, call in self._asked(schema, cases, invalid_outcomes):
            self._begin()
            self._take(case, case.kind, judge_invalid(self._session, case, call.outcome), call)

    def _trailing(self, schema: MessageSchema, cases: Sequence[TrailingBytesCase]) -> None:
        for number, (case, call) in enumerate(self._asked(schema, cases, trailing_outcomes)):
            self._begin()
            self._take(case, f"{case.kind}-{number}", judge_trailing(self._session, case, call.outcome), call)

    def _asked_of_values(
        self, schema: MessageSchema, cases: Sequence[HostileBytesCase]
    ) -> Iterator[tuple[HostileBytesCase, Call]]:
        """Yield each case with its call; what is asked about the values of valid bytes is sent ahead."""
        asked = self._asked(schema, cases, hostile_outcomes)
        return self._session.ahead(asked, lambda each: value_requests(self._session, each[0], each[1].outcome))

    def _asked(
        self, schema: MessageSchema, cases: Sequence[Any], ask: Callable[..., list[Outcome]]
    ) -> list[tuple[Any, Call]]:
        """Return each case with its call; they are in flight together, so that each has the mean of their times."""
        start = perf_counter()
        outcomes = ask(self._session, schema, cases)
        mean = MILLISECONDS * (perf_counter() - start) / max(1, len(cases))
        return [(case, Call("decode", outcome, mean)) for case, outcome in zip(cases, outcomes, strict=True)]

    def _ahead(self, cases: Iterable[Value]) -> Iterator[Value]:
        return self._session.ahead(cases, lambda case: case.requests(self._session))

    def _one_by_one(self, cases: Iterable[ContentCase]) -> None:
        for case in cases:
            self._begin()
            self._take(case, case.kind, case.run(self._session), None)

    def _of_no_case(self, check: Iterator[Violation]) -> None:
        """Run a check whose cases belong together; only what it finds has rows."""
        self._begin()
        for violation in check:
            self._session.progress.calls.clear()
            self._keep(violation.case, violation.case.kind, [violation], None)

    def _begin(self) -> None:
        self._place = self._place._replace(case=self._place.case + 1)
        self._session.progress.begin(self._place)

    def _take(self, case: Case, kind: str, check: Iterator[Violation], call: Call | None) -> None:
        """Run the check of one case to its end, and keep what came of it; one that ended the process is not tried."""
        ended = self._session.progress.fatal.get(self._place)
        if ended is None:
            self._keep(case, kind, list(check), call)
            return
        outcome = Outcome(Kind(ended), text=ENDED_PROCESS)
        self._keep(case, kind, [case.violation(Blame(SURVIVAL, case.path), outcome, SURVIVES, "encode")], call)

    def _keep(self, case: Case, kind: str, violations: Sequence[Violation], call: Call | None) -> None:
        result = self.result
        result.cases += 1
        calls: dict[str, Call] = {}
        for each in ([call] if call else []) + self._session.progress.calls:
            calls.setdefault(each.direction, each)
        broken = [each for each in violations if each.outcome not in OF_THE_ADAPTER]
        for violation in broken:
            result.findings.add(violation)
        for violation in violations:
            if violation.outcome in OF_THE_ADAPTER and not result.faults:
                result.faults.append(f"{violation.direction} of {case.target}: {actual_text(violation.observation)}")
        result.rows += self._rows(case, kind, calls, broken)

    def _rows(self, case: Case, kind: str, calls: dict[str, Call], broken: Sequence[Violation]) -> Iterator[Row]:
        """Yield a row for each call that broke nothing, and one for each violation."""
        blamed = {violation.direction for violation in broken}
        for direction, call in calls.items():
            if direction not in blamed:
                yield self._row(case, kind, call)
        for violation in broken:
            call = calls.get(violation.direction) or Call(violation.direction, Outcome(Kind.NOT_RUN), 0.0)
            row = self._row(case, kind, call)
            yield row._replace(
                outcome=violation.outcome,
                rule=violation.rule,
                place=violation.field,
                said=violation.cluster or None,
            )

    def _row(self, case: Case, kind: str, call: Call) -> Row:
        verdict = getattr(case, "verdict", None) if call.direction == "decode" else None
        target, outcome = case.target, call.outcome
        folder = f"{self._session.release.name}/messages/{target.message}/v{target.version}"
        open_rules = set(verdict.rules) if verdict and verdict.result is Result.UNSPECIFIED else set()
        return Row(
            implementation=self._label,
            id="/".join([folder, *([kind] if kind else []), case.name]),
            message=target.message,
            version=target.version,
            direction=call.direction,
            outcome=str(outcome.kind),
            rule=None,
            place=None,
            result=verdict.result.value if verdict else None,
            reason=verdict.reason.value if verdict and verdict.reason else None,
            open=next(iter(open_rules)) if len(open_rules) == 1 else None,
            reading=self._reading(case, outcome) if open_rules and isinstance(case, BytesCase) else None,
            said=_said(outcome),
            milliseconds=call.milliseconds,
            bytes=outcome.consumed if outcome.wire is None else len(outcome.wire),
        )

    def _reading(self, case: BytesCase, outcome: Outcome) -> str | None:
        """Return what was read from unspecified bytes: Apache Kafka's value, or the hash of another one."""
        if outcome.kind is not Kind.VALUE:
            return None
        value = case.verdict.value
        if value is not None and case.target.difference(self._session.implementation, value, outcome.value) is None:
            return AS_APACHE_KAFKA
        try:
            text = json.dumps(to_json(case.schema, outcome.value), sort_keys=True)
        except (TypeError, ValueError, KeyError, AttributeError):
            text = repr(outcome.value)
        return sha256(text.encode(errors="surrogatepass")).hexdigest()[:HASH_DIGITS]


def _said(outcome: Outcome) -> str | None:
    """Return the type of the exception, or the beginning of what was said; None of an answer."""
    return outcome.text.partition(":")[0][:MAXIMUM_SAID] or None if outcome.text else None


MAXIMUM_SAID = 60
