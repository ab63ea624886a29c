"""One codec against what the vectors of its message state: each vector is read and written at most once.

A strict reader refuses bytes behind a message, a reader of a stream leaves them. A codec that is wrong in both
directions is shown by what shows it in either: vectors state the value and the bytes, and no value goes around.
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
    """What is tried: a wire type, of the schema that it follows."""

    schema: MessageSchema
    wire_type: WireType

    @classmethod
    def of(cls, schema: MessageSchema) -> Self:
        """Return the codec of a schema; nothing keeps it, as there are many."""
        return cls(schema, RELEASED.message(schema))

    def read(self, wire: bytes) -> tuple[dict[str, Any], int] | None:
        """Return the value and how many bytes it takes; None if they are refused."""
        reader = Reader(wire)
        try:
            value: dict[str, Any] = self.wire_type.read(reader)
        except Malformed:
            return None
        return value, reader.tell()

    def write(self, value: dict[str, Any]) -> bytes | None:
        """Return the bytes of a value, with the fields at their defaults that it lacks; None if it is refused."""
        try:
            return self.wire_type.write(completed(self.schema, value))
        except CodecError:
            return None


class Kills(NamedTuple):
    """The first vector that shows a codec to be wrong, by what of it is used; None: none does."""

    strict: str | None
    """In reading, by a reader that refuses bytes behind a message."""
    stream: str | None
    """In reading, by one that leaves them."""
    writing: str | None


def kills_of(sound: MessageSchema, codec: SchemaCodec, statements: Statements) -> Kills:
    """Return what becomes of a codec by the vectors of a schema."""
    strict, stream = misread(sound, codec, statements.readings)
    return Kills(strict, stream, miswritten(codec, statements.writings))


def misread(
    sound: MessageSchema, codec: SchemaCodec, readings: Iterable[ReadStatement]
) -> tuple[str | None, str | None]:
    """Return the first vectors that a strict reader and one of streams misread."""
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
    """Return whether a value is another one: in a type, or in a field of other versions that is set."""
    return difference(sound, expected, value, absent=True) is not None


def miswritten(codec: SchemaCodec, writings: Iterable[WriteStatement]) -> str | None:
    """Return the first vector whose value is written as other bytes, or refused, or not refused."""
    return next((name for name, value, wire in writings if codec.write(value) != wire), None)
