"""Examples of the rules about definitions: the smallest broken one, and what its reader says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.explain.example import Example, Worked
from conformance.generate.broken_definitions import JUDGED, READ, RELEASES, TEXTS
from reference.definitions.parse import broken_rules, parse_definition
from reference.definitions.validate import broken_release_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.definitions.errors import BrokenDefinition

FAMILY = "definition."


def broken_definition(rule: str) -> Worked | None:
    """The smallest definition, or set of them, that breaks this rule, and the error."""
    name = rule.removeprefix(FAMILY)
    texts = [json.dumps(each.definition) for each in (*READ, *JUDGED) if each.rule == name]
    texts += [each.text for each in TEXTS if each.rule == name]
    if texts:
        text = min(texts, key=len)
        return _worked("Sample.json", text, broken_rules(text, "Sample.json"))
    for each in RELEASES:
        if each.rule == name:
            modules = {
                module: [parse_definition(json.dumps(each), module) for each in definitions]
                for module, definitions in each.modules.items()
            }
            text = "\n".join(json.dumps(each) for definitions in each.modules.values() for each in definitions)
            return _worked("definitions of one release", text, broken_release_rules(modules))
    return None


def _worked(title: str, text: str, errors: Iterable[BrokenDefinition]) -> Worked:
    said = [line for error in errors for line in str(error).splitlines()]
    return Worked(None, Example(title, (*text.splitlines(), *said)))
