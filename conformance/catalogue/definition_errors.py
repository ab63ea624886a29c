"""Examples of the rules about definitions, as the reference judges them: errors, hints, and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.errors import BrokenDefinition
from reference.definitions.validate import broken_release_rules, hints, release_hints
from reference.evolution import Change, DefinitionSet, release_changes
from reference.protocols import loader_of

if TYPE_CHECKING:
    from conformance.catalogue.examples import Example
    from reference.definitions.model import Definition

FILE = "Sample.json"


def errors(example: Example) -> list[BrokenDefinition]:
    """Return every error in the example's definition or release; if there is none, the hints about it."""
    if example.release:
        return _release_errors(example)
    loader = loader_of(example.dialect)
    broken = loader.broken_rules(example.definition, FILE)
    return broken or [BrokenDefinition(FILE, hint) for hint in hints(loader.parse(example.definition, FILE))]


def _release_errors(example: Example) -> list[BrokenDefinition]:
    modules = {module: [_parsed(example, text) for text in texts] for module, texts in example.release.items()}
    definitions = [definition for parsed in modules.values() for definition in parsed]
    return list(broken_release_rules(modules)) or [
        BrokenDefinition(definition.name, hint) for definition, hint in release_hints(definitions)
    ]


def changes(example: Example) -> tuple[Change, ...]:
    """Return the changes from the example's old definition to its new one."""
    return release_changes(_set(example, example.old), _set(example, example.new))


def _set(example: Example, text: str) -> DefinitionSet:
    if not text:
        return DefinitionSet({})
    definition = _parsed(example, text)
    return DefinitionSet({definition.name: definition})


def _parsed(example: Example, text: str) -> Definition:
    return loader_of(example.dialect).parse(text, FILE)
