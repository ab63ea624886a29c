"""The causes of refused or misread valid values, found by further requests.

A reader that refuses everything gives no reason. So it gets the bytes of writers with one mistake each. If it reads the
bytes of one of them, with the value that this writer wrote, it has the same mistake. A writer gets values without one
field, and both get values with another content in one field.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from conformance.generate.adaptation import changes
from conformance.generate.edge_values import populated
from conformance.generate.unusual_values import SchemaPlace
from conformance.generate.value_paths import DROPPED, fields_at, item_at, with_field
from conformance.judge.bases import bases_of, is_taken
from conformance.judge.blame.body_rules import blame_refusal, is_within
from conformance.judge.blame.searches import Searches, written
from conformance.judge.blame.wrong_codecs import explains_reading, explains_writing
from conformance.targets import DECODE, ENCODE, EVERYTHING, Blame, Body
from conformance.targets.faults.body_faults import BodyFault, body_faults
from conformance.targets.faults.other_types import PREFIXES, rule_of_type
from conformance.targets.faults.schema_codec import SchemaCodec, converted
from conformance.targets.outcome import Kind
from reference import encode, encode_with_spans
from reference.paths import without_indexes
from reference.values.defaults import fresh, minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.adapter import Direction
    from conformance.codec.session import Session
    from conformance.targets import BodyTarget
    from conformance.targets.outcome import Outcome
    from reference import MessageSchema


def blame_reader(session: Session, target: BodyTarget, wire: bytes) -> Blame | None:
    """Return the blame of the mistake by which a reader refuses or misreads valid bytes.

    None if no mistake is found.
    """
    fault = _expected_once(session, target)
    if fault is None or not explains_reading(fault, target.schema, wire):
        return None
    return Blame(fault.rule, fault.path)


def blame_refused_value(session: Session, target: BodyTarget, value: dict[str, Any], direction: str) -> Blame | None:
    """Return the blame for refusals of every value of a message, or None.

    It may be a reader's mistake, or a field refused by a writer in all forms.
    """
    if direction == DECODE:
        return blame_reader(session, target, encode(target.schema, value))
    blame = blame_writer(session, target)
    if blame is None:
        return None
    return blame if _is_written_without(session, target, value, blame.path) else None


def _is_written_without(session: Session, target: BodyTarget, value: dict[str, Any], path: str) -> bool:
    """Return whether a value is written without the field at a path.

    The field is left out in every array element, and the bytes may be wrong.
    """
    return session.encode(target, target.content_of(_without(value, path))).kind is Kind.BYTES


def _without(value: dict[str, Any], path: str) -> dict[str, Any]:
    lacking: dict[str, Any] = with_field(value, _unindexed(path), DROPPED)
    return lacking


def blame_writer(session: Session, target: BodyTarget) -> Blame | None:
    """Return the blame of the field refused by a writer in all forms, or None.

    The writer must accept all values without it.
    """
    return session.once(("a writer's field", str(target)), lambda: _unwritable(session, target))


def blame_content(
    session: Session, target: BodyTarget, value: dict[str, Any], direction: Direction, *, is_null: bool = False
) -> Blame | None:
    """Return the blame of the only field whose usual content makes a value acceptable, or None.

    If there are several such fields, and only one of them is null, it is the null. If only several together make it so,
    and all are empty texts, it is the empty text.

    Args:
        session: the session with the implementation.
        target: the message, perhaps with something around it.
        value: the refused or misread value.
        direction: whether it is read or written.
        is_null: whether only nulls are tried.
    """
    taken = bases_of(session, target, direction)
    if "populated" in taken.refused:
        return None
    usual, found = taken.bases.populated, []
    for path in dict.fromkeys(changes(value, usual)):
        if is_null and item_at(value, path) is not None:
            continue
        item = item_at(usual, path)
        other = value if item is DROPPED else with_field(value, path, item)
        if other != value and is_taken(session, target, target.content_of(other), direction):
            found.append(path)
    if not found and not is_null:
        return _blame_empty_texts(session, target, value, direction)
    nulls = [path for path in found if item_at(value, path) is None]
    found = nulls if len(found) > 1 else found
    if len(found) != 1:
        return None
    return blame_refusal(target.schema, value, _indexed(target.schema, found[0]), direction)


def _blame_empty_texts(
    session: Session, target: BodyTarget, value: dict[str, Any], direction: Direction
) -> Blame | None:
    """Return the blame of the first empty text if the value is accepted without any, else None."""
    usual = bases_of(session, target, direction).bases.populated
    empty = [path for path in dict.fromkeys(changes(value, usual)) if item_at(value, path) == ""]
    for path in empty:
        value = with_field(value, path, item_at(usual, path))
    if len(empty) > 1 and is_taken(session, target, target.content_of(value), direction):
        return Blame("string.empty", _indexed(target.schema, empty[0]))
    return None


LONG = 100
"""The number of characters of a text whose length may trouble a codec."""


def blame_length(
    session: Session, target: BodyTarget, value: dict[str, Any], blame: Blame, direction: Direction
) -> Blame:
    """Return the blame of the length of a long text, if one of the same characters is written or read; else `blame`."""
    place = _unindexed(blame.path)
    item = item_at(value, place) if blame.rule == OF_TEXT else ""
    if isinstance(item, list) and len(item) > 1:  # the length of one text among others says nothing
        return blame
    text = "".join(item) if isinstance(item, str | list) else ""
    characters = "".join(dict.fromkeys(text))
    if len(text.encode()) < LONG or len(characters.encode()) >= LONG:
        return blame
    shorter = with_field(value, place, characters if isinstance(item, str) else [characters])
    is_long = is_taken(session, target, target.content_of(shorter), direction)
    field = fields_at(target.schema, blame.path)[-1]
    return Blame(PREFIXES[field.type][field.compact], blame.path) if is_long else blame


OF_TEXT = "string.utf8"


def is_no_element_taken(session: Session, target: BodyTarget, path: str, direction: Direction) -> bool:
    """Return whether an array is accepted empty, and refused with any element.

    Then its count is not the cause.
    """
    return session.once(
        ("no element", str(target), path, direction), lambda: _takes_none(session, target, path, direction)
    )


def _takes_none(session: Session, target: BodyTarget, path: str, direction: Direction) -> bool:
    element = fields_at(target.schema, path)[-1].element
    if element is None:
        return False
    usual, place = bases_of(session, target, direction).bases.populated, _unindexed(path)
    full = item_at(populated(target.schema), place)
    items = [minimal_of(element), *(full[:1] if isinstance(full, list) else ())]

    def takes(elements: list[Any]) -> bool:
        return is_taken(session, target, target.content_of(with_field(usual, place, elements)), direction)

    if not takes([]) or any(takes([item]) for item in items):
        return False
    one, two = (with_field(usual, place, items[-1:] * number) for number in (1, 2))
    return direction == ENCODE or not _takes_other_count(session, target, path, one, two)


def _takes_other_count(
    session: Session, target: BodyTarget, path: str, one: dict[str, Any], two: dict[str, Any]
) -> bool:
    """Return whether two elements are read after the count of one.

    Then the count is misread, and not the elements.
    """
    encoded = [encode_with_spans(target.schema, value) for value in (one, two)]
    counts = [span for each in encoded for span in each.spans if span.path == path and span.role == "count"]
    if len(counts) != len(encoded):
        return False
    of_one, of_two = (each.wire[count.start : count.end] for each, count in zip(encoded, counts, strict=True))
    start, wire = counts[1].start, encoded[1].wire
    misread = target.enclosing(target.content_of(two), wire[:start] + of_one + wire[start + len(of_two) :])
    return session.decode(target, misread).kind is Kind.VALUE


def _unindexed(path: str) -> str:
    """Return a path without indices, in the form of `with_field`."""
    return without_indexes(path).replace("[]", "")


def _indexed(schema: MessageSchema, path: str) -> str:
    """Return a path without indices with the index of the first element after each array."""
    *outer, last = path.split(".")
    fields, steps = schema.fields, []
    for name in outer:
        field = next(each for each in fields if each.name == name)
        fields = field.item.fields
        steps.append(name if field.element is None else f"{name}[0]")
    return ".".join([*steps, last])


def _unwritable(session: Session, target: BodyTarget) -> Blame | None:
    """Return the blame of the only field refused by a writer, or None.

    The populated value must be written without it.
    """
    full = populated(target.schema)
    if not session.claims.takes_partial_values or session.encode(target, target.content_of(full)).kind is Kind.BYTES:
        return None
    found = [
        place
        for place in list(SchemaPlace("", target.schema.body).inside())[1:]
        if not place.path.endswith("]") and _is_written_without(session, target, full, place.path)
    ]
    is_one = all(is_within(inner.path, outer.path) for outer, inner in pairwise(found))
    return _blame_left_out(session, target, full, found[-1]) if found and is_one else None


def _blame_left_out(session: Session, target: BodyTarget, full: dict[str, Any], place: SchemaPlace) -> Blame:
    """Return the blame for a field refused by a writer.

    It is the presence of the field if the writer does not write it at all, else the rule of its type.
    """
    written = session.encode(target, target.content_of(_without(full, place.path))).wire
    minimal = with_field(full, _unindexed(place.path), minimal_of(place.field))
    meant = encode_with_spans(target.schema, minimal)
    others = (span for span in meant.spans if not is_within(span.path, place.path))
    missing = b"".join(meant.wire[span.start : span.end] for span in others)
    is_missing = target.enclosing(target.content_of(minimal), missing) == written
    return Blame("version.field-presence" if is_missing else rule_of_type(place.field), place.path)


def searches_of(session: Session, target: BodyTarget) -> Searches[SchemaCodec]:
    """Return the searches for faults of an implementation in a message.

    All of its cases share them.
    """
    return session.once(
        ("searches", str(target)),
        lambda: Searches(
            body_faults(target.schema),
            lambda fault, direction: is_refuted(session, target, fault, direction),
            lambda: _expected_once(session, target),
        ),
    )


def is_refuted(session: Session, target: BodyTarget, fault: BodyFault, direction: str) -> bool:
    """Return whether the implementation is right on a base where the fault would make it wrong."""
    taken = bases_of(session, target, DECODE if direction == DECODE else ENCODE)
    values = {name: value for name, value in taken.bases._asdict().items() if value is not None}
    right = [value for name, value in values.items() if name not in taken.refused]
    if direction == DECODE:
        return any(explains_reading(fault, target.schema, encode(target.schema, value)) for value in right)
    return any(explains_writing(fault, target.schema, value) for value in right)


def _expected_once(session: Session, target: BodyTarget) -> BodyFault | None:
    return session.once(("a reader's fault", str(target)), lambda: _expected(session, target))


def _expected(session: Session, target: BodyTarget) -> BodyFault | None:
    """Return the mistake that a reader makes in the populated value.

    None if it reads the value rightly, or if no mistake is found.
    """
    # With small numbers, even a reader of a narrower type can read the value.
    schema = target.schema
    values = [form(populated(schema)) for form in (fresh, _modest)]
    read = session.decode_many(target, [target.write(target.content_of(value)) for value in values])
    if any(_is_same(target, schema, value, outcome) for value, outcome in zip(values, read, strict=True)):
        return None
    for form, value in zip((fresh, _modest), values, strict=True):
        tried = list(_written(schema, value, form))
        content = target.content_of(value)
        outcomes = session.decode_many(target, [target.enclosing(content, each.wire) for each in tried])
        for each, outcome in zip(tried, outcomes, strict=True):
            is_read = _is_same(target, each.fault.codec.schema, each.value, outcome)
            if is_read and not is_refuted(session, target, each.fault, DECODE):
                return each.fault
    return None


class Written(NamedTuple):
    """The bytes written by a mistake, if they differ from the canonical ones.

    The value is in the form of the mistake's schema.
    """

    fault: BodyFault
    value: dict[str, Any]
    wire: bytes


MODEST = 100
ERROR_CODE = "ErrorCode"
"""The ending of the names of fields with numbers on which readers branch."""


def _modest(value: Any) -> Any:
    """Return a value with numbers above 0 that fit in a byte, whatever their type.

    Error codes are 0.
    """
    if isinstance(value, dict):
        return {name: 0 if name.endswith(ERROR_CODE) else _modest(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_modest(item) for item in value]
    return 1 + value % MODEST if type(value) is int else value


def _written(schema: MessageSchema, value: dict[str, Any], form: Callable[[Any], Any]) -> Iterator[Written]:
    """Yield each mistake that changes the bytes of a value.

    A mistake in the type of a field gets a value of that type.
    """
    canonical = encode(schema, value)
    for fault in body_faults(schema):
        own = fault.codec.schema
        value_of_own = form(populated(own)) if fault.codec.has_other_type else converted(own, value)
        wire = written(fault.codec, value_of_own)
        if wire not in {None, canonical}:
            yield Written(fault, value_of_own, wire)


def _is_same(target: BodyTarget, schema: MessageSchema, value: dict[str, Any], outcome: Outcome) -> bool:
    """Return whether an outcome has the same value in the fields of a schema."""
    try:
        read = structs.replace(outcome, value=converted(schema, target.value_of(outcome.value)))
        return Body(schema).is_read(EVERYTHING, converted(schema, value), read)
    except (AttributeError, TypeError, KeyError):  # an implementation may return anything
        return False
