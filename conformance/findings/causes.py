"""Causes: what a maintainer mends once, with all findings that follow from it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import DIRECTIONS
from conformance.catalogue.rules import catalogue
from conformance.findings.finding import Harm, harm_of
from conformance.implementation.outcome import FATAL, Kind
from conformance.implementation.targets.base import SchemaTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.findings.finding import Finding
    from conformance.findings.forms import Key
    from conformance.findings.known_failures import Pair
    from conformance.implementation.targets import Target
    from reference import MessageSchema

    Way = Callable[[Sequence[Finding]], Iterator["Link"]]
    """Tells which findings follow from which, the surest first."""

MAXIMUM_PAIRS = 24
"""A finding in more pairs is no mistake in one message: anything would lie within it."""

_FATAL = {str(kind) for kind in FATAL}
ANSWERS = {str(Kind.BYTES), str(Kind.VALUE)}


class Link(NamedTuple):
    """A finding that follows from another one, and why."""

    cause: Finding
    finding: Finding
    why: str


@dataclass(frozen=True)
class Cause:
    """A finding, and those that follow from it."""

    finding: Finding
    followers: tuple[Link, ...] = ()


def causes_of(findings: Sequence[Finding], ways: Sequence[Way]) -> list[Cause]:
    """Return the causes of findings, each where the gravest of its findings stands.

    Args:
        findings: in their order.
        ways: to tell what follows from what; the first one that knows counts.
    """
    links: dict[Key, Link] = {}
    for way in ways:
        for link in way(findings):
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


def same_end(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in which a reader ends in the same way as in the most frequent one, whichever rule is broken."""
    ends: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.outcome in _FATAL and all(example.direction != "encode" for example in finding.examples):
            ends[finding.outcome, finding.key.cluster].append(finding)
    for alike in ends.values():
        cause = max(alike, key=lambda finding: finding.count)
        yield from (Link(cause, finding, "other bytes, the same end") for finding in alike if finding is not cause)


def same_place(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings at no other places than another one, if they may follow from it; of what is in few pairs first."""
    for cause in sorted(findings, key=lambda finding: len(finding.fields)):
        for finding in findings:
            if finding is not cause and _may_follow(finding, cause) and _is_inside(finding, cause):
                yield Link(cause, finding, f"only where {cause.key.kind} is")


def misaligned(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield readers' failures on sound bytes that are, in each pair, at or behind a field that is written wrong."""
    wrong = [finding for finding in findings if _is_in_wrong_form(finding)]
    for finding in findings if wrong else ():
        if _worst(finding) > Harm.MISREAD:
            continue
        targets = {example.pair: example.case.target for example in finding.examples}
        causes = [_written_wrong(finding, pair, targets[pair], wrong) for pair in finding.fields]
        if all(causes):
            cause = max((cause for cause in causes if cause), key=lambda cause: cause.count)
            yield Link(cause, finding, f"only at or behind fields that are written wrong, as in {cause.key.kind}")


def _is_in_wrong_form(finding: Finding) -> bool:
    is_narrow = len(finding.fields) <= MAXIMUM_PAIRS and not catalogue()[finding.rule].consequence
    return finding.outcome == Kind.BYTES and _worst(finding) is Harm.MISWRITTEN and is_narrow


def _written_wrong(finding: Finding, pair: Pair, target: Target, wrong: Sequence[Finding]) -> Finding | None:
    """Return the most frequent finding about a field before the places of `finding`, or around them, in a pair."""
    places = finding.fields[pair]
    if not isinstance(target, SchemaTarget):
        return None
    causes = [
        cause
        for cause in wrong
        if pair in cause.fields
        and cause.fields[pair].total() >= places.total()
        and all(any(is_behind(target.schema, place, field) for field in cause.fields[pair]) for place in places)
    ]
    return max(causes, key=lambda cause: cause.count, default=None)


def _may_follow(finding: Finding, cause: Finding) -> bool:
    """Return whether a finding at the places of another one may follow from it: not any two of a field do.

    What rules mark as a consequence may follow from anything that a codec does with sound values. So may everything
    in messages that are wrong as a whole, and what a reader takes for a field that it misreads. Who breaks a rule as a
    writer and as a reader has one thing to mend.
    """
    if catalogue()[cause.rule].consequence:
        return False
    if finding.rule == cause.rule and {finding.outcome, cause.outcome} == ANSWERS:
        return cause.count >= finding.count
    if _worst(cause) > Harm.MISWRITTEN:
        return False
    if catalogue()[finding.rule].consequence:
        return not _sides(cause).isdisjoint(_sides(finding))
    is_misread = _worst(cause) is Harm.MISREAD and _worst(finding) is Harm.INVALID_TAKEN
    is_whole = all("" in fields for fields in cause.fields.values()) and _worst(finding) <= Harm.MISWRITTEN
    return len(cause.fields) <= MAXIMUM_PAIRS and cause.count >= finding.count and (is_misread or is_whole)


def _sides(finding: Finding) -> set[str]:
    """Return which of writer and reader are wrong; around a body it may be either."""
    sides: set[str] = set(DIRECTIONS)
    return {example.direction for example in finding.examples} & sides or sides


def _worst(finding: Finding) -> Harm:
    return max(harm_of(example) for example in finding.examples)


def _is_inside(finding: Finding, cause: Finding) -> bool:
    """Return whether each place of a finding is a field of another one or inside of it, in each pair."""
    return finding.fields.keys() <= cause.fields.keys() and all(
        any(_holds(field, place) for field in cause.fields[pair])
        for pair, places in finding.fields.items()
        for place in places
    )


def _holds(field: str, place: str) -> bool:
    """Return whether a place is a field or inside of it, or one of the two is the whole message."""
    return not place or not field or place == field or place.startswith((f"{field}.", f"{field}["))


def is_behind(schema: MessageSchema, place: str, field: str) -> bool:
    """Return whether a place is on the wire at or behind the begin of a field, or around it."""
    here, begin = _positions(schema, place), _positions(schema, field)
    return here >= begin or begin[: len(here)] == here


def _positions(schema: MessageSchema, path: str) -> list[int]:
    """Return the position of each step of a path among the fields of its struct; unknown tags are behind all fields."""
    positions, fields = [], schema.fields
    for step in path.split("."):
        names = [field.name for field in fields]
        name = step.partition("[")[0]
        positions.append(names.index(name) if name in names else len(names))
        fields = fields[positions[-1]].item.fields if name in names else ()
    return positions
