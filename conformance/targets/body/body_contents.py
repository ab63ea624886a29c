"""The fixed values of a message, its values with real record batches, and the changes of their bytes.

A codec of messages passes the bytes of a `records` field on. Errors in looking into them, counting them or copying them
show only with real records.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.generate.edge_values import Bases, Variation, edge_cases, populated
from conformance.generate.hostile_bodies import shared_cases, structural_cases
from conformance.generate.record_building import batch, record, wire
from conformance.generate.refused_bytes import base_of, invalid_bytes
from conformance.generate.text_values import text_values
from conformance.generate.unusual_values import SchemaPlace, unencodable_variations
from conformance.generate.value_paths import with_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.targets.target import Contents, Damages
    from reference import MessageSchema

SUFFIX = "-real-records"
OF_RESPONSES = frozenset(("two-batches", "partial-tail"))
"""Fields without a use in requests, since a producer sends one batch."""


def body_contents(schema: MessageSchema) -> Contents:
    """Yield the valid values, the smallest first."""
    texts = (each.whole for each in text_values(schema))
    return ((each.origin, each.value) for each in chain(edge_cases(schema), texts))


def refused_bodies(schema: MessageSchema) -> Contents:
    """Yield the values without bytes."""
    return ((each.origin, each.value) for _, each in unencodable_variations(schema))


def body_damages(schema: MessageSchema, content: Any) -> Damages:
    """Yield the bases, with a content as the populated one, and the changes of their bytes."""
    bases = Bases.usual(schema)._replace(populated=content)
    for each in chain(structural_cases(schema, bases), shared_cases(schema, bases)):
        yield each.origin, each.wire
    for invalid in invalid_bytes(schema, bases):
        yield invalid.origin._replace(base=base_of(invalid.origin)), invalid.wire


def holds_records(schema: MessageSchema) -> bool:
    """Return whether a message has a `records` field."""
    return bool(_paths(schema))


def real_records_cases(schema: MessageSchema) -> Iterator[Variation]:
    """Yield the populated value of a message with real batches in its `records` fields.

    A message without such fields has no cases.
    """
    paths = _paths(schema)
    for name, records in real_records().items() if paths else ():
        if schema.kind != "request" or name not in OF_RESPONSES:
            value: Any = populated(schema)
            for path in paths:
                value = with_field(value, path, records)
            yield Variation(paths[0], name + SUFFIX, value)


@cache
def real_records() -> Mapping[str, bytes]:
    """Return whole `records` fields by a name for their content.

    None needs a library for its compression.
    """
    held = record(key=b"key", value=b"value", headers=[("h", b"1"), ("h", None)]), record(1, timestampDelta=5)
    first, second = batch(*held), batch(record(value=b"v"), baseOffset=2)
    return {
        "plain": wire(first),
        "gzip": wire({**first, "compression": "gzip"}),
        "two-batches": wire(first, second),
        "partial-tail": wire(first) + wire(second)[:-1],
    }


def _paths(schema: MessageSchema) -> list[str]:
    """Return the paths of the `records` fields, in the first element of each array."""
    return [place.path for place in SchemaPlace("", schema.body).inside() if place.field.type == "records"]
