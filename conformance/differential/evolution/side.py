"""One of two definitions of a message, at one version: what it writes, and what it makes of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.evolution.meaning import misread
from conformance.generate.cases import edge_cases, populated
from conformance.generate.choices import SeededChoices
from conformance.generate.values import value_generator
from reference import TAGS, Malformed, Unencodable
from reference.protocols import protocol_of
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema
    from reference.wire.base import WireType

UNKNOWN = 16_384
"""A tag that no definition has, and that every dialect may write."""

SAMPLES = 8
"""Drawn values of each side."""

LONG = 256
"""Messages of more bytes are left out: they show nothing that shorter ones do not."""


class Side:
    """A definition at a version, compiled for once: what `reference.encode` compiles is kept for ever.

    Args:
        name: `old` or `new`.
        schema: the message at the version.
    """

    def __init__(self, name: str, schema: MessageSchema) -> None:
        self.name = name
        self.schema = schema
        self._type: WireType = protocol_of(schema.dialect).message(schema)

    def write(self, value: dict[str, Any]) -> bytes:
        """Return the bytes of a value; raise Unencodable if there are none."""
        return self._type.write(value)

    def read(self, wire: bytes) -> dict[str, Any]:
        """Return what bytes hold; raise Malformed if not every reader would accept them."""
        reader = Reader(wire)
        value: dict[str, Any] = self._type.read(reader)
        reader.end()
        return value

    def messages(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Yield values with their bytes."""
        for value in _values(self.schema):
            try:
                wire = self.write(value)
            except Unencodable:
                continue
            if len(wire) <= LONG:
                yield value, wire

    def understands(self, value: dict[str, Any], wire: bytes) -> bool:
        """Whether this side reads its own bytes: it is free to refuse some, as many elements without bytes."""
        try:
            return misread(self.schema, self.schema, value, self.read(wire)) is None
        except Malformed:
            return False


def _values(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield the edge values of a message, drawn ones, and one with a tag that no definition has.

    Other tags that the definition does not have are left out: nobody writes them who did not read them.
    """
    for case in edge_cases(schema):
        yield _without_tags(case.value)
    generate = value_generator.__wrapped__(schema)
    for number in range(SAMPLES):
        yield _without_tags(generate(SeededChoices(f"{schema}/{number}")))
    yield _with_tag(schema.body, populated(schema))


def _without_tags(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_tags(item) for name, item in value.items() if name != TAGS}
    return [_without_tags(item) for item in value] if isinstance(value, list) else value


def _with_tag(field: FieldSchema, value: Any) -> Any:
    if field.struct is None:
        return value
    if field.element is not None:
        return [_with_tag(field.element, item) for item in value]
    fields = {each.name: _with_tag(each, value[each.name]) for each in field.fields}
    return {**fields, TAGS: [(UNKNOWN, b"\xca\xfe")]} if field.flexible else fields
