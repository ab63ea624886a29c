"""The committed form of a definition, with its facts in one spelling.

Versions are always explicit and in their shortest form, defaults are always texts, booleans are real, and properties
have a fixed order. Properties without information (false, none, empty) are left out, and so are descriptions and
comments. Reading the canonical form returns the definition it was written from.

    {
      "apiKey": 18,
      "type": "request",
      "listeners": ["broker", "controller"],
      "name": "ApiVersionsRequest",
      "validVersions": "0-4",
      "flexibleVersions": "3+",
      "fields": [
        { "name": "ClientSoftwareName", "type": "string", "versions": "3+", "ignorable": true },

A field without inner fields takes one line, so a change of one field is one line of a diff.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reference.definitions.model import FieldDefinition, StructDefinition, VersionRange
from reference.definitions.properties import OF_FIELDS, OF_MESSAGES, OF_STRUCTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.definitions.model import Definition
    from reference.definitions.properties import Property

INDENT = "  "
LISTS_OF_OBJECTS = ("fields", "commonStructs")


def canonical_json(definition: Definition) -> str:
    """Return the canonical form of a definition, with a final line break."""
    return _object(_message(definition), "") + "\n"


def _message(definition: Definition) -> dict[str, Any]:
    headers = {str(versions): str(header) for versions, header in definition.header_versions or ()}
    others: dict[str, Any] = {"headerVersions": headers or None}
    if definition.valid_versions.empty:
        others["flexibleVersions"] = None
    return stated(_properties(definition, OF_MESSAGES) | others)


def _properties(part: Definition | StructDefinition | FieldDefinition, rows: Mapping[str, Property]) -> dict[str, Any]:
    values = {name: getattr(part, row.attribute) for name, row in rows.items()}
    defaults = {name: getattr(type(part), row.attribute, None) for name, row in rows.items()}
    return {name: None if value == defaults[name] else _form(value) for name, value in values.items()}


def _form(value: Any) -> Any:
    match value:
        case tuple():
            return [_form(each) for each in value]
        case FieldDefinition():
            return stated(_properties(value, OF_FIELDS) | {"encoding": _encodings(value)})
        case StructDefinition():
            return stated(_properties(value, OF_STRUCTS))
        case VersionRange():
            return str(value)
        case _:
            return value


def _encodings(field: FieldDefinition) -> str | dict[str, str] | None:
    if len(field.encodings) == 1 and field.encodings[0][0] == field.versions:
        return field.encodings[0][1]
    return {str(versions): name for versions, name in field.encodings} or None


def stated(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties with information, and zero, as it can be an apiKey."""
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
