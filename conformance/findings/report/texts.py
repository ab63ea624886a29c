"""The text of a finding: which rule, where, which bytes, and how to see it again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from conformance.catalogue.rules import Rule, catalogue

if TYPE_CHECKING:
    from conformance.findings.violations import Finding, Violation

MAXIMUM_HEX = 96
"""How many hex digits of bytes are shown: those around the first difference."""

_HEX = frozenset("0123456789abcdef")


def replay_line(impl: str, release: str, violation: Violation) -> str:
    """Return the command that runs this case again, ready to be pasted into a shell."""
    words = ["kafka-conformance", "replay", "--impl", impl, "--message", violation.message]
    words += ["--version", str(violation.version)]
    if release:
        words += ["--release", release]
    return shlex.join([*words, *violation.case.replay_arguments(violation.direction)])


def rule_lines(rule_id: str) -> list[str]:
    """What a rule says, where it comes from, and how to see an example of it."""
    rule: Rule | None = catalogue().get(rule_id)
    if rule is None:
        return []
    return [rule.text, f"source: {', '.join(rule.sources)}", f"example: kafka-conformance rules {rule.id}"]


def headline(finding: Finding) -> str:
    """One line about a finding."""
    rule = catalogue().get(finding.rule)
    level = rule.level if rule else "must"
    pairs = f"{len(finding.pairs)} pair{'s' if len(finding.pairs) != 1 else ''}"
    times = f"{finding.count} case{'s' if finding.count != 1 else ''}"
    return f"{finding.rule} ({level}), outcome {finding.outcome}: {times} in {pairs}"


def comparison_lines(violation: Violation) -> list[str]:
    """Expected and actual, with a caret at the first different byte where both are bytes."""
    expected, actual = violation.expected, violation.actual
    if not (_is_hex(expected) and _is_hex(actual)):
        return [f"expected  {_cut(expected)}", f"actual    {_cut(actual)}"]
    at = _first_difference(expected, actual)
    start = max(0, at - MAXIMUM_HEX // 2) // 2 * 2
    return [
        f"expected  {_window(expected, start)}",
        f"actual    {_window(actual, start)}",
        " " * (10 + (3 if start else 0) + at - start) + f"^^ byte {at // 2}",
    ]


def place_line(violation: Violation) -> str:
    """Message, version, field, case."""
    field = f", field {violation.path}" if violation.path else ""
    name = violation.case.name
    case = f", case {name}" if name and name != violation.path else ""
    return f"{violation.direction} {violation.message} v{violation.version}{field}{_cut(case)}"


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and _HEX.issuperset(text)


def _first_difference(expected: str, actual: str) -> int:
    pairs = zip(expected, actual, strict=False)
    at = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(actual)))
    return at // 2 * 2


def _window(text: str, start: int) -> str:
    end = start + MAXIMUM_HEX
    return ("..." if start else "") + text[start:end] + (f"... ({len(text) // 2} bytes)" if end < len(text) else "")


def _cut(text: str, maximum: int = 200) -> str:
    return text if len(text) <= maximum else f"{text[:maximum]}... ({len(text)} characters)"
