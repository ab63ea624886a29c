"""The messages inside of a message: record batches, and what members of consumer groups tell each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.explaining.fields import INDEX, field_at
from conformance.explaining.group_messages import GROUP_MESSAGES, explain_group_message
from conformance.explaining.records import explain_records
from reference import Result
from reference.wire.text import decode_leniently

if TYPE_CHECKING:
    from conformance.explaining.explanation import Explanation, Part
    from reference import MessageSchema

PAYLOAD = "payload"
PROTOCOL_TYPE = "ProtocolType"
UNALIGNED = "UnalignedRecords"
"""The field of a piece of a snapshot, which may begin and end anywhere."""


def with_embedded(explanation: Explanation, schema: MessageSchema, prefix: str) -> Explanation:
    """Return an explanation in which the messages in the fields of a body are explained, too.

    Args:
        explanation: of the body, or of a frame with it.
        schema: the body's.
        prefix: what stands before the paths of the body's fields.
    """
    parts: list[Part] = []
    inside: list[Explanation] = []
    for part in explanation.parts:
        found = _embedded(schema, prefix, part, explanation) if part.role == PAYLOAD else None
        if found is None:
            parts.append(part)
            continue
        parts += (inner.within(part.start, part.path) for inner in found.parts)
        inside += (each.within(part.start, part.path) for each in (replace(found, inside=()), *found.inside))
    return replace(explanation, parts=tuple(parts), inside=tuple(inside))


def _embedded(schema: MessageSchema, prefix: str, part: Part, explanation: Explanation) -> Explanation | None:
    """Return the explanation of the message that is in a part; None if there is none, or nobody knows what it is."""
    path = part.path.removeprefix(prefix)
    field = field_at(schema, path)
    wire = explanation.wire[part.start : part.end]
    if field is None or (prefix and path == part.path):
        return None
    if field.type == "records":
        found = explain_records(wire)
        return found if field.name != UNALIGNED or found.verdict.result == Result.VALID else None
    if field.type != "bytes":
        return None
    message = GROUP_MESSAGES.get((schema.message, without_indexes(path)))
    return explain_group_message(message, wire, _protocol_type(explanation, part.path)) if message else None


def without_indexes(path: str) -> str:
    """Return a path with empty brackets.

    >>> without_indexes("Protocols[1].Metadata")
    'Protocols[].Metadata'
    """
    return INDEX.sub("[]", path)


def _protocol_type(explanation: Explanation, path: str) -> str | None:
    """Return the protocol type of the group that the field at `path` is about; None if the bytes do not say."""
    for part in explanation.parts:
        parent, _, name = part.path.rpartition(".")
        if name == PROTOCOL_TYPE and part.role == PAYLOAD and path.startswith(f"{parent}." if parent else ""):
            return decode_leniently(explanation.wire[part.start : part.end])
    return None
