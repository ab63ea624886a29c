"""The rules about a single field: `FIELD_RULES`, one row each, in the order of section 6."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reference.definitions.defaults import NULL, default_of
from reference.definitions.errors import BadDefault
from reference.definitions.model import PRIMITIVES
from reference.definitions.rules import FieldUse, Finding, Rule, Stage

if TYPE_CHECKING:
    from reference.definitions.model import FieldDefinition

ENTITY_TYPES = {
    "transactionalId": "string",
    "producerId": "int64",
    "groupId": "string",
    "topicName": "string",
    "brokerId": "int32",
}
"""What a field can be said to hold, and the type that it has then (its elements, if it is an array)."""

NULLABLE_PRIMITIVES = ("string", "bytes", "records")

FieldCheck = Callable[[FieldUse], str | None]
"""Says what is wrong with a field, if anything is."""


def _says(check_field: FieldCheck) -> Callable[[FieldUse], Iterator[Finding]]:
    """A check that finds one thing at most, and that at the field itself."""

    def check(use: FieldUse) -> Iterator[Finding]:
        if what := check_field(use):
            yield use.place, what

    return check


def _name(use: FieldUse) -> str | None:
    if re.fullmatch("[A-Za-z][A-Za-z0-9]*", use.field.name):
        return None
    return f"{use.field.name!r} is not a name for a field"


def _unique_name(use: FieldUse) -> str | None:
    if use.struct.of_struct and use.field.name in (each.name for each in use.earlier):
        return f"{use.struct.name} has more than one field of the name {use.field.name}"
    return None


def _unique_tag(use: FieldUse) -> str | None:
    for each in use.earlier if use.struct.of_struct else ():
        if each.tag is not None and each.tag == use.field.tag:
            return f"the tag {each.tag} of this field is also that of {each.name}"
    return None


def can_be_null(field: FieldDefinition) -> bool:
    """Whether a field of this type may be nullable."""
    return field.is_array or field.struct_name is not None or field.type in NULLABLE_PRIMITIVES


def _nullable_type(use: FieldUse) -> str | None:
    field = use.field
    if field.nullable_versions.empty or can_be_null(field):
        return None
    return f"a field of type {field.type} cannot be null, but its nullableVersions are {field.nullable_versions}"


def _entity_type(use: FieldUse) -> str | None:
    field = use.field
    if field.entity_type is None or ENTITY_TYPES[field.entity_type] == field.element_type:
        return None
    wanted = ENTITY_TYPES[field.entity_type]
    return f"the entity type {field.entity_type} belongs to the type {wanted}, and this field is of {field.type}"


def _inner_fields(use: FieldUse) -> str | None:
    field = use.field
    if not field.fields or field.is_array or field.struct_name is not None:
        return None
    return f"a field of type {field.type} cannot have fields of its own"


def _flexible_type(use: FieldUse) -> str | None:
    if use.field.flexible_versions is None or use.field.type in {"string", "bytes"}:
        return None
    return f"a field of type {use.field.type} cannot have flexibleVersions of its own"


def _flexible_within_message(use: FieldUse) -> str | None:
    own, message = use.field.flexible_versions, use.definition.flexible_versions
    if own is None or message.covers(own):
        return None
    return f"the field's flexibleVersions {own} are not all among the message's, which are {message}"


def _tag_or_key(use: FieldUse) -> str | None:
    return "a tagged field cannot be a mapKey" if use.field.tag is not None and use.field.map_key else None


def _tag_not_negative(use: FieldUse) -> str | None:
    return f"the tag {use.field.tag} is negative" if use.field.tag is not None and use.field.tag < 0 else None


def _tag_needs_versions(use: FieldUse) -> str | None:
    if use.field.tag is None or not use.field.tagged_versions.empty:
        return None
    return f"the field has the tag {use.field.tag} but no taggedVersions"


def _versions_need_tag(use: FieldUse) -> str | None:
    if use.field.tag is not None or use.field.tagged_versions.empty:
        return None
    return f"the field has the taggedVersions {use.field.tagged_versions} but no tag"


def _tagged_and_nullable(use: FieldUse) -> str | None:
    tagged, nullable = use.field.tagged_versions, use.field.nullable_versions
    common = tagged.intersect(nullable)
    if common.empty or common == tagged:
        return None
    return f"the field is tagged in the versions {tagged} but only in some of them, {common}, nullable"


def _tagged_open_ended(use: FieldUse) -> str | None:
    tagged = use.field.tagged_versions
    return None if tagged.empty or tagged.open_ended else f"the taggedVersions {tagged} come to an end"


def _tagged_within_versions(use: FieldUse) -> str | None:
    tagged, versions = use.field.tagged_versions, use.field.versions
    return None if versions.covers(tagged) else f"the taggedVersions {tagged} are not all among the versions {versions}"


def _tagged_within_flexible(use: FieldUse) -> str | None:
    own = use.field.flexible_versions
    flexible = use.definition.flexible_versions if own is None else own
    if flexible.covers(use.field.tagged_versions):
        return None
    return f"the taggedVersions {use.field.tagged_versions} are not all among the flexible versions {flexible}"


def _zero_copy(use: FieldUse) -> str | None:
    if not use.field.zero_copy or use.field.type == "bytes":
        return None
    return f"a field of type {use.field.type} cannot be zeroCopy"


def _struct_within_parent(use: FieldUse) -> str | None:
    parent, name = use.struct.versions, use.field.struct_name
    if name is None or use.definition.common_struct(name) or parent.empty or not use.versions.empty:
        return None  # a common struct is made on its own, wherever it is used
    return f"the struct has the versions {use.field.versions}, and what it is in has {parent}: they have none in common"


def _null_default(use: FieldUse) -> str | None:
    field = use.field
    if not _defaults_to_null_in_vain(field):
        return None
    return f"the default is null, but of the versions {field.versions} only {field.nullable_versions} are nullable"


def _defaults_to_null_in_vain(field: FieldDefinition) -> bool:
    may_be_null = field.is_array or field.struct_name is not None or field.type in {"string", "bytes"}
    return field.default == NULL and may_be_null and not field.nullable_versions.covers(field.versions)


def _default(use: FieldUse) -> str | None:
    if use.field.struct_name is None and use.field.element_type not in PRIMITIVES:
        return None  # that there is no such type has been said
    try:
        default_of(use.field)
    except BadDefault as error:
        return None if _defaults_to_null_in_vain(use.field) else str(error)
    return None


def _records_array(use: FieldUse) -> str | None:
    array = use.field.type == "[]records" and not use.versions.empty
    return "records cannot be the elements of an array" if array else None


def _records_tagged(use: FieldUse) -> str | None:
    tagged = use.field.type == "records" and not use.versions.intersect(use.field.tagged_versions).empty
    return "a field of type records cannot be tagged" if tagged else None


P, G = Stage.PARSED, Stage.GENERATED

_ROWS: tuple[tuple[str, str, Stage, FieldCheck, str], ...] = (
    ("field-name", "6.25", P, _name, "use letters and digits, and begin with a letter"),
    ("field-names-unique", "6.20", P, _unique_name, "rename one of them, even if they share no version"),
    ("tags-unique", "6.22", P, _unique_tag, "give this field the next tag that is free in its struct"),
    (
        "nullable-type",
        "6.30",
        P,
        _nullable_type,
        "drop nullableVersions, which only variable-size types and structs have",
    ),
    ("entity-type", "6.32", P, _entity_type, "correct the entityType or drop it"),
    ("inner-fields", "6.33", P, _inner_fields, "drop the fields, or make the type a struct or an array of it"),
    ("flexible-override-type", "6.34", P, _flexible_type, "drop flexibleVersions: strings and bytes alone can have it"),
    ("flexible-override-subset", "6.35", G, _flexible_within_message, "keep to the message's flexibleVersions"),
    ("tag-not-key", "6.36", P, _tag_or_key, "drop the tag or the mapKey"),
    ("tag-not-negative", "6.37", P, _tag_not_negative, "number the tags of a struct 0, 1, 2 and so on"),
    ("tag-needs-versions", "6.38", P, _tag_needs_versions, "say in which taggedVersions, as 1+"),
    ("tagged-versions-need-tag", "6.39", P, _versions_need_tag, "add a tag, or drop taggedVersions"),
    ("tagged-nullable", "6.40", P, _tagged_and_nullable, "make it nullable in all its tagged versions, or in none"),
    ("tagged-open-ended", "6.41", P, _tagged_open_ended, "let taggedVersions end with a plus sign, as 1+"),
    ("tagged-within-versions", "6.42", P, _tagged_within_versions, "let versions contain taggedVersions"),
    (
        "tagged-within-flexible",
        "6.43",
        G,
        _tagged_within_flexible,
        "begin taggedVersions no earlier than the flexible ones",
    ),
    ("zero-copy-type", "6.44", P, _zero_copy, "drop zeroCopy: only fields of type bytes can have it"),
    ("struct-within-parent", "6.46", G, _struct_within_parent, "drop the field, or correct its versions"),
    ("default-null", "4.1.13", G, _null_default, "let nullableVersions contain all the versions, or drop the default"),
    ("default", "6.47", G, _default, "write a default that the type can hold, or none"),
    ("records-not-in-array", "6.59", G, _records_array, "use a struct that has a field of type records"),
    ("records-not-tagged", "6.59", G, _records_tagged, "drop the tag and taggedVersions"),
)
"""Id without its prefix, number, stage, check, and what to do."""

FIELD_RULES: tuple[Rule[FieldUse], ...] = tuple(
    Rule(f"definition.{name}", number, stage, _says(check_field), advice)
    for name, number, stage, check_field, advice in _ROWS
)
"""Every rule about a single field."""
