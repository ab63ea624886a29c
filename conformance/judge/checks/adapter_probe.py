"""A probe of the adapter, to separate its mistakes from those of the codec.

Its results are no findings, since they break no wire rule. A report shows them first: while the adapter is at fault,
the findings are about the adapter. A crash, a hang or exhausted memory is the codec's. It is judged as in the case of
the same value, whose own calls may miss it: some codecs end only the first call of a process.

It also looks at messages mixed up, and at missing fields. A missing field may be unknown to the codec; it is the
adapter's mistake if all other fields were read rightly. What shows in every value is learnt before
(`conformance.codec.bridge.learning`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import DIRECTIONS, FrameContent
from conformance.codec.corrections import Fault
from conformance.generate.edge_values import populated
from conformance.generate.unusual_values import SchemaPlace
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import is_framed
from conformance.judge.checks.value_cases import generated_value
from conformance.judge.kinds import CaseTrial
from conformance.judge.standing import Standing
from conformance.targets import DECODE, ENCODE, Ask, Body, WholeFrame, kept
from conformance.targets.hidden import representation_of
from conformance.targets.outcome import FATAL, OF_THE_ADAPTER, Kind, Outcome
from reference import TAGS, MessageSchema, difference, encode, equal, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.values.comparison import UNKNOWN
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.session import Session
    from conformance.targets import Claims, SchemaTarget, Target
    from reference import FieldSchema

MAXIMUM_NAMES = 5
MAXIMUM_SHOWN = 240

OF_THE_CODEC = FATAL - OF_THE_ADAPTER
"""The outcomes of a codec that ends or holds up its process."""

NO_NUMBER = -1
"""The number that codecs most often hold as null."""

ADVICE = {
    Kind.PROTOCOL_ERROR: "return bytes from encode and a dict of fields, or Decoded(value, consumed), from decode",
    Kind.UNCLASSIFIED: "if the codec refuses in this way, add the exception to `rejections`; else fix the adapter",
}

OVER_STDIO = "`kafka-conformance bridge check -- COMMAND ARGS` tells what is wrong with a harness"


def probe(session: Session, schema: MessageSchema, others: Sequence[MessageSchema]) -> Iterator[Fault | Violation]:
    """Yield the mistakes of the adapter visible in one message, and what ends the codec."""
    target = Body(schema)
    ways = _offered(session, target)
    others = [each for each in others if each.message != schema.message]
    outcomes: dict[Direction, list[Outcome]] = {way: [] for way in ways}
    for value in (minimal(schema), populated(schema)):
        for way in ways:
            first, second = (_take(session, way, target, value) for _ in range(2))
            outcomes[way].append(first)
            yield from _of_any(session.claims, target, way, first, second)
            yield from _of_the_codec(session, schema, value, way, (first, second))
            if way == DECODE:
                yield from _misnamed(session, schema, value, first, others)
    yield from _mixed_up_bytes(schema, outcomes.get(ENCODE, ()), others)
    for way, (first, _) in outcomes.items():
        yield from islice(_kept_state(session, target, way, first, others), 1)
    if ENCODE in ways:
        yield from _null_as_value(session, schema)
    if is_framed(schema):
        frame = WholeFrame(schema, session.release)
        yield from _headers(session, frame, ways)
        yield from _frames(session, frame)


def _offered(session: Session, target: Target) -> list[Direction]:
    return [way for way in DIRECTIONS if session.offers(target, way)]


def _take(session: Session, way: Direction, target: Target, content: Any) -> Outcome:
    """Return the outcome of writing a content, or of reading its bytes."""
    return session.ask(Ask(way, target, target.write(content) if way == DECODE else content))


def _of_the_codec(
    session: Session, schema: MessageSchema, value: dict[str, Any], direction: Direction, outcomes: Sequence[Outcome]
) -> Iterator[Violation]:
    """Yield the violation of the first outcome that is an end of the codec."""
    ended = next((each for each in outcomes if each.kind in OF_THE_CODEC), None)
    if ended is not None:
        case = replace(generated_value(schema, value), is_minimal=True)
        events = CaseTrial(session, case, Standing(), {direction: ended}).judged()
        yield from (event for event in events if isinstance(event, Violation))


def _null_as_value(session: Session, schema: MessageSchema) -> Iterator[Fault]:
    """Yield each null written as a value that codecs hold as null.

    Mostly the mapping of the adapter confuses the two. A representation declared by the adapter is no fault.
    """
    declared = session.claims.representations
    for place in list(SchemaPlace("", schema.body).inside())[1:]:
        name = representation_of(place.field, schema.version)
        is_number = place.field.type in INTEGER_RANGES
        if place.field.nullable or name in declared or not (name or is_number):
            continue
        value = NO_NUMBER if is_number else minimal_of(place.field)
        outcome = _take(session, ENCODE, Body(schema), place.put(None))
        if outcome.kind is Kind.BYTES and outcome.wire == encode(schema, place.put(value)):
            text = f"encode of {schema} writes null at {place.path} with the bytes of {value!r}"
            advice = "raise Unrepresentable for null where None is the codec's own form of that value"
            yield Fault("null-as-value", f"{text}; {advice}{f', or declare {name}' if name else ''}")


def _kept_state(
    session: Session, target: Body, way: Direction, first: Outcome, others: Sequence[MessageSchema]
) -> Iterator[Fault]:
    """Yield each difference from the first outcome of the smallest value.

    It is tried again after a populated value, and after another message.
    """
    again = [_take(session, way, target, minimal(target.schema))]
    for other in map(Body, others[:1]):
        if session.offers(other, way):
            _take(session, way, other, populated(other.schema))
            again.append(_take(session, way, target, minimal(target.schema)))
    for each in again:
        yield from _unlike(target, way, "after other messages", first, each)


def _unlike(target: SchemaTarget, way: Direction, when: str, first: Outcome, second: Outcome) -> Iterator[Fault]:
    """Yield a fault if two outcomes of the same call differ, and neither is an end of the codec."""
    if {first.kind, second.kind} & OF_THE_CODEC:
        return
    if first.kind is not second.kind or first.wire != second.wire or repr(first.value) != repr(second.value):
        advice = "an adapter must not keep anything from one call to the next"
        differs = f"answers differently {when}: first {_short(first)}, then {_short(second)}"
        yield Fault("not-repeatable", f"{target.function(way)} of {target.schema} {differs}; {advice}", way)


def _frames(session: Session, target: WholeFrame) -> Iterator[Fault]:
    """Yield frames written or read in another way the second time."""
    _, content = next(target.contents())
    for way in _offered(session, target):
        first, second = (_take(session, way, target, content) for _ in range(2))
        yield from _of_any(session.claims, target, way, first, second)


def _of_any(claims: Claims, target: SchemaTarget, way: Direction, first: Outcome, second: Outcome) -> Iterator[Fault]:
    """Yield the faults visible in two equal calls."""
    unlike = list(_unlike(target, way, "the second time", first, second))
    yield from unlike
    asked = f"{target.function(way)} of {target.schema}"
    if first.kind in OF_THE_ADAPTER and not unlike:
        advice = OVER_STDIO if claims.is_over_bridge else ADVICE.get(first.kind, "no input may do that")
        yield Fault(str(first.kind), f"{asked}: {_short(first)}; {advice}")
    elif first.kind is Kind.UNCLASSIFIED and claims.is_own_code(first.raised_in) and not unlike:
        place = first.place or first.raised_in
        text = f"{asked} raises in the adapter's own code ({place}): {first.kind}: {first.text:.240}"
        yield Fault("raises-itself", f"{text}; {ADVICE[Kind.UNCLASSIFIED]}")


def _mixed_up_bytes(
    schema: MessageSchema, written: Sequence[Outcome], others: Sequence[MessageSchema]
) -> Iterator[Fault]:
    """Yield a fault if the smallest and the populated value are both written as bytes of another message.

    The bytes of one value alone may be the codec's mistake, as many of them are zeros.
    """
    values = minimal(schema), populated(schema)
    wires = [first.wire for first, value in zip(written, values, strict=False) if first.wire != encode(schema, value)]
    if not wires or None in wires or len(wires) < len(written):
        return
    for other in islice((each for each in others if {*wires} <= _bytes_of(each)), 1):
        text = f"encode of {schema} writes the bytes of {other}: the adapter mixes up two messages"
        yield Fault("mixed-up", text, "encode")


def _bytes_of(schema: MessageSchema) -> set[bytes | None]:
    return {encode(schema, minimal(schema)), encode(schema, populated(schema))}


def _misnamed(
    session: Session, schema: MessageSchema, value: dict[str, Any], outcome: Outcome, others: Sequence[MessageSchema]
) -> Iterator[Fault]:
    """Yield the names of another message, or a wrong name, in a read value."""
    if outcome.kind is not Kind.VALUE:
        return
    mixed_up = list(_mixed_up_value(schema, outcome.value, others))
    yield from mixed_up
    if not mixed_up and outcome.consumed in {None, len(encode(schema, value))}:
        yield from _missing_name(schema, value, kept(session.claims, schema, outcome.value))


def _mixed_up_value(schema: MessageSchema, read: Any, others: Sequence[MessageSchema]) -> Iterator[Fault]:
    """Yield a fault if a read value has the fields of another message, or unknown fields only."""
    names = {str(name) for name in read or () if name != TAGS}
    if not read or names & _fields_of(schema):
        return
    expected = ", ".join(field.name for field in schema.fields[:MAXIMUM_NAMES]) or "it has none"
    text = f"decode of {schema} returns none of its fields ({expected}), but "
    same = next((other for other in others if names and names <= _fields_of(other)), None)
    if same is not None:
        yield Fault("mixed-up", f"{text}those of {same.message}: the adapter mixes up two messages", "decode")
    else:
        found = ", ".join(sorted(names)[:MAXIMUM_NAMES])
        yield Fault("wrong-names", f"{text}{found}; a value is keyed by the definition's own field names")


def _fields_of(schema: MessageSchema) -> set[str]:
    return {field.name for field in (*schema.fields, *schema.absent_fields)}


def _short(outcome: Outcome) -> str:
    text = str(outcome)
    return text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."


CORRELATION_ID = 0x5A4B3C2D
"""A number unlike any other part of a frame."""

SIZE = 4
"""The number of bytes of a frame's size."""


