"""Random values of a message, edges included.

One walker over the schema serves every source of choices. A schema is compiled once into a tree of closures, `Choices
-> value`. Chances are one in a power of two, so every edge appears within a few hundred values, and yet most values are
small.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from uuid import UUID

from hypothesis import strategies as st

from conformance.generate import edges
from conformance.generate.choices import BLOCK, ByteChoices, Choices, SeededChoices, pick
from conformance.generate.drawn_records import records_value
from reference import TAGS, FieldSchema, MessageSchema, StructType, encode_records
from reference.definitions.model import INTEGER_RANGES
from reference.protocols import protocol_of
from reference.values.defaults import fresh, is_default, is_dropped_by_default

if TYPE_CHECKING:
    from reference.wire.tags import TagSection

Generator = Callable[[Choices], Any]
RecordsProfile = Literal["opaque", "real"]
"""The contents of `records` fields: any bytes, or record batches readable by `reference.decode_records`."""

LARGE_BLOCK = 1024
"""Bytes drawn at a time for many inputs."""

NULL_ONE_IN = 8
EDGE_ONE_IN = 4
LONG_ONE_IN = 64
SET_TAG_ONE_IN = 2
UNKNOWN_TAGS_ONE_IN = 8
OFTEN_ONE_IN = 2
"""The share of values with unknown tags in samples with absent fields: one in 2."""

FULL_UNKNOWN_TAGS = 2
MAXIMUM_ELEMENTS = 4
DEEP = 2
"""The depth from which arrays have at most two elements."""


@lru_cache(maxsize=1)  # Hypothesis looks into a strategy when it first draws from it, and a test draws often
def values(schema: MessageSchema, records: RecordsProfile = "opaque") -> st.SearchStrategy[dict[str, Any]]:
    """Return a Hypothesis strategy of encodable values of `schema`.

    The simplest value is all zeros and empties.
    """
    return _values(schema, 1, records).map(itemgetter(0))


@lru_cache(maxsize=1)  # as of `values`
def many_values(
    schema: MessageSchema, count: int, records: RecordsProfile = "opaque"
) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Return a strategy of lists of `count` values.

    They are drawn much faster together than one by one, and shrink badly.
    """
    return _values(schema, count, records, LARGE_BLOCK)


@st.composite
def _values(
    draw: Callable[[Any], Any], schema: MessageSchema, count: int, records: RecordsProfile, block: int = BLOCK
) -> list[dict[str, Any]]:
    choices, generate = ByteChoices(draw, block), value_generator(schema, records=records)
    return [generate(choices) for _ in range(count)]


def sample(
    schema: MessageSchema, seed: str, *, absent: bool = False, records: RecordsProfile = "opaque"
) -> dict[str, Any]:
    """Return the value of `schema` for `seed`, any text, always the same in every version of this package.

    With `absent` there are more unknown tags, and droppable fields of other versions.
    """
    value: dict[str, Any] = value_generator(schema, absent=absent, records=records)(SeededChoices(f"{schema}/{seed}"))
    return value


@cache
def value_generator(schema: MessageSchema, *, absent: bool = False, records: RecordsProfile = "opaque") -> Generator:
    """Return the function from choices to a value of `schema`.

    The other arguments are those of `sample`.
    """
    return _struct(schema.body, ValueProfile(absent, records), depth=0)


class ValueProfile(NamedTuple):
    """The kind of values to make, as described by `sample`."""

    absent: bool = False
    records: RecordsProfile = "opaque"


def _field(field: FieldSchema, profile: ValueProfile, *, depth: int) -> Generator:
    generate = _written(field, profile, depth=depth)
    if field.nullable:
        generate = _nullable(generate)
    return _tagged(field, generate) if field.tag is not None else generate


def _nullable(generate: Generator) -> Generator:
    return lambda choices: None if choices.below(NULL_ONE_IN) == NULL_ONE_IN - 1 else generate(choices)


_MAY_LOSE_A_SIGN = ("float64", "struct")
"""-0.0 counts as the default 0.0, also inside a struct (rules 2.2.2 and 2.2.8)."""


def _tagged(field: FieldSchema, generate: Generator) -> Generator:
    """Generate the default half of the time, and always in place of a value written as the default (2.2.2)."""

    def tagged(choices: Choices) -> Any:
        if choices.below(SET_TAG_ONE_IN) == 0:
            return fresh(field.default)
        value = generate(choices)
        return fresh(field.default) if field.type in _MAY_LOSE_A_SIGN and is_default(field, value) else value

    return tagged


def _written(field: FieldSchema, profile: ValueProfile, *, depth: int) -> Generator:
    if field.element is not None and field.element_with_bytes is None:
        return lambda _: []
    if field.element is not None:
        return _array(field.element, profile, depth=depth)
    if field.type == "struct":
        return _struct(field, profile, depth=depth + 1)
    if field.type in INTEGER_RANGES:
        return _integer(field)
    if field.type == "records" and profile.records == "real":
        return _real_records
    return _SCALARS[field.type]


def _integer(field: FieldSchema) -> Generator:
    lowest, highest = INTEGER_RANGES[field.written_type]
    options = edges.integers_of(field)

    def integer(choices: Choices) -> int:
        is_edge = choices.below(EDGE_ONE_IN) == 0
        return pick(choices, options) if is_edge else choices.integer(lowest, highest)

    return integer


