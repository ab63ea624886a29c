"""The requests of Apache Kafka's harness about a target, and the comparison of its replies with a content.

They are those of the bridge protocol, with members that only this harness takes: Apache Kafka has no reader that tells
from the bytes which prefixed message they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.implementation.targets import EVERYTHING, StoredForm, WholeFrame
from conformance.implementation.targets.stored import PREFIXES
from reference import Difference, difference, from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.implementation.targets import Target

    Json = dict[str, Any]


def write_request(target: Target, content: Any) -> Json:
    """Return the request to write a content."""
    return {**target.write_request(content), **_members(target)}


def read_request(target: Target, wire: bytes) -> Json:
    """Return the request to read bytes."""
    return {**target.read_request(wire), **_members(target)}


def _members(target: Target) -> Json:
    if not isinstance(target, StoredForm):
        return {}
    if target.form == "record":
        return {"source": target.source}
    return {"message": target.message, "version": target.version, "prefix": PREFIXES[target.schema.kind]}


def content_difference(target: Target, content: Any, reply: Mapping[str, Any]) -> object:
    """Return the first difference of a reply that has a value from a content; None if there is none.

    Raises:
        NotJsonForm: the value of the reply is none of the target.
    """
    if isinstance(target, StoredForm) and target.form == "prefixed":
        prefix = int.from_bytes(target.write(content)[:2], signed=True)
        if reply["prefix"] != prefix:
            return Difference("prefix", prefix, reply["prefix"], "value")
        reply = {**reply, "message": target.message, "version": target.version}
    if isinstance(target, WholeFrame) and (found := _header_difference(target, content, reply)):
        return found
    return target.difference(EVERYTHING, target.expected(EVERYTHING, content), target.parse(dict(reply)))


def _header_difference(target: WholeFrame, content: Any, reply: Mapping[str, Any]) -> object:
    """Compare the whole header, and the API key and version that Apache Kafka found in it."""
    api = (target.api_key, target.version), (reply["apiKey"], reply["version"])
    if api[0] != api[1]:
        return Difference("header", *api, "value")
    forms = target.to_json(content)["header"], reply["header"]
    return difference(target.header, *(from_json(target.header, form) for form in forms), absent=True)
