"""One codec against the vectors of its message, each read and written at most once.

A strict reader refuses bytes after a message, a reader of a stream leaves them. A fault in both directions shows as it
shows in either, as vectors state the value and the bytes, and no value goes around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from reference import CodecError, Malformed, completed, difference
from reference.wire.message import RELEASED
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference import MessageSchema
    from reference.wire.base import WireType
    from tests.mutants.definitions.vectors import ReadStatement, Statements, WriteStatement


class SchemaCodec(NamedTuple):
    """The codec under trial, a wire type of a schema."""

    schema: MessageSchema
    wire_type: WireType

    @classmethod
    def of(cls, schema: MessageSchema) -> Self:
        """Return the codec of a schema, not cached, as there are many."""
        return cls(schema, RELEASED.message(schema))

    def read(self, wire: bytes) -> tuple[dict[str, Any], int] | None:
        """Return the value and the number of its bytes, or None if they are refused."""
        reader = Reader(wire)
        try:
            value: dict[str, Any] = self.wire_type.read(reader)
        except Malformed:
            return None
        return value, reader.tell()

    def write(self, value: dict[str, Any]) -> bytes | None:
        """Return the bytes of a value with its missing fields at their defaults, or None if it is refused."""
        try:
            return self.wire_type.write(completed(self.schema, value))
        except CodecError:
            return None


class Kills(NamedTuple):
    """The first vector failed by each use of a codec, or None."""

    strict: str | None
    """In reading, by a reader that refuses bytes after a message."""
    stream: str | None
    """In reading, by one that leaves them."""
    writing: str | None


def kills_of(sound: MessageSchema, codec: SchemaCodec, statements: Statements) -> Kills:
    """Return the results of a codec for the vectors of a schema."""
    strict, stream = misread(sound, codec, statements.readings)
    return Kills(strict, stream, miswritten(codec, statements.writings))


def misread(
    sound: MessageSchema, codec: SchemaCodec, readings: Iterable[ReadStatement]
) -> tuple[str | None, str | None]:
    """Return the first vectors misread by a strict reader and by one of streams."""
    stream = None
    for name, wire, expected in readings:
        outcome = codec.read(wire)
        is_whole = outcome is not None and outcome[1] == len(wire)
        if expected is None:
            stream = stream or (None if outcome is None else name)
            if is_whole:
                return name, stream
        elif outcome is None or not is_whole or differs(sound, expected, outcome[0]):
            return name, stream or name
    return None, stream


def differs(sound: MessageSchema, expected: dict[str, Any], value: dict[str, Any]) -> bool:
    """Return whether values differ in a type, or in a set field of other versions."""
    return difference(sound, expected, value, absent=True) is not None


def miswritten(codec: SchemaCodec, writings: Iterable[WriteStatement]) -> str | None:
    """Return the first vector with a value written as other bytes, wrongly refused, or wrongly taken."""
    return next((name for name, value, wire in writings if codec.write(value) != wire), None)
