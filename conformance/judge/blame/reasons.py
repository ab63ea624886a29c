"""Reasons for which a finding follows from another one without a codec that shows both.

There are codecs with one mistake for bodies and what is around them (`conformance.judge.blame.consequences`). In record
batches and wire types, and for refusals of frames and stored messages, a finding follows from one of the same rule in
the other direction, in the same words (`conformance.judge.blame.same_words`), or for a reason of `REASONS`. Of bodies,
what is refused in both directions, the range of a number in another form, and own bytes need no codec.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.clean_faults import NULL_RULE
from conformance.judge.blame.same_words import is_about_rule_alone, plain
from conformance.judge.findings.causes import (
    MAXIMUM_PAIRS,
    OF_ANY_VALUE,
    OF_FORM,
    Link,
    is_of_bodies,
    is_of_messages,
    sides_of,
    worst_of,
)
from conformance.judge.findings.finding import Impact
from conformance.targets.outcome import REFUSALS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.judge.findings.finding import Finding

ROUND_TRIP = "codec.round-trip"
RANGE, WIDTH = "number.range", "int.width-and-order"

TWINS = (
    {NULL_RULE, "null.not-written"},
    {"value.accepted", "value.writable"},
    {"message.accepted", "message.writable"},
)
"""Pairs of equal rules, of readers and writers."""

OF_CRC = {"batch.crc", "message.crc"}
"""The rule of the two forms of a batch."""

AS_GIVEN = {"batch.max-timestamp", "batch.last-offset-delta"}
"""The rules on members of a batch computed from its records."""


HEADER = "header"


class LinkReason(NamedTuple):
    """A row of the table.

    Attributes:
        why: the reason.
        holds: whether a finding, the first argument, follows from another one.
        case: the implementation that needs it, and what it does.
    """

    why: str
    holds: Callable[[Finding, Finding], bool]
    case: str


def are_equal(rule: str, other: str) -> bool:
    """Return whether two rules are one in two directions or forms."""
    return rule == other or {rule, other} in TWINS


def _is_of_both_directions(finding: Finding, cause: Finding) -> bool:
    is_of_place = finding.rule in OF_ANY_VALUE | OF_FORM
    is_there = not is_of_place or is_inside(finding, cause) or is_inside(cause, finding)
    return are_equal(finding.rule, cause.rule) and sides_of(finding) != sides_of(cause) and is_there


def _is_twin(finding: Finding, cause: Finding) -> bool:
    return {finding.rule, cause.rule} == OF_CRC and finding.outcome == cause.outcome


def _is_given(finding: Finding, cause: Finding) -> bool:
    return {finding.rule, cause.rule} == AS_GIVEN and finding.outcome == cause.outcome == Kind.BYTES


def _is_of_own_rule(finding: Finding, cause: Finding) -> bool:
    """Return whether one rule is broken in one field, in other words or with another value."""
    impacts = {worst_of(finding), worst_of(cause)}
    is_of_values = finding.rule not in OF_ANY_VALUE or Impact.WRONG_VALUE in impacts
    return (
        finding.rule == cause.rule
        and sides_of(finding) == sides_of(cause)
        and impacts <= {Impact.VALID_REJECTED, Impact.WRONG_VALUE}
        and is_of_values
        and is_inside(finding, cause)
    )


def _is_of_attributes(finding: Finding, cause: Finding) -> bool:
    """Return whether two attributes of the same entries are not looked at."""
    places = finding.totals.keys()
    return _are_taken(finding, cause) and places == cause.totals.keys() and all(map(_is_attributes, places))


def _is_attributes(place: str) -> bool:
    return place.endswith(".attributes")


OF_ENDS = frozenset(("batch.length", "message.length-within", "message.wrapper"))
"""The rules of what ends too early."""


def _is_inside_wrapper(finding: Finding, cause: Finding) -> bool:
    """Return whether what ends too early does so within a wrapper alone."""
    places = {*finding.totals, *cause.totals}
    is_of_ends = {finding.rule, cause.rule} <= OF_ENDS
    return is_of_ends and _are_taken(finding, cause) and all(map(_is_in_wrapper, places))


def _is_in_wrapper(place: str) -> bool:
    return place.startswith("batches[].messages")


def _are_taken(finding: Finding, cause: Finding) -> bool:
    return finding.outcome == cause.outcome == Kind.VALUE and sides_of(finding) == sides_of(cause) == {"decode"}


REASONS = (
    LinkReason("the rule of both directions", _is_of_both_directions, "kafka-python 2.0.2: no CRC is compared"),
    LinkReason("the rule of both forms", _is_twin, "kafka-python 2.0.2: no CRC is compared, of batches and messages"),
    LinkReason("written as it is given", _is_given, "rskafka 0.6.0: both members are the caller's"),
    LinkReason("the same rule and fields", _is_of_own_rule, "kafka-python 2.0.2: attributes of a record as a varint"),
    LinkReason("attributes that are not looked at", _is_of_attributes, "kafka-go 0.4.47: of messages in a wrapper"),
    LinkReason("an end within a wrapper", _is_inside_wrapper, "kafka-go 0.4.47: it ends the set without an error"),
)
"""The reasons besides words, the surest first."""


def without_codecs(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings that follow from another one for a reason of the table."""
    for reason in REASONS:
        for cause, finding in combinations(findings, 2):
            if _may_lack_codec(finding, cause) and reason.holds(finding, cause):
                yield Link(cause, finding, f"{reason.why}, by {cause.key.kind}")


