import json
from typing import Any

import pytest

from reference import TAGS, decode, encode
from reference.definitions.model import Definition
from reference.definitions.parse import parse_definition
from reference.evolution import Effect, changes
from reference.proposals import PROPOSALS
from reference.resolution import resolve
from tests.reference.proposals.kip482 import FIRST, SECOND, Json, message, optional, positional

both = pytest.mark.parametrize("dialect", [FIRST, SECOND])
MORE = {FIRST: "0x0002", SECOND: 2}


def parsed(dialect: str, *optionals: Json, **properties: Any) -> Definition:
    return PROPOSALS[dialect].loader.parse(message(dialect, *optionals, **properties), "Sample.json")


def found(old: Definition, new: Definition) -> set[tuple[Effect, str]]:
    return {(each.effect, each.rule.removeprefix("evolution.")) for each in changes(old, new)}


@both
def test_optional_field_is_added(dialect: str) -> None:
    old = parsed(dialect, optional(dialect))
    new = parsed(dialect, optional(dialect), optional(dialect, name="New", tag=MORE[dialect], default="none"))
    assert found(old, new) == {(Effect.COMPATIBLE, "tag-added")}
    wire = encode(resolve(new, 1), {"Some": "a", "New": "b"})
    [(tag, _)] = decode(resolve(old, 1), wire).value[TAGS]
    assert tag == 2
    wire = encode(resolve(old, 1), {"Some": "a"})
    assert decode(resolve(new, 1), wire).value == {"Some": "a", "New": "none"}


@both
def test_optional_field_is_taken_out(dialect: str) -> None:
    assert found(parsed(dialect, optional(dialect)), parsed(dialect)) == {(Effect.COMPATIBLE, "tag-dropped")}


@both
def test_tag_is_used_again_for_something_else(dialect: str) -> None:
    other = optional(dialect, name="Other", type="int64")
    assert (Effect.INCOMPATIBLE, "tag-reused") in found(parsed(dialect, optional(dialect)), parsed(dialect, other))


@both
def test_tag_gets_another_name(dialect: str) -> None:
    """The new name may have another meaning."""
    old, new = (parsed(dialect, optional(dialect, name=name)) for name in ("TraceId", "ForwardedBy"))
    assert found(old, new) == {(Effect.REVIEW, "tag-renamed")}


@both
def test_type_of_an_optional_field_changes(dialect: str) -> None:
    other = optional(dialect, type="int64")
    assert found(parsed(dialect, optional(dialect)), parsed(dialect, other)) == {(Effect.INCOMPATIBLE, "type")}


@pytest.mark.parametrize(
    ("dialect", "nullable"), [(FIRST, {"nullable": True, "default": ""}), (SECOND, {"nullableVersions": "1+"})]
)
def test_nullability_of_an_optional_field_changes(dialect: str, nullable: Json) -> None:
    before, after = parsed(dialect, optional(dialect)), parsed(dialect, optional(dialect, **nullable))
    assert found(before, after) == {(Effect.INCOMPATIBLE, "nullability")}
    assert found(after, before) == {(Effect.INCOMPATIBLE, "nullability")}


@both
def test_released_version_gets_no_optional_fields(dialect: str) -> None:
    """They need a new version, as version 1 has no section."""
    before, after = (parsed(dialect, flexible=flexible, fields=[positional()]) for flexible in ("2+", "1+"))
    assert (Effect.INCOMPATIBLE, "flexible") in found(before, after)
    assert encode(resolve(before, 1), {"Other": 7}) != encode(resolve(after, 1), {"Other": 7})


@both
def test_draft_changes_no_version_without_sections(dialect: str) -> None:
    """A dialect differs only where bytes do."""
    properties = {"type": "data", "name": "Sample", "validVersions": "0-9", "fields": [positional()]}
    released = parse_definition(json.dumps({**properties, "flexibleVersions": "9+"}), "Sample.json")
    proposed = parsed(dialect, optional(dialect, default="none"), flexible="9+", fields=[positional()])
    kinds = [each for each in changes(released, proposed) if each.effect is not Effect.COMPATIBLE]
    assert [(each.rule, str(each.versions)) for each in kinds] == [("evolution.kind", "9")]


def test_tag_may_go_from_one_version_and_stay_in_another() -> None:
    """Readers of the drafts skip it, while those of the released protocol refuse a tag of other versions."""
    versions = ("1+", "2+")
    old, new = (parsed(SECOND, optional(SECOND, versions=each, taggedVersions=each)) for each in versions)
    assert found(old, new) == {(Effect.COMPATIBLE, "tag-dropped")}
    assert found(new, old) == {(Effect.COMPATIBLE, "tag-added")}


@both
def test_versions_before_the_first_with_optional_fields_keep_their_bytes(dialect: str) -> None:
    before = PROPOSALS[dialect].loader.parse(message(dialect, flexible="none", fields=[positional()]), "Sample.json")
    after = parsed(dialect, optional(dialect), flexible="9+", fields=[positional()])
    for version in range(9):
        assert encode(resolve(before, version), {"Other": 7}) == encode(resolve(after, version), {"Other": 7})
