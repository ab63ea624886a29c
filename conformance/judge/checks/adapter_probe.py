"""Is it the adapter? A few calls that tell a badly made adapter from a codec that is wrong.

What is found here is no finding: it breaks no wire rule. It is said first, for as long as the adapter is at fault the
findings are about the adapter.

It also looks at names that are no field's, and at fields that are left out although all else is right. A codec writes
no names: one that no version of the message has is the adapter's. A field that is missing may be one that the codec
does not have; it is the adapter's if everything else was read as it should be.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import FrameContent
from conformance.codec.hidden import representation_of
from conformance.codec.outcome import FATAL, Kind, Outcome
from conformance.codec.targets import WholeFrame, kept
from conformance.generate.edge_values import populated
from conformance.generate.unusual_values import SchemaPlace
from conformance.judge.checks.frame_cases import is_framed
from conformance.judge.findings.results import Fault
from reference import TAGS, MessageSchema, difference, encode, equal, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.suggestions import suggestion
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from conformance.adapter import Direction
    from conformance.codec.driver import Implementation
    from conformance.codec.session import Session
    from reference import FieldSchema

MAXIMUM_NAMES = 5

NO_NUMBER = -1
"""The number that codecs most often hold as null."""

ADVICE = {
    Kind.PROTOCOL_ERROR: "return bytes from encode and a dict of fields, or Decoded(value, consumed), from decode",
    Kind.UNCLASSIFIED: "if the codec refuses in this way, add the exception to `rejections`; else mend the adapter",
}

OVER_STDIO = "`kafka-conformance bridge check -- COMMAND ARGS` tells what is wrong with a harness"


def probe(session: Session, schema: MessageSchema, others: Sequence[MessageSchema]) -> Iterator[Fault]:
    """What is wrong with the adapter, as far as one message shows it."""
    implementation = session.implementation
    firsts: dict[Direction, Outcome] = {}
    written = []
    for value in (minimal(schema), populated(schema)):
        wire = encode(schema, value)
        if implementation.offers("encode", schema):
            outcomes = [implementation.encode(schema, value) for _ in range(2)]
            firsts.setdefault("encode", outcomes[0])
            yield from _of_any(implementation, schema, "encode", outcomes)
            written.append((wire, outcomes[0]))
        if implementation.offers("decode", schema):
            outcomes = [implementation.decode(schema, wire) for _ in range(2)]
            firsts.setdefault("decode", outcomes[0])
            yield from _of_any(implementation, schema, "decode", outcomes)
            yield from _misnamed(implementation, schema, value, outcomes[0], others)
    yield from _mixed_up_bytes(schema, written, others)
    yield from _kept_state(implementation, schema, others, firsts)
    if implementation.offers("encode", schema):
        yield from _null_as_value(implementation, schema)
    for direction, text in header_texts(session, schema):
        yield Fault(f"header-{direction}", text)
    if is_framed(schema):
        yield from _frames(implementation, WholeFrame(schema, session.release))


def _null_as_value(implementation: Implementation, schema: MessageSchema) -> Iterator[Fault]:
    """Null that is written as a value which codecs hold as null: mostly it is the mapping that takes one for the other.

    What the adapter declares as a representation is no fault.
    """
    for place in list(SchemaPlace("", schema.body).inside())[1:]:
        name = representation_of(place.field, schema.version)
        is_number = place.field.type in INTEGER_RANGES
        if place.field.nullable or name in implementation.adapter.representations or not (name or is_number):
            continue
        value = NO_NUMBER if is_number else minimal_of(place.field)
        outcome = implementation.encode(schema, place.put(None))
        if outcome.kind is Kind.BYTES and outcome.wire == encode(schema, place.put(value)):
            text = f"encode of {schema} writes null at {place.path} with the bytes of {value!r}"
            advice = "raise Unrepresentable for null where None is the codec's own form of that value"
            yield Fault("null-as-value", f"{text}; {advice}{f', or declare {name}' if name else ''}")


def _kept_state(
    implementation: Implementation,
    schema: MessageSchema,
    others: Sequence[MessageSchema],
    firsts: Mapping[Direction, Outcome],
) -> Iterator[Fault]:
    """The smallest value, written or read otherwise than at first: after one that is full, and after another message.

    Args:
        implementation: the adapter.
        schema: the message, of which a value with something in every field was the last that was taken.
        others: what else there is.
        firsts: what came of the smallest value before, by direction.
    """
    smallest = minimal(schema)
    for direction, first in firsts.items():
        again = [_take(implementation, direction, schema, smallest)]
        for other in [each for each in others if each.message != schema.message][:1]:
            if implementation.offers(direction, other):
                _take(implementation, direction, other, populated(other))
                again.append(_take(implementation, direction, schema, smallest))
        unlike = (_unlike(f"{direction} of {schema}", "after other messages", [first, one]) for one in again)
        yield from islice(chain.from_iterable(unlike), 1)


def _take(implementation: Implementation, direction: Direction, schema: MessageSchema, value: Any) -> Outcome:
    if direction == "encode":
        return implementation.encode(schema, value)
    return implementation.decode(schema, encode(schema, value))


def _unlike(what: str, when: str, outcomes: Sequence[Outcome]) -> Iterator[Fault]:
    """Two outcomes of the same call that are not the same."""
    first, second = outcomes
    if first.kind is not second.kind or first.wire != second.wire or repr(first.value) != repr(second.value):
        advice = "an adapter must not keep anything from one call to the next"
        text = f"{what} answers differently {when}: first {_short(first)}, then {_short(second)}; {advice}"
        yield Fault("not-repeatable", text)


def _frames(implementation: Implementation, target: WholeFrame) -> Iterator[Fault]:
    """Frames that are written or read in another way the second time."""
    content = FrameContent(1, "kafka" if target.direction == "request" else None, minimal(target.schema), ())
    if target.is_offered(implementation, "encode"):
        outcomes = [target.encode(implementation, content) for _ in range(2)]
        yield from _of_any(implementation, target.schema, "encode_frame", outcomes)
    if target.is_offered(implementation, "decode"):
        outcomes = [target.decode(implementation, target.write(content)) for _ in range(2)]
        yield from _of_any(implementation, target.schema, "decode_frame", outcomes)


def _of_any(
    implementation: Implementation, schema: MessageSchema, direction: str, outcomes: Sequence[Outcome]
) -> Iterator[Fault]:
    """What can be told from two equal calls."""
    unlike = list(_unlike(f"{direction} of {schema}", "the second time", outcomes))
    yield from unlike
    first = outcomes[0]
    if unlike:
        return
    if first.kind in FATAL:
        advice = OVER_STDIO if implementation.is_over_bridge else ADVICE.get(first.kind, "no input may do that")
        yield Fault(str(first.kind), f"{direction} of {schema}: {_short(first)}; {advice}")
    elif first.kind is Kind.UNCLASSIFIED and implementation.is_own_code(first.raised_in):
        text = f"{direction} of {schema} raises in the adapter's own code ({first.raised_in}): {_short(first)}"
        yield Fault("raises-itself", f"{text}; {ADVICE[Kind.UNCLASSIFIED]}")


def _mixed_up_bytes(
    schema: MessageSchema, written: Sequence[tuple[bytes, Outcome]], others: Sequence[MessageSchema]
) -> Iterator[Fault]:
    """Bytes of another message for each value: those of one alone may be a codec's, as many are zeros.

    Args:
        schema: the message.
        written: the canonical bytes of some values, and what came of writing them.
        others: what else there is.
    """
    wires = [outcome.wire for wire, outcome in written if outcome.wire not in {None, wire}]
    if not wires or len(wires) < len(written):
        return
    for other in others:
        if other.message != schema.message and set(wires) <= {
            encode(other, minimal(other)),
            encode(other, populated(other)),
        }:
            text = f"encode of {schema} writes the bytes of {other}: the adapter mixes up two messages"
            yield Fault("mixed-up", text)
            return


def _misnamed(
    implementation: Implementation,
    schema: MessageSchema,
    value: dict[str, Any],
    outcome: Outcome,
    others: Sequence[MessageSchema],
) -> Iterator[Fault]:
    """A value with the names of another message, or with a wrong one."""
    mixed_up = list(_mixed_up_value(schema, outcome, others))
    yield from mixed_up
    is_whole = outcome.kind is Kind.VALUE and outcome.consumed in {None, len(encode(schema, value))}
    if is_whole and not mixed_up:
        yield from wrong_names(schema, value, kept(implementation, schema, outcome.value))


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


CORRELATION_ID = 0x5A4B3C2D
"""A number that reads as nothing else."""

SIZE = 4
"""Bytes of a frame's size."""