class Framed(NamedTuple):
    """A value with its body, and with the header in front of the body."""

    value: dict[str, Any]
    body: bytes
    header: bytes


def _headers(session: Session, frame: WholeFrame, ways: Sequence[Direction]) -> Iterator[Fault]:
    """Yield a fault if an adapter writes or expects a header in front of the body.

    It must show in this one message. Clients write and read header and body together, so their bytes are easily passed
    on with the header.
    """
    values = [_framed(frame, value) for value in (minimal(frame.schema), populated(frame.schema))]
    if ENCODE in ways:
        yield from _written_in_front(session, Body(frame.schema), values)
    if DECODE in ways:
        expected = (_expected_in_front(session, Body(frame.schema), each) for each in values)
        yield from islice(chain.from_iterable(expected), 1)


def _framed(frame: WholeFrame, value: dict[str, Any]) -> Framed:
    client = "kafka" if frame.direction == "request" else None
    whole, body = frame.write(FrameContent(CORRELATION_ID, client, value, ())), encode(frame.schema, value)
    return Framed(value, body, whole[: len(whole) - len(body)])


def _written_in_front(session: Session, target: Body, values: Sequence[Framed]) -> Iterator[Fault]:
    """Yield a fault if every body is preceded by the same number of bytes."""
    written = [(each.body, _take(session, ENCODE, target, each.value).wire or b"") for each in values]
    # Any bytes end with an empty body.
    fronts = [wire.removesuffix(body) for body, wire in written if body and wire.endswith(body)]
    if len(fronts) == len(written) and fronts[0] and len(set(map(len, fronts))) == 1:
        text = f"encode of {target} writes {len(fronts[0])} bytes in front of the body, as {fronts[0].hex()}"
        yield Fault("header-encode", f"{text}; return the body alone, without size and header", ENCODE)


