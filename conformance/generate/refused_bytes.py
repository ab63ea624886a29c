"""Bytes to be rejected by every reader, made from a valid encoding at a place known to the schema.

They are input with an early end, null at a place without nullable versions, and the clean faults of one field. They are
invalid regardless of the following bytes, so they need no verdict of the oracle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.clean_faults import LONG_UNSIGNED, NULL_RULE, clean_faults
from conformance.generate.edge_values import Bases
from conformance.generate.origin import CaseOrigin, ChangedBytes
from conformance.generate.value_paths import fields_at
from reference import Encoded, MessageSchema, Span, encode_with_spans
from reference.protocols import protocol_of

if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN_TAG = "unknown-tag"
"""The name of the base with one unknown tagged field, the only content of the message."""
LENGTH_ROLES = ("length", "count")
PAYLOADS = ("string.utf8", "bytes.payload", "records.payload")


def base_of(origin: CaseOrigin) -> str:
    """Return the field of `Bases` from which invalid bytes are made."""
    return "unknown_tag" if origin.way == UNKNOWN_TAG else "populated"


def invalid_bytes(schema: MessageSchema, bases: Bases | None = None) -> Iterator[ChangedBytes]:
    """Yield every truncation of the populated value, and every null and clean fault in it.

    Unknown tagged fields are cut in a value of their own. Otherwise a reader with a refusal of all of them would pass
    unnoticed. Of the texts with an unsigned length only the first is included, since each takes 32 KiB.
    """
    bases = bases or Bases.usual(schema)
    encoded = encode_with_spans(schema, bases.populated)
    yield from _truncations(schema, encoded, 0)
    if bases.unknown_tag is not None:
        tagged = encode_with_spans(schema, bases.unknown_tag)
        start = next(span.start for span in tagged.spans if not span.path and span.role.startswith("tag-"))
        for cut in _truncations(schema, tagged, start):
            yield cut._replace(origin=cut.origin._replace(way=UNKNOWN_TAG))
    for span in encoded.spans:
        if span.role in LENGTH_ROLES and (span.path.endswith("]") or not fields_at(schema, span.path)[-1].nullable):
            null = b"\0" if span.form == "varint" else b"\xff" * (span.end - span.start)
            wire = encoded.wire[: span.start] + null + encoded.wire[span.end :]
            yield ChangedBytes(CaseOrigin("null", span.path), span.path, wire, NULL_RULE)
    unsigned = 0
    for fault in clean_faults(schema, bases.populated):
        unsigned += fault.origin.way == LONG_UNSIGNED
        if fault.rule and (fault.origin.way != LONG_UNSIGNED or unsigned == 1):
            yield fault


def _truncations(schema: MessageSchema, encoded: Encoded, start: int) -> Iterator[ChangedBytes]:
    for end in range(start, len(encoded.wire)):
        before, span = _around(encoded.spans, end)
        rule = "length.within-input" if span.rule in PAYLOADS else "input.truncated"
        if span.rule == "tag.unknown-kept":
            rule = protocol_of(schema.dialect).tag_section.rules.within_input
        if before is not None and before.role == "count" and span.path.startswith(f"{before.path}["):
            rule, span = "count.within-input", before
        origin = CaseOrigin("first", place=f"{end}-bytes")
        yield ChangedBytes(origin, span.path, encoded.wire[:end], rule)


def _around(spans: tuple[Span, ...], end: int) -> tuple[Span | None, Span]:
    """Return the span ending where the input is cut, if one does, and the cut or missing span."""
    index = next(index for index, span in enumerate(spans) if span.start <= end < span.end)
    before = spans[index - 1] if index and spans[index].start == end else None
    return before, spans[index]
