"""Targets, the things on the wire, and the only way to them.

A target is a message body, a whole frame, a stored message, a field of record batches, or a wire type alone. It knows
the call of an adapter's function that writes or reads it, the outcome in the result, how the reference does both, when
two contents are equal, and how a request over the bridge names it. No other module outside of this room knows which
targets there are. A new thing on the wire is one more class in a folder here, with generators of its cases.

The *content* is the meaning of the bytes: a dict of fields for a body, a `FrameContent` for a frame, a `StoredMessage`
for a stored message, a dict with the batches for a `records` field, any value for a wire type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.targets.body.message_body import Body
from conformance.targets.body_target import BodyTarget, SchemaTarget, body_difference, kept
from conformance.targets.claims import EVERYTHING, Claims
from conformance.targets.faults.fault import Blame
from conformance.targets.frame.frame_parts import SIZE_BYTES
from conformance.targets.frame.whole_frame import OtherMessage, WholeFrame
from conformance.targets.records.record_batches import RECORD_BATCHES, RECORD_GROUPS, RecordsField
from conformance.targets.records.shown_records import comparable, places, records_difference, shown
from conformance.targets.stored.stored_form import PREFIXES, StoredForm, nearest_schema
from conformance.targets.target import DECODE, ENCODE, HEADER, SIZE, Ask, Json, Target
from conformance.targets.wire_type.wire_type_target import WireTypeTarget
from reference import primitive

if TYPE_CHECKING:
    from reference import Release

__all__ = [
    "DECODE",
    "ENCODE",
    "EVERYTHING",
    "HEADER",
    "PREFIXES",
    "RECORD_BATCHES",
    "RECORD_GROUPS",
    "SIZE",
    "SIZE_BYTES",
    "Ask",
    "Blame",
    "Body",
    "BodyTarget",
    "Claims",
    "Json",
    "OtherMessage",
    "RecordsField",
    "SchemaTarget",
    "StoredForm",
    "Target",
    "WholeFrame",
    "WireTypeTarget",
    "body_difference",
    "comparable",
    "kept",
    "nearest_schema",
    "places",
    "records_difference",
    "shown",
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