def _expected_in_front(session: Session, target: Body, each: Framed) -> Iterator[Fault]:
    """Yield a fault if a body is read only with a header in front of it."""

    def is_read(outcome: Outcome) -> bool:
        return outcome.kind is Kind.VALUE and equal(target.schema, each.value, outcome.value)

    if is_read(_take(session, DECODE, target, each.value)):
        return
    fronts = {"a header": each.header[SIZE:], "size and header": each.header}
    outcomes = session.decode_many(target, [front + each.body for front in fronts.values()])
    for (name, front), outcome in zip(fronts.items(), outcomes, strict=True):
        if is_read(outcome):
            text = f"decode of {target} reads a body behind {name} only, as {front.hex()}"
            advice = "it is given the body alone: put those bytes in front, and leave them out of `consumed`"
            yield Fault("header-decode", f"{text}; {advice}", DECODE)
            return


def _missing_name(schema: MessageSchema, value: dict[str, Any], read: Any) -> Iterator[Fault]:
    """Yield the only missing field of a read value.

    Args:
        schema: the message.
        value: the value of the bytes.
        read: the read value, completed with the fields declared as hidden.
    """
    missing: list[str] = []
    completed = _completed(schema.body, read, "", missing)
    if len(missing) == 1 and difference(schema, value, completed) is None:
        advice = "return every field of the version, or declare it as `hidden`"
        yield Fault("wrong-names", f"decode of {schema} returns no {missing[0]}, though the rest is right; {advice}")


def _completed(field: FieldSchema, read: Any, path: str, missing: list[str]) -> Any:
    """Return the read value, with its missing fields as unknown.

    Args:
        field: the definition.
        read: the read value.
        path: the path of the value, with a dot at its end.
        missing: takes the paths of the missing fields.
    """
    if field.element is not None and isinstance(read, list):
        return [_completed(field.element, item, path, missing) for item in read]
    if field.type != "struct" or not isinstance(read, dict):
        return read
    lacking = [each.name for each in field.fields if each.name not in read]
    missing += [f"{path}{name}" for name in lacking if f"{path}{name}" not in missing]
    own = [each for each in field.fields if each.name in read]
    inner = {each.name: _completed(each, read[each.name], f"{path}{each.name}.", missing) for each in own}
    return {**read, **inner, **dict.fromkeys(lacking, UNKNOWN)}
