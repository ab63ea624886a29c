"""Tag sections written unsorted, with a wrong size or in a wrong place, and sections refused or dropped."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reference import TAGS, FieldSchema, StructType
from tests.mutants.mutant import mutants
from tests.mutants.single_faults.ways import refuse_if
from tests.second_codec.bodies import SectionWay, StructWay, Value, is_default
from tests.second_codec.left_out import NO_BOUND
from tests.second_codec.steps import ContentWay, VarintWay

NESTED = "section.[!m]*"


def number(change: Callable[[int], int]) -> VarintWay:
    return VarintWay(number=change)


def _size_step_late(size: int) -> int:
    """Reserve the room for a size before an array's count or a struct's marker is added to it (KAFKA-18199)."""
    return size - 1 if size in {2**7, 2**14} else size


def _without_tags(struct: StructType, value: Value) -> Value:
    return value if struct.flexible else {name: item for name, item in value.items() if name != TAGS}


def _flexible(struct: StructType) -> StructType:
    return replace(struct, flexible=True)


def inflexible(struct: StructType) -> StructType:
    return replace(struct, flexible=False)


def _null_default(field: FieldSchema, value: Any) -> bool:
    return value is None and field.default is None


DROPPED = ContentWay(value=lambda entries: entries[:0])

WAYS = {
    "tags-lost-in-version-that-is-not-flexible": StructWay(given=_without_tags),
    "tags-unsorted": SectionWay(entries=lambda entries: entries[::-1]),
    "tags-counted-from-one": number(lambda tag: tag + 1),
    "tag-size-short": number(lambda size: max(size - 1, 0)),
    "tag-size-counts-tag-and-size": number(lambda size: size + 2),
    "tag-size-of-128-as-127": number(_size_step_late),
    "tag-size-of-128-as-127-in-other-structs": number(_size_step_late),
    "tag-size-missing": VarintWay(form=lambda _form: b""),
    "unknown-tags-written-unsorted": ContentWay(value=lambda entries: entries[::-1]),
    "default-valued-tag-written": SectionWay(omits=lambda _field, _value: False),
    "tagged-field-omitted": SectionWay(omits=lambda _field, _value: True),
    "unknown-tags-written-twice": ContentWay(value=lambda entries: [*entries, *entries]),
    "section-missing-in-tagged-struct": StructWay(of=inflexible),
    "section-missing-in-empty-struct": StructWay(of=lambda struct: struct if struct.fields else inflexible(struct)),
    "section-in-version-that-is-not-flexible": StructWay(of=_flexible),
    "unknown-tags-refused": ContentWay(value=refuse_if(bool)),
    "unknown-tags-dropped": DROPPED,
    "tag-zero-refused": SectionWay(refuses=lambda field, value: field.tag == 0 and not is_default(field, value)),
    "unknown-tags-of-nested-structs-dropped": DROPPED,
    "unknown-tags-of-nested-structs-not-skipped": SectionWay(reads=bool),
    "default-valued-tag-refused": SectionWay(refuses=is_default),
    "default-valued-tag-of-nested-structs-refused": SectionWay(refuses=is_default),
    "explicit-null-refused": SectionWay(refuses=_null_default),
    "unknown-tags-as-far-as-they-go": NO_BOUND,
}

MUTANTS = tuple(mutants(WAYS))
