"""The pairs of message and version with vectors, by release, and the number of cases of each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from conformance.generate.depth import Depth, depth_in
from conformance.targets import PREFIXES
from reference import ArrayType, StructType, load_release, proposals, releases
from reference.inputs.toml_text import packaged_toml
from reference.release import UnknownMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema, Release

Names = tuple[str, ...]
"""The releases and proposals of a tree of vectors; empty for all committed ones."""

Pair = tuple[str, str, int]
"""A release or a proposal, a message of it, and a version."""


def sources() -> tuple[str, ...]:
    """Return the names of all sources of vectors, the releases, then the proposals."""
    return (*releases(), *proposals())


@cache
def base_release() -> str:
    """Return the release with a whole set of vectors, from base.toml.

    Vectors of wire types alone have its name, too.
    """
    return str(packaged_toml("conformance.vectors", "base.toml")["release"])


def pairs(names: Names = ()) -> list[Pair]:
    """Return every pair of those sources, by source, name and version."""
    return [(release, *pair) for release in names or sources() for pair in pairs_of(release)]


@cache
def pairs_of(release: str) -> tuple[tuple[str, int], ...]:
    """Return the (message, version) pairs to build for a release or a proposal, by name and version.

    They are all pairs of a proposal, of the definitions of a folder, of an uncommitted release and of the base release.
    Another release has the pairs missing from the base, or different from it in layout, names, fields of other versions
    or the number in stored messages. A release newer than the base is compared with those between, too.

    Raises:
        UnknownRelease: there are no definitions of that name.
    """
    schemas = load_release(release).schemas()
    return tuple((schema.message, schema.version) for schema in schemas if _has_vectors(release, schema))


def depth_of(release: str, message: str, version: int) -> Depth:
    """Return the depth of a pair.

    All pairs of releases older than the base get few cases.
    """
    is_older = release in releases()[: releases().index(base_release())]
    return Depth.FEW if is_older else depth_in(load_release(release), message, version)


def has_texts(release: str, message: str, version: int) -> bool:
    """Return whether a pair has the vectors of `text_values`.

    The newest version of each message has them, in the base release and in newer ones.
    """
    is_new = release in releases()[releases().index(base_release()) :]
    return is_new and version == load_release(release).definition(message).valid_versions.highest


def _has_vectors(release: str, schema: MessageSchema) -> bool:
    return not any(_is_equal(schema, load_release(other)) for other in _compared(release))


def releases_with_vectors(release: str, message: str, version: int) -> Iterator[str]:
    """Yield the sources with the vectors of a pair of that release.

    They are the release itself, or others equal on the wire.

    Raises:
        UnknownMessage: the release has no such pair.
    """
    schema = load_release(release).schema(message, version)
    for name in (release, *_compared(release)):
        other = load_release(name)
        if _is_equal(schema, other) and _has_vectors(name, other.schema(message, version)):
            yield name


def _compared(release: str) -> tuple[str, ...]:
    """Return the releases with vectors for pairs of that one.

    They are the base, and those between.
    """
    if release == base_release() or release not in releases():
        return ()
    own, base = releases().index(release), releases().index(base_release())
    return releases()[base:own] if base < own else releases()[own + 1 : base + 1]


def _is_equal(schema: MessageSchema, release: Release) -> bool:
    if schema.message not in release.messages:  # the error takes longer: it looks for names that are alike
        return False
    try:
        other = release.schema(schema.message, schema.version)
    except UnknownMessage:
        return False
    is_equal = layout(schema.body) == layout(other.body) and _stored_number(schema) == _stored_number(other)
    return is_equal and set(_absent(schema.body, "")) <= set(_absent(other.body, ""))


def _absent(field: FieldSchema, path: str) -> Iterator[tuple[object, ...]]:
    """Yield the demands on a writer for each field of other versions, so whether its value is dropped or refused."""
    for each in field.absent_fields:
        yield path, each.name, each.type, repr(each.default), each.nullable, each.ignorable
    if field.element is not None:
        yield from _absent(field.element, path)
    for inner in field.fields:
        yield from _absent(inner, f"{path}.{inner.name}")


def _stored_number(schema: MessageSchema) -> int | None:
    """Return the number before a stored message.

    3.9.1 has the types of keys as versions.
    """
    return schema.version if PREFIXES.get(schema.kind) == "version" else schema.api_key


def layout(field: FieldSchema) -> FieldSchema:
    """Return a field without its properties about other versions."""
    data_type = field.data_type
    match data_type:
        case ArrayType(element):
            data_type = ArrayType(layout(element))
        case StructType(fields=fields):
            inner = tuple(map(layout, fields))
            data_type = replace(data_type, fields=inner, absent_fields=(), tags_elsewhere=frozenset())
    return replace(field, data_type=data_type, position=0, ignorable=False)
