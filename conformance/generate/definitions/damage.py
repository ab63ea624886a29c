"""What can be wrong with a definition: the rows of `damages.toml`, one for each way."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import Enum
from importlib.resources import files
from typing import Any, NamedTuple

Properties = dict[str, Any]

SOUND = {"name": "Damaged", "type": "int32", "versions": "0+"}
TAGGED = SOUND | {"versions": "{flexible}+", "taggedVersions": "{flexible}+", "tag": "{tag}"}


class Place(Enum):
    """Where broken fields are put."""

    ANYWHERE = "anywhere"
    """In the message, in structs inside one another, or in a common struct."""
    NOT_COMMON = "not in a common struct"
    """For an inline struct, which breaks another rule there (6.52)."""
    COMMON = "in a common struct"
    TOP = "in the message"
    INNER = "in a struct of the message"


class Spot(NamedTuple):
    """The place that a broken field is made for."""

    tag: int
    """The next free tag."""
    flexible: int
    """The first flexible version; of no importance where there is none."""


@dataclass(frozen=True)
class Damage:
    """One way to break a definition; which parts are there depends on what is broken: field, message or text."""

    number: str
    """The statement of the book that the rule belongs to."""
    rule: str
    """The id of the rule, without the family; empty if no rule forbids it."""
    name: str
    fields: tuple[Properties, ...] = ()
    """The broken fields, with placeholders for tags and versions."""
    place: Place = Place.ANYWHERE
    flexible: bool | None = None
    """The message must have flexible versions, or must have none; None: either."""
    message: Properties = field(default_factory=dict)
    """Properties of the broken message."""
    drop: tuple[str, ...] = ()
    """Properties that the broken message lacks."""
    structs: tuple[Properties, ...] = ()
    add: tuple[Properties, ...] = ()
    """Further common structs, and further fields."""
    features: Properties = field(default_factory=dict)
    """What the sound message has to be like: arguments of `Features`."""
    text: str = ""
    """The broken text, with placeholders for a sound one."""

    def fields_at(self, spot: Spot) -> list[Properties]:
        """Return the broken fields for a place."""
        return [_filled(properties, spot) for properties in self.fields]


def _filled(value: Any, spot: Spot) -> Any:
    """Replace the placeholders in a value."""
    if isinstance(value, dict):
        return {name: _filled(item, spot) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, spot) for item in value]
    if value in ("{tag}", "{next tag}"):
        return spot.tag if value == "{tag}" else spot.tag + 1
    if isinstance(value, str):
        return value.replace("{flexible}", str(spot.flexible)).replace("{later}", str(spot.flexible + 1))
    return value


def _field_damage(row: Properties) -> Damage:
    facts = {name: row[name] for name in ("number", "rule", "name", "flexible") if name in row}
    return Damage(**facts, fields=tuple(_fields(row)), place=Place(row.get("place", Place.ANYWHERE.value)))


def _fields(row: Properties) -> list[Properties]:
    if "fields" in row:
        return list(row["fields"])
    whole = TAGGED | row["tagged"] if "tagged" in row else SOUND | row["field"]
    return [{name: value for name, value in whole.items() if name not in row.get("drop", ())}]


def _damage(row: Properties) -> Damage:
    """Return the damage of a row about a message or a text."""
    arrays: dict[str, Any] = {name: tuple(row[name]) for name in ("drop", "structs", "add") if name in row}
    features = dict(row.get("features", {}))
    if "kinds" in features:
        features["kinds"] = tuple(features["kinds"])
    facts: dict[str, Any] = {**row, "features": features}
    return Damage(**facts | arrays)


_TABLE = tomllib.loads((files(__package__) / "damages.toml").read_text(encoding="utf-8"))

DAMAGES: tuple[Damage, ...] = (
    *map(_field_damage, _TABLE["fields"]),
    *map(_damage, _TABLE["messages"]),
    *map(_damage, _TABLE["texts"]),
)
"""Every damage by which a definition breaks a rule."""

NOTICED_LATE = tuple(map(_field_damage, _TABLE["noticed-late"]))
"""Every damage that only the Java compiler refuses."""

[NOTICED_IN_USE] = map(_field_damage, _TABLE["noticed-in-use"])
"""A default that fails only when the class is used."""
