"""Definitions with one damage each, tied to the broken rule.

    @given(damaged_definitions())
    def test_it_is_refused(damaged: DamagedDefinition) -> None: ...

A damage, a row of `damages.toml`, puts a broken field somewhere, or changes the message itself, or its text. Everything
else is valid, so no rule is broken except that of the damage.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import partial
from string import Template
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.generate.choices import Choices, DrawnChoices, SeededChoices, pick
from conformance.generate.definitions.drawn_definitions import make_definition
from conformance.generate.definitions.versions import EVERY_FEATURE
from conformance.generate.value_paths import remade
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.generate.definitions.versions import Properties

SOUND = {"name": "Damaged", "type": "int32", "versions": "0+"}
TAGGED = SOUND | {"versions": "{flexible}+", "taggedVersions": "{flexible}+", "tag": "{tag}"}

WITH_VERSIONS = replace(EVERY_FEATURE, given_up=False, header_versions=False)
"""The features of damaged definitions: all but two.

Fewer rules hold for a message without versions (6.9), and headerVersions depend on other broken properties.
"""

FLEXIBLE_KINDS = tuple(kind for kind in EVERY_FEATURE.kinds if kind != "coordinator-key")
IN_COMMON = 3
PLACES = {
    "anywhere": (0, 1, 2, IN_COMMON),
    "not in a common struct": (0, 1, 2),
    "in a common struct": (IN_COMMON,),
    "in the message": (0,),
    "in a struct of the message": (1, 2),
}
"""The nesting of broken fields: in this number of inline structs inside one another, or in a common struct.

An inline struct breaks another rule in a common one (6.52).
"""


@dataclass(frozen=True)
class Damage:
    """One way to break a definition.

    The broken part decides about the present attributes: a field, a message or a text.
    """

    number: str
    """The statement of the book with the rule."""
    rule: str
    """The id of the rule, without the family; empty if no rule forbids it."""
    name: str
    fields: Sequence[Properties] = ()
    """The broken fields, with placeholders for tags and versions."""
    place: str = "anywhere"
    """Their place, one of `PLACES`."""
    flexible: bool | None = None
    """Whether the message must have flexible versions, or must have none; None for either."""
    message: Properties = field(default_factory=dict)
    """Properties of the broken message."""
    drop: Sequence[str] = ()
    """Properties missing from the broken message."""
    structs: Sequence[Properties] = ()
    add: Sequence[Properties] = ()
    """Further common structs, and further fields."""
    features: Properties = field(default_factory=dict)
    """The required features of the valid message, as arguments of `Features`."""
    text: str = ""
    """The broken text, with placeholders for a valid one."""


def _field_damage(row: Properties) -> Damage:
    facts = {name: row[name] for name in ("number", "rule", "name", "place", "flexible") if name in row}
    whole = TAGGED | row["tagged"] if "tagged" in row else SOUND | row.get("field", {})
    broken = {name: value for name, value in whole.items() if name not in row.get("drop", ())}
    return Damage(**facts, fields=row.get("fields", (broken,)))


_TABLE = packaged_toml("conformance.generate.definitions", "damages.toml")

DAMAGES: tuple[Damage, ...] = (
    *map(_field_damage, _TABLE["fields"]),
    *(Damage(**row) for row in (*_TABLE["messages"], *_TABLE["texts"])),
)
"""Every damage with a broken rule."""

NOTICED_LATE = tuple(map(_field_damage, _TABLE["noticed-late"]))
"""Every damage refused by the Java compiler alone."""

[NOTICED_IN_USE] = map(_field_damage, _TABLE["noticed-in-use"])
"""A default failing only when the class is used."""


@dataclass(frozen=True)
class DamagedDefinition:
    """A definition with one broken rule."""

    damage: Damage
    text: str
    """The definition, as the text of its file."""

    def __str__(self) -> str:
        return f"{self.damage.number} {self.damage.rule}, {self.damage.name}: {self.text}"


@st.composite
def damaged_definitions(draw: Callable[[Any], Any], damages: Sequence[Damage] = DAMAGES) -> DamagedDefinition:
    """Return a Hypothesis strategy of definitions with one broken rule, each by one of `damages`."""
    choices = DrawnChoices(draw)
    return damaged(choices, pick(choices, damages))


def sample_damaged(number: int, damages: Sequence[Damage] = DAMAGES) -> DamagedDefinition:
    """Return the broken definition of that number, always the same.

    The damages take turns.
    """
    return damaged(SeededChoices(f"damaged/{number}"), damages[number % len(damages)])


def damaged(choices: Choices, damage: Damage) -> DamagedDefinition:
    """Return a definition with that damage."""
    if damage.fields:
        return DamagedDefinition(damage, json.dumps(_with_broken_field(choices, damage)))
    definition = make_definition(choices, replace(WITH_VERSIONS, **damage.features))
    text = json.dumps(_with_broken_message(definition, damage))
    if not damage.text:
        return DamagedDefinition(damage, text)
    parts = {"text": text, "open": text[:-1], "single": text.replace('"', "'")}
    return DamagedDefinition(damage, Template(damage.text).substitute(parts))


def _with_broken_message(definition: Properties, damage: Damage) -> Properties:
    broken = {name: value for name, value in definition.items() if name not in damage.drop} | damage.message
    if damage.structs:
        broken["commonStructs"] = [*broken.get("commonStructs", ()), *damage.structs]
    if damage.structs or damage.add:
        broken["fields"] = [*broken.get("fields", ()), *damage.add]
    return broken


def _with_broken_field(choices: Choices, damage: Damage) -> Properties:
    features = WITH_VERSIONS
    if damage.flexible is not None:
        features = replace(features, flexible=damage.flexible, inflexible=False, kinds=FLEXIBLE_KINDS)
    definition = make_definition(choices, features)
    nesting = pick(choices, PLACES[damage.place])
    flexible = definition["flexibleVersions"]
    lowest = 0 if flexible == "none" else int(flexible.removesuffix("+"))
    taken = 0 if nesting else sum("tag" in field for field in definition.get("fields", ()))
    broken = [remade(properties, partial(_filled, taken, lowest)) for properties in damage.fields]
    if nesting == IN_COMMON:
        struct = {"name": "DamagedStruct", "versions": "0+", "fields": broken}
        definition["commonStructs"] = [*definition.get("commonStructs", ()), struct]
        return definition
    for level in range(nesting):
        array = "[]" if choices.below(2) else ""
        broken = [SOUND | {"name": f"Level{level}", "type": f"{array}Level{level}", "fields": broken}]
    fields = list(definition.get("fields", ()))
    at = choices.below(len(fields) + 1)
    return definition | {"fields": [*fields[:at], *broken, *fields[at:]]}


def _filled(tag: int, flexible: int, value: Any) -> Any:
    """Return a property with the next free tag, and the first flexible version or 0, in place of its placeholders."""
    if value in ("{tag}", "{next tag}"):
        return tag if value == "{tag}" else tag + 1
    if isinstance(value, str):
        return value.replace("{flexible}", str(flexible)).replace("{later}", str(flexible + 1))
    return value
