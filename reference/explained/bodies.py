"""The explanation of the body of a message, and of the record batches and messages of consumer groups in its fields."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from reference.codec import trace, trace_message
from reference.explained.explanation import Explanation, WirePart
from reference.explained.placing import body_parts, conclusion_of
from reference.explained.records import explain_records
from reference.explained.shown_values import Caption, describer
from reference.layouts import VERSION_PREFIX
from reference.oracle import Result, judge
from reference.paths import field_at, without_indexes
from reference.protocols import wire_type_of
from reference.release import UnknownMessage, load_release, newest_release
from reference.wire.text import decode_leniently

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.schema import MessageSchema
    from reference.wire.stream import LenientReader, Span

PAYLOAD = "payload"
PROTOCOL_TYPE = "ProtocolType"
UNALIGNED = "UnalignedRecords"
"""The field with a piece of a snapshot, which may begin and end anywhere in a batch."""

SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
CONSUMER = "consumer"
"""The protocol type of groups of consumers, with these messages."""

GROUP_MESSAGES: Mapping[tuple[str, str], str] = MappingProxyType({
    ("JoinGroupRequest", "Protocols[].Metadata"): SUBSCRIPTION,
    ("JoinGroupResponse", "Members[].Metadata"): SUBSCRIPTION,
    ("SyncGroupRequest", "Assignments[].Assignment"): ASSIGNMENT,
    ("SyncGroupResponse", "Assignment"): ASSIGNMENT,
    ("DescribeGroupsResponse", "Groups[].Members[].MemberMetadata"): SUBSCRIPTION,
    ("DescribeGroupsResponse", "Groups[].Members[].MemberAssignment"): ASSIGNMENT,
})  # fmt: skip
"""The messages of the group protocol, by message and field."""

PREFIX = 2
"""The number of bytes of the version before a message of the group protocol."""


def explain_message(schema: MessageSchema, wire: bytes) -> Explanation:
    """Return the explanation of the body of a message, for any bytes."""
    fields = partial(field_at, schema.body)
    trace = trace_message(schema, wire)
    verdict = judge(schema, wire)
    return with_embedded(
        Explanation(
            f"{schema.message} v{schema.version}",
            wire,
            body_parts(fields, wire, trace, describer(fields)),
            conclusion_of(trace, verdict.canonical, schema.dialect),
        ),
        schema,
        "",
    )


def with_embedded(explanation: Explanation, schema: MessageSchema, prefix: str) -> Explanation:
    """Return an explanation extended by those of the messages in the fields of the body.

    The schema is that of the body. The paths of its fields begin with `prefix`, like `body.`.
    """
    parts: list[WirePart] = []
    inside: list[Explanation] = []
    for part in explanation.parts:
        found = _embedded(schema, prefix, part, explanation) if part.role == PAYLOAD else None
        if found is None:
            parts.append(part)
            continue
        parts += (inner.within(part.start, part.path) for inner in found.parts)
        inside += (each.within(part.start, part.path) for each in (replace(found, inside=()), *found.inside))
    return replace(explanation, parts=tuple(parts), inside=tuple(inside))


def _embedded(schema: MessageSchema, prefix: str, part: WirePart, explanation: Explanation) -> Explanation | None:
    """Return the explanation of the message in a part, or None without a known message.

    A piece of a snapshot may begin in the middle of a batch, so it is explained only if it is valid as a whole.
    """
    path = part.path.removeprefix(prefix)
    field = field_at(schema.body, path)
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


def _protocol_type(explanation: Explanation, path: str) -> str | None:
    for part in explanation.parts:
        parent, _, name = part.path.rpartition(".")
        if name == PROTOCOL_TYPE and part.role == PAYLOAD and path.startswith(f"{parent}." if parent else ""):
            return decode_leniently(explanation.wire[part.start : part.end])
    return None


def explain_group_message(message: str, wire: bytes, protocol_type: str | None) -> Explanation | None:
    """Return the explanation of a message of the group protocol, or None for another protocol or an unknown version.

    Bytes of an unknown protocol have an explanation only if they are valid in this one.
    """
    if protocol_type not in {None, CONSUMER} or len(wire) < PREFIX:
        return None
    version = int.from_bytes(wire[:PREFIX], "big", signed=True)
    try:
        schema = load_release(newest_release()).schema(message, version)
    except UnknownMessage:
        return None

    def read(reader: LenientReader) -> None:
        VERSION_PREFIX.read(reader)
        wire_type_of(schema).read(reader)

    def describe(span: Span, piece: bytes) -> Caption:
        return Caption("int16", str(version)) if span.path == "prefix" else body(span, piece)

    fields = partial(field_at, schema.body)
    body = describer(fields)
    read_as = trace(wire, read, schema.limits)
    verdict = judge(schema, wire[PREFIX:])
    canonical = None if verdict.canonical is None else wire[:PREFIX] + verdict.canonical
    conclusion = conclusion_of(read_as, canonical, schema.dialect)
    if protocol_type is None and conclusion.result != Result.VALID:
        return None
    return Explanation(f"{message} v{version}", wire, body_parts(fields, wire, read_as, describe), conclusion)
