"""Inputs with one fault in one field, and no bytes left over after it.

`conformance.generate.tampering` replaces a length and leaves the payload. A reader of the wrong length is out of step
then, and refuses the input for another reason. Here the payload goes with its length, and the sizes around it are
right. So a reader with just this fault accepts the whole input.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.generate.origin import CaseOrigin, ChangedBytes
from conformance.generate.unusual_values import LIMIT_RULE, TOO_LONG, SchemaPlace, limit_rule
from reference.protocols import protocol_of
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.blobs import Blob
from reference.wire.lengths import CompactLength, LegacyLength
from reference.wire.text import String
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BytesIO

    from reference import FieldSchema, MessageSchema
    from reference.paths import Path
    from reference.wire.lengths import Length

MASK_32 = 2**32 - 1
NULL_ALONE = "null-alone"
LOWEST_ALONE = "lowest-alone"
NEGATIVE = ("minus-two-alone", LOWEST_ALONE)
"""Ways of a negative length other than null."""
LONG = f"length-{TOO_LONG}"
LONG_UNSIGNED = f"{LONG}-unsigned"
"""The length as an int16 without a sign, negative for a valid reader."""
LONG_WAYS = (LONG, LONG_UNSIGNED)
MARKERS = ("marker-null-alone", "marker-present")
"""Ways to write a struct without nullable versions as a nullable one."""
NULL_RULE = "null.not-allowed"
NEGATIVE_RULE = "length.negative"
PREFIXED = frozenset(("string", "bytes", "records", "array"))


def clean_faults(schema: MessageSchema, value: dict[str, Any]) -> Iterator[ChangedBytes]:
    """Yield a value with one field written wrongly, for each field in turn.

    Fields without content in the value have no faults.
    """
    message, slots = _with_slots(schema)
    sound = message.write(value)
    for place in list(SchemaPlace("", schema.body).inside())[1:]:
        if id(place.field) not in slots:
            continue
        slot = slots[id(place.field)]
        for way, rule, other in _faults(schema, place, slot):
            slot.other = other
            wire = message.write(value)
            slot.other = None
            # The value may have nothing at this place: an empty array has no elements to write wrongly.
            if wire != sound:
                yield ChangedBytes(CaseOrigin(way, place.path), place.path, wire, rule)


class _Slot(WireType):
    """A field writable as another type."""

    def __init__(self, sound: WireType, *, inside_tag: bool) -> None:
        super().__init__()
        self.sound = sound
        self.inside_tag = inside_tag
        self.other: WireType | None = None

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        (self.other or self.sound).write_to(obj, stream, path)


class _Piece(WireType):
    """The same bytes for any value."""

    def __init__(self, piece: bytes) -> None:
        super().__init__()
        self.piece = piece

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:  # noqa: ARG002  # as of every type
        stream.write(self.piece)


def _with_slots(schema: MessageSchema) -> tuple[WireType, dict[int, _Slot]]:
    """Return the type of a message with slots for its prefixed fields and structs, and the slots by field."""
    slots: dict[int, _Slot] = {}

    class Slotted(type(protocol_of(schema.dialect))):  # type: ignore[misc]  # the dialect is known when it runs
        """The dialect of the message."""

        def field(self, field: FieldSchema, *, inside_tag: bool) -> WireType:
            sound: WireType = super().field(field, inside_tag=inside_tag)
            if field.type not in PREFIXED and field.type != "struct":
                return sound
            slots[id(field)] = _Slot(sound, inside_tag=inside_tag)
            return slots[id(field)]

    message: WireType = Slotted().message(schema)
    return message, slots


def _faults(schema: MessageSchema, place: SchemaPlace, slot: _Slot) -> Iterator[tuple[str, str, WireType]]:
    """Yield the faulty types of one field, each with its way and its rule."""
    field, sound = place.field, slot.sound
    nullable = protocol_of(schema.dialect).field(replace(field, nullable=True), inside_tag=slot.inside_tag)
    if field.type == "struct":
        if not field.nullable and not place.path.endswith("]"):  # elements are never nullable
            yield MARKERS[0], "", _Piece(nullable.write(None))
            yield MARKERS[1], "", nullable
        return
    length = _length_of(sound)
    if length is None:
        return
    if not field.nullable:
        yield NULL_ALONE, NULL_RULE, _Piece(nullable.write(None))
        yield NEGATIVE[0], NEGATIVE_RULE, _Piece(_prefix(length, -2))
        yield NEGATIVE[1], NEGATIVE_RULE, _Piece(_prefix(length, _lowest(length)))
    if isinstance(sound, String):
        yield from _long_texts(length, limit_rule(schema, field))


def _length_of(wire_type: WireType) -> Length | None:
    """Return the length or the count of a type, or None for a type without one."""
    match wire_type:
        case Array():
            return wire_type.count
        case String() | Blob():
            return wire_type.length
    return None


def _lowest(length: Length) -> int:
    """Return the smallest number of a length."""
    width = length.format.size if isinstance(length, LegacyLength) else 4
    return -(1 << 8 * width - 1)


def _long_texts(length: Length, rule: str) -> Iterator[tuple[str, str, WireType]]:
    """Yield a text of more bytes than a positive int16 counts.

    A dialect may leave its validity open.
    """
    if isinstance(length, CompactLength):
        yield LONG, rule if rule == LIMIT_RULE else "", _Piece(_prefix(length, TOO_LONG) + b"a" * TOO_LONG)
    elif not length.nullable:
        yield LONG_UNSIGNED, NEGATIVE_RULE, _Piece(_prefix(length, TOO_LONG - 2**16) + b"a" * TOO_LONG)


def _prefix(length: Length, number: int) -> bytes:
    """Return the bytes of a length, even of an invalid number."""
    if isinstance(length, LegacyLength):
        return length.format.pack(number)
    return unsigned_varint(number + 1 & MASK_32)
