"""What members of consumer groups tell each other: messages in `bytes` fields, each behind its version."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from conformance.explaining.bodies import body_parts, conclusion_of
from conformance.explaining.explanation import Explanation
from conformance.explaining.fields import field_at
from conformance.explaining.values import Said, describer
from reference import Result, UnknownMessage, judge, load_release, newest_release
from reference.codec import trace
from reference.layouts import VERSION_PREFIX
from reference.protocols import message_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference import Span
    from reference.wire.stream import LenientReader

SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
CONSUMER = "consumer"
"""The protocol type of groups whose members write these messages."""

GROUP_MESSAGES: Mapping[tuple[str, str], str] = MappingProxyType({
    ("JoinGroupRequest", "Protocols[].Metadata"): SUBSCRIPTION,
    ("JoinGroupResponse", "Members[].Metadata"): SUBSCRIPTION,
    ("SyncGroupRequest", "Assignments[].Assignment"): ASSIGNMENT,
    ("SyncGroupResponse", "Assignment"): ASSIGNMENT,
    ("DescribeGroupsResponse", "Groups[].Members[].MemberMetadata"): SUBSCRIPTION,
    ("DescribeGroupsResponse", "Groups[].Members[].MemberAssignment"): ASSIGNMENT,
})  # fmt: skip
"""The messages by the fields that have them."""

PREFIX = 2


def explain_group_message(message: str, wire: bytes, protocol_type: str | None) -> Explanation | None:
    """Return what the bytes of a message of the group protocol are.

    None: the group has another protocol, or its protocol is not known and these bytes are not sound in this one, or no
    release has the version.
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
        message_type(schema).read(reader)

    def describe(span: Span, piece: bytes) -> Said:
        return Said("int16", str(version)) if span.path == "prefix" else body(span, piece)

    fields = partial(field_at, schema)
    body = describer(fields)
    read_as = trace(wire, read, schema.limits)
    verdict = judge(schema, wire[PREFIX:])
    canonical = None if verdict.canonical is None else wire[:PREFIX] + verdict.canonical
    conclusion = conclusion_of(read_as, canonical, schema.dialect)
    if protocol_type is None and conclusion.result != Result.VALID:
        return None
    return Explanation(f"{message} v{version}", wire, body_parts(fields, wire, read_as, describe), conclusion)
