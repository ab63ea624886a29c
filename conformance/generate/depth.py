"""The number of cases that are chosen for a body."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from conformance.generate.value_paths import fields_at

if TYPE_CHECKING:
    from reference import MessageSchema, Release


class Depth(IntEnum):
    """The number of cases of a pair of message and version."""

    FEW = 1
    """Every field once, and the most important ways of tampering."""
    THOROUGH = 2
    """Also every edge of each type and every way of tampering, at one place of each kind."""
    EVERYTHING = 3
    """Also the cases left to the wire types by messages."""


THOROUGH_TOO = frozenset((
    ("AlterClientQuotasRequest", 0), ("ApiVersionsRequest", 3), ("ApiVersionsResponse", 3),
    ("FindCoordinatorRequest", 2), ("FindCoordinatorRequest", 3), ("ProduceRequest", 9),
))  # fmt: skip
"""Older versions of small messages: the last before flexible versions and the first flexible one.

Text, floats, records and tags have other bytes in them.
"""

LONG_TEXTS_IN = frozenset((
    *((name, 0) for name in ("string", "compact-string", "compact-nullable-string", "UpdateRaftVoterResponse")),
    ("DeleteGroupsRequest", 1), ("DeleteGroupsRequest", 2), ("FetchSnapshotRequest", 1),
    ("HeartbeatRequest", 3), ("HeartbeatRequest", 4),
))  # fmt: skip
"""Pairs with texts of 32,768 bytes, one for each layout: legacy and compact, nullable, element, in a tag."""


def depth_in(release: Release, message: str, version: int) -> Depth:
    """Return the depth of a pair in a release.

    A message's newest version is thorough. `THOROUGH_TOO` are thorough as well; every other pair gets few
    cases, and so does a message of definitions beside the release.
    """
    is_newest = message in release.messages and version == release.definition(message).valid_versions.highest
    return Depth.THOROUGH if is_newest or (message, version) in THOROUGH_TOO else Depth.FEW


def long_layout(schema: MessageSchema, path: str) -> tuple[bool, bool, bool] | None:
    """Return the properties on which the layout of a text depends, or None in pairs without long texts.

    They are whether it is nullable, an element, and in a tagged field.
    """
    if (schema.message, schema.version) not in LONG_TEXTS_IN:
        return None
    fields, is_element = fields_at(schema, path), path.endswith("]")
    field = fields[-1].item if is_element else fields[-1]
    return field.nullable, is_element, any(each.tag is not None for each in fields)
