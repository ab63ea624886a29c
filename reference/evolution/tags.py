"""Compare the tagged fields of a struct between two definitions, at one version and over all versions.

A tag identifies its field, so fields are paired by it. A field may be dropped, but its tag must never stand for another
one (rule 7.1.5). No byte distinguishes a new name from a new meaning, so a new name is reported for review. Apache
Kafka's readers refuse a tag known from other versions only (rule 2.5.5). So a tag stays in the released versions with
it, or leaves the definition, and does not come to others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.rules import structs
from reference.evolution.change import Divergence
from reference.evolution.layout import below, layout, section_of, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import Definition, FieldDefinition, VersionRange
    from reference.schema import FieldSchema

Pair = tuple["FieldSchema", "FieldSchema"]


def tags_by_name(struct: FieldSchema) -> dict[str, int]:
    """Return the tags of the struct in this version, by the names of their fields."""
    return {each.name: each.tag for each in struct.fields if each.tag is not None}


def tag_differences(old: FieldSchema, new: FieldSchema, path: str) -> tuple[list[Pair], list[Divergence]]:
    """Return the pairs of fields with the same tag, to be compared further, and the differences in the tags."""
    before, after = _by_tag(old), _by_tag(new)
    pairs: list[Pair] = []
    found: list[Divergence] = []
    for tag in sorted(before.keys() | after.keys()):
        if tag not in after:
            found += _gone(before[tag], new, path)
        elif tag not in before:
            found.append(_come(after[tag], old, path))
        elif _same(before[tag], after[tag], old, new):
            pairs.append((before[tag], after[tag]))
        else:
            found.append(_reused(tag, before[tag].name, after[tag].name, below(path, before[tag])))
    return pairs, found


def _by_tag(struct: FieldSchema) -> dict[int, FieldSchema]:
    return {each.tag: each for each in struct.fields if each.tag is not None}


def _same(before: FieldSchema, after: FieldSchema, old: FieldSchema, new: FieldSchema) -> bool:
    """Return whether a tag stands for the same field, even if it is renamed, but not if it has another one's name."""
    if before.name == after.name:
        return True
    known = before.name in _names(new) or after.name in _names(old)
    return not known and layout([before], tagged=False) == layout([after], tagged=False)


def _names(struct: FieldSchema) -> set[str]:
    return {each.name for each in (*struct.fields, *struct.absent_fields)}


def _reused(tag: int, before: str, after: str, path: str) -> Divergence:
    return Divergence("evolution.tag-reused", path, f"the tag {tag} was that of {before} and is that of {after}")


def renamed(tag: int, before: str, after: str) -> str:
    """Return the sentence about a tag of a field with the same layout and another name."""
    return (
        f"the tag {tag} was that of {before} and is that of {after}, which has the same bytes: ask if it means the same"
    )


def _gone(field: FieldSchema, new: FieldSchema, path: str) -> Iterator[Divergence]:
    """Yield the difference of a field with a tag unknown to the new struct."""
    # a field with another tag now is left to `_come`
    if field.name in tags_by_name(new):
        return
    path = below(path, field)
    if field.name in (each.name for each in new.fields):
        yield Divergence("evolution.tagged", path, f"the field had the tag {field.tag} and has none now")
    elif _refused(field, new):
        what = f"the tag {field.tag} is not there any more, but in other versions"
        yield Divergence("evolution.tag-versions", path, what)
    else:
        what = f"the field {field.name}, {type_name(field)} with the tag {field.tag}, is not there any more"
        yield Divergence("evolution.tag-dropped", path, what)


def _come(field: FieldSchema, old: FieldSchema, path: str) -> Divergence:
    path = below(path, field)
    if field.name in tags_by_name(old):
        what = f"the tag of the field was {tags_by_name(old)[field.name]} and is {field.tag}"
        return Divergence("evolution.tag-number", path, what)
    if field.name in (each.name for each in old.fields):
        return Divergence("evolution.tagged", path, f"the field had no tag and has the tag {field.tag} now")
    if _refused(field, old):
        what = f"the tag {field.tag} was there in other versions only"
        return Divergence("evolution.tag-versions", path, what)
    what = f"there is a new field {field.name}, {type_name(field)} with the tag {field.tag}"
    return Divergence("evolution.tag-added", path, what)


def _refused(field: FieldSchema, struct: FieldSchema) -> bool:
    """Return whether readers of a struct refuse the tag as one of other versions. Those of KIP-482's drafts skip it."""
    section = section_of(struct)
    return section is not None and section.refuses_other_versions and field.tag in struct.tags_elsewhere


def reused_over_time(old: Definition, new: Definition) -> Iterator[tuple[VersionRange, Divergence]]:
    """Yield the tags used for another field in other versions, with their old versions.

    A difference in a version with the tag in both definitions is left to `tag_differences`.
    """
    later = {struct.name: struct.fields for struct in structs(new)}
    for struct in structs(old):
        fields = later.get(struct.name, ())
        by_tag = {each.tag: each for each in fields if each.tag is not None}
        for field in struct.fields:
            used = field.tagged_versions.intersect(old.valid_versions)
            other = None if field.tag is None else by_tag.get(field.tag)
            if other is None or not used.intersect(other.tagged_versions).intersect(new.valid_versions).empty:
                continue
            if not used.empty and field.name != other.name:
                yield used, _another(field, other, struct.fields, fields, f"{struct.name}.{field.name}")


def _another(
    field: FieldDefinition,
    other: FieldDefinition,
    old: Iterable[FieldDefinition],
    new: Iterable[FieldDefinition],
    path: str,
) -> Divergence:
    known = field.name in (each.name for each in new) or other.name in (each.name for each in old)
    if known or field.type != other.type:
        return _reused(other.tag or 0, field.name, other.name, path)
    return Divergence("evolution.tag-renamed", path, renamed(other.tag or 0, field.name, other.name))
