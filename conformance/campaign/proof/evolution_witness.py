"""Bytes that show the effect of a change to a definition, written by one side and misread or refused by the other.

`framed` puts a header in front of a body, as one schema, to show the effect of another header.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from conformance.campaign.proof.evolution_meaning import another_default, apart, misread
from conformance.generate.choices import SeededChoices
from conformance.generate.drawn_values import value_generator
from conformance.generate.edge_values import edge_cases, populated
from reference import TAGS, FieldSchema, Malformed, MessageSchema, Unencodable, load_release, newest_release
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER, header_before
from reference.protocols import protocol_of
from reference.resolution import resolve
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import Definition
    from reference.evolution import Change, DefinitionSet
    from reference.schema import StructType
    from reference.wire.base import WireType

NO_BYTES = "a field has no bytes: it is a struct without fields in this version"
WITHOUT = {
    "evolution.api-key": "the body stays the same; the header and the prefix do not",
    "evolution.default": "the value of this field is always on the wire; the README forbids the change all the same",
    "evolution.field-added": NO_BYTES,
    "evolution.field-order": NO_BYTES,
    "evolution.field-removed": NO_BYTES,
    "evolution.header-version": "the two headers differ in tagged fields alone, or are not defined here",
    "evolution.highest-version": "nobody who has the new definition speaks the version",
    "evolution.kind": "the body stays the same; what stands before it does not",
    "evolution.nullability": NO_BYTES,
    "evolution.tag-reused": "the tag has its two meanings in different versions",
    "evolution.type": NO_BYTES,
}
"""The reason for a change without a witness, by its rule: it is about more than the bytes of a version's body."""

OF_ITS_FIELD = frozenset(("evolution.default",))
"""Rules with witnesses in bytes of the field itself only. Any other change moves the bytes after the field too."""

UNKNOWN = 16_384
"""A tag absent from all definitions, valid in every dialect."""

SAMPLES = 8
"""The number of drawn values of each side."""

LONG = 256
"""The most bytes of a message. Longer ones show nothing more, and are left out."""


@dataclass(frozen=True)
class Witness:
    """A message of one side, not understood by the other."""

    writer: Side
    reader: Side
    wire: bytes
    written: dict[str, Any]
    read: dict[str, Any] | None
    """The reader's value for the bytes; None if it refuses them."""
    path: str
    """The names of the fields down to the first misread one."""
    problem: str
    """The reader's behaviour, in words after its name."""
    is_absent: bool = False
    """Whether it is about the default of a field absent from the version."""

    @property
    def shows(self) -> bool:
        """Whether the difference is visible, as a refusal or as other values."""
        return self.read is None or apart(self.written, self.read)


def witnesses(old: MessageSchema, new: MessageSchema) -> Iterator[Witness]:
    """Yield messages of one version that either side writes and the other refuses or misreads."""
    sides = Side("old", old), Side("new", new)
    absent = another_default(old, new)
    for writer, reader in (sides, sides[::-1]):
        for value, wire in writer.messages():
            witness = _tried(writer, reader, value, wire, absent)
            if witness and writer.understands(value, wire):  # a side that misreads its own bytes proves nothing
                yield witness


def _tried(writer: Side, reader: Side, value: dict[str, Any], wire: bytes, absent: str | None) -> Witness | None:
    """Return None if the reader understands the message and passes it on unchanged."""

    def witness(path: str, problem: str, read: dict[str, Any] | None = None) -> Witness:
        return Witness(writer, reader, wire, value, read, path, problem)

    try:
        read = reader.read(wire)
    except Malformed as error:
        return witness(_names(error.path), f"refuses it: {error}")
    path = misread(writer.schema, reader.schema, value, read)
    if path is not None:
        return witness(path, f"reads {path or 'it'} as something else", read)
    if absent is not None:
        found = witness(absent, f"has another default for {absent}, which is not there", reader.completed(read))
        return replace(found, written=writer.completed(value), is_absent=True)
    try:
        passed_on = reader.write(read)
    except Unencodable as error:
        return witness(_names(error.path), f"cannot write what it reads: {error}", read)
    return None if passed_on == wire else witness("", f"writes other bytes: {passed_on.hex(' ')}", read)


def _names(path: str) -> str:
    return ".".join(part.partition("[")[0] for part in path.split("."))


def witness_of(change: Change, pairs: Iterable[tuple[MessageSchema, MessageSchema]]) -> Witness | None:
    """Return the best witness of a change, or None, by the message in both definitions at each version.

    A witness in bytes of the change's own field comes first, then one with other values on each side, then the
    shortest.
    """

    def rank(witness: Witness) -> tuple[bool, bool, bool, int]:
        return witness.path != change.path, witness.read is None, witness.is_absent, len(witness.wire)

    found: list[Witness] = []
    for old, new in pairs:
        if not change.versions.empty and old.version in change.versions:
            found += (each for each in witnesses(old, new) if each.shows)
            found = sorted(found, key=rank)[:1]
    return next((each for each in found if each.path == change.path or change.rule not in OF_ITS_FIELD), None)


class Side:
    """A definition at a version, `old` or `new`, compiled for one use, since `reference.encode` keeps it forever."""

    def __init__(self, name: str, schema: MessageSchema) -> None:
        self.name = name
        self.schema = schema
        self._type: WireType = protocol_of(schema.dialect).message(schema)

    def write(self, value: dict[str, Any]) -> bytes:
        """Return the bytes of a value, or raise Unencodable."""
        return self._type.write(value)

    def read(self, wire: bytes) -> dict[str, Any]:
        """Return Apache Kafka's value for some bytes, or raise Malformed.

        Where the protocol leaves it open, any byte but 0 is true, and bytes after the message stay unread.
        """
        value: dict[str, Any] = self._type.read(LenientReader(wire))
        return value

    def completed(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return a value with the defaults of all fields absent from the version."""
        return cast("dict[str, Any]", _completed(self.schema.body, value))

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
        """Return whether this side reads its own bytes. It may refuse some, such as many elements without bytes."""
        try:
            return misread(self.schema, self.schema, value, self.read(wire)) is None
        except Malformed:
            return False


def _completed(field: FieldSchema, value: Any) -> Any:
    if field.struct is None or value is None:
        return value
    if field.element is not None:
        return [_completed(field.element, item) for item in value]
    present = {each.name: _completed(each, value[each.name]) for each in field.fields}
    return {**value, **present, **{each.name: each.default for each in field.absent_fields}}


def _values(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield the edge values of a message, drawn ones, and one with an unknown tag."""
    for case in edge_cases(schema):
        # Other unknown tags are left out: nobody writes them without having read them.
        yield _without_tags(case.value)
    generate = value_generator.__wrapped__(schema)  # without its cache, which would keep every drawn definition
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


def framed(definition: Definition, version: int, members: DefinitionSet) -> MessageSchema | None:
    """Return the content of a request's or response's frame after the size, or None for an unknown header version."""
    name = REQUEST_HEADER if definition.kind == "request" else RESPONSE_HEADER
    # A header missing from the definitions is taken from the newest release.
    headers = members.definitions.get(name) or load_release(newest_release()).definition(name)
    number = header_before(definition, version)
    if number not in headers.valid_versions:
        return None
    parts = {"Header": resolve(headers, number).struct, "Body": resolve(definition, version).struct}
    fields = tuple(_part(part, struct) for part, struct in parts.items())
    return MessageSchema(definition.name, version, "data", None, flexible=False, fields=fields, absent_fields=())


def _part(name: str, struct: StructType) -> FieldSchema:
    return FieldSchema(name, struct, default={field.name: field.default for field in struct.fields})
