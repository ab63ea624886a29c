"""Bytes that no reader may accept, made from sound ones by a place that the schema knows.

Here: input that ends too early, and null where there may be none. Both are invalid whatever follows, so nobody needs
to judge them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conformance.generate.cases import populated
from reference import MessageSchema, Span, encode_with_spans

LEGACY_NULLS = {2: b"\xff\xff", 4: b"\xff\xff\xff\xff"}
LENGTH_ROLES = ("length", "count")


class BrokenCase(NamedTuple):
    """Invalid bytes, the rule that makes them so, and the place."""

    schema: MessageSchema
    name: str
    path: str
    rule: str
    wire: bytes


def broken_cases(schema: MessageSchema) -> Iterator[BrokenCase]:
    """Every truncation of a value with something in every field, and null in every place that must not be null."""
    encoded = encode_with_spans(schema, populated(schema))
    for end in range(len(encoded.wire)):
        span = next(span for span in encoded.spans if span.start <= end < span.end)
        rule = "length.within-input" if span.role == "payload" else "input.truncated"
        yield BrokenCase(schema, f"first-{end}-bytes", span.path, rule, encoded.wire[:end])
    for span in _not_nullable(schema, encoded.spans):
        yield _with_null(schema, encoded.wire, span)


def _with_null(schema: MessageSchema, wire: bytes, span: Span) -> BrokenCase:
    null = b"\0" if span.rule.endswith(("compact-length", "compact-count")) else LEGACY_NULLS[span.end - span.start]
    tampered = wire[: span.start] + null + wire[span.end :]
    return BrokenCase(schema, f"{span.path}=null", span.path, "null.not-allowed", tampered)


def _not_nullable(schema: MessageSchema, spans: tuple[Span, ...]) -> Iterator[Span]:
    """The lengths and counts of fields and elements that must not be null."""
    for span in spans:
        if span.role in LENGTH_ROLES and not _is_nullable(schema, span.path):
            yield span


def _is_nullable(schema: MessageSchema, path: str) -> bool:
    field = schema.body
    is_element = path.endswith("]")
    for step in path.split("."):
        name = step.partition("[")[0]
        field = next(each for each in (field.element or field).fields if each.name == name)
    return field.nullable and not is_element

