"""Is it the adapter? A few calls that tell a badly made adapter from a codec that is wrong.

What is found here is no finding: it breaks no wire rule. It is said first, for as long as the adapter is at fault the
findings are about the adapter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.cases import populated
from conformance.implementation.outcome import FATAL, Kind, Outcome
from reference import TAGS, MessageSchema, encode, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.driver import Implementation

MAXIMUM_NAMES = 5

ADVICE = {
    Kind.PROTOCOL_ERROR: "return bytes from encode and a dict of fields, or Decoded(value, consumed), from decode",
    Kind.UNCLASSIFIED: "if the codec refuses in this way, add the exception to `rejections`; else mend the adapter",
}


class Fault(NamedTuple):
    """Something that is wrong with the adapter: its kind, and one example in a sentence or two."""

    kind: str
    text: str


def probe(implementation: Implementation, schema: MessageSchema, others: Sequence[MessageSchema]) -> Iterator[Fault]:
    """What is wrong with the adapter, as far as one message shows it."""
    for value in (minimal(schema), populated(schema)):
        wire = encode(schema, value)
        if implementation.offers("encode", schema):
            outcomes = [implementation.encode(schema, value) for _ in range(2)]
            yield from _of_any(implementation, schema, "encode", outcomes)
            yield from _mixed_up_bytes(schema, wire, outcomes[0], others)
        if implementation.offers("decode", schema):
            outcomes = [implementation.decode(schema, wire) for _ in range(2)]
            yield from _of_any(implementation, schema, "decode", outcomes)
            yield from _mixed_up_value(schema, outcomes[0], others)


def _of_any(
    implementation: Implementation, schema: MessageSchema, direction: str, outcomes: Sequence[Outcome]
) -> Iterator[Fault]:
    """What can be told from two equal calls."""
    first, second = outcomes
    if first.kind is not second.kind or first.wire != second.wire or repr(first.value) != repr(second.value):
        text = f"{direction} of {schema} answers differently the second time: first {_short(first)}, then "
        advice = "an adapter must not keep anything from one call to the next"
        yield Fault("not-repeatable", f"{text}{_short(second)}; {advice}")
    elif first.kind in FATAL:
        advice = ADVICE.get(first.kind, "no input may do that")
        yield Fault(str(first.kind), f"{direction} of {schema}: {_short(first)}; {advice}")
    elif first.kind is Kind.UNCLASSIFIED and implementation.is_own_code(first.raised_in):
        text = f"{direction} of {schema} raises in the adapter's own code ({first.raised_in}): {_short(first)}"
        yield Fault("raises-itself", f"{text}; {ADVICE[Kind.UNCLASSIFIED]}")


def _mixed_up_bytes(
    schema: MessageSchema, wire: bytes, outcome: Outcome, others: Sequence[MessageSchema]
) -> Iterator[Fault]:
    """Bytes of another message."""
    if outcome.kind is not Kind.BYTES or outcome.wire == wire:
        return
    for other in others:
        if other.message != schema.message and outcome.wire in {
            encode(other, minimal(other)),
            encode(other, populated(other)),
        }:
            text = f"encode of {schema} writes the bytes of {other}: the adapter mixes up two messages"
            yield Fault("mixed-up", text)
            return


def _mixed_up_value(schema: MessageSchema, outcome: Outcome, others: Sequence[MessageSchema]) -> Iterator[Fault]:
    """A value with the fields of another message, or with fields that no message has."""
    if outcome.kind is not Kind.VALUE or not outcome.value:
        return
    names = {str(name) for name in outcome.value if name != TAGS}
    if names & _fields_of(schema):
        return
    expected = ", ".join(field.name for field in schema.fields[:MAXIMUM_NAMES]) or "it has none"
    text = f"decode of {schema} returns none of its fields ({expected}), but "
    same = next((other for other in others if names and names <= _fields_of(other)), None)
    if same is not None:
        yield Fault("mixed-up", f"{text}those of {same.message}: the adapter mixes up two messages")
    else:
        found = ", ".join(sorted(names)[:MAXIMUM_NAMES])
        yield Fault("wrong-names", f"{text}{found}; a value is keyed by the definition's own field names")


def _fields_of(schema: MessageSchema) -> set[str]:
    return {field.name for field in (*schema.fields, *schema.absent_fields)}


def _short(outcome: Outcome, maximum: int = 240) -> str:
    text = str(outcome)
    return text if len(text) <= maximum else f"{text[:maximum]}..."
