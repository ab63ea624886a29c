"""The explanation of the bytes of any target, like a body, a frame, a stored message or record batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.report.explain.alone import explain_stored, explain_wire_type
from conformance.targets import Body, RecordsField, StoredForm, WholeFrame
from reference.explained.bodies import explain_message
from reference.explained.frames import explain_frame, explain_response
from reference.explained.records import explain_records

if TYPE_CHECKING:
    from conformance.targets import Target
    from reference.explained.explanation import Explanation


def explain_target(target: Target, wire: bytes) -> Explanation:
    """Return the explanation of the bytes of a target. A request of no known API raises `ConformanceError`."""
    if isinstance(target, RecordsField):
        return explain_records(wire)
    if isinstance(target, Body):
        return explain_message(target.schema, wire)
    if isinstance(target, StoredForm):
        return explain_stored(target.release, target.schema, wire)
    if not isinstance(target, WholeFrame):
        return explain_wire_type(target.message, wire)
    if target.direction == "request":
        return explain_frame(target.release, wire)
    return explain_response(target.release, target.api_key, target.version, wire)
