"""The pairs of message and version that have vectors, by release, and how many cases each of them gets."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

from reference import ArrayType, StructType, load_release, newest_release, proposals, releases
from reference.release import UnknownMessage

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema

Names = tuple[str, ...]
"""The releases and proposals that a tree of vectors is built for; none: all that are committed."""

Pair = tuple[str, str, int]
"""A release or a proposal, a message of it, and a version."""


def sources() -> tuple[str, ...]:
    """Return the names of everything that vectors are built for: the releases, then the proposals."""
    return (*releases(), *proposals())


def pairs(names: Names = ()) -> list[Pair]:
    """Return every pair of those sources, by source, name and version."""
    return [(release, *pair) for release in names or sources() for pair in pairs_of(release)]


@cache
def pairs_of(release: str) -> tuple[tuple[str, int], ...]:
    """Return the (message, version) pairs that are built for a release or a proposal, by name and version.

    All of a proposal, of the definitions of a folder and of the newest release; of an older release those that the
    newest lacks, or whose layout or names it changed.

    Raises:
        UnknownRelease: there are no definitions of that name.
    """
    schemas = load_release(release).schemas()
    return tuple((schema.message, schema.version) for schema in schemas if _has_vectors(release, schema))


class Depth(IntEnum):
    """The number of cases of a pair."""

    FEW = 1
    """Every field once, and the most important ways to tamper."""
    THOROUGH = 2
    """Also every edge of each type and every way to tamper, at one place of each kind."""
    EVERYTHING = 3
    """Also the cases that messages leave to the wire types."""


def depth_of(release: str, message: str, version: int) -> Depth:
    """Return the depth of a pair: in the newest release and in proposals, the newest version is thorough.

    `THOROUGH_TOO` are thorough as well; every other pair gets few cases.
    """
    if release != newest_release() and load_release(release).published:
        return Depth.FEW
    is_newest = version == load_release(release).definition(message).valid_versions.highest
    return Depth.THOROUGH if is_newest or (message, version) in THOROUGH_TOO else Depth.FEW


THOROUGH_TOO = frozenset((
    ("AlterClientQuotasRequest", 0),
    ("ApiVersionsRequest", 3),
    ("ApiVersionsResponse", 3),
    ("FindCoordinatorRequest", 2),
    ("FindCoordinatorRequest", 3),
    ("ProduceRequest", 9),
))  # fmt: skip
"""Older versions of small messages: the last before flexible versions and the first flexible one.

Text, floats, records and tags have other bytes in them.
"""


def _has_vectors(release: str, schema: MessageSchema) -> bool:
    newest = newest_release()
    if release == newest or not load_release(release).published:
        return True
    try:
        other = load_release(newest).schema(schema.message, schema.version)
    except UnknownMessage:
        return True
    return _layout(schema.body) != _layout(other.body)


def _layout(field: FieldSchema) -> FieldSchema:
    """Return a field without its properties that are about other versions."""
    data_type = field.data_type
    match data_type:
        case ArrayType(element):
            data_type = ArrayType(_layout(element))
        case StructType(fields=fields):
            inner = tuple(map(_layout, fields))
            data_type = replace(data_type, fields=inner, absent_fields=(), tags_elsewhere=frozenset())
    return replace(field, data_type=data_type, position=0, ignorable=False)
