"""Bytes that show what a change of a definition does: written by one side, and misread or refused by the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from conformance.evolution.meaning import another_default, misread
from conformance.generate.cases import edge_cases, populated
from conformance.generate.choices import SeededChoices
from conformance.generate.values import value_generator
from reference import TAGS, CodecError, Unencodable
from reference.protocols import protocol_of
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema
    from reference.wire.base import WireType

Writer = Literal["old", "new"]

UNKNOWN = 16_384
"""A tag that no definition has, and that every dialect may write."""

SAMPLES = 8
"""Drawn values of each side."""

LONG = 512
"""Values whose bytes are more are left out: they show nothing that shorter ones do not."""


@dataclass(frozen=True)
class Witness:
    """A message that one side writes, and the other does not understand."""

    version: int
    writer: Writer
    """The definition by which the bytes were written; the other one is the reader's."""
    wire: bytes
    written: dict[str, Any]
    read: dict[str, Any] | None
    """What the reader makes of the bytes; None if it refuses them."""
    path: str
    """The names of the fields down to the first one that goes wrong."""
    problem: str
    """What goes wrong, in one sentence without a full stop."""


class Side:
    """One of the two definitions at a version, compiled: `reference.encode` would keep each of thousands for ever."""

    def __init__(self, schema: MessageSchema, writer: Writer) -> None:
        self.schema = schema
        self.writer: Writer = writer
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
        except CodecError:
            return False


def witnesses(old: MessageSchema, new: MessageSchema) -> Iterator[Witness]:
    """Yield messages of one version that either side writes and the other refuses or misreads."""
    sides = Side(old, "old"), Side(new, "new")
    absent = another_default(old, new)
    for writer, reader in (sides, sides[::-1]):
        for value, wire in writer.messages():
            witness = _tried(writer, reader, value, wire, absent)
            if witness and writer.understands(value, wire):
                yield witness


def _tried(writer: Side, reader: Side, value: dict[str, Any], wire: bytes, absent: str | None) -> Witness | None:
    """Return what is wrong with a message for the reader; None if it understands it, and passes it on as it is."""

    def witness(path: str, problem: str, read: dict[str, Any] | None = None) -> Witness:
        return Witness(writer.schema.version, writer.writer, wire, value, read, path, problem)

    try:
        read = reader.read(wire)
    except CodecError as error:
        return witness(_names(error.path), f"the {reader.writer} definition refuses it: {error}")
    path = misread(writer.schema, reader.schema, value, read)
    if path is not None:
        return witness(path, f"the {reader.writer} definition reads {path or 'it'} as something else", read)
    if absent is not None:
        return witness(absent, f"the {reader.writer} definition has another default of {absent} where it is absent", read)
    try:
        passed_on = reader.write(read)
    except Unencodable as error:
        return witness(_names(error.path), f"the {reader.writer} definition cannot write it: {error}", read)
    return None if passed_on == wire else witness("", f"the {reader.writer} definition writes other bytes", read)


def _names(path: str) -> str:
    """Return the names of the fields in a path, without the places in arrays."""
    return ".".join(part.partition("[")[0] for part in path.split("."))


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
    if field.struct is None or value is None:
        return value
    if field.element is not None:
        return [_with_tag(field.element, item) for item in value]
    fields = {each.name: _with_tag(each, value[each.name]) for each in field.fields}
    return {**fields, TAGS: [(UNKNOWN, b"\xca\xfe")]} if field.flexible else fields
