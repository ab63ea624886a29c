"""What an implementation owes for each wire type alone: canonical bytes, the same value back, refusals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.blame.bodies import blame_bytes
from conformance.findings.violations import Violation
from conformance.generate.primitives import broken_primitives, primitive_values
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import Malformed, Primitive, Unencodable
from reference.primitives import VALUE
from reference.values.comparison import float_bits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.implementation.driver import Implementation

RULES = {
    "unsigned-varint": "varint.shortest",
    "unsigned-varlong": "varint.shortest",
    "varint": "varint.signed",
    "varlong": "varint.signed",
    "tag-section": "tag.section",
}
"""What the bytes of a wire type are about that is no type of a field."""


def check_primitive(
    implementation: Implementation, decoder: IsolatedDecoder | None, each: Primitive, tally: Tally
) -> Iterator[Violation]:
    """Run every check that one wire type allows."""
    for value in primitive_values(each):
        tally.case("primitive values")
        yield from check_primitive_value(implementation, each, value)
    if implementation.adapter.decode_primitive is not None:
        wires = list(broken_primitives(each))
        tally.case("broken primitives", len(wires))
        yield from check_primitive_wires(implementation, decoder, each, wires)


def check_primitive_value(implementation: Implementation, each: Primitive, value: Any) -> Iterator[Violation]:
    """One value is written canonically and read back, or refused."""
    try:
        wire = each.encode(value)
    except Unencodable as error:
        yield from _check_refused_value(implementation, each, value, error)
        return
    yield from _check_written(implementation, each, value, wire)
    yield from _check_read(each, wire, implementation.decode_primitive(each.name, wire))


def _check_written(implementation: Implementation, each: Primitive, value: Any, wire: bytes) -> Iterator[Violation]:
    outcome = implementation.encode_primitive(each.name, value)
    if outcome.kind in ABSENT or outcome.wire == wire:
        return
    rule = RULES.get(each.name, "message.writable")
    if outcome.kind is Kind.BYTES and outcome.wire is not None and each.schema is not None:
        rule = blame_bytes(each.schema, {VALUE: value}, wire, outcome.wire).rule
    elif each.schema is not None:
        rule = _rule_of(each, wire)
    yield _violation(each, rule, outcome.kind, "encode", (wire.hex(), str(outcome)), wire, value)


def _check_read(each: Primitive, wire: bytes, outcome: Outcome) -> Iterator[Violation]:
    if outcome.kind in ABSENT:
        return
    expected = each.decode(wire)
    if outcome.kind is not Kind.VALUE or not _same(outcome.value, expected.value):
        texts = (repr(expected.value), str(outcome))
        yield _violation(each, _rule_of(each, wire), outcome.kind, "decode", texts, wire)
    elif outcome.consumed not in {None, expected.consumed}:
        texts = (f"{expected.consumed} bytes consumed", f"{outcome.consumed} bytes consumed")
        yield _violation(each, "codec.consumed", "consumed", "decode", texts, wire)


def _check_refused_value(
    implementation: Implementation, each: Primitive, value: Any, error: Unencodable
) -> Iterator[Violation]:
    outcome = implementation.encode_primitive(each.name, value)
    if outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
        yield _violation(each, error.rule, outcome.kind, "encode", ("refused", str(outcome)), b"", value)


def check_primitive_wires(
    implementation: Implementation, decoder: IsolatedDecoder | None, each: Primitive, wires: Sequence[bytes]
) -> Iterator[Violation]:
    """Invalid bytes are refused, sound ones read; what the protocol leaves open may go either way, but not crash."""
    if decoder is None:
        outcomes = [implementation.decode_primitive(each.name, wire) for wire in wires]
    else:
        outcomes = decoder.decode_many([(each, wire) for wire in wires])
    for wire, outcome in zip(wires, outcomes, strict=True):
        rule = _verdict(each, wire)
        if rule == _OPEN:
            if outcome.kind in FATAL:
                yield _violation(each, "message.accepted", outcome.kind, "decode", ("no crash", str(outcome)), wire)
        elif rule is None:
            yield from _check_read(each, wire, outcome)
        elif outcome.kind not in REFUSALS and outcome.kind not in ABSENT:
            yield _violation(each, rule, outcome.kind, "decode", ("rejected", str(outcome)), wire)


_OPEN = "left open"


def _verdict(each: Primitive, wire: bytes) -> str | None:
    """The rule that invalid bytes break; None for sound ones; `_OPEN` for those that may be read or not."""
    try:
        each.decode(wire)
    except Malformed as error:
        return _OPEN if error.reason is None else error.rule
    return None


def _rule_of(each: Primitive, wire: bytes) -> str:
    """What the last bytes of a wire type are about: its payload if it has one."""
    if each.schema is None:
        return RULES[each.name]
    return each.spans(wire)[-1].rule


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return float_bits(first) == float_bits(second)
    if isinstance(second, list):
        return isinstance(first, list) and [_plain(item) for item in first] == [_plain(item) for item in second]
    return type(first) is type(second) and bool(first == second)


def _plain(item: Any) -> Any:
    return tuple(item) if isinstance(item, list) else item


def _violation(  # noqa: PLR0913, PLR0917  # what a violation is about
    each: Primitive,
    rule: str,
    kind: str,
    direction: str,
    texts: tuple[str, str],
    wire: bytes,
    value: Any = None,
) -> Violation:
    return Violation(
        rule=rule,
        message=each.name,
        version=0,
        path="",
        outcome=str(kind),
        direction=direction,
        case="primitive",
        expected=texts[0],
        actual=texts[1],
        wire=wire.hex(),
        value=json.dumps(each.to_json(value)) if direction == "encode" else "",
    )
