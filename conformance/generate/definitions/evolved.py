"""Pairs of sound definitions, a drawn one and what became of it by a change or two: `sample_evolved`.

Most changes are those of `evolutions`, sound or not for the peers of a released version; some are any change of a
property, and some pairs are of two dialects.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.changed import CHANGES
from conformance.generate.definitions.dialects import DIALECTS, KIP_625, in_dialect
from conformance.generate.definitions.evolutions import change, encode, fields_of
from conformance.generate.definitions.strategy import Features, Properties, make_definition
from reference.protocols import loader_of

if TYPE_CHECKING:
    from reference.definitions.model import Definition

FEATURES = Features(given_up=False, inflexible=False)
"""A message without versions has no bytes, and most changes are about tags."""

CROSSED_ONE_IN = 8
"""One pair in so many is of two dialects."""

MORE_ONE_IN = 4
"""One pair in so many has a second change."""

GENERAL_ONE_IN = 8
"""One change in so many is any change of a property, most of which break rules."""

NAME = "Sample.json"


class Evolved(NamedTuple):
    """A definition that changed."""

    old: Definition
    new: Definition


def sample_evolved(seed: str) -> Evolved:
    """Return the pair of definitions of `seed`, always the same; both are sound, and they are not equal."""
    attempts = (_evolved(SeededChoices(f"evolved/{seed}/{attempt}")) for attempt in count())
    return next(filter(None, attempts))


def _evolved(choices: Choices) -> Evolved | None:
    before = pick(choices, tuple(DIALECTS))
    after = pick(choices, tuple(DIALECTS)) if choices.below(CROSSED_ONE_IN) == 1 else before
    definition = make_definition(choices, FEATURES)
    if KIP_625 in (before, after):
        for field in fields_of(definition):
            encode(choices, field)
    old = _sound(before, definition)
    if old is None:
        return None
    new = _sound(after, _changed(choices, json.loads(json.dumps(definition))))
    return None if new is None or old == new else Evolved(old, new)


def _sound(dialect: str, definition: Properties) -> Definition | None:
    parsed, problems = loader_of(dialect).read(json.dumps(in_dialect(dialect, definition)), NAME)
    return None if problems else parsed


def _changed(choices: Choices, definition: Properties) -> Properties:
    if choices.below(GENERAL_ONE_IN) == 1:
        return pick(choices, CHANGES)(choices, definition)
    for _ in range(1 + (choices.below(MORE_ONE_IN) == 1)):
        change(choices, definition)
    return definition