def _may_lack_codec(finding: Finding, cause: Finding) -> bool:
    """Return whether no codec need show both: a refusal of a frame or stored message tells too little for one."""
    is_refusal = not REFUSALS.isdisjoint({finding.outcome, cause.outcome})
    return not is_of_messages(finding) or (is_refusal and not is_of_bodies(finding))


def read_back(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield the findings on own bytes that are not read back: they are read only where they are wrong."""
    written = [each for each in findings if each.outcome == Kind.BYTES and worst_of(each) is Impact.WRONG_BYTES]
    for finding in findings:
        causes = [[each for each in written if pair in each.fields] for pair in finding.fields]
        if finding.rule == ROUND_TRIP and all(causes):
            cause = max((each for those in causes for each in those), key=lambda each: (each.count, each.key))
            yield Link(cause, finding, f"read back from bytes that are written wrong, by {cause.key.kind}")


def other_range(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings on numbers out of range, which a writer of these numbers in another form takes for others."""
    wide = [each for each in findings if each.rule == WIDTH and each.outcome == Kind.BYTES]
    for finding in findings:
        if finding.rule == RANGE:
            around = (each for each in wide if is_inside(finding, each) and sides_of(finding) == sides_of(each))
            yield from (Link(each, finding, f"a number in another form, by {each.key.kind}") for each in around)


def same_refused_field(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in which one direction refuses what the other one refuses, by one rule in the same fields.

    A codec that refuses what these cases have there shows both.
    """
    refused = [each for each in findings if each.outcome in REFUSALS and worst_of(each) is Impact.VALID_REJECTED]
    for cause, finding in combinations(refused, 2):
        is_one = are_equal(finding.rule, cause.rule) and sides_of(finding).isdisjoint(sides_of(cause))
        if is_one and is_inside(finding, cause):
            yield Link(cause, finding, f"refused in both directions, by {cause.key.kind}")


OF_NULL = {"null.legacy", "null.compact"}


def same_null(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in which null is read as something else in many messages, in both forms of a length.

    A codec that takes null for that in every field shows both; in few messages it may be the definition of a field.
    """
    nulls = [each for each in findings if each.rule in OF_NULL and " read as " in each.key.cluster]
    for cause, finding in combinations(nulls, 2):
        is_one = finding.key.cluster == cause.key.cluster and sides_of(finding) == sides_of(cause)
        if is_one and min(len(finding.fields), len(cause.fields)) > MAXIMUM_PAIRS:
            yield Link(cause, finding, f"{cause.key.cluster} in both forms of a length, by {cause.key.kind}")


def own_words(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield refusals of records in the words of another rule, if their own rule is refused in words of its own.

    A refusal of an edge value about one rule alone is about that rule. The case: kafka-python 2.0.2 refuses a
    second frame of zstd in the words for any invalid batch.
    """
    refused = [each for each in findings if each.outcome in REFUSALS and not is_of_bodies(each)]
    for finding in refused:
        others = [each for each in refused if each is not finding and sides_of(each) == sides_of(finding)]
        same = [each for each in others if each.rule != finding.rule and _words(each) == _words(finding)]
        own = [each for each in others if each.rule == finding.rule and _words(each) != _words(finding)]
        if same and own and finding.rule not in OF_ANY_VALUE and not any(map(is_about_rule_alone, same)):
            yield Link(own[0], finding, f"the same rule as by {own[0].key.kind}")


def _words(finding: Finding) -> str:
    return plain(finding.key.cluster, finding.example)


def is_inside(finding: Finding, cause: Finding) -> bool:
    """Return whether each field of a finding is one of another one, in each pair; nothing is known of a whole.

    Of a header, the message does not matter.
    """
    if finding.totals.keys() == cause.totals.keys() == {HEADER}:
        return True
    return finding.fields.keys() <= cause.fields.keys() and all(
        "" not in places and places.keys() <= cause.fields[pair].keys() for pair, places in finding.fields.items()
    )
