"""The limits of Apache Kafka's readers, from specs/limits.toml.

The protocol has none: a reader of a release refuses longer arrays and tag sections to save its memory.
"""

from __future__ import annotations

from functools import cache
from sys import maxsize
from typing import Any, NamedTuple

from reference.inputs.toml_text import packaged_toml


class Limits(NamedTuple):
    """The highest counts accepted by Apache Kafka's readers of one release."""

    array_length: int = maxsize
    """The highest number of elements in an array."""
    tagged_fields: int = maxsize
    """The highest number of entries in one tag section."""


UNLIMITED = Limits()


def limits_of(release: str) -> dict[str, int]:
    """Return the limits of a release by their names in Java.

    A name that does not begin with a number, such as a folder of definitions, counts as newer than every release.
    """
    limits: dict[str, Any] = {}
    for table in _document()["limits"]:
        if _is_since(table["since"], release):
            limits = {name: limit for name, limit in table.items() if name != "since"}
    return limits


def bounds_records(release: str) -> bool:
    """Return whether the readers of a release bound the length of a record, by its name as in `limits_of`."""
    return _is_since(_document()["records"]["since"], release)


def _is_since(first: str, release: str) -> bool:
    return not release[:1].isdigit() or by_version(first) <= by_version(release)


@cache
def _document() -> dict[str, Any]:
    return packaged_toml("specs", "limits.toml")


def reader_limits(release: str) -> Limits:
    """Return the limits of a release's readers."""
    limits = limits_of(release)
    return Limits(limits.get("MAX_ARRAY_LENGTH", maxsize), limits.get("MAX_TAGGED_FIELD_COUNT", maxsize))


LONGEST_NUMBER = 9
"""Digits of a part of a version."""


def by_version(release: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key that orders the names of releases by age, and takes any other text.

    >>> by_version("4.10.0") > by_version("4.9." + "9" * 5000)
    True
    """
    return tuple((int(part), "") if _is_number(part) else (-1, part) for part in release.split("."))


def _is_number(part: str) -> bool:
    return part.isdecimal() and len(part) <= LONGEST_NUMBER