class Framed(NamedTuple):
    """A value, its body, and the bytes in front of that in a frame: header alone, size and header."""

    value: dict[str, object]
    body: bytes
    fronts: tuple[bytes, bytes]


def header_texts(session: Session, schema: MessageSchema) -> Iterator[tuple[Direction, str]]:
    """Say that an adapter writes, or wants, a header in front of the body, as far as one message shows it.

    Clients write and read header and body in one, and their bytes are easily given as they are.
    """
    if not is_framed(schema):
        return
    frame = WholeFrame(schema, session.release)
    values = [_framed(frame, value) for value in (minimal(schema), populated(schema))]
    if session.implementation.offers("encode", schema):
        yield from (("encode", text) for text in _written_in_front(session.implementation, schema, values))
    if session.implementation.offers("decode", schema):
        wanted = (_wanted_in_front(session.implementation, schema, each) for each in values)
        yield from (("decode", text) for text in islice(chain.from_iterable(wanted), 1))


def _framed(frame: WholeFrame, value: dict[str, object]) -> Framed:
    client = "kafka" if frame.direction == "request" else None
    whole = frame.write(FrameContent(CORRELATION_ID, client, value, ()))
    body = encode(frame.schema, value)
    front = whole[: len(whole) - len(body)]
    return Framed(value, body, (front[SIZE:], front))


