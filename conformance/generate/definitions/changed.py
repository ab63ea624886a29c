"""Valid definitions with a few random changes.

Most are broken, some valid, and the outcome is unknown beforehand. `conformance.generate.definitions.damaged` breaks
known rules; these definitions look for unknown ones. The reference and Apache Kafka's generator must give the same
verdict on each.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.drawn_definitions import make_definition
from conformance.generate.definitions.versions import EVERY_FEATURE, any_range
from reference.definitions.model import PRIMITIVES, VersionRange
from reference.definitions.properties import VERSION_PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.definitions.versions import Features, Properties

MAXIMUM_CHANGES = 3
TYPES = (*PRIMITIVES, "Inline1", "Inline2", "Shared1", "Shared2", "Elsewhere")


def sample_changed(seed: str, features: Features = EVERY_FEATURE) -> Properties:
    """Return the changed definition of `seed`, always the same one."""
    choices = SeededChoices(f"changed/{seed}")
    definition = make_definition(choices, features)
    for _ in range(1 + choices.below(MAXIMUM_CHANGES)):
        definition = pick(choices, CHANGES)(choices, definition)
    return definition


def _new_range(choices: Choices, definition: Properties) -> Properties:
    """Replace a range of versions of a field or of a common struct."""
    part = pick(choices, list(_parts(definition)))
    name = pick(choices, [name for name in VERSION_PROPERTIES if name in part] or ["flexibleVersions"])
    part[name] = str(any_range(choices, VersionRange(0, 3)))
    return definition


def _new_valid_versions(choices: Choices, definition: Properties) -> Properties:
    lowest = choices.below(4)
    return definition | {"validVersions": str(VersionRange(lowest, lowest + choices.below(3)))}


def _new_type(choices: Choices, definition: Properties) -> Properties:
    part = pick(choices, list(_parts(definition)))
    name = pick(choices, TYPES)
    if "type" in part and part is not definition:
        part["type"] = f"[]{name}" if choices.below(3) == 1 else name
    return definition


def _dropped(choices: Choices, definition: Properties) -> Properties:
    """Drop one property of a part."""
    part = pick(choices, list(_parts(definition)))
    del part[pick(choices, list(part))]
    return definition


def _copied(choices: Choices, definition: Properties) -> Properties:
    """Copy a property of one part to another."""
    one, other = (pick(choices, list(_parts(definition))) for _ in range(2))
    name = pick(choices, list(other))
    one[name] = json.loads(json.dumps(other[name]))
    return definition


def _exchanged(choices: Choices, definition: Properties) -> Properties:
    """Exchange the names of two common structs."""
    common = definition.get("commonStructs", [])
    if common:
        one, other = (pick(choices, common) for _ in range(2))
        if "name" in one and "name" in other:
            one["name"], other["name"] = other["name"], one["name"]
    return definition


def _moved(choices: Choices, definition: Properties) -> Properties:
    """Replace the fields of one struct by those of another."""
    one, other = (pick(choices, list(_parts(definition))) for _ in range(2))
    if "fields" in other:
        # The struct may be inside its own fields, so they are copied.
        one["fields"] = json.loads(json.dumps(other["fields"]))
    return definition


CHANGES = (_new_range, _new_range, _new_valid_versions, _new_type, _dropped, _copied, _exchanged, _moved)


def _parts(definition: Properties) -> Iterator[Properties]:
    """Yield the message, and every part of it with properties."""
    yield definition
    for name in ("commonStructs", "fields"):
        for part in definition.get(name, ()):
            yield from _parts(part)
