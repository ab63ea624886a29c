"""Tampering by structure, at each place of a valid encoding.

Every place is changed in every way with a history of bugs in codecs. The hostile cases of the suite and the golden
vectors of invalid bytes are both made of these. Some results are valid, some invalid and some unspecified:
`reference.judge` decides.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.drawn_values import unknown_tags
from conformance.generate.edge_values import populated_of
from conformance.generate.tampering import tamperings
from conformance.generate.unusual_values import SchemaPlace
from conformance.generate.value_paths import fields_at
from reference import Result, Unencodable, encode_with_spans, judge
from reference.paths import joined
from reference.protocols import protocol_of
from reference.values.defaults import fresh, minimal_of
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Encoded, MessageSchema, Span, StructType

EXPLICIT_DEFAULT = "explicit-default"
"""The end of the names of cases with a tagged field that is written at its default."""

OTHER_VERSION = "tag-"
"""The kind of the ways with a tag of another version."""
IN_SECTION = "tags"
"""The role of all parts of a tag section."""
OTHER_VERSION_CONTENT = b"\0"
"""The content of an entry for a field of another version; no reader interprets it."""


class Scope(Enum):
    """The part of an encoding to tamper with."""

    SPAN = auto()
    """The bytes of one span."""
    SECTION = auto()
    """A tag section, which gets entries."""
    TAGS = auto()
    """Two neighbouring tags, swapped, or the first repeated."""
    END = auto()
    """Bytes after the message."""
    CUT = auto()
    """The end of the message, cut off."""


class Tampering(NamedTuple):
    """A valid encoding with one change in its structure."""

    scope: Scope
    way: str
    """The name of the change: `length-null`, `unknown-descending`, `trailing-00`, `tags-swapped`, `before`."""
    wire: bytes
    span_index: int = 0
    """The index of the changed span in `Encoded.spans`."""
    span: Span | None = None
    """The changed span; None for bytes after the message."""

    @property
    def rule(self) -> str:
        """The rule of the span, if it alone is changed or cut."""
        return self.span.rule if self.span is not None and self.scope in {Scope.SPAN, Scope.CUT} else ""

    @property
    def role(self) -> str:
        """The role of the changed span, one for all parts of a tag section; empty for the end."""
        role = "" if self.span is None else self.span.role
        return IN_SECTION if role.startswith("tag") else role


def structural_tamperings(encoded: Encoded) -> Iterator[Tampering]:
    """Yield every tampering with one encoding.

    Spans come first, then tag sections, then the end, then pairs of tags.
    """
    wire = encoded.wire
    for index, span in enumerate(encoded.spans):
        for way, piece in tamperings(span, wire[span.start : span.end]):
            yield Tampering(Scope.SPAN, way, wire[: span.start] + piece + wire[span.end :], index, span)
    for each in insertions(encoded):
        span = encoded.spans[each.span_index]
        yield Tampering(Scope.SECTION, each.way, each.made(encoded), each.span_index, span)
    for piece in (b"\0", b"\xff\xff\xff\xff"):
        yield Tampering(Scope.END, f"trailing-{piece.hex()}", wire + piece)
    yield from tag_tamperings(encoded)


class Insertion(NamedTuple):
    """Entries written by no writer, for one tag section of an encoding.

    Attributes:
        way: the name of the change, like `unknown-descending`.
        entries: the bytes of each entry.
        span_index: the index of the span where the section begins, or of its end mark.
    """

    way: str
    entries: list[bytes]
    span_index: int

    def made(self, encoded: Encoded) -> bytes:
        """Return the encoding with these entries."""
        span, wire = encoded.spans[self.span_index], encoded.wire
        mark = wire[span.start : span.end]
        count = unsigned_varint(mark[0] + len(self.entries))  # no section here has 128 entries
        begin, end = (b"", mark) if span.role == "tag-end" else (count, b"")
        return b"".join((wire[: span.start], begin, *self.entries, end, wire[span.end :]))


def insertions(encoded: Encoded) -> Iterator[Insertion]:
    """Yield every list of entries written by no writer, for every tag section.

    The entries of one struct are made once.
    """
    of_struct = dict[str, list[tuple[str, list[bytes]]]]()
    for index in sections(encoded):
        path = encoded.spans[index].path
        if path not in of_struct:
            of_struct[path] = list(_entries(struct_at(encoded.schema, path)))
        yield from (Insertion(way, entries, index) for way, entries in of_struct[path])


def sections(encoded: Encoded) -> list[int]:
    """Return the index of the first span of each tag section, or of its end mark if it has one."""
    return [index for index, span in enumerate(encoded.spans) if span.role in {"tag-count", "tag-end"}]


def insertions_at(encoded: Encoded, index: int) -> list[Insertion]:
    """Return every list of entries written by no writer, for one of the `sections`."""
    struct = struct_at(encoded.schema, encoded.spans[index].path)
    return [Insertion(way, entries, index) for way, entries in _entries(struct)]


def struct_at(schema: MessageSchema, path: str) -> StructType:
    """Return the struct at the path of a span, on its own or as an element of an array."""
    struct = fields_at(schema, path)[-1].struct if path else schema.struct
    if struct is None:
        raise ValueError(f"{path} of {schema} is no struct")
    return struct


def explicit_defaults(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Yield each tagged field by its path, with bytes of a message in which it alone is written, at its default.

    The structs around it are present. A field inside another tagged one is left out, whose size would be wrong.
    """
    for place in SchemaPlace("", schema.body).inside():
        ways = {f"default-of-{each.tag}": each.name for each in place.field.fields if each.tag is not None}
        if ways:
            encoded = encode_with_spans(schema, place.put({each.name: minimal_of(each) for each in place.field.fields}))
            own = (each for each in insertions(encoded) if encoded.spans[each.span_index].path == place.path)
            for way, wire in ((each.way, each.made(encoded)) for each in own if each.way in ways):
                if judge(schema, wire).result is Result.VALID:
                    yield joined(place.path, ways[way]).removeprefix("."), wire


def _entries(struct: StructType) -> Iterator[tuple[str, list[bytes]]]:
    """Yield lists of entries with a name.

    They are unknown, repeated, out of order, with a default, or of a field of another version.
    """
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
        yield f"{OTHER_VERSION}{tag}-of-another-version", [entry_of(tag, OTHER_VERSION_CONTENT)]


def tag_tamperings(encoded: Encoded) -> Iterator[Tampering]:
    """Yield the encodings with two neighbouring tags of equal length swapped, or with the first one repeated."""
    tags = [(index, span) for index, span in enumerate(encoded.spans) if span.role == "tag"]
    for (index, first), (_, second) in pairwise(tags):
        one, other = (encoded.wire[span.start : span.end] for span in (first, second))
        if len(one) == len(other):
            swapped, repeated = (_with_tags(encoded, (first, tag), (second, one)) for tag in (other, one))
            yield Tampering(Scope.TAGS, "tags-swapped", swapped, index, first)
            yield Tampering(Scope.TAGS, "tags-repeated", repeated, index, first)


def _with_tags(encoded: Encoded, first: tuple[Span, bytes], second: tuple[Span, bytes]) -> bytes:
    (left, left_tag), (right, right_tag) = first, second
    wire = encoded.wire
    return wire[: left.start] + left_tag + wire[left.end : right.start] + right_tag + wire[right.end :]
