"""Mistakes in the mapping of a harness, with replies that all have a valid form.

The mapping is wrong in every message. Each mistake is a function that changes a reply, as in `wrong_forms`. Its
docstring names the mistake of the harness's author.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from reference import CodecError, FieldSchema, Release, decode, encode, to_json
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]


class Harness(Protocol):
    """The parts of a harness used by a mistake."""

    release: Release
    kept: dict[str, Json]


def consumes_the_input(harness: Harness, request: Json, reply: Json) -> Json:
    """It answers the length of the input, although the library leaves a byte after the message alone."""
    if request["op"] != "decode":
        return reply
    wire = bytes.fromhex(request["wire"])
    if reply["outcome"] == "rejected" and wire.endswith(b"\0"):
        schema = harness.release.schema(request["message"], request["version"])
        with suppress(CodecError):
            reply = {"outcome": "value", "value": to_json(schema, decode(schema, wire[:-1]).value)}
    return {**reply, "consumed": len(wire)} if "value" in reply else reply


def field_not_looked_up(harness: Harness, request: Json, reply: Json) -> Json:
    """It writes GroupId from a wrong name, missing in the value."""
    if reply["outcome"] != "bytes" or request["message"] != "HeartbeatRequest":
        return reply
    schema = harness.release.schema(request["message"], request["version"])
    value = decode(schema, bytes.fromhex(reply["wire"])).value
    return {**reply, "wire": encode(schema, {**value, "GroupId": ""}).hex()}


def writes_the_version_before(harness: Harness, request: Json, reply: Json) -> Json:
    """It calls the library with the version less one."""
    if reply["outcome"] != "bytes":
        return reply
    schema = harness.release.schema(request["message"], request["version"])
    before = harness.release.schema(request["message"], max(request["version"] - 1, 0))
    value = decode(schema, bytes.fromhex(reply["wire"])).value
    return {**reply, "wire": encode(before, _of_fields(before.body, value)).hex()}


def reads_the_version_before(harness: Harness, request: Json, reply: Json) -> Json:
    """It calls the library with the version less one."""
    if request["op"] != "decode":
        return reply
    schema = harness.release.schema(request["message"], request["version"])
    before = harness.release.schema(request["message"], max(request["version"] - 1, 0))
    try:
        value = decode(before, bytes.fromhex(request["wire"])).value
    except CodecError as error:
        return {"outcome": "rejected", "class": "Malformed", "text": str(error)}
    return {"outcome": "value", "value": to_json(schema, _of_fields(schema.body, value)), "consumed": None}


def _of_fields(struct: FieldSchema, value: Any) -> Any:
    """Return the value with the fields of a struct, at their defaults if it lacks them."""
    if struct.element is not None and value is not None:
        return [_of_fields(struct.element, item) for item in value]
    if struct.type != "struct" or value is None:
        return value
    return {
        field.name: _of_fields(field, value[field.name]) if field.name in value else minimal_of(field)
        for field in struct.fields
    }


def keeps_state(harness: Harness, request: Json, reply: Json) -> Json:
    """It reads into one object, and keeps old content where the next value is empty."""
    if "value" in reply and request["op"] == "decode":
        kept = harness.kept.setdefault(request["message"], {})
        kept.update({name: item for name, item in reply["value"].items() if item not in ("", [], None, "0", 0)})
        return {**reply, "value": {**reply["value"], **kept}}
    return reply


MAPPINGS: dict[str, Callable[[Any, Json, Json], Json]] = {
    "consumes-the-input": consumes_the_input,
    "consumes-one-too-many": lambda harness, request, reply: (
        {**reply, "consumed": reply["consumed"] + 1} if "consumed" in reply else reply
    ),
    "writes-a-header": lambda harness, request, reply: (
        {**reply, "wire": "000c000000000007" + reply["wire"]} if reply["outcome"] == "bytes" else reply
    ),
    "writes-the-version-before": writes_the_version_before,
    "reads-the-version-before": reads_the_version_before,
    "keeps-state": keeps_state,
    "field-not-looked-up": field_not_looked_up,
    "own-code-refuses": lambda harness, request, reply: (
        {"outcome": "rejected", "class": "Error", "text": "no converter"}
        if request["op"] == "encode" and request["message"] == "HeartbeatRequest"
        else reply
    ),
}
