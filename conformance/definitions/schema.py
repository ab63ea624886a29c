"""Whether a definition has the committed form, as `specs/definition.schema.json` describes it."""

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
    """What checks the committed form."""
    schema = json.loads((files("specs") / SCHEMA).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def check_form(text: str, name: str) -> None:
    """Check that `text` has the committed form.

    Raises:
        ImportFailedError: it has not; `name` is what the message calls it.
    """
    if error := best_match(form().iter_errors(json.loads(text))):
        raise ImportFailedError(f"{name} is not of the committed form ({SCHEMA}): {error.json_path}: {error.message}")
