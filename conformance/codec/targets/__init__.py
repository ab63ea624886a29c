"""Targets, the things on the wire.

A target is a message body, a whole frame, a stored message, a field of record batches, or a wire type alone. It knows
how an implementation writes and reads it, how the reference does, when two contents are equal, and how a request over
the bridge names it. Everything above (checks, child process, golden vectors, comparison with Apache Kafka) works on any
target. A new thing on the wire is one more class here, with generators of its cases.

The *content* is the meaning of the bytes: a dict of fields for a body, a `FrameContent` for a frame, a `StoredMessage`
for a stored message, a dict with the batches for a `records` field, any value for a wire type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.targets.body import Body
from conformance.codec.targets.frame import OtherMessage, WholeFrame, frame_content
from conformance.codec.targets.record_batches import RECORD_BATCHES, RecordsField
from conformance.codec.targets.stored import StoredForm, nearest_schema, stored_message
from conformance.codec.targets.target import EVERYTHING, Claims, Target, body_difference, kept
from conformance.codec.targets.wire_type import WireTypeTarget
from reference import primitive

if TYPE_CHECKING:
    from reference import Release

__all__ = [
    "EVERYTHING",
    "RECORD_BATCHES",
    "Body",
    "Claims",
    "OtherMessage",
    "RecordsField",
    "StoredForm",
    "Target",
    "WholeFrame",
    "WireTypeTarget",
    "body_difference",
    "frame_content",
    "kept",
    "nearest_schema",
    "stored_message",
    "target_at",
]


def target_at(release: Release, folder: str, message: str, version: int) -> Target:
    """Return the target of a folder of vectors, a message or wire type, and a version.

    Raises:
        UnknownMessage: the release has no such message, or the message no such version.
        UnknownPrimitive: there is no wire type of that name.
    """
    if folder == "primitives":
        return WireTypeTarget(primitive(message))
    if folder == "records":
        return RecordsField(release.name)
    schema = release.schema(message, version)
    if folder == "frames":
        return WholeFrame(schema, release)
    return StoredForm(schema, release) if folder == "stored" else Body(schema)
