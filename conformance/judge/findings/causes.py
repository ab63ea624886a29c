"""Causes of findings.

A cause is one bug: fixing it fixes every finding below it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.outcome import FATAL, REFUSALS, Kind
from conformance.codec.targets import RECORD_BATCHES
from conformance.definitions.catalogue import SURVIVAL, catalogue
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.refused_bytes import fields_at
from conformance.generate.traits import is_of_any_field
from conformance.judge.events import Expected
from conformance.judge.findings.finding import Impact, impact_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.forms import Key, Pair

    Way = Callable[[Sequence[Finding]], Iterator["Link"]]
    """Yields the findings that follow from others, the surest first."""

MAXIMUM_PAIRS = 24
"""The largest number of pairs of one mistake in one message; almost any finding lies within a finding in more."""

_FATAL = {str(kind) for kind in FATAL}
_REFUSALS = {str(kind) for kind in REFUSALS}
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


def same_end(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in which a reader or a writer ends in the same way as in the most frequent one.

    Their rules may differ.
    """
    yield from _same_end_of_reader(findings)
    yield from _same_end_of_writer(findings)


def _same_end_of_writer(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in messages where a writer ends in the same way on valid values."""
    ends: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.outcome in _FATAL and all(example.direction == "encode" for example in finding.examples):
            ends[finding.outcome, finding.key.cluster].append(finding)
    for group in ends.values():
        valid = [finding for finding in group if finding.example.expectation.what is Expected.BYTES]
        for cause in sorted(valid, key=lambda finding: -finding.count)[:1]:
            others = (each for each in group if each is not cause and each.fields.keys() <= cause.fields.keys())
            yield from (Link(cause, each, "other values, the same end") for each in others)


def _same_end_of_reader(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings in which a reader ends in the same way as in the most frequent one.

    Where memory runs out, the text does not show the place, so findings must have the same kind of claim. A null claims
    nothing.
    """
    ends: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.outcome in _FATAL and all(example.direction != "encode" for example in finding.examples):
            ends[_end(finding)].append(finding)
    nulls = ends.pop((MEMORY, ""), [])
    starved = [group for (end, _), group in ends.items() if end == MEMORY]
    if starved:
        # A null ends as any of the groups may, so it joins the most frequent one.
        max(starved, key=lambda group: sum(finding.count for finding in group)).extend(nulls)
    elif nulls:
        ends[MEMORY, ""] = nulls
    for (end, claimed), group in ends.items():
        known = [finding for finding in group if end != MEMORY or not claimed or finding.rule not in OF_ANY_END]
        cause = max(known or group, key=lambda finding: finding.count)
        yield from (Link(cause, finding, "other bytes, the same end") for finding in group if finding is not cause)


def _end(finding: Finding) -> tuple[str, str]:
    """Return the end of a reader and its text.

    Where memory runs out, the claim of the bytes takes the place of both: the size of an allocation decides whether a
    process dies of it or survives. The clock decides where in a loop a reader is stopped.
    """
    if finding.outcome == Kind.EXHAUSTED_MEMORY or OUT_OF_MEMORY in finding.key.cluster:
        return (MEMORY, _claimed(finding))
    return (finding.outcome, STOPPED if finding.key.cluster.startswith(STOPPED) else finding.key.cluster)


MEMORY, OUT_OF_MEMORY = "memory", "out of memory"
STOPPED = "stopped after * steps"


OF_ANY_END = frozenset((SURVIVAL, "connection.survival"))
"""The rules of inputs that break several others, or none."""


def _claimed(finding: Finding) -> str:
    """Return the claim behind an allocation.

    It is records or headers, a stream, another part of batches, an array, or bytes.
    """
    if finding.rule == NULL_RULE:
        return ""
    if finding.example.message == RECORD_BATCHES:
        part = finding.rule.partition(".")[0]
        return finding.rule if part == "codec" else "records" if part in {"record", "header"} else part
    return "array" if _is_array(finding.example) else "bytes"


def _is_array(example: Violation) -> bool:
    """Return whether the mistake in an example is in an array itself."""
    schema, path = getattr(example.case.target, "schema", None), example.case.path
    if schema is None or not path or path.endswith("]"):
        return False
    try:
        return fields_at(schema, path)[-1].element is not None
    except StopIteration:  # the path is of a header, or of unknown tags
        return False


def of_several(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings caused by several others together, with one of them in each pair.

    Only bytes written wrong are tried for a round trip, so its failure follows from them. The number of consumed bytes
    is wrong where the form of a field is misread.
    """
    written = [each for each in findings if each.outcome == Kind.BYTES and each.rule != ROUND_TRIP]
    wrong = [each for each in written if worst_of(each) is Impact.WRONG_BYTES]
    misread = [each for each in findings if each.rule in OF_FORM and sides_of(each) == {"decode"}]
    values = [each for each in findings if worst_of(each) is Impact.WRONG_VALUE]
    for finding in findings:
        if finding.rule == ROUND_TRIP:
            yield from _together(finding, wrong, "bytes are written wrong")
        elif finding.rule == CONSUMED:
            yield from _together(finding, misread, "fields are misread")
        elif finding in misread or finding in values:
            others = [each for each in values if each.count > finding.count and _is_of_form(each, finding)]
            yield from _together(finding, others, "the same fields are misread", in_fields=True)


def _is_of_form(finding: Finding, other: Finding) -> bool:
    return finding.rule == other.rule or {finding.rule, other.rule} <= OF_FORM


def _together(finding: Finding, others: Sequence[Finding], what: str, *, in_fields: bool = False) -> Iterator[Link]:
    """Yield a link if others cover each pair of a finding.

    With `in_fields` the cause must be in the same fields.
    """
    causes = {
        pair: [each for each in others if pair in each.fields and (not in_fields or _covers(each, pair, places))]
        for pair, places in finding.fields.items()
    }
    if all(causes.values()):
        every = {each.key: each for found in causes.values() for each in found}
        cause = max(every.values(), key=lambda each: (each.count, each.key))
        names = " or ".join(sorted({each.key.kind for each in every.values()}))
        yield Link(cause, finding, f"only where {what}, by {names}")


def _covers(finding: Finding, pair: Pair, places: Mapping[str, int]) -> bool:
    return not WHOLE & places.keys() and places.keys() <= finding.fields[pair].keys()


ROUND_TRIP, CONSUMED = "codec.round-trip", "codec.consumed"


def same_refusal(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield valid values refused with the text of another refusal.

    Both must be in the same direction, and in the same pairs.
    """
    refused = [each for each in findings if each.outcome in _REFUSALS and each.key.cluster and _is_of_sound(each)]
    refused.sort(key=_simplicity)
    yield from _of_own_rule(refused)
    for at, cause in enumerate(refused):
        for finding in refused[at + 1 :]:
            is_one = finding.key.cluster == cause.key.cluster and sides_of(finding) == sides_of(cause)
            if is_one and (finding.fields.keys() <= cause.fields.keys() or have_in_common(finding, cause)):
                yield Link(cause, finding, f"refused in the same words as by {cause.key.kind}")


def _of_own_rule(refused: Sequence[Finding]) -> Iterator[Link]:
    """Yield refusals with the text of a refusal by another rule.

    They follow from the refusal of their own rule with a text of its own. The text of a fixed case named after its rule
    is about that rule, and nothing follows in spite of it.
    """
    for finding in refused:
        others = [each for each in refused if each is not finding and _is_in_pairs_of(finding, each)]
        same = [each for each in others if each.rule != finding.rule and each.key.cluster == finding.key.cluster]
        own = [each for each in others if each.rule == finding.rule and each.key.cluster != finding.key.cluster]
        if same and own and finding.rule not in OF_ANY_VALUE and not any(map(_is_named_after_rule, same)):
            yield Link(own[0], finding, f"the same rule as by {own[0].key.kind}")


def _is_in_pairs_of(finding: Finding, cause: Finding) -> bool:
    return sides_of(finding) == sides_of(cause) and finding.fields.keys() <= cause.fields.keys()


def have_in_common(finding: Finding, cause: Finding) -> bool:
    """Return whether all cases of both have a trait that no accepted value has.

    It may be in any field.
    """
    return finding.traits == cause.traits and any(is_of_any_field(trait) for trait in finding.traits)


def _simplicity(finding: Finding) -> tuple[object, ...]:
    """Return a sort key for refusals.

    Fixed cases named after their rule come first, and then findings in most pairs.
    """
    return (
        catalogue()[finding.rule].consequence,
        not _is_named_after_rule(finding),
        not finding.example.case.deterministic,
        -len(finding.fields),
        finding.order,
    )


def _is_named_after_rule(finding: Finding) -> bool:
    case = finding.example.case
    return case.deterministic and finding.rule.replace(".", "-") in case.name


def _is_of_sound(finding: Finding) -> bool:
    return worst_of(finding) <= Impact.WRONG_BYTES


def same_place(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings at places of another one only, if they may follow from it.

    Causes in few pairs come first.
    """
    for cause in sorted(findings, key=lambda finding: len(finding.fields)):
        for finding in findings:
            if finding is not cause and _may_follow(finding, cause) and is_inside(finding, cause):
                yield Link(cause, finding, f"only where {cause.key.kind} is")


def _may_follow(finding: Finding, cause: Finding) -> bool:
    """Return whether a finding at the places of another one may follow from it.

    Two findings in one field need not be one mistake. A rule marked as a consequence may follow from any mistake with
    valid values in that direction. So may an accepted invalid input, if the reader misreads the field.
    """
    if (
        catalogue()[cause.rule].consequence
        or worst_of(cause) > Impact.WRONG_BYTES
        or sides_of(cause) != sides_of(finding)
    ):
        return False
    if catalogue()[finding.rule].consequence:
        return True
    is_misread = worst_of(cause) is Impact.WRONG_VALUE and worst_of(finding) is Impact.INVALID_ACCEPTED
    return is_misread and len(cause.fields) <= MAXIMUM_PAIRS and cause.count >= finding.count


def sides_of(finding: Finding) -> set[str]:
    """Return the sides at fault, writer or reader or both."""
    return {example.side for example in finding.examples}


def worst_of(finding: Finding) -> Impact:
    """Return the least severe impact among the examples of a finding."""
    return max(impact_of(example) for example in finding.examples)


def is_inside(finding: Finding, cause: Finding, *, or_whole: bool = False) -> bool:
    """Return whether each place of a finding is in a field of another one, in each pair.

    The field itself counts. Nothing is known of a place without a name. With `or_whole` both may be wrong in the
    message as a whole.
    """
    return finding.fields.keys() <= cause.fields.keys() and all(
        any(_holds(field, place) or (or_whole and field == place) for field in cause.fields[pair])
        for pair, places in finding.fields.items()
        for place in places
    )


WHOLE = frozenset(("", "batches", "records"))


def _holds(field: str, place: str) -> bool:
    """Return whether a place is a field or inside of it.

    The bytes of record batches as a whole are no place.
    """
    return field not in WHOLE and (place == field or place.startswith((f"{field}.", f"{field}[")))
