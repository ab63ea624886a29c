"""Checks on any bytes: the oracle's verdict decides.

Invalid bytes are rejected, valid ones read with the right value. What the protocol leaves unspecified is counted as the
implementation's profile; but a crash, a hang or disproportionate memory use is a failure for any input.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.blame.bodies import blame_value
from conformance.bridge.hangs import ONLY_HANGS
from conformance.catalogue.rules import SURVIVAL
from conformance.checks.bases import bases_of, masked
from conformance.checks.body_cases import BytesCase, may_be_version_0
from conformance.checks.values import ValueCase
from conformance.findings.events import ACCEPTANCE, REJECTION, Answered, value_at
from conformance.findings.events import SURVIVAL as SURVIVES
from conformance.findings.violations import Blame, Violation
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.hostile import hostile_cases
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import Body, kept
from reference import MessageSchema, Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json


SORT = "hostile inputs"

CUT_OFF = "input.truncated"

STEPS = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
"""The steps of a path: a field's name, or an index."""


@dataclass(frozen=True)
class HostileBytesCase(BytesCase):
    """Some bytes, what was done to make them, and where."""

    kind: ClassVar[str] = "hostile-bytes"
    tampering: str = ""
    """The rule of the span and what was done to it; empty: drawn bytes, or a base."""
    base: str = ""
    """The name of the valid encoding that was tampered with; empty: the bytes stand for themselves."""
    deterministic: bool = True

    @property
    def is_base(self) -> bool:
        """Whether it is judged whatever else the implementation misreads."""
        return self.base in {"", self.name}

    @property
    def alike(self) -> str:
        """What it has in common with inputs that are deadly as it is; empty: nothing.

        Bytes that no single tampering made hang as others do that depart from the same rules; where the reference
        cannot go on, by the last one. Those that are cut off have only their end in common: nothing in a field, and
        much behind the fields, where the section of tags begins.
        """
        if self.tampering:
            return self.tampering
        rules = " ".join(self.verdict.rules[-1:] if self.verdict.value is None else self.verdict.rules)
        if rules == CUT_OFF:
            is_behind = not self.verdict.path or self.verdict.path.endswith("]")
            rules = f"{CUT_OFF} behind the fields" if is_behind else ""
        return ONLY_HANGS + rules if rules else ""

    @cached_property
    def same_value(self) -> ValueCase:
        """The value behind the bytes, if they are valid after all, as a case of its own."""
        value = self.verdict.value or {}
        return ValueCase(self.schema, self.name, "", value, deterministic=self.deterministic, is_minimal=False)

    @property
    def is_canonical(self) -> bool:
        """Whether the bytes, which are valid, are what has to be written for their value."""
        return self.data == self.same_value.canonical

    def run(self, session: Session) -> Iterator[Violation]:
        """Judge the bytes by themselves, whatever they were made from."""
        alone = HostileBytesCase(self.schema, self.name, self.path, self.data, deterministic=self.deterministic)
        yield from check_hostile_cases(session, self.schema, [alone])


def hostile_bytes_cases(session: Session, schema: MessageSchema) -> Iterator[HostileBytesCase]:
    """Yield every hostile input of a message, made from values that the implementation takes."""
    taken = bases_of(session, schema)
    for case in hostile_cases(schema, taken.bases, lambda values: masked(session, schema, values)):
        yield HostileBytesCase(schema, case.name, case.path, case.wire, case.tampering, case.base)


