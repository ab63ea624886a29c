"""What an implementation owes for any bytes: the oracle's verdict decides.

Invalid bytes are rejected, valid ones read with the right value. What the protocol leaves open is the implementation's
own affair, and is counted as its profile; but a crash, a hang or memory out of proportion is a failure on any input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.blame import blame_value
from conformance.checks.outcomes import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.checks.valid import without_tags
from conformance.checks.violations import Violation
from conformance.generate.hostile import HostileCase, hostile_cases
from reference import MessageSchema, Result, Verdict, difference, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.checks.implementation import Implementation
    from conformance.checks.tally import Tally


def check_hostile(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """Every hostile case of a message, judged."""
    if not implementation.offers("decode", schema):
        return
    cases = list(hostile_cases(schema))
    tally.case("hostile inputs", len(cases))
    if decoder is None:
        outcomes = [implementation.decode(schema, case.wire) for case in cases]
    else:
        outcomes = decoder.decode_many([(schema, case.wire) for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        verdict = judge(schema, case.wire)
        tally.count("decode", schema, outcome)
        if outcome.kind in ABSENT:
            continue
        if outcome.kind in FATAL or verdict.result is Result.INVALID:
            yield from _check_rejected(schema, case, verdict, outcome)
        elif verdict.result is Result.VALID:
            yield from _check_value(implementation, schema, case, verdict, outcome)
        else:
            tally.profile(verdict.rules, accepts=outcome.kind is Kind.VALUE)


def _check_rejected(
    schema: MessageSchema, case: HostileCase, verdict: Verdict, outcome: Outcome
) -> Iterator[Violation]:
    if outcome.kind not in REFUSALS:
        rule = verdict.rules[-1] if verdict.rules else "message.accepted"
        expected = "rejected" if verdict.result is Result.INVALID else "no crash"
        yield _violation(schema, case, rule, case.path or verdict.path, outcome, expected)


def _check_value(
    implementation: Implementation, schema: MessageSchema, case: HostileCase, verdict: Verdict, outcome: Outcome
) -> Iterator[Violation]:
    if outcome.kind in REFUSALS:
        rule = verdict.rules[0] if verdict.rules else "message.accepted"
        yield _violation(schema, case, rule, case.path, outcome, "accepted")
        return
    keeps = implementation.keeps_unknown_tags
    expected = verdict.value if keeps else without_tags(verdict.value)
    read = outcome.value if keeps else without_tags(outcome.value)
    found = difference(schema, expected, read, absent=implementation.takes_absent_fields)
    if found is not None:
        blame = blame_value(schema, case.wire, read, found)
        yield _violation(schema, case, blame.rule, blame.path, outcome, f"{found.path}: {found.expected!r}")


def _violation(  # noqa: PLR0913, PLR0917  # what a violation is about
    schema: MessageSchema, case: HostileCase, rule: str, path: str, outcome: Outcome, expected: str
) -> Violation:
    return Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path=path,
        outcome=str(outcome.kind),
        direction="decode",
        case=case.name,
        expected=expected,
        actual=str(outcome),
        wire=case.wire.hex(),
    )
