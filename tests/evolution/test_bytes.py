"""What is not called incompatible keeps its bytes: shown by writing and reading them."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from conformance.generate.definition_strategy import sample_definition
from conformance.generate.values import sample
from reference import CodecError, decode, decode_leniently, encode, load_release
from reference.definitions.parse import parse_definition
from reference.definitions.validate import problems
from reference.evolution import Change, Effect, changes
from reference.schema import MessageSchema, resolve
from tests.evolution.mutations import MUTATIONS, Mutation, count, rewritten

if TYPE_CHECKING:
    from reference.definitions.model import Definition

OLD, NEW = load_release("3.9.1"), load_release("4.3.0")
COMMON = sorted(set(OLD.messages) & set(NEW.messages))
SEEDS = 40
ALLOWED = (Effect.COMPATIBLE, Effect.DROPPED)


@cache
def drawn() -> tuple[Definition, ...]:
    """Definitions with features in all combinations."""
    texts = (json.dumps(sample_definition(f"evolution {number}")) for number in range(SEEDS))
    return tuple(parse_definition(text, "Sample.json") for text in texts)


def without_unknown_tags(value: Any) -> Any:
    """The value as somebody writes it who knows the old definition and nothing else."""
    if isinstance(value, dict):
        return {name: without_unknown_tags(each) for name, each in value.items() if name != "_tags"}
    return [without_unknown_tags(each) for each in value] if isinstance(value, list) else value


def agree(old: MessageSchema, new: MessageSchema, seed: str) -> bool:
    """Whether one who knows the new definition reads what one wrote who knows the old, and passes it on unharmed."""
    wire = encode(old, without_unknown_tags(sample(old, seed)))
    try:
        passed_on = encode(new, decode(new, wire).value)
        value, consumed = decode_leniently(old, passed_on)
    except CodecError:
        return False
    return consumed == len(passed_on) and encode(old, without_unknown_tags(value)) == wire


def clear(found: tuple[Change, ...], version: int) -> bool:
    """Whether nothing in that version is incompatible."""
    return all(each.effect in ALLOWED for each in found if version in each.versions)


def differing(old: Definition, new: Definition, found: tuple[Change, ...]) -> list[str]:
    """The versions whose bytes differ although nothing is said against them.

    What a reader is free to refuse in the old definition itself, as many elements of no bytes, is passed over.
    """
    return [
        str(before)
        for version in old.valid_versions
        if version in new.valid_versions and clear(found, version)
        for before, after in [(resolve(old, version), resolve(new, version))]
        for seed in ("a", "b")
        if agree(before, before, seed) and not agree(before, after, seed)
    ]


@pytest.mark.parametrize("message", COMMON)
def test_versions_that_two_releases_have_in_common_agree(message: str) -> None:
    """Wherever nothing is incompatible between 3.9.1 and 4.3.0."""
    old, new = OLD.definition(message), NEW.definition(message)
    if new.kind == old.kind:
        assert differing(old, new, changes(old, new)) == []


@pytest.mark.parametrize("number", range(SEEDS))
def test_definition_has_not_changed_from_itself(number: int) -> None:
    """Whatever it has in it."""
    assert changes(drawn()[number], drawn()[number]) == ()


def test_released_definitions_have_not_changed_from_themselves() -> None:
    """None of them, in either release."""
    for release in (OLD, NEW):
        assert [each for name in release.messages for each in changes(*(release.definition(name),) * 2)] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_no_change_that_breaks_bytes_is_missed(mutation: Mutation) -> None:
    """In any field of any of the drawn definitions."""
    tried = 0
    for definition in drawn():
        for number in range(count(definition)):
            changed = rewritten(definition, number, mutation.rewrite)
            if changed == definition or any(problems(changed)):
                continue
            tried += 1
            assert differing(definition, changed, changes(definition, changed)) == []
    assert tried > 10
