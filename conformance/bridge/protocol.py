"""The terms of the bridge protocol and its JSON Schemas; `README.md` beside this file describes it.

Version 1 is JSON Lines: each request is a line on the harness's standard input, each reply a line on its standard
output.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference import Release

PROTOCOL = 1
"""The version of the protocol that this client speaks."""

HELLO = "hello"
"""An operation, and the outcome of its reply."""

PROTOCOL_ERROR = "protocol-error"
UNSUPPORTED = "unsupported"

Message = dict[str, Any]
"""One request or reply."""


def hello_request(release: Release, protocol: int = PROTOCOL) -> Message:
    """Return the first request: the version of the protocol, and the folder of the release's definitions."""
    return {"op": HELLO, "protocol": protocol, "definitions": str(release.folder)}


def request_problem(request: Any) -> str | None:
    """Return what is wrong with a request by its schema; None if it is valid."""
    return _problem("request", request)


def reply_problem(request: Mapping[str, Any], reply: Any) -> str | None:
    """Return what is wrong with the reply to a request by its schema; None if it is valid."""
    problem = _problem("reply", reply)
    if problem is not None or reply["outcome"] not in _SUCCESSES:
        return problem
    return _problem(f"{request.get('op')}-reply", reply)


_SUCCESSES = frozenset((HELLO, "bytes", "value"))


def _problem(name: str, document: Any) -> str | None:
    schemas = schema_document()["$defs"]
    if name not in schemas:
        return f"nothing is defined as {name}"
    error = best_match(_validator(name).iter_errors(document))
    if error is None:
        return None
    place = "".join(f"[{part!r}]" for part in error.absolute_path)
    return f"{place or 'the object'}: {error.message}"


@cache
def schema_document() -> Message:
    """Return the JSON Schemas of all messages of the protocol, by name under `$defs`."""
    document: Message = json.loads((files(__package__) / "protocol.schema.json").read_text(encoding="utf-8"))
    return document


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({**schema_document(), "$ref": f"#/$defs/{name}"})
