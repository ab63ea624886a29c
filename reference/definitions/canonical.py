"""The committed form of a definition: its facts and nothing else, each written in one way only.

Versions are always explicit and in their shortest form, defaults are always texts, booleans are real, properties come
in a fixed order, and those that say nothing (false, none, empty) are left out. Descriptions and comments are not kept.
Reading the canonical form gives the definition that it was written from.

    {
      "apiKey": 18,
      "type": "request",
      "listeners": ["broker", "controller"],
      "name": "ApiVersionsRequest",
      "validVersions": "0-4",
      "flexibleVersions": "3+",
      "fields": [
        { "name": "ClientSoftwareName", "type": "string", "versions": "3+", "ignorable": true },

One field that has no inner fields takes one line, so that a change of one field is one line of a diff.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.definitions.model import Definition, FieldDefinition, StructDefinition, VersionRange

INDENT = "  "
LISTS_OF_OBJECTS = ("fields", "commonStructs")


def canonical_json(definition: Definition) -> str:
    """The canonical form of a definition, with a line end at its end."""
    return _object(_message(definition), "") + "\n"


def _message(definition: Definition) -> dict[str, Any]:
    without_versions = definition.valid_versions.empty
    return _stated(
        {
            "apiKey": definition.api_key,
            "type": definition.kind,
            "listeners": list(definition.listeners),
            "name": definition.name,
            "validVersions": str(definition.valid_versions),
            "deprecatedVersions": _unless_empty(definition.deprecated_versions),
            "flexibleVersions": None if without_versions else str(definition.flexible_versions),
            "headerVersions": {str(versions): str(header) for versions, header in definition.header_versions or ()}
            or None,
            "latestVersionUnstable": definition.latest_version_unstable,
            "commonStructs": [_struct(each) for each in definition.common_structs],
            "fields": [_field(each) for each in definition.fields],
        }
    )


def _header_versions(definition: Definition) -> dict[str, str] | None:
    return {str(versions): str(header) for versions, header in definition.header_versions or ()} or None


def _struct(struct: StructDefinition) -> dict[str, Any]:
    return _stated(
        {"name": struct.name, "versions": str(struct.versions), "fields": [_field(each) for each in struct.fields]}
    )


def _field(field: FieldDefinition) -> dict[str, Any]:
    override = field.flexible_versions
    return _stated(
        {
            "name": field.name,
            "type": field.type,
            "versions": str(field.versions),
            "nullableVersions": _unless_empty(field.nullable_versions),
            "tag": field.tag,
            "taggedVersions": _unless_empty(field.tagged_versions),
            "flexibleVersions": None if override is None else str(override),
            "default": field.default,
            "ignorable": field.ignorable,
            "mapKey": field.map_key,
            "zeroCopy": field.zero_copy,
            "entityType": field.entity_type,
            "encoding": _encodings(field),
            "fields": [_field(each) for each in field.fields],
        }
    )


def _encodings(field: FieldDefinition) -> str | dict[str, str] | None:
    """One name for all versions; else each with its versions."""
    if len(field.encodings) == 1 and field.encodings[0][0] == field.versions:
        return field.encodings[0][1]
    return {str(versions): name for versions, name in field.encodings} or None


def _unless_empty(versions: VersionRange) -> str | None:
    return None if versions.empty else str(versions)


def _stated(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in properties.items() if value is not None and value is not False and value != []
    }


def _object(properties: Mapping[str, Any], indent: str) -> str:
    if indent and not any(name in LISTS_OF_OBJECTS for name in properties):
        return f"{{ {', '.join(_property(name, value, indent) for name, value in properties.items())} }}"
    inner = indent + INDENT
    lines = ",\n".join(inner + _property(name, value, inner) for name, value in properties.items())
    return f"{{\n{lines}\n{indent}}}"


def _property(name: str, value: Any, indent: str) -> str:
    if name not in LISTS_OF_OBJECTS:
        return f"{json.dumps(name)}: {json.dumps(value)}"
    inner = indent + INDENT
    items = ",\n".join(inner + _object(each, inner) for each in value)
    return f"{json.dumps(name)}: [\n{items}\n{indent}]"
