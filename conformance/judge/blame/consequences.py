"""Causes among findings, found by codecs with a single mistake.

One finding follows from another if a codec with the mistake of the other alone shows both. The mistakes are those of
`conformance.targets.faults.body_faults`.
"""

from __future__ import annotations

import json
from itertools import tee
from typing import TYPE_CHECKING, Any

from conformance.judge.blame.body_rules import is_within
from conformance.judge.blame.reasons import RANGE, ROUND_TRIP, WIDTH
from conformance.judge.blame.searches import written
from conformance.judge.events import Answered, Counted, Differs, Held, Shown
from conformance.judge.findings.causes import (
    ANSWERS,
    MAXIMUM_PAIRS,
    OF_ANY_VALUE,
    OF_FORM,
    Link,
    sides_of,
)
from conformance.targets import Body, WireTypeTarget
from conformance.targets.faults.body_faults import BodyFault, body_faults
from conformance.targets.faults.schema_codec import converted
from conformance.targets.outcome import REFUSALS
from reference import TAGS, Malformed, difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.forms import Key, Pair
    from reference import MessageSchema


WITH_MODELS = Body | WireTypeTarget
"""The targets with fault models. A frame or stored message follows from a body by its rule."""


def same_mistake(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings whose cases all follow from the mistake of another one.

    The mistake behind most findings comes first. A refusal says too little about a mistake to explain other findings
    than those at its place, unless the mistake was found by bytes that the reader accepts instead.
    """
    mistakes = _Mistakes()
    of_bodies = [each for each in findings if len(each.fields) <= MAXIMUM_PAIRS and _has_models(each)]
    explaining = [
        each for each in of_bodies if each.rule != RANGE and (each.outcome in ANSWERS or each.rule in OF_FORM)
    ]
    links = [list(mistakes.links(cause, findings)) for cause in explaining]
    for following in sorted(links, key=len, reverse=True):
        yield from following
    for cause in of_bodies:
        if cause not in explaining:
            yield from mistakes.links(cause, [each for each in findings if _is_of_refusal(each, cause)])
    for finding in of_bodies:
        if len(finding.fields) > 1:
            yield from mistakes.of_several(explaining, finding)


def _is_of_refusal(finding: Finding, cause: Finding) -> bool:
    """Return whether a finding may follow from a refusal, at its place."""
    is_of_range = {finding.rule, cause.rule} <= OF_ANY_VALUE | {RANGE}
    return (finding.rule == cause.rule or is_of_range) and finding.totals.keys() == cause.totals.keys()


class _Mistakes:
    """The single mistakes behind findings, each searched once."""

    def __init__(self) -> None:
        self._found: dict[tuple[Key, Pair], Iterator[BodyFault]] = {}

    def links(self, cause: Finding, findings: Sequence[Finding]) -> Iterator[Link]:
        """Yield the findings that follow from the mistake of a cause in each of their pairs."""
        for finding in findings:
            if finding is not cause and finding.fields.keys() <= cause.fields.keys():
                mistakes = [self.of_both(cause, finding, pair) for pair in finding.fields]
                known = [each for each in mistakes if each is not None]
                if len(known) == len(mistakes):
                    yield Link(cause, finding, _reason(cause, known))

    def of_several(self, explaining: Sequence[Finding], finding: Finding) -> Iterator[Link]:
        """Yield a finding whose cases follow, in each pair, from the mistake of another finding there."""
        others = [each for each in explaining if each is not finding]
        causes = {pair: self._cause_of(others, finding, pair) for pair in finding.fields}
        found = {each.key: each for each in causes.values() if each is not None}
        if None not in causes.values():
            cause = min(found.values(), key=lambda each: each.order)
            names = " or ".join(sorted({f"{each.key.rule} in {each.example.message}" for each in found.values()}))
            yield Link(cause, finding, f"a codec that breaks {names}, and nothing else, does the same")

    def _cause_of(self, others: Sequence[Finding], finding: Finding, pair: Pair) -> Finding | None:
        there = (each for each in others if pair in each.fields)
        return next((each for each in there if self.of_both(each, finding, pair) is not None), None)

    def of_both(self, cause: Finding, finding: Finding, pair: Pair) -> BodyFault | None:
        """Return the single mistake behind all cases of both findings in a pair, or None if there is none."""
        violations = _of_pair(finding, pair)
        # Equal bytes or values show a mistake at any place; a refusal may have another reason.
        is_shown = finding.rule == cause.rule and finding.outcome not in REFUSALS
        is_other = sides_of(finding).isdisjoint(sides_of(cause))
        for mistake in self._models(cause, pair):
            if (is_shown or not is_other or _is_of(finding.fields[pair], mistake)) and _explains_all(
                mistake, violations
            ):
                return mistake
        return None

    def _models(self, cause: Finding, pair: Pair) -> Iterator[BodyFault]:
        """Yield the mistakes behind all cases of a finding in a pair; as each is searched, it is kept."""
        key = cause.key, pair
        found = self._found[key] if key in self._found else _models_of(cause, pair)
        self._found[key], copy = tee(found)
        return copy


def _has_models(finding: Finding) -> bool:
    return any(isinstance(example.case.target, WITH_MODELS) for example in finding.examples)


def _is_of(places: Iterable[str], mistake: BodyFault) -> bool:
    """Return whether a finding in the other direction is at the place of a mistake that has one, and so shows it there.

    A field with another tag is also seen among the unknown ones of its struct, and in a field that has this tag.
    """
    struct = mistake.path.rpartition(".")[0]
    path = struct if mistake.rule == "tag.number" else mistake.path
    return not path or all(is_within(place, path) or place == f"{struct}.{TAGS}" for place in places)


def _models_of(cause: Finding, pair: Pair) -> Iterator[BodyFault]:
    violations = _of_pair(cause, pair)
    target = next((each.case.target for each in violations if isinstance(each.case.target, WITH_MODELS)), None)
    models = body_faults(target.schema) if target is not None else ()
    return (each for each in models if _is_about(each, cause, pair) and _explains_all(each, violations))


def _explains_all(mistake: BodyFault, violations: Iterable[Violation]) -> bool:
    return all(_explains(mistake, violation) for violation in violations)


def _reason(cause: Finding, mistakes: Sequence[BodyFault]) -> str:
    notes, places = sorted({each.note for each in mistakes} - {""}), sorted({each.path for each in mistakes} - {""})
    if notes:
        return f"a codec that {', '.join(notes)}, and does nothing else wrong, does the same"
    return f"a codec that breaks {cause.rule} in {', '.join(places) or 'the message'}, and nothing else, does the same"


def _is_about(mistake: BodyFault, cause: Finding, pair: Pair) -> bool:
    """Return whether a finding is blamed on the rule of a mistake at its place, or on no rule of a form there."""
    places = {field.removesuffix("[]") for field in cause.fields[pair]}
    if cause.rule in OF_ANY_VALUE or cause.rule == RANGE:
        return places == {mistake.path}
    is_there = mistake.is_everywhere or not mistake.path or mistake.path in places
    return mistake.rule == cause.rule and is_there


def _of_pair(finding: Finding, pair: Pair) -> list[Violation]:
    return [example for example in finding.examples if example.pair == pair]


def _explains(mistake: BodyFault, violation: Violation) -> bool:
    """Return whether a codec with exactly this mistake behaves as the implementation did."""
    target, value, wire = violation.case.target, violation.case.value, violation.case.wire
    if not isinstance(target, WITH_MODELS):  # something around it
        is_of_form = {violation.rule, mistake.rule} <= OF_FORM and violation.field == mistake.path
        return violation.rule == mistake.rule or is_of_form
    content = None if value is None else target.value_of(target.from_json(json.loads(value)))
    if violation.side == "decode":
        return wire is not None and _is_read(mistake, violation, target, content)
    if violation.rule == RANGE and mistake.rule == WIDTH and mistake.path == violation.field.removesuffix("[]"):
        return True  # a number of another type has another range
    return content is not None and _is_written(mistake, violation, target.schema, content)


def _is_written(mistake: BodyFault, violation: Violation, schema: MessageSchema, content: dict[str, Any]) -> bool:
    """Return whether the codec with the mistake writes the value of a case as the implementation did."""
    wire, observation = written(mistake.codec, content), violation.observation
    if violation.rule == ROUND_TRIP:  # the violation has the canonical bytes, not the written ones
        return violation.case.wire is not None and wire != violation.case.wire
    if violation.outcome in REFUSALS:
        return wire is None or _loses(mistake, schema, content)
    if isinstance(observation, Counted):
        return wire is not None and observation == Counted("size", len(wire))
    is_same = isinstance(observation, Answered) and wire is not None and observation.wire == Held.of(wire.hex())
    return is_same and (violation.rule != "ignorable.refused" or is_within(violation.field, mistake.path))


def _loses(mistake: BodyFault, schema: MessageSchema, content: dict[str, Any]) -> bool:
    """Return whether a value has content in a field unknown to the codec with the mistake."""
    return converted(schema, converted(mistake.codec.schema, content)) != converted(schema, content)


def _is_read(
    mistake: BodyFault, violation: Violation, target: Body | WireTypeTarget, content: dict[str, Any] | None
) -> bool:
    """Return whether the codec with the mistake reads the bytes of a case as the implementation did.

    The bytes are those of `content` if there is one.
    """
    wire = violation.case.wire or b""
    try:
        read, consumed = mistake.codec.read(wire)
    except Malformed:
        return violation.outcome in REFUSALS
    except NotImplementedError:  # a form that is only written
        return False
    observation = violation.observation
    if violation.outcome in REFUSALS:
        return consumed != len(wire)
    if isinstance(observation, Counted):
        return observation == Counted("consumed", consumed)
    schema = target.schema
    values = (converted(schema, read), read)  # a field that the codec lacks may be at its default, or missing
    if isinstance(observation, Answered):
        return observation.value in [Shown.of(target.content_of(each)) for each in values]
    return isinstance(observation, Differs) and any(_differs(observation, schema, content, each) for each in values)


def _differs(observation: Differs, schema: MessageSchema, content: Any, value: dict[str, Any]) -> bool:
    found = None if content is None else difference(schema, content, value)
    return found is not None and (observation.actual, observation.aspect) == (Shown.of(found.actual), found.what)
