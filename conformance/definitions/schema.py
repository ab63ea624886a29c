"""The form of committed definitions, described by `specs/definition.schema.json`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from conformance.definitions.errors import ImportFailedError

SCHEMA = "definition.schema.json"


@cache
def form() -> Draft202012Validator:
    """Return the validator of the committed form."""
    schema = json.loads((files("specs") / SCHEMA).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def check_form(text: str, name: str) -> None:
    """Check that `text` has the committed form.

    Raises:
        ImportFailedError: it has not; `name` is the definition's name in the message.
    """
    if error := best_match(form().iter_errors(json.loads(text))):
        raise ImportFailedError(
            f"{name} does not have the committed form ({SCHEMA}): {error.json_path}: {error.message}"
        )
