"""The checks of single fields, `FIELD_CHECKS`, in the order of section 6."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reference.definitions.defaults import NULL, default_of
from reference.definitions.errors import BadDefault
from reference.definitions.model import ENTITY_TYPES, PRIMITIVES
from reference.definitions.properties import OF_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.errors import Problem
    from reference.definitions.model import FieldDefinition
    from reference.definitions.rules import FieldUse

NULLABLE_PRIMITIVES = ("string", "bytes", "records")


def can_be_null(field: FieldDefinition) -> bool:
    """Return whether a field of this type may be nullable."""
    return field.is_array or field.struct_name is not None or field.type in NULLABLE_PRIMITIVES


def _unique(use: FieldUse) -> Iterator[Problem]:
    field = use.field
    if not re.fullmatch("[A-Za-z][A-Za-z0-9]*", field.name):
        yield use.problem("field-name", f"{field.name!r} is not a name for a field")
    earlier = use.earlier if use.struct.of_struct else ()
    if field.name in (each.name for each in earlier):
        yield use.problem("field-names-unique", f"{use.struct.name} has more than one field of the name {field.name}")
    same_tag = next((each for each in earlier if each.tag is not None and each.tag == field.tag), None)
    if same_tag:
        yield use.problem("tags-unique", f"the tag {field.tag} of this field is also that of {same_tag.name}")


def _type(use: FieldUse) -> Iterator[Problem]:
    field = use.field
    if not field.nullable_versions.empty and not can_be_null(field):
        what = f"a field of type {field.type} cannot be null, but its nullableVersions are {field.nullable_versions}"
        yield use.problem("nullable-type", what)
    entity_type = ENTITY_TYPES.get(field.entity_type or "", field.element_type)
    if entity_type != field.element_type:
        what = f"the entity type {field.entity_type} belongs to the type {entity_type}"
        yield use.problem("entity-type", f"{what}, and this field is of {field.type}")
    if field.fields and not field.is_array and field.struct_name is None:
        yield use.problem("inner-fields", f"a field of type {field.type} cannot have fields of its own")


def _flexible_override(use: FieldUse) -> Iterator[Problem]:
    own, message = use.field.flexible_versions, use.definition.flexible_versions
    if own is not None and not OF_FIELDS["flexibleVersions"].fits(use.field.type):
        what = f"a field of type {use.field.type} cannot have flexibleVersions of its own"
        yield use.problem("flexible-override-type", what)
    if own is not None and not message.covers(own):
        what = f"the field's flexibleVersions {own} are not all among the message's, which are {message}"
        yield use.problem("flexible-override-subset", what)


def _tag(use: FieldUse) -> Iterator[Problem]:
    tag, tagged = use.field.tag, use.field.tagged_versions
    if tag is None:
        if not tagged.empty:
            yield use.problem("tagged-versions-need-tag", f"the field has the taggedVersions {tagged} but no tag")
        return
    if use.field.map_key:
        yield use.problem("tag-not-key", "a tagged field cannot be a mapKey")
    if tag < 0:
        yield use.problem("tag-not-negative", f"the tag {tag} is negative")
    if tagged.empty:
        yield use.problem("tag-needs-versions", f"the field has the tag {tag} but no taggedVersions")


def _tagged_versions(use: FieldUse) -> Iterator[Problem]:
    field, tagged = use.field, use.field.tagged_versions
    common = tagged.intersect(field.nullable_versions)
    if not common.empty and common != tagged:
        what = f"the field is tagged in the versions {tagged} but only in some of them, {common}, nullable"
        yield use.problem("tagged-nullable", what)
    if not tagged.empty and not tagged.open_ended:
        yield use.problem("tagged-open-ended", f"the taggedVersions {tagged} come to an end")
    if not field.versions.covers(tagged):
        what = f"the taggedVersions {tagged} are not all among the versions {field.versions}"
        yield use.problem("tagged-within-versions", what)
    flexible = use.definition.flexible_versions if field.flexible_versions is None else field.flexible_versions
    if not flexible.covers(tagged):
        what = f"the taggedVersions {tagged} are not all among the flexible versions {flexible}"
        yield use.problem("tagged-within-flexible", what)


def _zero_copy(use: FieldUse) -> Iterator[Problem]:
    if use.field.zero_copy and not OF_FIELDS["zeroCopy"].fits(use.field.type):
        yield use.problem("zero-copy-type", f"a field of type {use.field.type} cannot be zeroCopy")


def _struct_within_parent(use: FieldUse) -> Iterator[Problem]:
    parent, name = use.struct.versions, use.field.struct_name
    if name is None or use.definition.common_struct(name) or parent.empty or not use.versions.empty:
        return  # a common struct is generated apart from its users
    what = f"the struct has the versions {use.field.versions}, and what it is in has {parent}: they have none in common"
    yield use.problem("struct-within-parent", what)


def _default(use: FieldUse) -> Iterator[Problem]:
    field = use.field
    if field.default == NULL and _is_nullable_in_some(field):
        what = f"the default is null, but of the versions {field.versions} only {field.nullable_versions} are nullable"
        yield use.problem("default-null", what)
    elif field.struct_name is not None or field.element_type in PRIMITIVES:  # other types are a problem of their own
        try:
            default_of(field)
        except BadDefault as error:
            yield use.problem("default", str(error))


def _is_nullable_in_some(field: FieldDefinition) -> bool:
    may_be_null = field.is_array or field.struct_name is not None or field.type in {"string", "bytes"}
    return may_be_null and not field.nullable_versions.covers(field.versions)


def _records(use: FieldUse) -> Iterator[Problem]:
    if use.field.type == "[]records" and not use.versions.empty:
        yield use.problem("records-not-in-array", "records cannot be the elements of an array")
    if use.field.type == "records" and not use.versions.intersect(use.field.tagged_versions).empty:
        yield use.problem("records-not-tagged", "a field of type records cannot be tagged")


FIELD_CHECKS = (
    _unique,
    _type,
    _flexible_override,
    _tag,
    _tagged_versions,
    _zero_copy,
    _struct_within_parent,
    _default,
    _records,
)
