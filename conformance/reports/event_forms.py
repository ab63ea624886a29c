"""The form of each kind of event of a report, by its JSON Schema.

A compiled validator looks at every event; what it does not take is left to `jsonschema`, which decides and says why.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

if TYPE_CHECKING:
    from conformance.reports.found import Json

SCHEMA = "report.schema.json"


@cache
def event_kinds() -> tuple[str, ...]:
    """Return the kinds of events, in the order of a report."""
    return tuple(kind["const"] for kind in _schema()["properties"]["event"]["oneOf"])


def fault_of(event: Json, kind: str) -> str:
    """Return what is wrong with the form of an event, and where in it; empty if nothing is."""
    if _is_taken(event, kind):
        return ""
    fault = best_match(_validator(kind).iter_errors(event))
    return "" if fault is None else f"{fault.json_path}: {fault.message}"


def _is_taken(event: Json, kind: str) -> bool:
    """Return whether the compiled validator takes an event; it cannot look at surrogates that stand alone."""
    try:
        return _compiled(kind).is_valid(event)
    except ValueError:
        return False


@cache
def _schema() -> Json:
    file = files("conformance.findings.report") / SCHEMA
    schema: Json = json.loads(file.read_text(encoding="utf-8"))
    return schema


def _schema_of(kind: str) -> Json:
    return {"$ref": f"#/$defs/event-{kind}", "$defs": _schema()["$defs"]}


@cache
def _compiled(kind: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(_schema_of(kind))


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_schema_of(kind))
