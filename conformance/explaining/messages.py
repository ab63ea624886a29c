"""The explanation of a message's body."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from conformance.explaining.bodies import body_parts, conclusion_of
from conformance.explaining.embedded import with_embedded
from conformance.explaining.explanation import Explanation
from conformance.explaining.fields import field_at
from conformance.explaining.values import describer
from reference import judge
from reference.codec import trace_message

if TYPE_CHECKING:
    from reference import MessageSchema


def explain_message(schema: MessageSchema, wire: bytes) -> Explanation:
    """Return what the bytes of a message's body are; any bytes have an explanation."""
    fields = partial(field_at, schema)
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