_FLOATS = tuple(edges.FLOATS.values())
_TEXTS = tuple(edges.TEXTS.values())


def _uuid(choices: Choices) -> UUID:
    if choices.below(EDGE_ONE_IN) == 0:
        return pick(choices, edges.UUIDS)
    return UUID(int=choices.integer(0, 2**128 - 1))


def _text(choices: Choices) -> str:
    kind = choices.below(LONG_ONE_IN)
    if kind == LONG_ONE_IN - 1:
        length = pick(choices, edges.STRING_LENGTHS)
        return edges.text_of(length, pick(choices, ("a", "é", "日", "\N{GRINNING FACE}")))
    return "".join(pick(choices, _TEXTS) for _ in range(choices.below(3)))


def _blob(choices: Choices) -> bytes:
    kind = choices.below(LONG_ONE_IN)
    if kind == LONG_ONE_IN - 1:
        return edges.blob_of(pick(choices, edges.BLOB_LENGTHS))
    length = choices.below(MAXIMUM_ELEMENTS)
    return choices.integer(0, 256**length - 1).to_bytes(length, "big") if length else b""


def _real_records(choices: Choices) -> bytes:
    return encode_records(records_value(choices))


_SCALARS: dict[str, Generator] = {
    "bool": lambda choices: choices.below(2) == 1,
    "float64": lambda choices: pick(choices, _FLOATS),
    "uuid": _uuid,
    "string": _text,
    "bytes": _blob,
    "records": _blob,
}


def _array(element: FieldSchema, profile: ValueProfile, *, depth: int) -> Generator:
    generate = _field(element, profile, depth=depth)
    maximum = MAXIMUM_ELEMENTS if depth < DEEP else DEEP + 1
    small = element.type in INTEGER_RANGES or element.type == "bool"

    def array(choices: Choices) -> list[Any]:
        length = choices.below(maximum)
        if small and length == maximum - 1 and choices.below(EDGE_ONE_IN) == EDGE_ONE_IN - 1:
            length = pick(choices, edges.ARRAY_LENGTHS)
        return [generate(choices) for _ in range(length)]

    return array


def _struct(struct: FieldSchema, profile: ValueProfile, *, depth: int) -> Generator:
    members = tuple((field.name, _field(field, profile, depth=depth)) for field in struct.fields)
    absent = filter(is_dropped_by_default, struct.absent_fields if profile.absent else ())
    lost = tuple((field.name, _droppable(field)) for field in absent)
    free_tags = unknown_tags(struct) if struct.flexible else ()
    smallest = bytes(section_of(struct).smallest_unknown)
    one_in = OFTEN_ONE_IN if profile.absent else UNKNOWN_TAGS_ONE_IN

    def generate(choices: Choices) -> dict[str, Any]:
        value = {name: member(choices) for name, member in members}
        for name, member in lost:
            if choices.below(2):
                value[name] = member(choices)
        if free_tags and choices.below(one_in) == one_in - 1:
            value[TAGS] = _unknown_tags(choices, free_tags, smallest)
        return value

    return generate


def _droppable(field: FieldSchema) -> Generator:
    """Generate a droppable value of a field of other versions.

    It is any value if the field is ignorable, else the default.
    """
    if not field.ignorable or field.type == "records":
        return lambda _: fresh(field.default)
    return _field(field, ValueProfile(), depth=DEEP)


def _unknown_tags(choices: Choices, free: tuple[int, ...], smallest: bytes) -> list[tuple[int, bytes]]:
    first = choices.below(len(free))
    count = 1 + choices.below(FULL_UNKNOWN_TAGS)
    return [(tag, _blob(choices) or smallest) for tag in free[first : first + count]]


def unknown_tags(struct: FieldSchema | StructType) -> tuple[int, ...]:
    """Return ascending tags unused by the definition of this struct.

    They are the tags of `edges` below the highest allowed tag, and the highest itself. A proposal adds the tags below
    its lowest one, forbidden to every definition.
    """
    known = {field.tag for field in struct.fields} | struct.tags_elsewhere
    section = section_of(struct)
    lowest, highest = section.lowest_tag, section.highest_unknown_tag
    edge_tags = sorted({*range(lowest), *(tag for tag in edges.UNKNOWN_TAGS if tag < highest), highest})
    return tuple(tag for tag in edge_tags if tag not in known)


def tag_steps(struct: FieldSchema | StructType) -> tuple[int, ...]:
    """Return the lowest unknown tags, the one after the last known, and the tags with a varint grown by one byte."""
    known = {field.tag for field in struct.fields if field.tag is not None} | struct.tags_elsewhere
    section = section_of(struct)
    next_tag = max(known, default=section.lowest_tag - 1) + 1
    steps = (section.lowest_tag, section.lowest_tag + 1, next_tag, *edges.TAG_STEPS)
    return tuple(tag for tag in dict.fromkeys(steps) if tag not in known and tag <= section.highest_unknown_tag)


def section_of(struct: FieldSchema | StructType) -> type[TagSection]:
    """Return the class of the tag section of a struct, in the protocol of the struct."""
    return protocol_of(struct.dialect).tag_section
