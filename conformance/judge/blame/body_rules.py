"""The rule broken by a wrong body, and its place.

Three ways are tried, and the first result counts: a lenient reading of the bytes; a codec with a single mistake that
would behave in the same way (`conformance.targets.faults.body_faults`); the reference's span at the first difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.definitions.catalogue import catalogue
from conformance.generate.value_paths import fields_at, item_at, tagged_ancestor
from conformance.judge.blame.lost_elements import lost_elements
from conformance.judge.blame.searches import Searches
from conformance.judge.blame.wrong_codecs import NullReader, ReadValue, reads, writes
from conformance.targets import Blame
from conformance.targets.faults.body_faults import BodyFault, body_faults
from reference import (
    TAGS,
    Decoded,
    Difference,
    Malformed,
    MessageSchema,
    Span,
    Unencodable,
    difference,
    encode_with_spans,
)
from reference.definitions.model import INTEGER_RANGES
from reference.paths import without_indexes
from reference.protocols import protocol_of, wire_type_of
from reference.values.comparison import same_value
from reference.wire.stream import Deviation, LenientReader
from reference.wire.varints import CONTINUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.targets.faults.schema_codec import SchemaCodec

OF_TEXTS = {"string.utf8", "string.empty"}
"""The rules of the payload of a string, which has one even if it is empty."""
NUMBERS = {"int.width-and-order", "float64.bits", "uuid.byte-order", "bool.byte"}


def blame_bytes(
    schema: MessageSchema,
    value: dict[str, Any],
    expected: bytes,
    actual: bytes,
    searches: Searches[SchemaCodec] | None = None,
) -> Blame:
    """Return the blame for writing `actual` in place of `expected`.

    Args:
        schema: the message.
        value: the value to write.
        expected: its canonical bytes.
        actual: the written bytes.
        searches: the searches for earlier values.
    """
    read = _read_leniently(LenientReader(actual), schema)
    if read is not None and difference(schema, value, read.value) is None:
        return _by_deviation(schema, read.deviations) or Blame("message.nothing-else", "")
    other = read or _read_leniently(NullReader(actual), schema)
    return (
        _searched(schema, value, expected, actual, searches)
        or (None if other is None else _by_other_value(schema, value, other.value))
        or _by_first_difference(encode_with_spans(schema, value).spans, expected, actual)
    )


class _Read(NamedTuple):
    """The lenient reading of bytes."""

    value: dict[str, Any]
    deviations: list[Deviation]


def _read_leniently(reader: LenientReader, schema: MessageSchema) -> _Read | None:
    """Return the lenient reading of all bytes of a reader, or None.

    None if it fails, or ends before the last byte.
    """
    try:
        value = wire_type_of(schema).read(reader)
    except Malformed:
        return None
    return _Read(value, reader.deviations) if reader.tell() == reader.size else None


def _by_deviation(schema: MessageSchema, deviations: list[Deviation]) -> Blame | None:
    if not deviations:
        return None
    first = deviations[0]  # later ones may be consequences
    if first.rule == "null.other-negative":
        is_compact = fields_at(schema, first.path)[-1].compact  # one field of a flexible header is not compact
        return Blame("null.compact" if is_compact else "null.legacy", first.path)
    return Blame(catalogue()[first.rule].counterpart or "message.nothing-else", first.path)


def _by_other_value(schema: MessageSchema, value: dict[str, Any], read: dict[str, Any]) -> Blame | None:
    """Return the blame for valid bytes of another value.

    A tagged field was left out, or something was changed.
    """
    found = difference(schema, value, read)
    if found is None:
        return None
    if found.what == "tags":
        unsorted = sorted(found.expected) == sorted(found.actual)
        ascending = protocol_of(schema.dialect).tag_section.rules.ascending
        return Blame(ascending if unsorted else "tag.unknown-kept", found.path)
    lost = lost_elements(schema, value, read, found.path)
    if lost is not None:
        return lost
    path = tagged_ancestor(schema, found.path)
    if path is not None and _is_left_out(schema, read, path):
        return Blame("tag.non-default-written", path)
    return Blame(rule_at(encode_with_spans(schema, value).spans, found), found.path)


def _is_left_out(schema: MessageSchema, read: dict[str, Any], path: str) -> bool:
    """Return whether encoding `read` gives no bytes for the field at `path`."""
    try:
        spans = encode_with_spans(schema, read).spans
    except Unencodable:
        return False
    return not any(is_within(span.path, path) for span in spans)


def is_within(path: str, ancestor: str) -> bool:
    """Return whether `path` is `ancestor` or inside it."""
    return path == ancestor or path.startswith((f"{ancestor}.", f"{ancestor}["))


def place_of_difference(
    schema: MessageSchema, value: dict[str, Any], expected: bytes, actual: bytes
) -> tuple[str, str]:
    """Return the rule and the field of the first differing byte.

    Both are empty for bytes after the last one.
    """
    span = _span_at(encode_with_spans(schema, value).spans, _first_difference(expected, actual, 0, 0))
    return ("", "") if span is None else (span.rule, without_indexes(span.path))


def _searched(
    schema: MessageSchema, value: dict[str, Any], expected: bytes, actual: bytes, searches: Searches[SchemaCodec] | None
) -> Blame | None:
    """Return the mistake that explains the bytes.

    None if earlier searches found none for a difference at this place.
    """
    place = place_of_difference(schema, value, expected, actual)
    searches = searches or Searches(body_faults(schema))
    fault = searches.first(("encode", *place), lambda each: writes(each, value, actual))
    return None if fault is None else _blame(fault, place[1])


def _blame(fault: BodyFault, path: str) -> Blame:
    """Return the rule of a fault and its place. A fault in all fields of a kind has the place of the case."""
    return Blame(fault.rule, path if fault.is_everywhere else fault.path)


def _by_first_difference(spans: tuple[Span, ...], expected: bytes, actual: bytes) -> Blame:
    """Return the rule of the reference's span at the first difference.

    Sizes of tagged fields follow from their content, so a difference in the content comes first.
    """
    at, other = _first_difference(expected, actual, 0, 0), None
    span = _span_at(spans, at)
    if span is None:
        return Blame("message.nothing-else", "")
    if span.role in {"tag-header", "tag-size"}:
        other = _difference_inside_tag(spans, span, expected, actual)
    span = other or span
    if other is None and _is_later_varint_byte(span, at, expected):
        return Blame("varint.shortest", span.path)
    return Blame(span.rule, span.path)


def _first_difference(expected: bytes, actual: bytes, at: int, offset: int) -> int:
    """Return the first index in `expected`, from `at` on, with another byte in `actual` (shifted by `offset`)."""
    while at < len(expected) and at + offset < len(actual) and expected[at] == actual[at + offset]:
        at += 1
    return at


def _span_at(spans: tuple[Span, ...], at: int) -> Span | None:
    return next((span for span in spans if span.start <= at < span.end), None)


def _is_later_varint_byte(span: Span, at: int, expected: bytes) -> bool:
    """Return whether an unsigned varint has a right first byte and a wrong later one."""
    is_long = span.end - span.start > 1 and expected[span.start] >= CONTINUES
    return span.form == "varint" and at > span.start and is_long


def _difference_inside_tag(spans: tuple[Span, ...], size: Span, expected: bytes, actual: bytes) -> Span | None:
    """Return the span of the difference inside a tagged field, if only its size differs before it.

    None if there is no such difference.
    """
    end = size.start
    while end < len(actual) and actual[end] >= CONTINUES:
        end += 1
    # The two sizes may differ in their lengths, which shifts the content after them.
    offset = end + 1 - size.end
    at = _first_difference(expected, actual, size.end, offset)
    return _span_at(spans, at) if at < len(expected) else None


OF_COUNTS = (".count", ".compact-count")
"""The endings of the rules on numbers of elements."""

OF_LENGTHS = ("length", "count")
"""The endings of the rules on prefixes of strings, bytes, records and arrays."""


def is_nothing(found: Difference) -> bool:
    """Return whether null and an empty value were confused, which says nothing about a length."""
    return all(
        each is None or (isinstance(each, str | bytes | list) and not each) for each in (found.expected, found.actual)
    )


def blame_value(
    schema: MessageSchema,
    read: ReadValue,
    found: Difference,
    searches: Searches[SchemaCodec] | None = None,
    otherwise: Callable[[], Blame | None] = lambda: None,
) -> Blame:
    """Return the blame for reading another value than the one on the wire.

    Args:
        schema: the message.
        read: the read value, and its bytes.
        found: the first difference.
        searches: the searches for earlier values.
        otherwise: a more precise blame if no single mistake explains the value.
    """
    wire = read.wire
    spans = Decoded(schema, wire, {}, len(wire)).spans
    if found.what == "tags":
        return Blame("tag.unknown-kept", found.path)
    if found.what in ("extra", "missing"):
        return Blame("version.field-presence", found.path)
    if found.what == "absent":
        return Blame("default.restored", found.path)
    special = _of_tagged(schema, spans, read.value, found) or _of_lost_elements(schema, wire, read.value, found)
    if special is None and _is_without_sign(schema, found):
        special = Blame("kip-625.promotion", found.path)
    if special is not None:
        return special
    rule = rule_at(spans, found)
    # A reader that confuses null with an empty value need not have misread the length.
    may_be_longer = found.what != "null" or not is_nothing(found)
    fault = (searches or Searches(body_faults(schema))).first(
        ("decode", found.what, without_indexes(found.path)),
        lambda each: (may_be_longer or not each.rule.endswith(OF_LENGTHS)) and reads(each, schema, read),
    )
    return otherwise() or Blame(rule, found.path) if fault is None else _blame(fault, found.path)


def _of_tagged(schema: MessageSchema, spans: tuple[Span, ...], value: Any, found: Difference) -> Blame | None:
    """Return the blame for a missing or skipped tagged field, else None.

    A missing field is not on the wire.
    """
    tagged = tagged_ancestor(schema, found.path)
    if tagged is None:
        return None
    if not any(is_within(span.path, tagged) for span in spans):
        return Blame("default.restored", found.path)
    is_at_default = same_value(item_at(value, tagged), fields_at(schema, tagged)[-1].default)
    return Blame("tag.known-accepted", tagged) if is_at_default and not is_nothing(found) else None


def _of_lost_elements(schema: MessageSchema, wire: bytes, value: Any, found: Difference) -> Blame | None:
    sound = _read_leniently(LenientReader(wire), schema)
    return None if sound is None else lost_elements(schema, sound.value, value, found.path)


def _is_without_sign(schema: MessageSchema, found: Difference) -> bool:
    """Return whether a negative number in an encoding narrower than its type was read as unsigned."""
    if not type(found.expected) is type(found.actual) is int:
        return False
    field = fields_at(schema, found.path)[-1]
    number = field.item
    if number.written_type == number.type:
        return False
    lowest, highest = INTEGER_RANGES[number.written_type]
    return found.expected < 0 and found.actual - found.expected == highest - lowest + 1


def rule_at(spans: tuple[Span, ...], found: Difference) -> str:
    """Return the rule of the bytes of a difference.

    It is the one of the length for a null, else of the payload. A text read as null was changed, as into any other one.
    """
    here = [span for span in spans if span.path == found.path]
    if not here:
        return "message.nothing-else"
    if found.expected is None:
        return here[0].rule
    is_text = here[-1].rule in OF_TEXTS
    if found.actual is None and here[0].role in ("length", "count") and not is_text:
        return "null.legacy" if here[0].form == "fixed" else "null.compact"
    return here[0].rule if found.what == "length" else here[-1].rule


REFUSED = {"encode": "message.writable", "decode": "message.accepted"}
"""The rule broken by the refusal of a valid value, if there is no better one."""


def blame_refusal(schema: MessageSchema, value: dict[str, Any], path: str, direction: str) -> Blame:
    """Return the rule that may trouble a codec in a refused valid value.

    It is the one of the bytes at the varying place.
    """
    if path.endswith(TAGS):
        return Blame("tag.unknown-accepted" if direction == "decode" else "tag.unknown-kept", path)
    if path and tagged_ancestor(schema, path) == path.removesuffix("[0]"):
        return Blame("tag.known-accepted", path)
    here = [span for span in encode_with_spans(schema, value).spans if span.path == path]
    if not path or not here or here[-1].role in {"tag-count", "tag-end"}:
        return Blame(REFUSED[direction], path)
    first, last = here[0], here[-1]
    if last.rule in NUMBERS:  # they have a fixed width and only one form
        return Blame("value.accepted" if direction == "decode" else "value.writable", path)
    is_payload = last.role == "payload" and (last.end > last.start or last.rule in OF_TEXTS)
    return Blame(last.rule if is_payload else first.rule, path)
