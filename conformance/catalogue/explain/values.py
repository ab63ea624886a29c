"""Examples of rules that are not about single bytes: values that are refused, and what holds of all bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.catalogue.explain.example import Base, Worked, base_of, refused, right, verdict_notes, wrong
from conformance.catalogue.explain.search import bases, blamed, judged, protocol_of, schemas
from conformance.generate.absent_fields import absent_cases
from conformance.generate.unencodable_values import open_cases, unwritable_cases
from reference import (
    TAGS,
    FieldSchema,
    Malformed,
    MessageSchema,
    Unencodable,
    decode,
    difference,
    encode,
    judge,
    minimal,
)
from reference.definitions.parse import parse_definition
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.cases import Variation

SAMPLE = """
{ "type": "data", "name": "Sample", "validVersions": "0", "flexibleVersions": "none", "fields": [
  { "name": "Items", "type": "[]Item", "versions": "0", "fields": [
    { "name": "Later", "type": "int8", "versions": "1+" } ] } ] }
"""
"""An array of structs that have no fields in this version: no released message has one."""


def sample() -> MessageSchema:
    """The schema of that."""
    return resolve(parse_definition(SAMPLE, "Sample.json"), 0)


def empty_elements(_rule: str) -> Worked:
    """One element of no bytes, with nothing behind it."""
    schema = sample()
    base = base_of(schema, minimal(schema))
    return Worked(right(base, "array.count"), wrong(base, b"\0\0\0\1", "one element"))


def refusal(rule: str) -> Worked | None:
    """The shortest value that the reference refuses by a rule, and the smallest sound one of its message."""
    found = [
        (schema, each) for schema in schemas(protocol_of(rule)) for named, each in _unwritable(schema) if named == rule
    ]
    return _refused(*min(found, key=lambda pair: len(repr(pair[1].value)))) if found else None


def _refused(schema: MessageSchema, variation: Variation) -> Worked:
    return Worked(right(base_of(schema, minimal(schema)), ""), refused(schema, variation.value, variation.name))


def _unwritable(schema: MessageSchema) -> Iterator[tuple[str, Variation]]:
    yield from unwritable_cases(schema)
    yield from open_cases(schema)
    for rule, variation in absent_cases(schema):
        try:
            encode(schema, variation.value)
        except Unencodable:
            yield rule, variation


def dropped(rule: str) -> Worked | None:
    """A value with a field that the version lacks, and its bytes without it."""
    for schema in schemas():
        for named, variation in absent_cases(schema):
            if named == rule and variation.what == "absent-set":
                value = decode(schema, encode(schema, variation.value)).value
                base = base_of(schema, value, variation.name)
                return Worked(right(base, "", f"the same bytes: {variation.value}"))
    return None


def held(rule: str) -> Worked | None:
    """Sound bytes that show what holds of all of them."""
    applies, note = HELD[rule]
    base = next((base for base in bases() if applies(base)), None)
    return None if base is None else Worked(right(base, rule, *note(base)))


def _has_content(base: Base) -> bool:
    return base.name == "populated"


def _has_absent_default(base: Base) -> bool:
    return any(_is_restored(base, field) for field in base.schema.fields)


def _is_restored(base: Base, field: FieldSchema) -> bool:
    return field.tag is not None and bool(field.default) and base.value[field.name] == field.default


def _has_equal_keys(base: Base) -> bool:
    fields = [field for field in base.schema.fields if base.name == f"{field.name}=elements-2"]
    return any(each.map_key for field in fields if field.element for each in field.element.fields)


def _has_tag_zero(base: Base) -> bool:
    tags = [base.wire[span.start : span.end] for span in base.encoded.spans if span.role == "tag"]
    return tags == [b"\0"]


def _verdict(base: Base) -> tuple[str, ...]:
    return verdict_notes(base.schema, base.wire)[:2]


def _restored(base: Base) -> tuple[str, ...]:
    fields = (field for field in base.schema.fields if _is_restored(base, field))
    return tuple(f"{field.name} is not on the wire, and is {field.default!r}" for field in fields)


def _consumed(base: Base) -> tuple[str, ...]:
    followed = judge(base.schema, base.wire + b"\0").consumed
    return (f"consumed: {decode(base.schema, base.wire).consumed} bytes; with 00 behind them, {followed}",)


def _round_trip(base: Base) -> tuple[str, ...]:
    same = difference(base.schema, base.value, decode(base.schema, base.wire).value) is None
    return (f"read again: {'the same value' if same else 'another value'}",)


def _after_failure(base: Base) -> tuple[str, ...]:
    try:
        decode(base.schema, base.wire[:-1])
    except Malformed as error:
        return (f"without the last byte: {error}", *(f"after that, {note}" for note in _round_trip(base)))
    return ()


HELD: dict[str, tuple[Callable[[Base], bool], Callable[[Base], tuple[str, ...]]]] = {
    "array.map-key-order": (_has_equal_keys, _verdict),
    "codec.consumed": (_has_content, _consumed),
    "codec.no-residue": (_has_content, _after_failure),
    "codec.round-trip": (_has_content, _round_trip),
    "codec.size": (_has_content, lambda base: (f"size: {len(base.wire)} bytes",)),
    "default.restored": (_has_absent_default, _restored),
    "message.accepted": (_has_content, _verdict),
    "message.writable": (_has_content, _verdict),
    "tag.known-accepted": (_has_tag_zero, _verdict),
    "tag.unknown-accepted": (lambda base: TAGS in base.value, _verdict),
}
"""Which value shows a rule, and what is said about it."""


def explicit_default(_rule: str) -> Worked | None:
    """What breaks the rule of writers that defaults are left out, and must be accepted by readers."""
    found = blamed("tag.default-omitted")
    return None if found is None else Worked(found.wrong)


def deadly(_rule: str) -> Worked | None:
    """What has ended more readers than anything else: a count that memory is taken for before it is checked."""
    return judged("count.within-input")


def unsorted(_rule: str) -> Worked | None:
    """What breaks the rule of writers that tags ascend, and may be read or not."""
    return judged("tag.order-on-read")
