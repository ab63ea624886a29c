"""JSON Schemas in the form of hypothesis-jsonschema, draft 7 without circular references."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, cast

from hypothesis.strategies import SearchStrategy
from hypothesis_jsonschema import from_schema

from reference import TAGS, FieldSchema, MessageSchema

Json = dict[str, Any]

LEVELS = 2
"""The greatest depth of structs in a drawn definition."""

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
SCHEMA: Json = json.loads((files("specs") / "definition.schema.json").read_text(encoding="utf-8"))
CONDITION = ("if", "then", "else")
"""The condition for flexibleVersions. It makes drawing ten times as slow, and is left out."""

UNREAD = ("$defs", "$id", "$schema", "$comment", "title", "description", *CONDITION)

Form = dict[str, Any]

HEX: Form = {"type": "string", "pattern": r"\A([0-9a-f]{2})*\Z"}
DECIMAL: Form = {"type": "string", "pattern": r"\A-?[0-9]{1,20}\Z"}
NUMBER: Form = {"type": "integer"}
TEXT: Form = {
    "anyOf": [
        {"type": "string"},
        {"type": "object", "properties": {"utf16": HEX}, "required": ["utf16"], "additionalProperties": False},
        {"type": "object", "properties": {"utf8": HEX}, "required": ["utf8"], "additionalProperties": False},
    ]
}
UUID: Form = {"type": "string", "pattern": r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"}
UNKNOWN_TAGS: Form = {
    "type": "array",
    "items": {"type": "array", "items": [NUMBER, HEX], "minItems": 2, "maxItems": 2},
    "maxItems": 3,
}
MAXIMUM_ELEMENTS = 3

_SCALARS: dict[str, Form] = {
    "bool": {"type": "boolean"},
    "int64": DECIMAL,
    "uint32": DECIMAL,
    "float64": {"type": "string", "pattern": r"\A[0-9a-fA-F]{16}\Z"},
    "string": TEXT,
    "uuid": UUID,
    "bytes": HEX,
    "records": HEX,
}


@cache
def definitions_of_schema() -> SearchStrategy[Json]:
    plain = _inlined(SCHEMA, LEVELS)
    required = [*plain["required"], "flexibleVersions"]
    return cast("SearchStrategy[Json]", from_schema({"$schema": DRAFT_7, **plain, "required": required}))


@cache
def fields_of_schema() -> SearchStrategy[Json]:
    return cast("SearchStrategy[Json]", from_schema({"$schema": DRAFT_7, **_inlined(SCHEMA["$defs"]["field"], 0)}))


@cache
def forms_of_values(schema: MessageSchema) -> SearchStrategy[Json]:
    return cast("SearchStrategy[Json]", from_schema({"$schema": DRAFT_7, **value_form(schema)}))


def _inlined(part: Any, levels: int) -> Any:
    if isinstance(part, list):
        return [_inlined(each, levels) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/$defs/")
        if name == "fields" and levels == 0:
            return False  # there is no such property
        return _inlined(SCHEMA["$defs"][name], levels - (name == "fields"))
    return {_in_draft_7(name): _inlined(value, levels) for name, value in part.items() if name not in UNREAD}


def _in_draft_7(keyword: str) -> str:
    return "dependencies" if keyword == "dependentRequired" else keyword


def value_form(schema: MessageSchema) -> Form:
    """Return the JSON Schema (draft 7) of the JSON form of values of `schema`.

    Any field may be missing, or null.
    """
    return {"$schema": "http://json-schema.org/draft-07/schema#", **_struct(schema.body)}


def _struct(struct: FieldSchema) -> Form:
    properties = {field.name: _nullable(_field(field)) for field in (*struct.fields, *struct.absent_fields)}
    return {
        "type": "object",
        "properties": {**properties, TAGS: UNKNOWN_TAGS},
        "required": [field.name for field in struct.fields],
        "additionalProperties": False,
    }


def _field(field: FieldSchema) -> Form:
    if field.element is not None:
        return {"type": "array", "items": _field(field.element), "maxItems": MAXIMUM_ELEMENTS}
    return _struct(field) if field.type == "struct" else _SCALARS.get(field.type, NUMBER)


def _nullable(form: Form) -> Form:
    return {"anyOf": [form, {"type": "null"}]}
