"""The features of random definitions, and their ranges of versions.

The ranges are those of messages and fields, of nullability and of tags.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.generate.choices import pick
from reference.definitions.header_versions import FIRST_FLEXIBLE
from reference.definitions.model import HIGHEST_VERSION, NO_VERSIONS, VersionRange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.generate.choices import Choices

Properties = dict[str, Any]
"""The object of a message, struct or field in a definition file."""

NAMES = {
    "data": "Sample",
    "header": "SampleHeader",
    "request": "SampleRequest",
    "response": "SampleResponse",
    "metadata": "SampleRecord",
    "coordinator-key": "SampleKey",
    "coordinator-value": "SampleValue",
}
"""The name of a message of each kind, the simplest kind first."""


@dataclass(frozen=True)
class Features:
    """The possible features of drawn definitions, each present or switched off.

    Without `tags` there may be flexible versions, whose structs still end with a tag section.
    """

    kinds: Sequence[str] = tuple(NAMES)
    """Coordinator keys have one version and are never flexible (6.6 and 15.8)."""
    given_up: bool = True
    """Whether there are messages without any version, and so without an encoding (6.9 and 15.9)."""
    inflexible: bool = True
    """Whether there are messages without any flexible version."""
    flexible: bool = True
    """Whether there are messages with flexible versions. Tags need them."""
    tags: bool = True
    nullable: bool = True
    nullable_structs: bool = True
    """Whether there are nullable fields of a struct type other than arrays (KIP-893)."""
    common_structs: bool = True
    overrides: bool = True
    """Whether there are fields with flexibleVersions of their own."""
    defaults: bool = True
    without: Sequence[str] = ()
    """Properties left out here; each is true or absent elsewhere."""
    header_versions: bool = True
    """Whether requests and responses may name their header version, as Apache Kafka's do after 4.4.0 (6.60)."""


EVERY_FEATURE = Features()

EVERY_VERSION = VersionRange(0, HIGHEST_VERSION)
LOWEST = (0, 0, 0, 1, 3)
"""The first versions of messages."""

MAXIMUM_VERSIONS = 4
BEYOND = 2
"""The farthest distance of a field's first version from those of the message."""


def valid_versions(choices: Choices) -> VersionRange:
    """Return the versions of a message, a few with an upper bound."""
    lowest = pick(choices, LOWEST)
    return VersionRange(lowest, lowest + choices.below(MAXIMUM_VERSIONS))


def flexible_versions(choices: Choices, valid: VersionRange) -> VersionRange:
    """Return flexible versions from 0, from one of the message's versions, or from the next one after them."""
    return starting(pick(choices, (0, *valid, valid.highest + 1)))


def header_versions(choices: Choices, kind: str, valid: VersionRange, flexible: VersionRange) -> dict[str, str]:
    """Return the header version of each range of versions.

    The flexible header begins at the first flexible version, or earlier. The first range may end before any of the
    valid versions.
    """
    first = FIRST_FLEXIBLE[kind]
    if valid.highest == 0 or choices.below(4) == 1:
        return {str(EVERY_VERSION): str(first)}
    latest = min(flexible.lowest, valid.highest) if not flexible.empty else valid.highest
    if latest == 0:
        return {str(EVERY_VERSION): str(first)}
    start = choices.integer(1, latest)
    return {str(VersionRange(0, start - 1)): str(first - 1), str(starting(start)): str(first)}


def any_range(choices: Choices, valid: VersionRange) -> VersionRange:
    """Return a range of any kind around the versions of the message, with every version as the simplest."""
    first, last = sorted(choices.integer(valid.lowest, valid.highest) for _ in range(2))
    ranges = (
        EVERY_VERSION,
        starting(first),
        VersionRange(first, last),
        VersionRange(0, last),
        VersionRange(first, first),
        starting(valid.highest + 1 + choices.below(BEYOND)),
        VersionRange(0, valid.lowest - 1) if valid.lowest else NO_VERSIONS,
    )
    return pick(choices, ranges)


def part_of(choices: Choices, versions: VersionRange) -> VersionRange:
    """Return none of those versions, the later ones, or a closed range of them, with none as the simplest."""
    if versions.empty:
        return NO_VERSIONS
    lowest = versions.lowest + choices.below(MAXIMUM_VERSIONS)
    highest = lowest + choices.below(MAXIMUM_VERSIONS)
    ranges = (NO_VERSIONS, VersionRange(lowest, versions.highest), VersionRange(lowest, highest))
    return pick(choices, ranges).intersect(versions)


def starting(lowest: int) -> VersionRange:
    """Return that version and all later ones."""
    return VersionRange(lowest, HIGHEST_VERSION)


def no_later_than(choices: Choices, latest: int) -> int:
    """Return a version near `latest` and not after it."""
    return max(0, latest - choices.below(BEYOND + 1))