def check_hostile_bytes(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check every hostile input of a message."""
    if Body(schema).is_offered(session.implementation, "decode"):
        yield from check_hostile_cases(session, schema, list(hostile_bytes_cases(session, schema)))


def check_hostile_cases(
    session: Session, schema: MessageSchema, cases: Sequence[HostileBytesCase]
) -> Iterator[Violation]:
    """Check some hostile inputs of a message, each judged.

    Tampering with an encoding that is misread as it is shows nothing, unless it is deadly: it is not counted as tested.
    A mistake in writing the value does not matter. Unspecified bytes count for the profile only where nothing else is
    the matter.
    """
    read: set[str] = set()
    answered = zip(cases, hostile_outcomes(session, schema, cases), strict=True)
    for case, outcome in session.ahead(answered, lambda each: value_requests(session, *each)):
        yield from judge_hostile(session, case, outcome, read)


def value_requests(session: Session, case: HostileBytesCase, outcome: Outcome) -> Iterator[Json]:
    """Yield what a harness is asked about the value of bytes that are valid after all."""
    if outcome.kind not in ABSENT and outcome.kind not in FATAL and case.verdict.result is Result.VALID:
        for request in case.same_value.requests(session):
            if request["op"] != "decode" or not case.is_canonical:  # else they were read
                yield request


def hostile_outcomes(session: Session, schema: MessageSchema, cases: Sequence[HostileBytesCase]) -> list[Outcome]:
    """Have some hostile inputs of a message read: one outcome each, in order."""
    return session.decode_many(Body(schema), [case.data for case in cases], [case.alike for case in cases])


def judge_hostile(session: Session, case: HostileBytesCase, outcome: Outcome, read: set[str]) -> Iterator[Violation]:
    """Judge the outcome of one hostile input; `read` has the bases that were read so far, and gets those that are."""
    schema, target = case.schema, case.target
    session.count("decode", target, outcome)
    if outcome.kind in ABSENT or (may_be_version_0(schema, case.data) and outcome.kind not in FATAL):
        return
    if not (case.is_base or case.base in read or outcome.kind in FATAL):
        session.tally.rest(SORT, str(schema))
        return
    session.tally.case(SORT)
    verdict = case.verdict
    if case.deterministic:
        session.tally.tried.update((SURVIVAL, *verdict.rules))
    violations = list(_check(session, case, verdict, outcome))
    yield from violations
    misread = any(violation.direction == "decode" for violation in violations)
    is_read = case.is_base and not misread and outcome.kind is Kind.VALUE
    if is_read and case.base:
        read.add(case.base)
    if (is_read or case.base in read) and verdict.result is Result.UNSPECIFIED:
        _count_profile(session, case, verdict, outcome)


def cut_hang(session: Session, violation: Violation) -> Violation:
    """Return a hang that random search found, on the shortest beginning of the bytes that still hangs.

    It is found by bisection: a few attempts of a part of the deadline each, where a search would take hundreds.
    """
    case, decoder, hang = violation.case, session.decoder, violation.observation
    if (
        not isinstance(hang, Answered)
        or hang.outcome != Kind.TIMED_OUT
        or not isinstance(case, HostileBytesCase)
        or case.deterministic
        or not decoder
    ):
        return violation
    low, high = 0, len(case.data)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if decoder.hangs_on(case.target, case.data[:middle]) else (middle + 1, high)
    shorter = replace(case, data=case.data[:high])
    outcome = Outcome(Kind.TIMED_OUT, text=hang.said)
    return next(_check(session, shorter, shorter.verdict, outcome))


def _count_profile(session: Session, case: HostileBytesCase, verdict: Verdict, outcome: Outcome) -> None:
    """Count whether unspecified bytes are accepted, and what is read if Apache Kafka reads another value."""
    session.tally.profile(verdict.rules, accepts=outcome.kind is Kind.VALUE)
    if outcome.kind is Kind.VALUE and verdict.value is not None and len(set(verdict.rules)) == 1:
        found = case.target.difference(session.implementation, verdict.value, outcome.value)
        if found is not None:
            reading = f"{_sort(found.actual)} for {_sort(found.expected)}"
            session.tally.readings[verdict.rules[0], reading] += 1


def _sort(value: Any) -> str:
    """Return a word for a value, without the value."""
    if value is None:
        return "null"
    return f"an empty {type(value).__name__}" if value in ([], "", b"", {}) else f"another {type(value).__name__}"


def _check(session: Session, case: HostileBytesCase, verdict: Verdict, outcome: Outcome) -> Iterator[Violation]:
    path = verdict.path or case.path
    if outcome.kind in FATAL:
        alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
        rule = verdict.rules[0] if alone else SURVIVAL
        yield case.violation(Blame(rule, path), outcome, SURVIVES, "decode")
    elif verdict.result is Result.VALID:
        yield from _check_valid(session, case, verdict, outcome)
    elif verdict.result is Result.INVALID and outcome.kind not in REFUSALS:
        yield case.violation(Blame(_accepted_rule(verdict, outcome), path), outcome, REJECTION, "decode")


def _accepted_rule(verdict: Verdict, outcome: Outcome) -> str:
    """Return the rule that makes bytes invalid; a negative length decoded as null is null.not-allowed."""
    rule = verdict.rules[-1]
    was_null = rule == "length.negative" and outcome.value is not None and _at(outcome.value, verdict.path) is None
    return NULL_RULE if was_null else rule


def _at(value: Any, path: str) -> Any:
    """Return what lies at a path, as `Topics[0].Name`; the path itself where nothing does."""
    for name, index in STEPS.findall(path):
        try:
            value = value[int(index)] if index else value[name]
        except (KeyError, IndexError, TypeError):
            return path
    return value


def _check_valid(session: Session, case: HostileBytesCase, verdict: Verdict, outcome: Outcome) -> Iterator[Violation]:
    """Check a valid value like any other; then, if it was not written canonically, whether it was read all the same."""
    value = verdict.value or {}
    violations = list(case.same_value.run(session, outcome if case.is_canonical else None))
    yield from violations
    if violations or case.is_canonical:
        return
    if outcome.kind in REFUSALS:
        yield case.violation(Blame(verdict.rules[0], case.path), outcome, ACCEPTANCE, "decode")
        return
    found = case.target.difference(session.implementation, value, outcome.value)
    if found is not None:
        read = kept(session.implementation, case.schema, outcome.value)
        blame = blame_value(case.schema, case.data, read, found)
        blame = Blame(blame.rule, blame.path or case.path)
        yield case.violation(blame, outcome, value_at(found.path, found.expected), "decode")
