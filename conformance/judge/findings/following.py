"""The findings that follow from a mistake of the adapter itself, so that they say nothing about the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.judge.events import Answered, Differs, Expected
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding

    Follows = Callable[[Violation, Collection[str]], bool]
    """Whether a violation follows from a kind of mistake, made in some directions."""


def follows(finding: Finding, faults: Mapping[str, Collection[str]]) -> bool:
    """Return whether all that a finding shows follows from mistakes of the adapter.

    Args:
        finding: the finding.
        faults: the kinds of mistakes, each with the directions of the calls that show it.
    """
    return all(
        is_raised_by_adapter(each) or any(_KINDS[kind](each, sides) for kind, sides in faults.items() if kind in _KINDS)
        for each in finding.examples
    )


def is_raised_by_adapter(violation: Violation) -> bool:
    """Return whether Python raised an exception in the adapter's own code."""
    observation = violation.observation
    return isinstance(observation, Answered) and bool(observation.place) and violation.outcome == Kind.UNCLASSIFIED


def _is_on_side(violation: Violation, sides: Collection[str]) -> bool:
    return violation.side in sides


def _is_count(violation: Violation, _: Collection[str]) -> bool:
    return violation.outcome == "consumed"


def _is_null_written(violation: Violation, _: Collection[str]) -> bool:
    return violation.side == "encode" and violation.expectation.what is Expected.REFUSAL


def _is_missing(violation: Violation, _: Collection[str]) -> bool:
    return isinstance(violation.observation, Differs) and violation.observation.aspect in {"missing", "extra"}


_KINDS: Mapping[str, Follows] = {
    **dict.fromkeys(
        ("not-repeatable", "mixed-up", "header-encode", "header-decode", "mapping", "never-succeeds"), _is_on_side
    ),
    "count": _is_count,
    "null-as-value": _is_null_written,
    "wrong-names": _is_missing,
}
"""The kinds of mistakes with which the library cannot be judged."""
