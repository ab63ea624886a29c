"""Check inputs by JSON Schemas, stricter in one thing: `1.0` is no integer, as Python would take it on as a float."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import best_match

from reference.inputs.errors import BadInput
from reference.inputs.json_text import packaged_json

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

SHOWN = 300
"""The number of characters shown of a message, as it may quote the whole document."""


def _is_integer(_checker: Any, value: Any) -> bool:
    return type(value) is int


STRICT: type[Validator] = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
)


@cache
def packaged(package: str, name: str, definition: str = "") -> Validator:
    """Return the validator of a schema in a package, or of one of its definitions."""
    schema = packaged_json(package, name)
    return STRICT({"$defs": schema["$defs"], "$ref": f"#/$defs/{definition}"} if definition else schema)


def conform(document: Any, validator: Validator, source: str, line: int = 0) -> None:
    """Check a document, or raise BadInput with `source`, `line` and the path of the value."""
    if validator.is_valid(document):
        return
    fault = best_match(validator.iter_errors(document))
    if fault is not None:
        raise BadInput(source, fault.message[:SHOWN], line=line, path=fault.json_path)
