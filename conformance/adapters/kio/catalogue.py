"""Which messages kio has, without importing any of its several hundred modules before it is needed."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import Any

from kio.schema.index import schema_name_map

from conformance.adapter import Unsupported


def supported() -> dict[str, frozenset[int]]:
    """Every message and version in kio's index."""
    return {message: frozenset(versions) for message, versions in _places().items()}


@cache
def entity_of(message: str, version: int) -> type[Any]:
    """The class that kio has for a message at one version.

    Raises:
        Unsupported: kio does not have it.
    """
    place = _places().get(message, {}).get(version)
    if place is None:
        raise Unsupported(f"kio has no {message} of version {version}")
    entity: type[Any] = resolve_name(place)
    return entity


@cache
def _places() -> dict[str, dict[int, str]]:
    """Where each class is, as `module:ClassName`; a class is named as its message is in the definitions."""
    places: dict[str, dict[int, str]] = {}
    for versions in schema_name_map.values():
        for version, entities in versions.items():
            for place in entities.values():
                places.setdefault(place.partition(":")[2], {})[version] = place
    return places
