"""What an implementation owes for any bytes: the oracle's verdict decides.

Invalid bytes are rejected, valid ones read with the right value. What the protocol leaves open is the implementation's
own affair, and is counted as its profile; but a crash, a hang or memory out of proportion is a failure on any input.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.blame.bodies import blame_value
from conformance.checks.valid import ValueCase, check_value
from conformance.findings.violations import Violation
from conformance.generate.hostile import HostileCase, hostile_cases
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import MessageSchema, Result, Verdict, difference, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.implementation.driver import Implementation


STEPS = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
"""The steps of a path: a field's name, or an index."""


class Judged(NamedTuple):
    """Hostile bytes of a message, and the oracle's word on them."""

    schema: MessageSchema
    case: HostileCase
    verdict: Verdict
    deterministic: bool


def check_hostile(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """Every hostile case of a message."""
    if implementation.offers("decode", schema):
        yield from check_hostile_cases(implementation, decoder, schema, list(hostile_cases(schema)), tally)


def check_hostile_cases(  # noqa: PLR0913  # what every check gets, and whether it is one that is always made
    implementation: Implementation,
    decoder: IsolatedDecoder | None,
    schema: MessageSchema,
    cases: Sequence[HostileCase],
    tally: Tally,
    *,
    deterministic: bool = True,
) -> Iterator[Violation]:
    """Some hostile cases of a message, each judged.

    What comes of tampering with an encoding that is misread as it is tells nothing new, unless it is deadly. What the
    protocol leaves open counts for the profile only where nothing else is the matter.
    """
    tally.case("hostile inputs", len(cases))
    if decoder is None:
        outcomes = [implementation.decode(schema, case.wire) for case in cases]
    else:
        outcomes = decoder.decode_many([(schema, case.wire) for case in cases], [case.sort for case in cases])
    read: set[str] = set()
    for case, outcome in zip(cases, outcomes, strict=True):
        tally.count("decode", schema, outcome)
        is_base = case.name == case.base
        if outcome.kind in ABSENT or not (is_base or case.base in read or outcome.kind in FATAL):
            continue
        judged_case = Judged(schema, case, judge(schema, case.wire), deterministic)
        violations = list(_check(implementation, judged_case, outcome, tally))
        yield from violations
        if is_base and not violations and outcome.kind is Kind.VALUE:
            read.add(case.base)
        if case.base in read and judged_case.verdict.result is Result.UNSPECIFIED:
            tally.profile(judged_case.verdict.rules, accepts=outcome.kind is Kind.VALUE)


def _check(implementation: Implementation, judged_case: Judged, outcome: Outcome, tally: Tally) -> Iterator[Violation]:
    verdict = judged_case.verdict
    if outcome.kind in FATAL:
        alone = verdict.result is Result.INVALID and len(verdict.rules) == 1
        rule = verdict.rules[0] if alone else "codec.survival"
        yield _violation(judged_case, rule, verdict.path, outcome, "no crash")
    elif verdict.result is Result.VALID:
        yield from _check_valid(implementation, judged_case, outcome, tally)
    elif verdict.result is Result.INVALID and outcome.kind not in REFUSALS:
        yield _violation(judged_case, _accepted_rule(verdict, outcome), verdict.path, outcome, "rejected")


def _accepted_rule(verdict: Verdict, outcome: Outcome) -> str:
    """The rule that makes bytes invalid; a length that was taken for null would have been null if it had said so."""
    rule = verdict.rules[-1]
    was_null = rule == "length.negative" and outcome.value is not None and _at(outcome.value, verdict.path) is None
    return "null.not-allowed" if was_null else rule


def _at(value: Any, path: str) -> Any:
    """What lies at a path, as `Topics[0].Name`; the path itself where nothing does."""
    for name, index in STEPS.findall(path):
        try:
            value = value[int(index)] if index else value[name]
        except (KeyError, IndexError, TypeError):
            return path
    return value


def _check_valid(
    implementation: Implementation, judged_case: Judged, outcome: Outcome, tally: Tally
) -> Iterator[Violation]:
    """A sound value like any other; then, if it was not written as a writer would, whether it was read all the same."""
    schema, case, verdict, deterministic = judged_case
    value = verdict.value or {}
    violations = list(
        check_value(
            implementation,
            ValueCase(schema, case.name, "", value, deterministic=deterministic, is_minimal=False),
            tally,
        )
    )
    yield from violations
    if violations or case.wire == verdict.canonical:
        return
    if outcome.kind in REFUSALS:
        yield _violation(judged_case, verdict.rules[0], case.path, outcome, "accepted")
        return
    expected, read = implementation.judged(value), implementation.judged(outcome.value)
    found = difference(schema, expected, read, absent=implementation.takes_absent_fields)
    if found is not None:
        blame = blame_value(schema, case.wire, read, found)
        yield _violation(judged_case, blame.rule, blame.path, outcome, f"{found.path}: {found.expected!r}")


def _violation(judged_case: Judged, rule: str, path: str, outcome: Outcome, expected: str) -> Violation:
    schema, case, _, deterministic = judged_case
    return Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path=path or case.path,
        outcome=str(outcome.kind),
        direction="decode",
        case=case.name,
        expected=expected,
        actual=str(outcome),
        wire=case.wire.hex(),
        deterministic=deterministic,
    )
