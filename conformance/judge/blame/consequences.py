"""Causes among findings, found by codecs with a single mistake.

One finding follows from another if a codec with the mistake of the other alone shows both. The mistakes are those of
`body_faults` and `BodyTarget.head_faults`. One in a body also shows in frames and stored messages with this body.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from itertools import chain
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
from conformance.targets import DECODE, EVERYTHING, HEADER, BodyTarget
from conformance.targets.faults.body_faults import body_faults
from conformance.targets.faults.fault import Faults
from conformance.targets.faults.schema_codec import SchemaCodec, converted
from conformance.targets.outcome import REFUSALS
from reference import TAGS, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.forms import Key, Pair
    from conformance.targets.faults.fault import FaultModel, FaultyCodec


OF_HEAD = frozenset((
    *("frame.size", "header.request-version", "header.response-version", "header.client-id", "header.correlation-id"),
    *("prefix.type", "prefix.version", "record.frame-version", "record.type", "record.version"),
))  # fmt: skip
"""The rules on the form of what is around a body."""

FOUND_BY_BYTES = OF_FORM | OF_HEAD
"""The rules of mistakes found by bytes that a reader accepts instead of the refused ones."""


def same_mistake(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings whose cases all follow from the mistake of another one.

    The mistake behind most findings comes first. A refusal says too little about a mistake to explain other findings
    than those at its place, unless the mistake was found by bytes that the reader accepts instead.
    """
    mistakes = _Mistakes()
    of_bodies = [each for each in findings if len(each.fields) <= MAXIMUM_PAIRS and _has_models(each)]
    explaining = [
        each for each in of_bodies if each.rule != RANGE and (each.outcome in ANSWERS or each.rule in FOUND_BY_BYTES)
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
        self._found: dict[tuple[Key, Pair], Faults[Any]] = {}

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

    def of_both(self, cause: Finding, finding: Finding, pair: Pair) -> FaultModel[Any] | None:
        """Return the single mistake behind all cases of both findings in a pair, or None if there is none."""
        violations = _of_pair(finding, pair)
        # Equal bytes or values show a mistake at any place; a refusal may have another reason.
        is_shown = finding.rule == cause.rule and finding.outcome not in REFUSALS
        is_other = sides_of(finding).isdisjoint(sides_of(cause))
        for fault in self._models(cause, pair):
            if (is_shown or not is_other or _is_of(finding.fields[pair], fault)) and _explains_all(fault, violations):
                return fault
        return None

    def _models(self, cause: Finding, pair: Pair) -> Faults[Any]:
        """Yield the mistakes behind all cases of a finding in a pair; as each is searched, it is kept."""
        key = cause.key, pair
        if key not in self._found:
            self._found[key] = Faults(_models_of(cause, pair))
        return self._found[key]


def _has_models(finding: Finding) -> bool:
    return any(isinstance(example.case.target, BodyTarget) for example in finding.examples)


def _is_of(places: Iterable[str], fault: FaultModel[Any]) -> bool:
    """Return whether a finding in the other direction is at the place of a mistake that has one, and so shows it there.

    A field with another tag is also seen among the unknown ones of its struct, and in a field that has this tag.
    """
    struct = fault.path.rpartition(".")[0]
    path = struct if fault.rule == "tag.number" else fault.path
    return not path or all(is_within(place, path) or place == f"{struct}.{TAGS}" for place in places)


def _models_of(cause: Finding, pair: Pair) -> Iterator[FaultModel[Any]]:
    violations = _of_pair(cause, pair)
    targets = {type(each.case.target): each.case.target for each in violations}
    own = [target for target in targets.values() if isinstance(target, BodyTarget)]
    heads = chain.from_iterable(target.head_faults() for target in own)
    faults = chain(heads, *(body_faults(target.schema) for target in own[:1]))
    return (each for each in faults if _is_about(each, cause, pair) and _explains_all(each, violations))


def _explains_all(fault: FaultModel[Any], violations: Iterable[Violation]) -> bool:
    return all(_explains(fault, violation) for violation in violations)


def _reason(cause: Finding, mistakes: Sequence[FaultModel[Any]]) -> str:
    notes, places = sorted({each.note for each in mistakes} - {""}), sorted({each.path for each in mistakes} - {""})
    if notes:
        return f"a codec that {', '.join(notes)}, and does nothing else wrong, does the same"
    return f"a codec that breaks {cause.rule} in {', '.join(places) or 'the message'}, and nothing else, does the same"


def _is_about(fault: FaultModel[Any], cause: Finding, pair: Pair) -> bool:
    """Return whether a finding is blamed on the rule of a mistake at its place, or on no rule of a form there."""
    places = {field.removesuffix("[]") for field in cause.fields[pair]}
    if cause.rule in OF_ANY_VALUE or cause.rule == RANGE:
        return places == {fault.path}
    is_there = fault.is_everywhere or not fault.path or fault.path in places
    return fault.rule == cause.rule and is_there


def _of_pair(finding: Finding, pair: Pair) -> list[Violation]:
    return [example for example in finding.examples if example.pair == pair]


def _explains(fault: FaultModel[Any], violation: Violation) -> bool:
    """Return whether a codec with exactly this mistake behaves as the implementation did."""
    target = violation.case.target
    codec = _codec_of(fault, target) if isinstance(target, BodyTarget) else None
    if codec is None or not isinstance(target, BodyTarget):
        return False
    if violation.direction == HEADER:
        return violation.rule == fault.rule
    content = _content_of(target, violation.case.value, violation.case.wire)
    if violation.side == DECODE:
        return violation.case.wire is not None and _is_read(codec, violation, target, content)
    if violation.rule == RANGE and fault.rule == WIDTH and fault.path == violation.field.removesuffix("[]"):
        return True  # a number of another type has another range
    return content is not None and _is_written(fault, codec, violation, content)


def _codec_of(fault: FaultModel[Any], target: BodyTarget) -> FaultyCodec | None:
    """Return the codec with a fault for the contents of a target, or None if the target does not show the fault."""
    sound: Any = target.codec
    if type(fault.codec) is type(sound):
        own: FaultyCodec = fault.codec
        return own
    is_inside = isinstance(fault.codec, SchemaCodec) and fault.codec.schema.message == target.schema.message
    around: FaultyCodec | None = replace(sound, body=fault.codec) if is_inside else None
    return around


# Each case is compared with many faults.
@lru_cache(maxsize=256)
def _content_of(target: BodyTarget, value: str | None, wire: bytes | None) -> Any:
    """Return the content of a case, by its value or its bytes, or None for bytes without any."""
    if value is not None:
        return target.from_json(json.loads(value))
    return None if wire is None else target.judge(wire).value


def _is_written(fault: FaultModel[Any], codec: FaultyCodec, violation: Violation, content: Any) -> bool:
    """Return whether the codec with the mistake writes the content of a case as the implementation did."""
    wire, observation = written(codec, content), violation.observation
    if violation.rule == ROUND_TRIP:  # the violation has the canonical bytes, not the written ones
        return violation.case.wire is not None and wire != violation.case.wire
    if violation.outcome in REFUSALS:
        return wire is None or _loses(codec, violation.case.target, content)
    if isinstance(observation, Counted):
        return wire is not None and observation == Counted("size", len(wire))
    is_same = isinstance(observation, Answered) and wire is not None and observation.wire == Held.of(wire.hex())
    return is_same and (violation.rule != "ignorable.refused" or is_within(violation.field, fault.path))


def _loses(codec: Any, target: Any, content: Any) -> bool:
    """Return whether a value has content in a field unknown to the codec with the mistake."""
    body, schema, value = getattr(codec, "body", codec), target.schema, target.value_of(content)
    return converted(schema, converted(body.schema, value)) != converted(schema, value)


def _is_read(codec: FaultyCodec, violation: Violation, target: BodyTarget, content: Any) -> bool:
    """Return whether the codec with the mistake reads the bytes of a case as the implementation did.

    The bytes are those of `content` if there is one.
    """
    wire = violation.case.wire or b""
    try:
        read, consumed = codec.read(wire)
    except Malformed:
        return violation.outcome in REFUSALS
    except NotImplementedError:  # a form that is only written
        return False
    observation = violation.observation
    if violation.outcome in REFUSALS:
        return consumed != len(wire)
    if isinstance(observation, Counted):
        return observation == Counted("consumed", consumed)
    contents = _as_kept(codec, target, read)
    if isinstance(observation, Answered):
        return any(observation.value == Shown.of(each) for each in contents)
    return isinstance(observation, Differs) and any(_differs(observation, target, content, each) for each in contents)


def _as_kept(codec: FaultyCodec, target: BodyTarget, read: Any) -> list[Any]:
    """Return a read content in two forms: a field that the codec lacks may be at its default, or missing."""
    if isinstance(codec, SchemaCodec):
        return [target.content_of(each) for each in (converted(target.schema, read), read)]
    return [target.with_value(read, converted(target.schema, target.value_of(read))), read]


def _differs(observation: Differs, target: BodyTarget, expected: Any, actual: Any) -> bool:
    found = None if expected is None else target.difference(EVERYTHING, expected, actual)
    return found is not None and (observation.actual, observation.aspect) == (Shown.of(found.actual), found.what)
