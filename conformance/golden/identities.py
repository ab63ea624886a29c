"""Which (message, version) pairs have vectors, under which release."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

from reference import ArrayType, StructType, load_release, newest_release, proposals, releases
from reference.release import UnknownMessage

if TYPE_CHECKING:
    from reference import FieldSchema, MessageSchema


def sources() -> tuple[str, ...]:
    """Whatever has definitions that vectors are built for: the releases, then the proposals."""
    return (*releases(), *proposals())


@cache
def identities(release: str) -> tuple[tuple[str, int], ...]:
    """The pairs that are built for a release or a proposal, by name and version.

    All of a proposal and of the newest release; of an older one those that the newest lacks, or lays out or names
    otherwise.

    Raises:
        UnknownRelease: there is no such release here.
    """
    schemas = load_release(release).schemas()
    return tuple((each.message, each.version) for each in schemas if _has_vectors(release, each))


class Depth(IntEnum):
    """How much of a pair is tried."""

    FEW = 1
    """Every field once, and the gravest tampering."""
    THOROUGH = 2
    """Also every edge of each type and every way to tamper, at one place of each kind."""
    EVERYTHING = 3
    """Also what messages leave to the primitives."""


def depth_of(release: str, message: str, version: int) -> Depth:
    """Thorough is the newest version of each message, save in older releases; and what is in `THOROUGH_TOO`."""
    if not (release == newest_release() or load_release(release).proposed):
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
"""Older versions of small messages: the last before flexible versions and the first of them, in which text, floats,
records and tags are coded otherwise."""


def _has_vectors(release: str, schema: MessageSchema) -> bool:
    newest = newest_release()
    if release == newest or load_release(release).proposed:
        return True
    try:
        other = load_release(newest).schema(schema.message, schema.version)
    except UnknownMessage:
        return True
    return _layout(schema.body) != _layout(other.body)


def _layout(field: FieldSchema) -> FieldSchema:
    """A field without what other versions say of it."""
    data_type = field.data_type
    match data_type:
        case ArrayType(element):
            data_type = ArrayType(_layout(element))
        case StructType(fields=fields):
            inner = tuple(map(_layout, fields))
            data_type = replace(data_type, fields=inner, absent_fields=(), tags_elsewhere=frozenset())
    return replace(field, data_type=data_type, position=0, ignorable=False)
