"""Checks on arbitrary bytes of a `records` field, judged by the verdict of the reference."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from conformance.codec.outcome import NOT_ASKED, REFUSALS, Kind, Outcome
from conformance.codec.session import DECODE, Ask
from conformance.codec.targets import RECORD_BATCHES, RecordsField
from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.origin import CasePart
from conformance.generate.records.record_tampering import record_bases, tampered_records
from conformance.judge.case import Judged, LeftOpen, RulesTried, Skipped
from conformance.judge.checks.record_cases import (
    COUNT_BOUND,
    RecordsValueCase,
    read_violations,
    rule_of_memory,
    rule_of_stream,
)
from conformance.judge.checks.record_scope import not_tried, outside, result_for
from conformance.judge.checks.target_cases import WireCase
from conformance.judge.events import REJECTION
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import Conclusion, Due, Judgement, judge, rule_of_death
from conformance.judge.standing import Blame
from reference import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Answers, Session
    from conformance.generate.records.record_bases import Base
    from conformance.judge.case import Event, Violation
    from conformance.judge.standing import Standing
    from reference import RecordsVerdict

HOSTILE = "hostile record batches"
MIXED = "field.mixed-magic"
"""The rule of a base of two parts; for any other base the place of a difference says more."""
CLAIMING = ("record.count", "record.length", "header.count")
"""The beginnings of rules on a claim of more bytes or records than there are."""


@dataclass(frozen=True)
class RecordsBytesCase(WireCase[RecordsField]):
    """Bytes of a field, with the change that made them."""

    kind: ClassVar[str] = "records-bytes"
    is_counted: ClassVar[bool] = True
    base: str = ""
    """The name of the valid base field; empty if the bytes are judged by themselves."""
    rule: str = ""
    """The rule broken by a reader that refuses the bytes, if they violate no rule themselves."""
    needs: str = ""
    """The base that a reader must accept to make this one conclusive."""
    deterministic: bool = True

    @property
    def is_tampered(self) -> bool:
        """Whether it was made by changing a base."""
        return self.origin.is_changed_base

    @property
    def is_base(self) -> bool:
        """Whether it is judged even if the implementation misreads other bases."""
        return self.base in {"", self.name}

    def again(self, session: Session) -> tuple[RecordsBytesCase]:  # noqa: ARG002  # as `Case.again`
        """Return the bytes as a case without a base."""
        return (replace(self, base="", rule="", needs=""),)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to read them."""
        is_asked = not answers and self.target.is_offered(session.implementation, DECODE)
        return (Ask(DECODE, self.target, self.data, isolated=True, hang_group=self.hang_group),) if is_asked else ()

    @property
    def hang_group(self) -> str:
        """The group of inputs that share a hang budget.

        Readers may hang on each kind of stream separately.
        """
        is_of_stream = self.origin.path == CasePart.STREAM and self.origin.sign == "-"
        return f"{self.base} {self.origin.kind if is_of_stream else self.path}"

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge the bytes.

        Changes to a misread field are inconclusive unless the outcome is fatal.
        """
        outcome, claims = answers.get(DECODE, NOT_ASKED), session.implementation.records
        is_taken = standing.has(self.base) or (self.is_base and (not self.needs or standing.has(self.needs)))
        verdict = self.target.observe(self.data, check_crc=claims.checks_crc)
        due = Due(result_for(claims, verdict))
        judgement = judge(session.implementation, self.target, due, outcome, is_base_taken=is_taken)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        if judgement.conclusion is Conclusion.INCONCLUSIVE:
            yield Skipped(HOSTILE, RECORD_BATCHES)
            return
        yield Judged(HOSTILE)
        if self.deterministic:
            yield RulesTried(frozenset(self._tried(verdict)))
        violations = list(self._judged(session, verdict, judgement, outcome))
        yield from violations
        if judgement.conclusion is Conclusion.OPEN:
            yield LeftOpen(verdict.rules, accepts=outcome.kind is Kind.VALUE)
        if self.is_base and self.base and not violations and outcome.kind is Kind.VALUE:
            standing.taken.add(self.base)

    def _judged(
        self, session: Session, verdict: RecordsVerdict, judgement: Judgement, outcome: Outcome
    ) -> Iterator[Violation]:
        path = verdict.path or self.path
        if judgement.conclusion is Conclusion.FATAL:
            rule = rule_of_memory(verdict, self.data, outcome, rule_of_death(verdict))
            yield self.violation(Blame(rule, path), outcome, SURVIVES, DECODE)
        elif judgement.conclusion is Conclusion.ACCEPTED:
            yield self.violation(Blame(_rule_of_invalid(verdict), path), outcome, REJECTION, DECODE)
        # The requirement has no value to compare, so that KEPT means only that the bytes were accepted.
        elif judgement.conclusion in {Conclusion.REFUSED, Conclusion.KEPT} and verdict.result is Result.VALID:
            yield from _judged_valid(session, self, verdict, outcome)

    def _tried(self, verdict: RecordsVerdict) -> Iterator[str]:
        """Yield the rules tested by the bytes, as survival and those violated by them."""
        yield from {SURVIVAL, *verdict.rules, rule_of_stream(verdict, self.data)} - {""}
        if verdict.rules:
            yield _rule_of_invalid(verdict)
        if any(rule.startswith(CLAIMING) for rule in verdict.rules):
            yield COUNT_BOUND


@cache
def hostile_records_cases(release: str, group: str) -> Sequence[RecordsBytesCase]:
    """Return every hostile input of a group."""
    target = RecordsField(release)
    bases = [base for base in record_bases() if base.group == group]
    return tuple(
        RecordsBytesCase(
            target,
            case.name,
            case.wire,
            case.path,
            case.base,
            case.rule or _rule_of_base(base, case.name),
            base.context_of,
        )
        for base in bases
        for case in tampered_records(base)
    )


def _rule_of_base(base: Base, name: str) -> str:
    """Return the rule of an unchanged base if another one differs only in its context.

    Empty for other bytes.
    """
    return base.rule if base.context_of and name == base.name else ""


def hostile_records(session: Session, group: str) -> Iterator[RecordsBytesCase | Event]:
    """Yield every hostile input of a group, if the implementation reads the group."""
    if not RecordsField().is_offered(session.implementation, DECODE):
        return
    reason = outside(session.implementation.records, group)
    if reason:
        yield not_tried(DECODE, reason)
    else:
        yield from hostile_records_cases(session.release.name, group)


def _rule_of_invalid(verdict: RecordsVerdict) -> str:
    """Return the rule that makes bytes invalid.

    A mistake in a later batch has a rule of its own, since its rule is tested in a first batch.
    """
    index = re.match(r"batches\[(\d+)\]", verdict.path)
    return "field.bad-batch-later" if index and int(index[1]) else verdict.rules[-1]


def _judged_valid(
    session: Session, case: RecordsBytesCase, verdict: RecordsVerdict, outcome: Outcome
) -> Iterator[Violation]:
    """Check a valid value read from bytes that need not be canonical."""
    is_about_rule = outcome.kind in REFUSALS or case.rule == MIXED
    rule = verdict.rules[-1] if verdict.rules else case.rule if is_about_rule else ""
    read = RecordsValueCase(
        case.target, verdict.value, case.name, rule, case.path, given=case.data, deterministic=case.deterministic
    )
    for violation in read_violations(session, read, outcome, rule):
        found = read.explained(session, violation) if case.base == case.name else violation
        blame = Blame(found.rule, violation.path or case.path)
        yield case.violation(blame, outcome, violation.expectation, "decode")