def _written_in_front(implementation: Implementation, schema: MessageSchema, values: list[Framed]) -> Iterator[str]:
    """As many bytes stand in front of each body."""
    outcomes = [implementation.encode(schema, each.value) for each in values]
    fronts = [
        outcome.wire[: -len(each.body)]
        for each, outcome in zip(values, outcomes, strict=True)
        if outcome.kind is Kind.BYTES and outcome.wire is not None and each.body and outcome.wire.endswith(each.body)
    ]
    if len(fronts) == len(values) and fronts[0] and len({len(front) for front in fronts}) == 1:
        text = f"encode of {schema} writes {len(fronts[0])} bytes in front of the body, as {fronts[0].hex()}"
        yield f"{text}; return the body alone, without size and header"


def _wanted_in_front(implementation: Implementation, schema: MessageSchema, each: Framed) -> Iterator[str]:
    """The value comes out if a header stands in front of the body, and does not if none does."""

    def is_read(wire: bytes) -> bool:
        outcome = implementation.decode(schema, wire)
        return outcome.kind is Kind.VALUE and equal(schema, each.value, outcome.value)

    if is_read(each.body):
        return
    for name, front in zip(("a header", "size and header"), each.fronts, strict=True):
        if is_read(front + each.body):
            text = f"decode of {schema} reads a body behind {name} only, as {front.hex()}"
            yield f"{text}; it is given the body alone: put those bytes in front, and leave them out of `consumed`"
            return


def wrong_names(schema: MessageSchema, value: dict[str, Any], read: Any) -> Iterator[Fault]:
    """Yield the first name that is no field's, else the field that is missing in a value that was read.

    Args:
        schema: the message.
        value: what the bytes mean.
        read: what was read, with the fields that are declared as hidden.
    """
    for path, around in _unknown(schema.body, read):
        names = [field.name for field in around.fields]
        advice = suggestion(path.rpartition(".")[2], names, "a value is keyed by the definition's own field names")
        yield Fault("wrong-names", f"decode of {schema} returns {path}, which is no field of it; {advice}")
        return
    missing: list[str] = []
    completed = _completed(schema.body, value, read, "", missing)
    if len(missing) == 1 and difference(schema, value, completed) is None:
        advice = "return every field of the version, or declare it as `hidden`"
        yield Fault("wrong-names", f"decode of {schema} returns no {missing[0]}, though the rest is right; {advice}")


def _unknown(around: FieldSchema, read: Any, path: str = "") -> Iterator[tuple[str, FieldSchema]]:
    """Yield the path of each name that no version has, with the struct that it is in."""
    if isinstance(read, list):
        for item in read if around.element is not None else ():
            yield from _unknown(around.item, item, path)
    elif isinstance(read, dict) and around.element is None:
        fields = {field.name: field for field in (*around.fields, *around.absent_fields)}
        for name, item in read.items():
            if name not in fields and name != TAGS:
                yield f"{path}{name}", around
            elif name != TAGS:
                yield from _unknown(fields[name], item, f"{path}{name}.")


def _completed(field: FieldSchema, value: Any, read: Any, path: str, missing: list[str]) -> Any:
    """Return what was read, with what is missing in it; `missing` takes the paths of that."""
    if field.element is not None and isinstance(read, list) and isinstance(value, list):
        pairs = zip(value, read, strict=False)
        return [*(_completed(field.item, one, other, path, missing) for one, other in pairs), *read[len(value) :]]
    if not field.fields or not isinstance(read, dict) or not isinstance(value, dict):
        return read
    lacking = [each.name for each in field.fields if each.name not in read and each.name in value]
    missing += [f"{path}{name}" for name in lacking if f"{path}{name}" not in missing]
    inner = {
        each.name: _completed(each, value.get(each.name), read[each.name], f"{path}{each.name}.", missing)
        for each in field.fields
        if each.name in read
    }
    return {**read, **inner, **{name: value[name] for name in lacking}}
