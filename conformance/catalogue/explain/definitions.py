"""Examples of the rules about definitions: the smallest broken one, or one that changed, and what is said about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.catalogue.explain.example import Example, Worked
from conformance.generate.definitions.broken import HINTED, HINTED_RELEASE, JUDGED, READ, RELEASES, TEXTS
from conformance.generate.definitions.evolutions import EVOLUTIONS
from conformance.proposals.broken_definitions import BROKEN_PROPOSALS
from reference.definitions.errors import BrokenDefinition
from reference.definitions.hints import hints, release_hints
from reference.definitions.parse import broken_rules, parse_definition
from reference.definitions.validate import broken_release_rules
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Iterable

FAMILY = "definition."
EVOLUTION = "evolution."


def example_of_definitions(rule: str) -> Worked | None:
    """The smallest definition that breaks this rule, or the smallest change that it is about."""
    if rule.startswith(EVOLUTION):
        return changed_definition(rule)
    return broken_definition(rule) if rule.startswith(FAMILY) else broken_proposal(rule)


def changed_definition(rule: str) -> Worked | None:
    """The smallest definition that changes in the way of this rule, before and after, and what changed."""
    found = [each for each in EVOLUTIONS if EVOLUTION + each.rule == rule]
    if not found:
        return None
    smallest = min(found, key=lambda each: len(json.dumps([each.old, each.new])))
    texts = [f"{when}: {json.dumps(each)}" for when, each in (("old", smallest.old), ("new", smallest.new)) if each]
    said = [line for change in smallest.changes() if change.rule == rule for line in str(change).splitlines()]
    return Worked(None, Example("a definition that changed", (*texts, *said)))


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
    return _hinted(name)


def _hinted(name: str) -> Worked | None:
    """The definition that is hardly meant by this rule, though sound by all others, and the hint."""
    for each in HINTED:
        if each.rule == name:
            found = hints(parse_definition(json.dumps(each.definition), "Sample.json"))
            errors = (BrokenDefinition("Sample.json", hint) for hint in found)
            return _worked("Sample.json", json.dumps(each.definition), errors)
    if name != HINTED_RELEASE.rule:
        return None
    texts = [json.dumps(each) for definitions in HINTED_RELEASE.modules.values() for each in definitions]
    pairs = release_hints(parse_definition(text, "Sample.json") for text in texts)
    errors = (BrokenDefinition(definition.name, hint) for definition, hint in pairs)
    return _worked("definitions of one release", "\n".join(texts), errors)


def broken_proposal(rule: str) -> Worked | None:
    """The definition in the syntax of a proposal that breaks this rule, and the error."""
    for each in BROKEN_PROPOSALS:
        if f"{each.dialect}.{each.rule}" == rule:
            text = json.dumps(each.definition)
            return _worked("Sample.json", text, loader_of(each.dialect).broken_rules(text, "Sample.json"))
    return None


def _worked(title: str, text: str, errors: Iterable[BrokenDefinition]) -> Worked:
    said = [line for error in errors for line in str(error).splitlines()]
    return Worked(None, Example(title, (*text.splitlines(), *said)))
