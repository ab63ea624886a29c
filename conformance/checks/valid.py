"""What an implementation owes for a sound value: canonical bytes, the same value back, right counts.

One case serves five checks: encodes canonically, size agrees, reads back its own bytes, decodes what the reference
encodes, consumes exactly. Each yields violations with the rule that is broken.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.blame.bodies import Blame, blame_bytes, blame_refusal, blame_value
from conformance.blame.reduction import focus, reduced
from conformance.findings.violations import Violation
from conformance.implementation.driver import Implementation, copy_of
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import Difference, MessageSchema, difference, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.findings.tally import Tally


@dataclass(frozen=True)
class ValueCase:
    """A sound value of a message, and where it departs from the smallest one."""

    schema: MessageSchema
    name: str
    path: str
    value: dict[str, Any]
    deterministic: bool = True
    is_minimal: bool = True
    """Whether nothing could be left out; else it is reduced before anything is blamed."""


def check_value(implementation: Implementation, case: ValueCase, tally: Tally) -> Iterator[Violation]:
    """Run every check that a sound value allows, in both directions as far as the implementation goes."""
    wire = encode(case.schema, case.value)
    if implementation.offers("encode", case.schema):
        yield from _check_encode(implementation, case, wire, tally)
    if implementation.offers("decode", case.schema):
        yield from _check_decode(implementation, case, wire, tally)


def _check_encode(implementation: Implementation, case: ValueCase, wire: bytes, tally: Tally) -> Iterator[Violation]:
    value = implementation.judged(case.value)
    if not implementation.keeps_unknown_tags:
        wire = encode(case.schema, value)
    outcome = implementation.encode(case.schema, value)
    tally.count("encode", case.schema, outcome)
    if outcome.kind in ABSENT:
        return
    if outcome.kind is Kind.BYTES and outcome.wire is not None:
        if outcome.wire != wire:
            yield from _wrong_bytes(implementation, case, value)
        yield from _check_size(implementation, case, value, outcome.wire)
    else:
        yield _refused(case, outcome, "encode", lambda tried: implementation.encode(case.schema, tried))


def _refused(
    case: ValueCase, outcome: Outcome, direction: str, again: Callable[[dict[str, Any]], Outcome]
) -> Violation:
    """A sound value that was not taken, reduced to what it is not taken for."""
    value = reduced(case.schema, case.value, lambda tried: again(tried).kind is outcome.kind)
    if value != case.value or not case.path:
        case = replace(case, value=value, path=focus(case.schema, value))
        outcome = again(value)
    blame = blame_refusal(case.schema, case.value, case.path, direction)
    wire = encode(case.schema, case.value)
    expected = wire.hex() if direction == "encode" else "accepted"
    return _violation(case, blame, outcome.kind, direction, expected, str(outcome), wire)


def _wrong_bytes(implementation: Implementation, case: ValueCase, value: dict[str, Any]) -> Iterator[Violation]:
    """Other bytes than the canonical ones; a value that came by chance is reduced to what makes them differ."""

    def differs(tried: dict[str, Any]) -> bool:
        outcome = implementation.encode(case.schema, tried)
        return outcome.kind is Kind.BYTES and outcome.wire != encode(case.schema, tried)

    if not case.is_minimal:
        value = reduced(case.schema, value, differs)
    wire, actual = encode(case.schema, value), implementation.encode(case.schema, value).wire or b""
    blame = blame_bytes(case.schema, value, wire, actual)
    case = replace(case, value=value)
    yield _violation(case, blame, Kind.BYTES, "encode", wire.hex(), actual.hex(), wire)
    yield from _check_own_bytes(implementation, case, value, actual)


def _check_own_bytes(
    implementation: Implementation, case: ValueCase, value: dict[str, Any], own: bytes
) -> Iterator[Violation]:
    """An implementation that writes other bytes should at least read them back."""
    if not implementation.offers("decode", case.schema):
        return
    outcome = implementation.decode(case.schema, own)
    if outcome.kind is Kind.VALUE and difference(case.schema, value, implementation.judged(outcome.value)) is None:
        return
    if outcome.kind not in ABSENT:
        blame = Blame("codec.round-trip", case.path)
        yield _violation(case, blame, outcome.kind, "encode", "the value that it wrote", str(outcome), own)


def _check_size(
    implementation: Implementation, case: ValueCase, value: dict[str, Any], written: bytes
) -> Iterator[Violation]:
    if implementation.adapter.size is None:
        return
    size = implementation.size(case.schema, value)
    if isinstance(size, Outcome):
        if size.kind not in ABSENT:
            blame = Blame("codec.size", case.path)
            yield _violation(case, blame, size.kind, "encode", str(len(written)), str(size), written)
    elif size != len(written):
        blame = Blame("codec.size", case.path)
        yield _violation(case, blame, "size", "encode", f"{len(written)} bytes", f"{size} announced", written)


def _check_decode(implementation: Implementation, case: ValueCase, wire: bytes, tally: Tally) -> Iterator[Violation]:
    outcome = implementation.decode(case.schema, wire)
    tally.count("decode", case.schema, outcome)
    if outcome.kind in ABSENT:
        return
    if outcome.kind in REFUSALS or outcome.kind in FATAL:
        yield _refused(
            case, outcome, "decode", lambda tried: implementation.decode(case.schema, encode(case.schema, tried))
        )
        return
    yield from _check_read(implementation, case, wire, outcome)


def _check_read(implementation: Implementation, case: ValueCase, wire: bytes, outcome: Outcome) -> Iterator[Violation]:
    if _read_difference(implementation, case, outcome.value) is not None:
        yield _wrong_value(implementation, case, outcome)
    elif outcome.consumed is not None and outcome.consumed != len(wire):
        blame = Blame("codec.consumed", "")
        expected_text, actual_text = f"{len(wire)} bytes consumed", f"{outcome.consumed} bytes consumed"
        yield _violation(case, blame, "consumed", "decode", expected_text, actual_text, wire)


def _read_difference(implementation: Implementation, case: ValueCase, read: Any) -> Difference | None:
    """Where what was read differs from the case's value."""
    expected, actual = implementation.judged(case.value), implementation.judged(read)
    return difference(case.schema, expected, actual, absent=implementation.takes_absent_fields)


