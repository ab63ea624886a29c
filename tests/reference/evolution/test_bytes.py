import json
from functools import cache
from typing import Any

import pytest

from conformance.generate.definitions.drawn_definitions import sample_definition
from conformance.generate.drawn_values import sample
from reference import CodecError, decode, decode_leniently, encode, load_release
from reference.definitions.model import Definition
from reference.definitions.parse import parse_definition
from reference.definitions.validate import RuleBook
from reference.evolution import Change, Effect, changes
from reference.resolution import resolve
from reference.schema import MessageSchema
from tests.reference.evolution.mutations import MUTATIONS, Mutation, count, rewritten

OLD, NEW = load_release("3.9.1"), load_release("4.3.0")
SEEDS = 40
ALLOWED = (Effect.COMPATIBLE, Effect.REVIEW, Effect.DROPPED)


@cache
def drawn() -> tuple[Definition, ...]:
    texts = (json.dumps(sample_definition(f"evolution {number}")) for number in range(SEEDS))
    return tuple(parse_definition(text, "Sample.json") for text in texts)


def without_unknown_tags(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_unknown_tags(each) for name, each in value.items() if name != "_tags"}
    return [without_unknown_tags(each) for each in value] if isinstance(value, list) else value


def agree(old: MessageSchema, new: MessageSchema, seed: str) -> bool:
    """Return whether a program of the new definition reads and forwards the bytes of one of the old definition."""
    wire = encode(old, without_unknown_tags(sample(old, seed)))
    try:
        passed_on = encode(new, decode(new, wire).value)
        value, consumed = decode_leniently(old, passed_on)
    except CodecError:
        return False
    return consumed == len(passed_on) and encode(old, without_unknown_tags(value)) == wire


def clear(found: tuple[Change, ...], version: int) -> bool:
    return all(each.effect in ALLOWED for each in found if version in each.versions)


def differing(old: Definition, new: Definition, found: tuple[Change, ...]) -> list[str]:
    """Return the versions with different bytes but no incompatible change.

    Bytes left open by the old definition itself, such as many elements of no bytes, are skipped.
    """
    return [
        str(before)
        for version in old.valid_versions
        if version in new.valid_versions and clear(found, version)
        for before, after in [(resolve(old, version), resolve(new, version))]
        if before != after  # equal schemas have equal bytes
        for seed in ("a", "b")
        if agree(before, before, seed) and not agree(before, after, seed)
    ]


def tried(definition: Definition, number: int, mutation: Mutation) -> bool:
    """Return whether a change of one field is possible, and check its effects on bytes."""
    changed = rewritten(definition, number, mutation.rewrite)
    if changed == definition or any(RuleBook().problems(changed)):
        return False
    assert differing(definition, changed, changes(definition, changed)) == []
    return True


def test_common_versions_of_two_releases_agree() -> None:
    """This holds for every version of 3.9.1 and 4.3.0 without an incompatible change."""
    common = [(OLD.definition(name), NEW.definition(name)) for name in sorted({*OLD.messages} & {*NEW.messages})]
    pairs = [(old, new) for old, new in common if old.kind == new.kind]
    assert [each for old, new in pairs for each in differing(old, new, changes(old, new))] == []


def test_definitions_have_not_changed_from_themselves() -> None:
    """This holds for definitions of releases and for drawn ones."""
    released = [release.definition(name) for release in (OLD, NEW) for name in release.messages]
    assert [change for each in (*released, *drawn()) for change in changes(each, each)] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_change_of_bytes_is_found(mutation: Mutation) -> None:
    assert (
        sum(tried(definition, number, mutation) for definition in drawn() for number in range(count(definition))) > 10
    )


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_change_of_released_bytes_is_found(mutation: Mutation) -> None:
    some = [NEW.definition(name) for name in NEW.messages[:: len(NEW.messages) // SEEDS]]
    places = [(definition, number) for definition in some for number in range(0, count(definition), 4)]
    assert any(tried(definition, number, mutation) for definition, number in places)


def test_another_name_is_never_incompatible() -> None:
    rename = next(each.rewrite for each in MUTATIONS if each.name == "another name")
    for definition in drawn():
        for number in range(count(definition)):
            found = changes(definition, rewritten(definition, number, rename))
            assert {each.effect for each in found} <= {Effect.COMPATIBLE, Effect.REVIEW}
