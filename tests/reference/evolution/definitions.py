"""What tests of evolution compare."""

import json

from reference.definitions.model import RELEASED, Definition
from reference.evolution import Change, changes
from reference.protocols import loader_of
from tests.helpers.definitions import Properties

Short = tuple[str, str, str, str]
"""Effect, rule without its family, versions and path of a change."""


def parsed(definition: Properties) -> Definition:
    """The model of a definition."""
    return in_dialect(RELEASED, definition)


def in_dialect(dialect: str, definition: Properties) -> Definition:
    """The model of a definition of that protocol."""
    return loader_of(dialect).parse(json.dumps(definition), "Sample.json")


def short(found: tuple[Change, ...]) -> list[Short]:
    """What tells changes apart, in few words."""
    return [(each.effect.value, each.rule.removeprefix("evolution."), str(each.versions), each.path) for each in found]


def compared(old: Properties, new: Properties) -> list[Short]:
    """What changed from one definition to the other."""
    return short(changes(parsed(old), parsed(new)))
