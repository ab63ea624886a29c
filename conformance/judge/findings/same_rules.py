"""Findings of one rule, or of two equal ones.

They are one mistake in two directions, forms, or kinds of cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.outcome import Kind
from conformance.generate.clean_faults import NULL_RULE
from conformance.judge.findings.causes import (
    ANSWERS,
    MAXIMUM_PAIRS,
    OF_ANY_VALUE,
    OF_FORM,
    Link,
    have_in_common,
    is_inside,
    sides_of,
    worst_of,
)
from conformance.judge.findings.finding import Impact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.findings.finding import Finding

RANGE = "number.range"
OTHER_RANGE = frozenset(("value.writable", "int.width-and-order"))
"""Rules broken together with the range of a number.

A codec with another range for a number refuses some of its values or writes others, and accepts invalid ones.
"""

OF_THE_END = ("count.within-input", "input.truncated")
"""The rules of a codec that accepts truncated input, since it accepts elements of arrays that are not there."""

LENGTHS = {"length.negative", "length.within-input"}
"""The rules on valid lengths, both broken by a codec without any check of lengths."""

DERIVED = {"batch.max-timestamp", "batch.last-offset-delta"}
"""The rules on members of a batch computed from its records, both broken by a codec that writes given values."""

OF_NULL = {"null.legacy", "null.compact"}
"""The rules of null in the two forms of a length."""

TWINS = (
    {NULL_RULE, "null.not-written"},
    OF_NULL,
    {"batch.crc", "message.crc"},
    {"value.accepted", "value.writable"},
    {"message.accepted", "message.writable"},
)
"""Pairs of equal rules, of readers and writers, or of two forms."""


def same_rule(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings that break the rule of another one, or its twin, at the same places.

    A codec that breaks a rule on the form of a field in reading and in writing, or in several ways, has one mistake.
    The same holds for a rule on valid values, if a writer accepts the same as a reader; and for values refused in both
    directions, if both refusals have the same text.
    """
    for cause in sorted(findings, key=lambda finding: len(finding.fields)):
        for finding in findings:
            why = "" if finding is cause else _of_other_rule(finding, cause) or _of_same_fault(finding, cause)
            if why:
                yield Link(cause, finding, f"{why}, by {cause.key.kind}")


def _of_other_rule(finding: Finding, cause: Finding) -> str:
    """Return why a finding follows from a violation of another rule.

    Empty if it does not.
    """
    if sides_of(finding) != sides_of(cause):
        return ""
    if finding.rule == RANGE and cause.rule in OTHER_RANGE and is_inside(finding, cause, or_whole=True):
        return "the same places"
    is_less = finding.count < cause.count and finding.fields.keys() <= cause.fields.keys()
    if (finding.rule, cause.rule) == OF_THE_END and finding.outcome == cause.outcome == Kind.VALUE and is_less:
        return "only in messages whose end is not noticed"
    if _have_in_common(finding, cause):
        return f"all have {' and '.join(cause.traits)}, and no value that was taken has"
    is_given = {finding.rule, cause.rule} == DERIVED and finding.outcome == cause.outcome == Kind.BYTES
    return "written as it is given" if is_given and cause.order < finding.order else ""


def _have_in_common(finding: Finding, cause: Finding) -> bool:
    """Return whether valid values are misread or miswritten in both.

    All of them must have a common trait in any field.
    """
    is_wrong = finding.outcome == cause.outcome and finding.outcome in ANSWERS and cause.order < finding.order
    return is_wrong and have_in_common(finding, cause)


def _of_same_fault(finding: Finding, cause: Finding) -> str:
    """Return why a finding is the same fault as a more severe one.

    Empty if it is another fault.
    """
    if cause.order > finding.order or not _is_same_fault(finding, cause):
        return ""
    is_around = len(finding.fields) <= MAXIMUM_PAIRS and is_inside(cause, finding)
    if is_inside(finding, cause, or_whole=True) or is_around:
        return "the same places"
    if _are_systematic(finding, cause):
        return "mostly the same places"
    return "the same in other messages" if _are_apart(finding, cause) else ""


def _is_same_fault(finding: Finding, cause: Finding) -> bool:
    rules = {finding.rule, cause.rule}
    if len(rules) == 1:
        is_of_both = {finding.outcome, cause.outcome} == ANSWERS or sides_of(finding).isdisjoint(sides_of(cause))
        return finding.rule in OF_FORM or is_of_both or _is_misread_or_refused(finding, cause)
    if rules == LENGTHS:
        return finding.outcome == cause.outcome and sides_of(finding) == sides_of(cause)
    is_equal = finding.key.cluster == cause.key.cluster or (is_inside(finding, cause) and is_inside(cause, finding))
    return rules in TWINS and is_equal


def _is_misread_or_refused(finding: Finding, cause: Finding) -> bool:
    """Return whether valid values are refused, or misread, in both, in the same named fields.

    A value is misread around a body as in it. Two refusals of valid values, without any other rule, need not have one
    cause.
    """
    impacts = {worst_of(finding), worst_of(cause)}
    if impacts == {Impact.VALID_REJECTED} and finding.rule in OF_ANY_VALUE:
        return False
    return impacts <= {Impact.VALID_REJECTED, Impact.WRONG_VALUE} and is_inside(finding, cause)


def _are_systematic(finding: Finding, cause: Finding) -> bool:
    """Return whether two findings are in many messages, with mostly the same fields."""
    if min(len(finding.fields), len(cause.fields)) <= MAXIMUM_PAIRS:
        return False
    is_of_length = {finding.rule, cause.rule} == LENGTHS  # the bytes after a field decide which of the two is broken
    places, others = (
        {(pair, "" if is_of_length else place) for pair, counts in each.fields.items() for place in counts}
        for each in (finding, cause)
    )
    return 2 * len(others & places) > len(places)


def _are_apart(finding: Finding, cause: Finding) -> bool:
    """Return whether two findings are one mistake in different messages.

    They are of the two forms of a type, or of the messages that a client writes and reads. A client writes requests and
    reads responses, so that the two directions of a rule do not meet in one message. A codec that writes and reads a
    message both ways would show both in it.
    """
    if {finding.rule, cause.rule} == OF_NULL:
        is_in_many = min(len(finding.fields), len(cause.fields)) > MAXIMUM_PAIRS
        return is_in_many and finding.fields.keys().isdisjoint(cause.fields.keys())
    one, other = _kinds(finding), _kinds(cause)
    is_of_one_each = len(one) == len(other) == 1 and one.keys().isdisjoint(other)
    is_in_several = all(len(messages) > 1 for messages in (*one.values(), *other.values()))
    return is_of_one_each and is_in_several and sides_of(finding).isdisjoint(sides_of(cause))


KINDS = ("Request", "Response")


def _kinds(finding: Finding) -> dict[str, set[str]]:
    """Return the messages of a finding, by request and response."""
    names = {message for message, _ in finding.fields}
    return {kind: found for kind in KINDS if (found := {name for name in names if name.endswith(kind)})}
