"""The statements of the golden vectors of one message about its readers and writers, and the codecs that fail them.

A strict reader refuses bytes after a message, a reader of a stream leaves them. A fault in both directions shows as it
shows in either, as vectors state the value and the bytes, and no value goes around.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from conformance.vectors.enumeration.pairs import releases_with_vectors
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors, files_of
from reference import CodecError, Malformed, NotJsonForm, Result, completed, difference, from_json, load_release
from reference.wire.message import RELEASED
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import MessageSchema
    from reference.wire.base import WireType

Json = dict[str, Any]
TELLING = "populated"
"""The prefix of the ids of vectors with most kills, which come first."""


class ReadStatement(NamedTuple):
    """Bytes, and the value they are read as, or None if they are refused."""

    id: str
    wire: bytes
    value: Json | None


class WriteStatement(NamedTuple):
    """A value, and the bytes it is written as, or None if it is refused."""

    id: str
    value: Json
    wire: bytes | None


class Statements(NamedTuple):
    """All statements of the vectors of one message at one version."""

    readings: tuple[ReadStatement, ...]
    writings: tuple[WriteStatement, ...]


def statements_of(schema: MessageSchema, source: str) -> Statements:
    """Return the statements of the vectors of the release `source` for a schema, maybe of another release."""
    vectors = sorted(_vectors(source, schema.message)[schema.version], key=_order)
    return Statements(tuple(_readings(schema, vectors)), tuple(_writings(schema, source, vectors)))


def source_of(schema: MessageSchema, release: str) -> str:
    """Return the release with the vectors of a schema of that release."""
    return next(releases_with_vectors(release, schema.message, schema.version))


@lru_cache(maxsize=8)
def _vectors(release: str, message: str) -> dict[int, list[Json]]:
    file = files_of(release, message)[0]
    document = read_file(committed_vectors() / file.path)
    return {group["version"]: group["vectors"] for group in document["groups"]}


def _order(vector: Json) -> bool:
    return not vector["id"].startswith(TELLING)


def _readings(schema: MessageSchema, vectors: Iterable[Json]) -> Iterator[ReadStatement]:
    for vector in vectors:
        if vector["result"] == Result.VALID:
            yield ReadStatement(vector["id"], bytes.fromhex(vector["wire"]), from_json(schema, vector["value"]))
        elif vector["result"] == Result.INVALID:
            yield ReadStatement(vector["id"], bytes.fromhex(vector["wire"]), None)


def _writings(schema: MessageSchema, source: str, vectors: Iterable[Json]) -> Iterator[WriteStatement]:
    """Yield the writings, without values with a field known to another release alone."""
    for vector in vectors:
        for form, wire in _written(vector):
            try:
                value = from_json(schema, form)
            except NotJsonForm:
                if schema == load_release(source).schema(schema.message, schema.version):
                    raise
                continue
            yield WriteStatement(vector["id"], value, None if wire is None else bytes.fromhex(wire))


def _written(vector: Json) -> Iterator[tuple[Json, str | None]]:
    if vector["result"] == UNWRITABLE:
        yield vector["value"], None
    elif vector["result"] == Result.VALID:
        yield vector["value"], vector.get("canonical", vector["wire"])
        if "given" in vector:
            yield vector["given"], vector["wire"]


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
