"""JSON Schemas of the values of a message: what the JSON form of one has to look like, written down from its schema.

Whatever has this form is either a value, or refused with the reason: numbers may be beyond their type, texts too long,
tags out of order, null where there is none.
"""

from typing import Any

from reference import TAGS, FieldSchema, MessageSchema

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


def value_form(schema: MessageSchema) -> Form:
    """The JSON Schema (draft 7) of the JSON form of values of `schema`: any field may be missing, or null."""
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
