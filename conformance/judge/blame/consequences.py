"""Causes among findings, found by codecs with a single mistake.

One finding follows from another if a codec with the mistake of the other alone shows both. The mistakes are those of
`conformance.judge.blame.fault_models`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import REFUSALS
from conformance.codec.targets import Body
from conformance.judge.blame.fault_models import FaultModel, fault_models
from conformance.judge.blame.wrong_codecs import converted
from conformance.judge.events import Answered, Counted, Differs, Held, Shown
from conformance.judge.findings.causes import ANSWERS, MAXIMUM_PAIRS, OF_FORM, Link
from reference import Malformed, Unencodable, difference, from_json
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.forms import Pair
    from reference import MessageSchema


def same_mistake(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings whose cases all follow from the mistake of another one.

    The mistake behind most findings comes first. A refusal says too little about a mistake to explain other findings,
    unless the mistake was found by bytes that the reader accepts instead.
    """
    explaining = [
        finding
        for finding in findings
        if (finding.outcome in ANSWERS or finding.rule in OF_FORM) and len(finding.fields) <= MAXIMUM_PAIRS
    ]
    links = [list(_from(cause, findings)) for cause in explaining]
    for following in sorted(links, key=len, reverse=True):
        yield from following
    for finding in findings:
        if finding.rule in OF_FORM and 1 < len(finding.fields) <= MAXIMUM_PAIRS:
            yield from _from_several(explaining, finding)


def _from_several(explaining: Sequence[Finding], finding: Finding) -> Iterator[Link]:
    """Yield a finding whose cases follow, in each pair, from the mistake of another finding there."""
    others = [each for each in explaining if each is not finding]
    causes = {
        pair: next((each for each in others if pair in each.fields and _place(each, finding, pair) is not None), None)
        for pair in finding.fields
    }
    found = {each.key: each for each in causes.values() if each is not None}
    if None not in causes.values():
        cause = min(found.values(), key=lambda each: each.order)
        names = " or ".join(sorted({f"{each.key.rule} in {each.example.message}" for each in found.values()}))
        yield Link(cause, finding, f"a codec that breaks {names}, and nothing else, does the same")


def _from(cause: Finding, findings: Sequence[Finding]) -> Iterator[Link]:
    for finding in findings:
        if finding is not cause and finding.fields.keys() <= cause.fields.keys():
            places = {_place(cause, finding, pair) for pair in finding.fields}
            if None not in places:
                where = ", ".join(sorted(place for place in places if place)) or "the message"
                yield Link(
                    cause, finding, f"a codec that breaks {cause.rule} in {where}, and nothing else, does the same"
                )


def _place(cause: Finding, finding: Finding, pair: Pair) -> str | None:
    """Return the place of the single mistake behind all cases of both findings in a pair.

    None if there is no such mistake.
    """
    violations = [*_of_pair(cause, pair), *_of_pair(finding, pair)]
    target = violations[0].case.target
    for mistake in fault_models(target.schema) if isinstance(target, Body) else ():
        if mistake.rule == cause.rule and all(_explains(mistake, violation) for violation in violations):
            return mistake.path
    return None


def _of_pair(finding: Finding, pair: Pair) -> list[Violation]:
    return [example for example in finding.examples if example.pair == pair]


def _explains(mistake: FaultModel, violation: Violation) -> bool:
    """Return whether a codec with exactly this mistake behaves as the implementation did."""
    target, value, wire = violation.case.target, violation.case.value, violation.case.wire
    if not isinstance(target, Body):
        return False
    content = None if value is None else from_json(target.schema, json.loads(value))
    if violation.direction == "decode":
        return wire is not None and _is_read(mistake, violation, target.schema, content)
    written = None if content is None else _written(mistake, content)
    if violation.rule == "codec.round-trip":  # the violation has the canonical bytes, not the written ones
        return wire is not None and written != wire
    if violation.outcome in REFUSALS:
        return written is None or (content is not None and _loses(mistake, target.schema, content))
    observation = violation.observation
    return isinstance(observation, Answered) and written is not None and observation.wire == Held.of(written.hex())


def _written(mistake: FaultModel, content: dict[str, Any]) -> bytes | None:
    """Return the bytes of a value, or None if it is refused."""
    try:
        return mistake.wire_type.write(converted(mistake.schema, content))
    except Unencodable:
        return None


def _loses(mistake: FaultModel, schema: MessageSchema, content: dict[str, Any]) -> bool:
    """Return whether a value has content in a field unknown to the codec with the mistake."""
    return converted(schema, converted(mistake.schema, content)) != converted(schema, content)


def _is_read(mistake: FaultModel, violation: Violation, schema: MessageSchema, content: dict[str, Any] | None) -> bool:
    """Return whether the codec with the mistake reads the bytes of a case as the implementation did.

    The bytes are those of `content` if there is one.
    """
    reader = LenientReader(violation.case.wire or b"")
    try:
        read = mistake.wire_type.read(reader)
    except Malformed:
        return violation.outcome in REFUSALS
    except NotImplementedError:  # a form that is only written
        return False
    observation = violation.observation
    if violation.outcome in REFUSALS:
        return reader.tell() != reader.size
    if isinstance(observation, Counted):
        return observation == Counted("consumed", reader.tell())
    values = (converted(schema, read), read)  # a field that the codec lacks may be at its default, or missing
    if content is None:
        return isinstance(observation, Answered) and observation.value in [Shown.of(each) for each in values]
    return isinstance(observation, Differs) and any(_differs(observation, schema, content, each) for each in values)


def _differs(observation: Differs, schema: MessageSchema, content: dict[str, Any], value: dict[str, Any]) -> bool:
    found = difference(schema, content, value)
    return found is not None and (observation.actual, observation.aspect) == (Shown.of(found.actual), found.what)
