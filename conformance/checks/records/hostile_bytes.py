"""Checks on any bytes of a `records` field: the verdict of the reference decides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from conformance.catalogue.rules import SURVIVAL
from conformance.checks.records.scope import count_outside, outside, result_for
from conformance.checks.records.values import RecordsValueCase, read_violations
from conformance.checks.target_cases import WireCase
from conformance.findings.events import REJECTION
from conformance.findings.events import SURVIVAL as SURVIVES
from conformance.findings.violations import Blame, Violation
from conformance.generate.records.tampering import record_bases, tampered_records
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import RECORD_BATCHES, RecordsField
from reference import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from reference import RecordsVerdict

HOSTILE = "hostile record batches"
COUNT_BOUND = "record.count-bound"
CLAIMING = ("record.count", "record.length", "header.count")
"""The beginnings of rules of bytes that claim what is not there."""


@dataclass(frozen=True)
class RecordsBytesCase(WireCase[RecordsField]):
    """Some bytes of a field, and what was done to make them."""

    kind: ClassVar[str] = "records-bytes"
    base: str = ""
    """The name of the sound field that was tampered with; empty: the bytes stand for themselves."""
    rule: str = ""
    """What a reader breaks that refuses them, if no rule that they depart from says it."""
    needs: str = ""
    """The base that a reader has to take before this one is asked for."""
    deterministic: bool = True

    @property
    def is_base(self) -> bool:
        """Whether it is judged whatever else the implementation misreads."""
        return self.base in {"", self.name}

    def run(self, session: Session) -> Iterator[Violation]:
        """Judge the bytes by themselves, whatever they were made from."""
        yield from check_records_bytes(session, [RecordsBytesCase(self.of, self.name, self.data, self.path)])


@cache
def hostile_records_cases(release: str, group: str) -> Sequence[RecordsBytesCase]:
    """Return every hostile input of a group."""
    target = RecordsField(release)
    bases = [base for base in record_bases() if base.group == group]
    return tuple(
        RecordsBytesCase(target, case.name, case.wire, case.path, case.base, case.rule, base.context_of)
        for base in bases
        for case in tampered_records(base)
    )


def check_hostile_records(session: Session, group: str) -> Iterator[Violation]:
    """Check every hostile input of a group."""
    if not RecordsField().is_offered(session.implementation, "decode"):
        return
    reason = outside(session.implementation.records, group)
    if reason:
        count_outside(session, "decode", reason)
        return
    yield from check_records_bytes(session, hostile_records_cases(session.release.name, group))


def check_records_bytes(session: Session, cases: Sequence[RecordsBytesCase]) -> Iterator[Violation]:
    """Check some inputs, each judged; what was made from a field that is misread shows nothing, unless it is deadly."""
    target = cases[0].target
    kinds = [f"{case.base} {case.path}" for case in cases]
    read: set[str] = set()
    for case, outcome in zip(cases, session.decode_many(target, [case.data for case in cases], kinds), strict=True):
        session.count("decode", target, outcome)
        if outcome.kind in ABSENT:
            continue
        is_asked = case.base in read or (case.is_base and case.needs in {"", *read})
        if not (is_asked or outcome.kind in FATAL):
            session.tally.rest(HOSTILE, RECORD_BATCHES)
            continue
        session.tally.case(HOSTILE)
        violations = list(_judged(session, case, outcome))
        yield from violations
        if case.is_base and case.base and not violations and outcome.kind is Kind.VALUE:
            read.add(case.base)


def _judged(session: Session, case: RecordsBytesCase, outcome: Outcome) -> Iterator[Violation]:
    claims = session.implementation.records
    verdict = case.target.observe(case.data, check_crc=claims.checks_crc)
    result, path = result_for(claims, verdict), verdict.path or case.path
    if case.deterministic:
        session.tally.tried.update(_tried(verdict))
    if outcome.kind in FATAL:
        yield case.violation(Blame(_rule_of_death(verdict, outcome), path), outcome, SURVIVES, "decode")
    elif result is Result.INVALID:
        if outcome.kind not in REFUSALS:
            yield case.violation(Blame(_rule_of_invalid(verdict), path), outcome, REJECTION, "decode")
    elif result is Result.VALID:
        yield from _judged_valid(session, case, verdict, outcome)
    else:
        session.tally.profile(verdict.rules, accepts=outcome.kind is Kind.VALUE)


def _tried(verdict: RecordsVerdict) -> Iterator[str]:
    """Yield the rules that bytes try: those that they depart from, and that they do no harm."""
    yield from (SURVIVAL, *verdict.rules)
    if verdict.rules:
        yield _rule_of_invalid(verdict)
    if any(rule.startswith(CLAIMING) for rule in verdict.rules):
        yield COUNT_BOUND


def _rule_of_death(verdict: RecordsVerdict, outcome: Outcome) -> str:
    """Return the rule that makes bytes invalid, if it is the only one; memory is taken for what the bytes claim."""
    if outcome.kind is Kind.EXHAUSTED_MEMORY:
        return COUNT_BOUND
    alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
    return verdict.rules[0] if alone else SURVIVAL


def _rule_of_invalid(verdict: RecordsVerdict) -> str:
    """Return the rule that makes bytes invalid; what is wrong with a first batch is tried by itself."""
    index = re.match(r"batches\[(\d+)\]", verdict.path)
    return "field.bad-batch-later" if index and int(index[1]) else verdict.rules[-1]


def _judged_valid(
    session: Session, case: RecordsBytesCase, verdict: RecordsVerdict, outcome: Outcome
) -> Iterator[Violation]:
    """Check a valid value that was read from bytes that need not be canonical."""
    refused = case.rule if outcome.kind in REFUSALS else ""
    rule = verdict.rules[-1] if verdict.rules else refused
    read = RecordsValueCase(case.target, verdict.value, case.name, rule, case.path, given=case.data)
    for violation in read_violations(session, read, outcome, rule):
        blame = Blame(violation.rule, violation.path or case.path)
        yield case.violation(blame, outcome, violation.expectation, "decode")