def _wrong_value(implementation: Implementation, case: ValueCase, outcome: Outcome) -> Violation:
    """Another value than the one on the wire; one that came by chance is reduced to what is misread."""

    def misread(tried: dict[str, Any]) -> bool:
        outcome = implementation.decode(case.schema, encode(case.schema, tried))
        wrong = replace(case, value=tried)
        return outcome.kind is Kind.VALUE and _read_difference(implementation, wrong, outcome.value) is not None

    if not case.is_minimal:
        case = replace(case, value=reduced(case.schema, case.value, misread))
        outcome = implementation.decode(case.schema, encode(case.schema, case.value))
    wire = encode(case.schema, case.value)
    found = _read_difference(implementation, case, outcome.value)
    if found is None:
        blame = Blame("codec.no-residue", "")
        return _violation(case, blame, Kind.VALUE, "decode", "the same value each time", "another one", wire)
    blame = blame_value(case.schema, wire, implementation.judged(outcome.value), found, outcome.consumed)
    place = f"{found.path}: " if found.path else ""
    expected_text, actual_text = f"{place}{found.expected!r}", f"{place}{found.actual!r} ({found.what} differs)"
    return _violation(case, blame, Kind.VALUE, "decode", expected_text, actual_text, wire)


def _violation(  # noqa: PLR0913, PLR0917  # the seven things that a violation is about
    case: ValueCase, blame: Blame, kind: str, direction: str, expected: str, actual: str, wire: bytes
) -> Violation:
    return Violation(
        rule=blame.rule,
        message=case.schema.message,
        version=case.schema.version,
        path=blame.path,
        outcome=str(kind),
        direction=direction,
        case=case.name,
        expected=expected,
        actual=actual,
        wire=wire.hex(),
        value=json.dumps(to_json(case.schema, copy_of(case.value))) if direction == "encode" else "",
        deterministic=case.deterministic,
    )
