"""Checks on arbitrary bytes of a `records` field, judged by the verdict of the reference."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.origin import CasePart
from conformance.judge.case import LeftOpen, RulesTried
from conformance.judge.case_forms import of_bytes
from conformance.judge.checks.body_bytes import judged_with_bases
from conformance.judge.checks.deadly_streams import COUNT_BOUND, rule_of_memory, rule_of_stream
from conformance.judge.checks.record_cases import (
    explained,
    not_tried,
    read_violations,
    records_case,
)
from conformance.judge.events import REJECTION
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import ANSWERS, Conclusion, Due, rule_of_death
from conformance.judge.kinds import CaseKind, CaseTrial, CodecCase
from conformance.targets import DECODE, Blame, RecordsField
from conformance.targets.listed import outside, record_bases, result_for, tampered_records
from conformance.targets.outcome import Kind
from reference import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets.listed import RecordsBase
    from reference import RecordsVerdict

HOSTILE = "hostile record batches"
MIXED = "field.mixed-magic"
"""The rule of a base of two parts; for any other base the place of a difference says more."""
CLAIMING = ("record.count", "record.length", "header.count")
"""The beginnings of rules on a claim of more bytes or records than there are."""


def _hang_group(case: CodecCase) -> str:
    """Return a group for each base and field, since readers may hang on each kind of stream separately."""
    is_of_stream = case.origin.path == CasePart.STREAM and case.origin.sign == "-"
    return f"{case.base} {case.origin.kind if is_of_stream else case.path}"


def _is_base_taken(trial: CaseTrial) -> bool:
    """Return whether the base is read rightly, or the bytes are a base whose own base is."""
    case, standing = trial.case, trial.standing
    return standing.has(case.base) or (case.is_base and all(map(standing.has, case.needs)))


def _due(trial: CaseTrial, _way: str) -> Due:
    claims = trial.session.claims.records
    verdict = trial.case.target.observe(trial.case.data, check_crc=claims.checks_crc)
    return Due(result_for(claims, verdict), verdict=verdict)


def _tried(answer: JudgedAnswer) -> Iterator[Event]:
    if answer.case.deterministic:
        yield RulesTried(frozenset(_rules_of(answer.due.verdict, answer.case.input)))


def _rules_of(verdict: RecordsVerdict, wire: bytes) -> Iterator[str]:
    """Yield the rules tested by bytes, as survival and those violated by them."""
    yield from {SURVIVAL, *verdict.rules, rule_of_stream(verdict, wire)} - {""}
    if verdict.rules:
        yield _rule_of_invalid(verdict)
    if any(rule.startswith(CLAIMING) for rule in verdict.rules):
        yield COUNT_BOUND


def _death(answer: JudgedAnswer) -> Iterator[Event]:
    verdict = answer.due.verdict
    rule = rule_of_memory(verdict, answer.case.input, answer.outcome, rule_of_death(verdict))
    yield answer.violation(Blame(rule, verdict.path or answer.case.path), SURVIVES)


def _accepted(answer: JudgedAnswer) -> Iterator[Event]:
    verdict = answer.due.verdict
    yield answer.violation(Blame(_rule_of_invalid(verdict), verdict.path or answer.case.path), REJECTION)


def _judged_valid(answer: JudgedAnswer) -> Iterator[Event]:
    """Check a valid value read from bytes that need not be canonical."""
    case, session, verdict = answer.case, answer.trial.session, answer.due.verdict
    if verdict.result is not Result.VALID:
        return
    is_about_rule = answer.judgement.is_taken is False or case.rule == MIXED
    rule = verdict.rules[-1] if verdict.rules else case.rule if is_about_rule else ""
    members = {"rule": rule, "path": case.path, "data": case.data, "deterministic": case.deterministic}
    read = records_case(case.target, verdict.value, case.name, **members)
    for violation in read_violations(session, read, answer.outcome, rule):
        found = explained(session, read, violation) if case.base == case.name else violation
        blame = Blame(found.rule, violation.path or case.path)
        yield answer.violation(blame, violation.expectation)


def _left_open(answer: JudgedAnswer) -> Iterator[Event]:
    yield LeftOpen(answer.due.verdict.rules, accepts=answer.outcome.kind is Kind.VALUE)


RECORDS_BYTES = CaseKind(
    name="records-bytes",
    folder="records",
    category=HOSTILE,
    is_counted=True,
    needs_base=ANSWERS,
    is_base_taken=_is_base_taken,
    directions=(DECODE,),
    is_isolated=True,
    hang_group=_hang_group,
    due=_due,
    tried=_tried,
    blames={
        Conclusion.FATAL: _death,
        Conclusion.ACCEPTED: _accepted,
        Conclusion.REFUSED: _judged_valid,
        Conclusion.KEPT: _judged_valid,
        Conclusion.OPEN: _left_open,
    },
    judge=judged_with_bases,
    read=of_bytes,
    again=lambda case, _: (replace(case, base="", rule="", needs=()),),
)


def records_bytes(target: Any, name: str, wire: bytes, path: str = "", base: str = "", **members: Any) -> CodecCase:
    """Return the case of bytes of a field, made from the base of a name or judged by themselves."""
    return CodecCase(RECORDS_BYTES, target, name, path, data=wire, base=base, **members)


@cache
def hostile_records_cases(release: str, group: str) -> Sequence[CodecCase]:
    """Return every hostile input of a group."""
    target = RecordsField(release)
    bases = [base for base in record_bases() if base.group == group]
    return tuple(
        records_bytes(
            target,
            case.name,
            case.wire,
            case.path,
            case.base,
            source=case.origin,
            rule=case.rule or _rule_of_base(base, case.name),
            needs=(base.context_of,) if base.context_of else (),
        )
        for base in bases
        for case in tampered_records(base)
    )


def _rule_of_base(base: RecordsBase, name: str) -> str:
    """Return the rule of an unchanged base if another one differs only in its context.

    Empty for other bytes.
    """
    return base.rule if base.context_of and name == base.name else ""


def hostile_records(session: Session, group: str) -> Iterator[CodecCase | Event]:
    """Yield every hostile input of a group, if the implementation reads the group."""
    if not session.offers(RecordsField(), DECODE):
        return
    reason = outside(session.claims.records, group)
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
