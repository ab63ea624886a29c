"""Smaller bytes of a finding in drawn bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.judge.blame.reduction import reduced_bytes
from conformance.judge.checks.body_bytes import death, hostile_case, is_hostile
from conformance.judge.engine import violations
from conformance.judge.events import Answered
from conformance.targets.outcome import Kind, Outcome

if TYPE_CHECKING:
    from conformance.codec.session import Session
    from conformance.judge.case import Violation

MAXIMUM_TRIES = 60
"""The number of tries to make drawn bytes smaller; each may cost a new process."""


def smaller_bytes(session: Session, violation: Violation) -> Violation:
    """Return a violation of drawn bytes with the smallest bytes of the same finding.

    Only a few tries are made.
    """
    case, best = violation.case, violation
    if not is_hostile(case):
        return violation

    def fails(wire: bytes) -> bool:
        nonlocal best
        found = violations(session, [hostile_case(case.schema, case.name, wire, deterministic=False)])
        again = next((each for each in found if each.key == violation.key), None)
        best = again or best
        return again is not None

    reduced_bytes(case.input, fails, MAXIMUM_TRIES)
    return best


def cut_hang(session: Session, violation: Violation) -> Violation:
    """Return a hang of random search on the shortest beginning of the bytes that still hangs.

    It is found by bisection: a few attempts of a part of the deadline each, where a reduction would take hundreds. The
    result is tried with the whole deadline.
    """
    case, decoder, hang = violation.case, session.child, violation.observation
    if not isinstance(hang, Answered) or hang.outcome != Kind.TIMED_OUT:
        return violation
    if not is_hostile(case) or case.deterministic or not decoder:
        return violation
    data = case.input
    low, high = 0, len(data)
    while low < high:
        middle = (low + high) // 2
        hangs = decoder.hangs_on(case.target, data[:middle], surely=False)
        low, high = (low, middle) if hangs else (middle + 1, high)
    if not decoder.hangs_on(case.target, data[:high], surely=True):
        return violation
    return death(replace(case, data=data[:high]), Outcome(Kind.TIMED_OUT, text=hang.explanation))
