"""The statements of the golden vectors of one message about its readers and writers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.vectors.enumeration.pairs import releases_with_vectors
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors, files_of
from reference import NotJsonForm, Result, from_json, load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import MessageSchema

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
