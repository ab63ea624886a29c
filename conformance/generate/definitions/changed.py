"""Sound definitions with a few changes made at random: most come out broken, some sound, and nobody knows beforehand.

Where `conformance.generate.definitions.damaged` breaks the rules that are known, these look for those that are not:
what the reference and Apache Kafka's generator say to each is to be the same.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.strategy import make_definition
from conformance.generate.definitions.versions import any_range
from reference.definitions.model import PRIMITIVES, VersionRange

if TYPE_CHECKING:
    from collections.abc import Iterator

Properties = dict[str, Any]

MAXIMUM_CHANGES = 3
RANGES = ("versions", "nullableVersions", "taggedVersions", "flexibleVersions")
TYPES = (*PRIMITIVES, "Inline1", "Inline2", "Shared1", "Shared2", "Elsewhere")


def sample_changed(seed: str) -> Properties:
    """The changed definition that belongs to `seed`, the same for ever."""
    choices = SeededChoices(f"changed/{seed}")
    definition = make_definition(choices)
    for _ in range(1 + choices.below(MAXIMUM_CHANGES)):
        definition = pick(choices, CHANGES)(choices, definition)
    return definition


def _new_range(choices: Choices, definition: Properties) -> Properties:
    """Other versions of some kind, of a field or of a common struct."""
    thing = pick(choices, list(_parts(definition)))
    name = pick(choices, [each for each in RANGES if each in thing] or ["flexibleVersions"])
    thing[name] = str(any_range(choices, VersionRange(0, 3)))
    return definition


def _new_valid_versions(choices: Choices, definition: Properties) -> Properties:
    lowest = choices.below(4)
    return definition | {"validVersions": str(VersionRange(lowest, lowest + choices.below(3)))}


def _new_type(choices: Choices, definition: Properties) -> Properties:
    thing = pick(choices, list(_parts(definition)))
    name = pick(choices, TYPES)
    if "type" in thing and thing is not definition:
        thing["type"] = f"[]{name}" if choices.below(3) == 1 else name
    return definition


def _dropped(choices: Choices, definition: Properties) -> Properties:
    """A part without one of its properties."""
    thing = pick(choices, list(_parts(definition)))
    del thing[pick(choices, list(thing))]
    return definition


def _copied(choices: Choices, definition: Properties) -> Properties:
    """A part with a property of another."""
    one, other = (pick(choices, list(_parts(definition))) for _ in range(2))
    name = pick(choices, list(other))
    one[name] = json.loads(json.dumps(other[name]))
    return definition


def _exchanged(choices: Choices, definition: Properties) -> Properties:
    """Two common structs under each other's name."""
    common = definition.get("commonStructs", [])
    if common:
        one, other = (pick(choices, common) for _ in range(2))
        if "name" in one and "name" in other:
            one["name"], other["name"] = other["name"], one["name"]
    return definition


def _moved(choices: Choices, definition: Properties) -> Properties:
    """The fields of one struct in another."""
    one, other = (pick(choices, list(_parts(definition))) for _ in range(2))
    if "fields" in other:
        one["fields"] = json.loads(json.dumps(other["fields"]))
    return definition


CHANGES = (_new_range, _new_range, _new_valid_versions, _new_type, _dropped, _copied, _exchanged, _moved)


def _parts(definition: Properties) -> Iterator[Properties]:
    """The message, and everything in it that has properties."""
    yield definition
    for name in ("commonStructs", "fields"):
        for each in definition.get(name, ()):
            yield from _parts(each)
