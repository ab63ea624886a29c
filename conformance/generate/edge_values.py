"""Deterministic values, each with one variation of the smallest one.

Findings, known failures and blame are derived from the results of these values. So each case has a name for its
variation, and the path of the varied field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from conformance.generate import edges
from conformance.generate.drawn_values import section_of, tag_steps, unknown_tags
from conformance.generate.origin import CaseOrigin
from conformance.generate.sized_values import sized_contents
from reference import TAGS, FieldSchema, MessageSchema, Unencodable, default, encode, minimal
from reference.definitions.model import INTEGER_RANGES
from reference.paths import joined
from reference.values.defaults import is_default, minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SOUND_ERROR_CODES = (0, 3)

SHORT = 129
"""The longest contents of tagged fields among the vectors, in bytes."""

WIDE_CHARACTERS = ("é", "日", "\N{GRINNING FACE}")


class Variation(NamedTuple):
    """One value of a field or message, different from the smallest in one thing."""

    path: str
    what: str
    value: Any
    is_vector: bool = True
    """Whether it may become a golden vector.

    Values with a special meaning to readers are for the suite and `prove` alone.
    """

    @property
    def origin(self) -> CaseOrigin:
        """The varied field, and the variation."""
        return CaseOrigin(self.what, self.path)

    @property
    def name(self) -> str:
        """The name of the case, like `Topics[0].Name=null`."""
        return self.origin.name

    def inside(self, key: str, value: Any) -> Variation:
        """Return this variation as part of a larger value."""
        return Variation(joined(key, self.path), self.what, value, self.is_vector)


def edge_cases(schema: MessageSchema) -> Iterator[Variation]:
    """Yield every deterministic value of a message, the minimal one first."""
    smallest = minimal(schema)
    yield Variation("", "minimal", smallest)
    unset = default(schema)
    if unset != smallest and is_writable(schema, unset):
        yield Variation("", "default", unset)
    yield from _struct_variations(schema.body, smallest)
    full = populated(schema)
    yield Variation("", "populated", full)
    if schema.flexible:
        yield Variation(TAGS, "populated-with-unknown-tags", with_unknown_tags(schema.body, full))
    yield from _sound_responses(schema)
    yield from _large(schema)
    negative = schema.body.mapped(full, _minus_one)  # shows whether each integer has a sign
    if negative != full:
        yield Variation("", "populated-minus-one", negative)


def _sound_responses(schema: MessageSchema) -> Iterator[Variation]:
    """Yield the populated value without an error, and with an existing error, if the message has error codes."""
    full = populated(schema)
    for code in SOUND_ERROR_CODES:
        value = with_error_code(full, code)
        if value != full:
            yield Variation("", f"populated-error-{code}", value, is_vector=False)


def with_error_code(value: Any, code: int) -> Any:
    """Return a value with one code in every field for error codes."""
    if isinstance(value, list):
        return [with_error_code(item, code) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: code if name.endswith("ErrorCode") and type(item) is int else with_error_code(item, code)
        for name, item in value.items()
    }


def populated(schema: MessageSchema) -> dict[str, Any]:
    """Return a value with content in every field.

    Each array has one element, each tagged field is set, and no field is null.
    """
    return {field.name: populated_of(field) for field in schema.fields}


def with_unknown_tags(struct: FieldSchema, value: dict[str, Any]) -> dict[str, Any]:
    """Return the value with an unknown tagged field in every struct with a tag section."""

    def tagged(field: FieldSchema, item: Any) -> Any:
        has_tag = (field.fields or field is struct) and item is not None and field.flexible
        return {**item, TAGS: [(unknown_tags(field)[0], b"\xca\xfe")]} if has_tag else item

    changed: dict[str, Any] = struct.mapped(value, tagged)
    return changed


def _minus_one(field: FieldSchema, value: Any) -> Any:
    """Return -1 for a signed integer.

    A tagged field with the default -1 gets -2, since its default would be left out.
    """
    if field.type not in INTEGER_RANGES or INTEGER_RANGES[field.written_type][0] == 0:
        return value
    return -2 if field.tag is not None and field.default == -1 else -1


class Bases(NamedTuple):
    """The valid values of one message from which inputs are made.

    Attributes:
        minimal: the smallest value.
        populated: content in every field.
        tagged: the same, with an unknown tagged field in every struct; None if the version has no tags.
        unknown_tag: the smallest value with one unknown tagged field; None if the version has no tags.
    """

    minimal: dict[str, Any]
    populated: dict[str, Any]
    tagged: dict[str, Any] | None
    unknown_tag: dict[str, Any] | None

    @classmethod
    def usual(cls, schema: MessageSchema) -> Bases:
        """Return the bases given by the definition alone, without adaptation."""
        smallest, full = minimal(schema), populated(schema)
        if not schema.flexible:
            return cls(smallest, full, None, None)
        tag = (unknown_tags(schema.struct)[0], b"\xca\xfe")
        return cls(smallest, full, with_unknown_tags(schema.body, full), {**smallest, TAGS: [tag]})


def is_writable(schema: MessageSchema, value: dict[str, Any]) -> bool:
    """Return whether a value has an encoding."""
    try:
        encode(schema, value)
    except Unencodable:
        return False
    return True


def populated_of(field: FieldSchema) -> Any:
    """Return a value of `field` other than its default, with distinguishable bytes.

    An array of elements without bytes is empty.
    """
    if field.element is not None:
        return [populated_of(each) for each in (field.element_with_bytes,) if each]
    if field.type == "struct":
        return {each.name: populated_of(each) for each in field.fields}
    if field.type in INTEGER_RANGES:
        number = edges.INTEGERS[field.written_type][-1]
        return number if number != field.default else number - 1
    if field.type == "bool":
        return not field.default
    return _POPULATED[field.type]


_POPULATED: dict[str, Any] = {
    "float64": edges.FLOATS["eight-different-bytes"],
    "string": "topic",
    "uuid": UUID("00112233-4455-6677-8899-aabbccddeeff"),
    "bytes": b"\xca\xfe\xba\xbe",
    "records": b"\x00\x01\x02\x03\x04",
}


def _variations(field: FieldSchema) -> Iterator[Variation]:
    """Yield every value of one field with one difference from its smallest value."""
    smallest = minimal_of(field)
    if field.nullable and smallest is not None:
        yield Variation("", "null", None)
    if field.element is not None:
        yield from _array_variations(field, smallest)
    elif field.type == "struct":
        present = {each.name: minimal_of(each) for each in field.fields}
        if smallest is None:
            yield Variation("", "present", present)
        yield from _struct_variations(field, present)
    else:
        for what, value in _scalar_values(field):
            if type(value) is not type(smallest) or value != smallest or field.type == "float64":
                yield Variation("", what, value)
        yield from (Variation("", str(code), code, is_vector=False) for code in edges.error_codes_of(field))


def _scalar_values(field: FieldSchema) -> Iterator[tuple[str, Any]]:
    if field.type in INTEGER_RANGES:
        yield from ((str(number), number) for number in edges.integers_of(field))
    elif field.type == "bool":
        yield from (("true", True), ("false", False))
    elif field.type == "float64":
        yield from edges.FLOATS.items()
    elif field.type == "uuid":
        yield from ((str(number), number) for number in edges.UUIDS)
    elif field.type == "string":
        yield from edges.TEXTS.items()
        for length in edges.STRING_LENGTHS[2:]:
            yield f"length-{length}", edges.text_of(length)
            character = WIDE_CHARACTERS[length % len(WIDE_CHARACTERS)]
            yield f"length-{length}-wide", edges.text_of(length, character)
    else:
        yield from ((f"length-{length}", edges.blob_of(length)) for length in edges.BLOB_LENGTHS)


def _array_variations(field: FieldSchema, smallest: Any) -> Iterator[Variation]:
    if smallest is None:
        yield Variation("", "empty", [])
    element = field.element_with_bytes
    if element is None:
        return
    item = minimal_of(element)
    for length in edges.ARRAY_LENGTHS[1:]:
        yield Variation("", f"elements-{length}", [item] * length)
    # Readers may keep elements by their keys, and so lose the order, or elements with equal keys.
    yield from _map_key_variations(element)
    for variation in _variations(element):
        yield variation.inside("[0]", [variation.value])


def _map_key_variations(element: FieldSchema) -> Iterator[Variation]:
    """Yield elements with descending keys, and different elements with equal keys."""
    keys = {each.name: populated_of(each) for each in element.fields if each.map_key}
    others = {each.name: populated_of(each) for each in element.fields if not each.map_key}
    if keys:
        item = minimal_of(element)
        yield Variation("", "keys-descending", [{**item, **keys}, item])
        if others:
            yield Variation("", "keys-equal", [{**item, **others}, item])


def _struct_variations(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[Variation]:
    for field in struct.fields:
        for variation in _variations(field):
            # -0.0 equals the default 0.0, and would be left out (rule 2.2.2).
            if field.tag is not None and field.type == "float64" and is_default(field, variation.value):
                continue
            yield variation.inside(field.name, {**smallest, field.name: variation.value})
        for size, value in sized_contents(field, struct.dialect) if field.tag is not None else ():
            sized = Variation("", f"content-of-{size}-bytes", value, is_vector=size <= SHORT)
            yield sized.inside(field.name, {**smallest, field.name: value})
    if struct.flexible:
        yield from _tag_variations(struct, smallest)


def _tag_variations(struct: FieldSchema, smallest: dict[str, Any]) -> Iterator[Variation]:
    """Yield unknown tags, alone and beside the known ones, and all known ones together."""
    free = unknown_tags(struct)
    for tag in dict.fromkeys((*free, *tag_steps(struct))):
        yield Variation(TAGS, f"tag-{tag}", {**smallest, TAGS: [(tag, b"\xca\xfe")]}, tag in free)
    if section_of(struct).smallest_unknown == 0:
        yield Variation(TAGS, "tag-of-no-bytes", {**smallest, TAGS: [(free[0], b"")]})
    for size in edges.TAG_SIZES:
        yield Variation(
            TAGS, f"tag-of-{size}-bytes", {**smallest, TAGS: [(free[0], edges.blob_of(size))]}, is_vector=False
        )
    yield Variation(TAGS, "two-tags", {**smallest, TAGS: [(tag, bytes([tag % 256])) for tag in free[:2]]})
    known = {field.name: populated_of(field) for field in struct.fields if field.tag is not None}
    if known:
        yield Variation(TAGS, "known-and-unknown", {**smallest, **known, TAGS: [(free[-1], b"\x00")]})
    if len(known) > 1:
        yield Variation("", "all-tagged", {**smallest, **known})


def _large(schema: MessageSchema) -> Iterator[Variation]:
    """Yield a message of more than 64 KiB, and arrays of many elements, if the message has an array of scalars.

    A count of 16,384 takes three bytes as a varint; one of 32,768 is no int16.
    """
    smallest = minimal(schema)
    for field in schema.fields:
        if field.element is not None and field.element.type in ("string", *INTEGER_RANGES):
            texts, numbers = [edges.text_of(32_767)] * 3, (list(range(100)) * 164)[:16_384]
            what, value = ("total-96k", texts) if field.element.type == "string" else ("elements-16384", numbers)
            yield Variation(field.name, what, {**smallest, field.name: value})
            items = [minimal_of(field.element)]
            for count in edges.MANY[field.element.type == "string" :]:  # of texts, which take longer, the larger one
                yield Variation(
                    field.name, f"elements-{count}", {**smallest, field.name: items * count}, is_vector=False
                )
            return
