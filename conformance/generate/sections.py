"""Entries inserted into tag sections that no writer inserts.

A known field with its default, a field twice, entries out of order, the tag of a field that this version has elsewhere.
Some results are valid, some invalid and some unspecified: `reference.judge` tells.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.cases import populated_of
from conformance.generate.invalid_bytes import fields_at
from conformance.generate.values import unknown_tags
from reference import Unencodable
from reference.protocols import protocol_of
from reference.values.defaults import fresh
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Encoded, MessageSchema, StructType

OTHER_VERSION_CONTENT = b"\0"
"""The content of an entry of a field of another version: no reader looks into it."""


class Insertion(NamedTuple):
    """An encoding with entries inserted into one tag section."""

    name: str
    span_index: int
    """Of the span that counts the entries of the section, or ends it, in `Encoded.spans`."""
    wire: bytes


def insertions(encoded: Encoded) -> Iterator[Insertion]:
    """Yield every list of entries, inserted into every tag section of an encoding."""
    for index, span in enumerate(encoded.spans):
        if span.role not in {"tag-count", "tag-end"}:
            continue
        before, mark, after = encoded.wire[: span.start], encoded.wire[span.start : span.end], encoded.wire[span.end :]
        for name, entries in _entries(struct_at(encoded.schema, span.path)):
            count = unsigned_varint(mark[0] + len(entries))  # no section here has 128 entries
            begin, end = (b"", mark) if span.role == "tag-end" else (count, b"")
            yield Insertion(name, index, b"".join((before, begin, *entries, end, after)))


def struct_at(schema: MessageSchema, path: str) -> StructType:
    """Return the struct at the path of a span, on its own or as an element of an array."""
    struct = fields_at(schema, path)[-1].struct if path else schema.struct
    if struct is None:
        raise ValueError(f"{path} of {schema} is no struct")
    return struct


def _entries(struct: StructType) -> Iterator[tuple[str, list[bytes]]]:
    """Yield lists of entries for one struct, each with its name."""
    protocol = protocol_of(struct.dialect)
    entry_of, smallest = protocol.tag_section.entry, bytes(protocol.tag_section.smallest_unknown)
    first, second = (entry_of(tag, b"\xca\xfe") for tag in unknown_tags(struct)[:2])
    yield "unknown", [first]
    yield "unknown-descending", [second, first]
    yield "unknown-twice", [first, first]
    for field in struct.fields:
        if field.tag is not None:
            wire_type = protocol.field(field, inside_tag=True)
            other = entry_of(field.tag, wire_type.write(populated_of(field)))
            with suppress(Unencodable):  # a default need not be writable: it is never written
                default = entry_of(field.tag, wire_type.write(fresh(field.default)))
                yield f"default-of-{field.tag}", [default]
                yield f"twice-{field.tag}", [other, default]
            yield f"after-unknown-{field.tag}", [entry_of(unknown_tags(struct)[-1], smallest), other]
    for tag in sorted(struct.tags_elsewhere):
        yield f"tag-{tag}-of-another-version", [entry_of(tag, OTHER_VERSION_CONTENT)]
