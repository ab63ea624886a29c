"""Causes of findings.

A cause is one bug: fixing it fixes every finding below it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from conformance.judge.findings.finding import impact_of
from conformance.targets import Body, SchemaTarget
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.judge.findings.finding import Finding, Impact
    from conformance.judge.forms import Key

    Way = Callable[[Sequence[Finding]], Iterator["Link"]]
    """Yields the findings that follow from others, the surest first."""

MAXIMUM_PAIRS = 24
"""The largest number of pairs of one mistake in one message; almost any finding lies within a finding in more."""

ANSWERS = {str(Kind.BYTES), str(Kind.VALUE)}


OF_FORM = frozenset((
    *("version.field-presence", "version.flexible", "struct.field-order", "struct.marker", "struct.tagged-marker"),
    *("tag.number", "tag.section", "tag.nested-section", "int.width-and-order"),
))  # fmt: skip
"""The rules on the form of a field, its presence and its type, but not its values."""

OF_ANY_VALUE = frozenset(("value.accepted", "value.writable", "message.accepted", "message.writable"))
"""The rules on accepting a valid value, where no other rule fits better."""


class Link(NamedTuple):
    """A finding, its cause, and the reason."""

    cause: Finding
    finding: Finding
    why: str


@dataclass(frozen=True)
class Cause:
    """A finding, and the findings that follow from it."""

    finding: Finding
    followers: tuple[Link, ...] = ()


def causes_of(findings: Sequence[Finding], ways: Sequence[Way]) -> list[Cause]:
    """Return the causes of findings, each at the place of the most severe of its findings.

    Args:
        findings: in their order.
        ways: the ways to find links; the first with a result counts.
    """
    links: dict[Key, Link] = {}
    for way in ways:
        for link in way(findings):
            # A link back to its own finding would close a circle.
            if link.finding.key not in links and _root(link.cause, links) is not link.finding:
                links[link.finding.key] = link
    followers: defaultdict[Key, list[Link]] = defaultdict(list)
    heads: dict[Key, Finding] = {}
    for finding in findings:
        head = _root(finding, links)
        heads.setdefault(head.key, head)
        if finding is not head:
            followers[head.key].append(links[finding.key])
    return [Cause(head, tuple(followers[key])) for key, head in heads.items()]


def _root(finding: Finding, links: dict[Key, Link]) -> Finding:
    while finding.key in links:
        finding = links[finding.key].cause
    return finding


def sides_of(finding: Finding) -> set[str]:
    """Return the sides at fault, writer or reader or both."""
    return {example.side for example in finding.examples}


def worst_of(finding: Finding) -> Impact:
    """Return the least severe impact among the examples of a finding."""
    return max(impact_of(example) for example in finding.examples)


def is_of_messages(finding: Finding) -> bool:
    """Return whether any example is of a message, alone or with something around it."""
    return any(isinstance(example.case.target, SchemaTarget) for example in finding.examples)


def is_of_bodies(finding: Finding) -> bool:
    """Return whether any example is of the body of a message."""
    return any(isinstance(example.case.target, Body) for example in finding.examples)
