"""Definitions that are broken in one way: a sound one, and one damage to it, tied to the rule that it breaks.

    @given(damaged_definitions())
    def test_it_is_refused(damaged: Damaged) -> None: ...

A damage puts a broken field somewhere (in the message, in structs inside one another, in a common struct), or changes
the message itself, or its text. All around it is sound, so the damage's rule is the only one that is broken.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.generate.choices import Choices, DrawnChoices, SeededChoices, pick
from conformance.generate.definitions.damage import FIELD_DAMAGES, FieldDamage, Place, Spot, field
from conformance.generate.definitions.message_damage import MESSAGE_DAMAGES, TEXT_DAMAGES, MessageDamage, TextDamage
from conformance.generate.definitions.strategy import EVERY_FEATURE, make_definition

if TYPE_CHECKING:
    from collections.abc import Callable

Properties = dict[str, Any]

WITH_VERSIONS = replace(EVERY_FEATURE, given_up=False)
"""A message without versions is held to fewer rules (rules 6.9 and 15.9)."""

FLEXIBLE_KINDS = tuple(kind for kind in EVERY_FEATURE.kinds if kind != "coordinator-key")
INLINE, TWICE_INLINE, IN_COMMON = 1, 2, 3

Damage = FieldDamage | MessageDamage | TextDamage
DAMAGES: tuple[Damage, ...] = (*FIELD_DAMAGES, *MESSAGE_DAMAGES, *TEXT_DAMAGES)
"""Every way in which a definition is broken here."""


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
    """A Hypothesis strategy of definitions that break one rule."""
    choices = DrawnChoices(draw)
    return damaged(choices, pick(choices, DAMAGES))


def sample_damaged(number: int) -> Damaged:
    """The broken definition of that number, the same for ever; the damages take turns."""
    return damaged(SeededChoices(f"damaged/{number}"), DAMAGES[number % len(DAMAGES)])


def damaged(choices: Choices, damage: Damage) -> Damaged:
    """A definition with that damage."""
    if isinstance(damage, FieldDamage):
        return Damaged(damage, json.dumps(_with_broken_field(choices, damage)))
    if isinstance(damage, MessageDamage):
        definition = make_definition(choices, replace(WITH_VERSIONS, **damage.features))
        return Damaged(damage, json.dumps(damage.apply(definition)))
    return Damaged(damage, damage.apply(json.dumps(make_definition(choices, WITH_VERSIONS))))


def _with_broken_field(choices: Choices, damage: FieldDamage) -> Properties:
    features = WITH_VERSIONS
    if damage.flexible is not None:
        features = replace(features, flexible=damage.flexible, inflexible=False, kinds=FLEXIBLE_KINDS)
    definition = make_definition(choices, features)
    how = _where(choices, damage.place)
    flexible = definition["flexibleVersions"]
    lowest = 0 if flexible == "none" else int(flexible.removesuffix("+"))
    taken = 0 if how else sum("tag" in each for each in definition.get("fields", ()))
    broken = damage.make(Spot(taken, lowest))
    if how == IN_COMMON:
        struct = {"name": "DamagedStruct", "versions": "0+", "fields": broken}
        definition["commonStructs"] = [*definition.get("commonStructs", ()), struct]
        return definition
    for level in range(how):
        array = "[]" if choices.below(2) else ""
        broken = [field(name=f"Level{level}", type=f"{array}Level{level}", fields=broken)]
    fields = list(definition.get("fields", ()))
    at = choices.below(len(fields) + 1)
    return definition | {"fields": [*fields[:at], *broken, *fields[at:]]}


def _where(choices: Choices, place: Place) -> int:
    """How many structs there are around the broken field, or that it is in a common one."""
    wheres = {
        Place.ANYWHERE: (0, INLINE, TWICE_INLINE, IN_COMMON),
        Place.NOT_COMMON: (0, INLINE, TWICE_INLINE),
        Place.COMMON: (IN_COMMON,),
        Place.TOP: (0,),
        Place.INNER: (INLINE, TWICE_INLINE),
    }
    return pick(choices, wheres[place])
