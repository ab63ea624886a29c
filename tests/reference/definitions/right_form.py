"""JSON Schemas in the form that hypothesis-jsonschema reads: draft 7, without references that lead back."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, cast

from hypothesis.strategies import SearchStrategy
from hypothesis_jsonschema import from_schema

from reference import MessageSchema
from tests.reference.definitions.value_forms import value_form

Json = dict[str, Any]

LEVELS = 2
"""How many structs a drawn definition has one in the other."""

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
SCHEMA: Json = json.loads((files("specs") / "definition.schema.json").read_text(encoding="utf-8"))
CONDITION = ("if", "then", "else")
"""Makes drawing ten times as slow, and says one thing: whether there have to be flexibleVersions."""

UNREAD = ("$defs", "$id", "$schema", "title", "description", *CONDITION)


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
