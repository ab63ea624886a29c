"""Definitions that are broken in one way: a sound one, and one damage to it, tied to the rule that it breaks.

    @given(damaged_definitions())
    def test_it_is_refused(damaged: Damaged) -> None: ...

A damage puts a broken field somewhere (in the message, in structs inside one another, in a common struct), or changes
the message itself, or its text. Everything else is sound, so that no other rule is broken than that of the damage.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from string import Template
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.generate.choices import Choices, DrawnChoices, SeededChoices, pick
from conformance.generate.definitions.damage import DAMAGES, SOUND, Damage, Place, Spot
from conformance.generate.definitions.strategy import EVERY_FEATURE, make_definition

if TYPE_CHECKING:
    from collections.abc import Callable

Properties = dict[str, Any]

WITH_VERSIONS = replace(EVERY_FEATURE, given_up=False)
"""A message without versions is held to fewer rules (6.9)."""

FLEXIBLE_KINDS = tuple(kind for kind in EVERY_FEATURE.kinds if kind != "coordinator-key")
INLINE, TWICE_INLINE, IN_COMMON = 1, 2, 3


@dataclass(frozen=True)
class Damaged:
    """A definition that breaks one rule."""

    damage: Damage
    text: str
    """The definition, as the text of its file."""

    def __str__(self) -> str:
        return f"{self.damage.number} {self.damage.rule}, {self.damage.name}: {self.text}"


@st.composite
def damaged_definitions(draw: Callable[[Any], Any]) -> Damaged:
    """Return a Hypothesis strategy of definitions that break one rule."""
    choices = DrawnChoices(draw)
    return damaged(choices, pick(choices, DAMAGES))


def sample_damaged(number: int) -> Damaged:
    """Return the broken definition of that number, always the same; the damages take turns."""
    return damaged(SeededChoices(f"damaged/{number}"), DAMAGES[number % len(DAMAGES)])


def damaged(choices: Choices, damage: Damage) -> Damaged:
    """Return a definition with that damage."""
    if damage.fields:
        return Damaged(damage, json.dumps(_with_broken_field(choices, damage)))
    definition = make_definition(choices, replace(WITH_VERSIONS, **damage.features))
    text = json.dumps(_with_broken_message(definition, damage))
    if not damage.text:
        return Damaged(damage, text)
    parts = {"text": text, "open": text[:-1], "single": text.replace('"', "'")}
    return Damaged(damage, Template(damage.text).substitute(parts))


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
    nesting = _nesting(choices, damage.place)
    flexible = definition["flexibleVersions"]
    lowest = 0 if flexible == "none" else int(flexible.removesuffix("+"))
    taken = 0 if nesting else sum("tag" in field for field in definition.get("fields", ()))
    broken = damage.fields_at(Spot(taken, lowest))
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


def _nesting(choices: Choices, place: Place) -> int:
    """Return the number of structs around the broken field, or `IN_COMMON`."""
    wheres = {
        Place.ANYWHERE: (0, INLINE, TWICE_INLINE, IN_COMMON),
        Place.NOT_COMMON: (0, INLINE, TWICE_INLINE),
        Place.COMMON: (IN_COMMON,),
        Place.TOP: (0,),
        Place.INNER: (INLINE, TWICE_INLINE),
    }
    return pick(choices, wheres[place])
