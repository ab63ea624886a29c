"""Small definitions in both drafts of KIP-482, as text."""

import json
from typing import Any

from reference.proposals import PROPOSALS
from reference.resolution import resolve
from reference.schema import FieldSchema

FIRST = "kip-482-first-draft"
SECOND = "kip-482-second-draft"
VERSIONS = {FIRST: "versionsWithOptional", SECOND: "flexibleVersions"}
TAG = {FIRST: "0x0001", SECOND: 1}
Json = dict[str, Any]


def optional(dialect: str, **properties: Any) -> Json:
    """Return an optional field, by default a string with the tag 1.

    None leaves a property out.
    """
    every = {"name": "Some", "type": "string", "tag": TAG[dialect], **properties}
    return {name: value for name, value in every.items() if value is not None}


def positional(**properties: Any) -> Json:
    """Return a positional field, by default an int32 of all versions."""
    return {"name": "Other", "type": "int32", "versions": "0+", **properties}


def message(dialect: str, *optionals: Json, flexible: str | None = "1+", **properties: Any) -> str:
    """Return the text of a message with optional fields, one property a line."""
    every = {
        "type": "data",
        "name": "Sample",
        "validVersions": "0-9",
        VERSIONS[dialect]: flexible,
        "optionalFields": list(optionals),
        "fields": [],
        **properties,
    }
    return json.dumps({name: value for name, value in every.items() if value is not None}, indent=1)


def broken(dialect: str, text: str) -> list[tuple[str, str]]:
    found = PROPOSALS[dialect].loader.broken_rules(text, "Sample.json")
    return [(each.problem.rule, str(each.problem.place)) for each in found]


def fields_of(dialect: str, text: str, version: int) -> dict[str, FieldSchema]:
    schema = resolve(PROPOSALS[dialect].loader.parse(text, "Sample.json"), version)
    return {field.name: field for field in schema.fields}
