"""Definitions to be compared by tests of evolution."""

import json

from reference.definitions.model import RELEASED, Definition
from reference.evolution import Change, changes
from reference.protocols import loader_of
from tests.helpers.definitions import Properties

Short = tuple[str, str, str, str]
"""Effect, rule without its family, versions and path of a change."""


def parsed(definition: Properties) -> Definition:
    return in_dialect(RELEASED, definition)


def in_dialect(dialect: str, definition: Properties) -> Definition:
    return loader_of(dialect).parse(json.dumps(definition), "Sample.json")


def short(found: tuple[Change, ...]) -> list[Short]:
    return [(each.effect.value, each.rule.removeprefix("evolution."), str(each.versions), each.path) for each in found]


def compared(old: Properties, new: Properties) -> list[Short]:
    return short(changes(parsed(old), parsed(new)))
