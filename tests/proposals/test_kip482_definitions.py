"""Definitions in both drafts of KIP-482: what may be written, and what is refused, by which rule, and where."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference import load_release
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import NO_VERSIONS, VersionRange
from reference.proposals import PROPOSALS
from reference.schema import FieldSchema, resolve

FIRST = "kip-482-first-draft"
SECOND = "kip-482-second-draft"
VERSIONS = {FIRST: "versionsWithOptional", SECOND: "flexibleVersions"}
TAG = {FIRST: "0x0001", SECOND: 1}
both = pytest.mark.parametrize("dialect", [FIRST, SECOND])

Json = dict[str, Any]


def optional(dialect: str, **properties: Any) -> Json:
    """An optional field: a string with the tag 1, unless said otherwise; None leaves a property out."""
    every = {"name": "Some", "type": "string", "tag": TAG[dialect], **properties}
    return {name: value for name, value in every.items() if value is not None}


def positional(**properties: Any) -> Json:
    """A field that is not optional: an int32 of all versions, unless said otherwise."""
    return {"name": "Other", "type": "int32", "versions": "0+", **properties}


def message(dialect: str, *optionals: Json, flexible: str | None = "1+", **properties: Any) -> str:
    """The text of a message with those optional fields; one property a line."""
    every = {
        "type": "data",
        "name": "Sample",
        "validVersions": "0-9",
        VERSIONS[dialect]: flexible,
        "optionalFields": list(optionals),
        "fields": [],
        **properties,
    }
    return json.dumps({name: value for name, value in every.items() if value is not None}, indent=1)


def broken(dialect: str, text: str) -> list[tuple[str, str]]:
    """Every rule that a definition breaks, and where."""
    found = PROPOSALS[dialect].loader.broken_rules(text, "Sample.json")
    return [(each.problem.rule, str(each.problem.place)) for each in found]


def fields_of(dialect: str, text: str, version: int) -> dict[str, FieldSchema]:
    """The fields of a definition at a version, by name."""
    schema = resolve(PROPOSALS[dialect].loader.parse(text, "Sample.json"), version)
    return {field.name: field for field in schema.fields}


@both
def test_documents_own_definition_loads(dialect: str) -> None:
    """The fields that it lists, each with its tag, in the one version that has optional fields."""
    schema = load_release(dialect).schema("FooResponse", 9)
    [agent, foos] = schema.fields
    assert foos.element is not None
    [bar, baz] = foos.element.fields
    tag = {FIRST: 1, SECOND: 10}[dialect]
    assert (agent.name, agent.tag, foos.tag) == ("UserAgent", tag, None)
    assert (bar.name, bar.tag, bar.default, baz.tag) == ("Bar", tag, "hello world", None)


@both
def test_optional_fields_are_in_no_version_outside_the_range(dialect: str) -> None:
    """They are fields of other versions there, and no struct has a section."""
    schema = load_release(dialect).schema("FooResponse", 8)
    assert not schema.flexible
    assert [field.name for field in schema.fields] == ["Foos"]
    assert [field.name for field in schema.absent_fields] == ["UserAgent"]


@both
def test_range_of_versions_may_come_to_an_end(dialect: str) -> None:
    """Like that of any other property of versions."""
    definition = load_release(dialect).definition("ClosedRangeData")
    assert definition.flexible_versions == VersionRange(1, 2)
    assert [load_release(dialect).schema("ClosedRangeData", each).flexible for each in range(4)] == [0, 1, 1, 0]


@both
def test_message_may_have_no_version_with_optional_fields(dialect: str) -> None:
    """If it says so."""
    definition = PROPOSALS[dialect].loader.parse(message(dialect, flexible="none"), "Sample.json")
    assert definition.flexible_versions == NO_VERSIONS


@both
def test_one_tag_serves_at_the_top_and_in_a_struct(dialect: str) -> None:
    """Each is unique in its own context."""
    inner = {"fields": [positional()], "optionalFields": [optional(dialect)]}
    text = message(dialect, optional(dialect, type="Inner", **inner))
    field = fields_of(dialect, text, 1)["Some"]
    assert (field.tag, field.fields[0].tag) == (1, 1)


@both
def test_common_struct_has_optional_fields(dialect: str) -> None:
    """As every structure does."""
    struct = {"name": "Node", "versions": "0+", "fields": [], "optionalFields": [optional(dialect)]}
    text = message(dialect, commonStructs=[struct], fields=[positional(type="Node")])
    assert fields_of(dialect, text, 1)["Other"].fields[0].tag == 1


def test_nullable_field_without_default_defaults_to_null() -> None:
    """In the first draft; with an empty default it is empty."""
    empty = optional(FIRST, name="B", tag="0x2", nullable=True, default="")
    fields = fields_of(FIRST, message(FIRST, optional(FIRST, nullable=True), empty), 1)
    assert (fields["Some"].default, fields["B"].default) == (None, "")


def test_field_that_is_not_nullable_has_the_default_of_its_type() -> None:
    """In the first draft, if it gives none."""
    assert fields_of(FIRST, message(FIRST, optional(FIRST)), 1)["Some"].default == ""


def test_nothing_is_compact_in_the_first_draft() -> None:
    """Neither optional fields nor others."""
    fields = fields_of(FIRST, message(FIRST, optional(FIRST), fields=[positional(type="string")]), 1)
    assert not fields["Some"].compact
    assert not fields["Other"].compact


def test_everything_is_compact_in_the_second_draft() -> None:
    """Without a word about it at any field."""
    fields = fields_of(SECOND, message(SECOND, optional(SECOND), fields=[positional(type="string")]), 1)
    assert fields["Some"].compact
    assert fields["Other"].compact


@pytest.mark.parametrize("tag", ["0x0001", "0x7fff", "0x7FFF", "0x80", "0x1"])
def test_tag_of_the_first_draft_is_a_hexadecimal_text(tag: str) -> None:
    """Of as many digits as it needs."""
    assert fields_of(FIRST, message(FIRST, optional(FIRST, tag=tag)), 1)["Some"].tag == int(tag, 16)


@pytest.mark.parametrize("tag", [1, 10, 2**31 - 1])
def test_tag_of_the_second_draft_is_a_number(tag: int) -> None:
    """And none need follow another."""
    assert fields_of(SECOND, message(SECOND, optional(SECOND, tag=tag)), 1)["Some"].tag == tag


def test_arrays_of_structs_are_optional_fields_in_the_second_draft() -> None:
    """What the first one refuses."""
    text = message(SECOND, optional(SECOND, type="[]Inner", fields=[positional()]))
    assert fields_of(SECOND, text, 1)["Some"].element is not None


@both
@pytest.mark.parametrize("type_name", ["[]int32", "[]string", "[]uuid", "Inner"])
def test_arrays_of_primitives_and_structs_are_optional_fields(dialect: str, type_name: str) -> None:
    """Of any element type but structs."""
    assert fields_of(dialect, message(dialect, optional(dialect, type=type_name)), 1)["Some"].tag == 1


def test_field_with_a_tag_alone_is_tagged_in_all_flexible_versions() -> None:
    """In the second draft: neither versions nor taggedVersions are needed."""
    text = message(SECOND, flexible="3+", fields=[{"name": "Some", "type": "int32", "tag": 7}])
    definition = PROPOSALS[SECOND].loader.parse(text, "Sample.json")
    [field] = definition.fields
    assert (str(field.versions), str(field.tagged_versions)) == ("3+", "3+")


def test_field_with_versions_and_a_tag_is_positional_before_the_flexible_versions() -> None:
    """In the second draft: it is tagged in those that are both."""
    text = message(SECOND, flexible="3+", fields=[positional(tag=7)])
    assert [fields_of(SECOND, text, version)["Other"].tag for version in (2, 3)] == [None, 7]


def test_tagged_versions_may_be_some_of_the_versions() -> None:
    """In the second draft: with versions beside them."""
    text = message(SECOND, optional(SECOND, versions="1+", taggedVersions="2-3"))
    assert [fields_of(SECOND, text, version)["Some"].tag for version in (1, 2, 3, 4)] == [None, 1, 1, None]


IN_BOTH: list[tuple[Json, str]] = [
    ({"name": None}, "definition.name-present"),
    ({"type": None}, "definition.type"),
    ({"unheard": 1}, "definition.known-properties"),
    ({"type": "int32", "default": "x"}, "definition.default"),
    ({"type": "records"}, "definition.records-not-tagged"),
    ({"type": "int32", "fields": [{"name": "A", "type": "int8", "versions": "0+"}]}, "definition.inner-fields"),
]


@both
@pytest.mark.parametrize(("properties", "rule"), IN_BOTH, ids=[rule for _, rule in IN_BOTH])
def test_optional_field_keeps_the_rules_of_all_fields(dialect: str, properties: Json, rule: str) -> None:
    """With the place in optionalFields, not in fields."""
    good = optional(dialect, name="Good", tag={FIRST: "0x0002", SECOND: 2}[dialect])
    found = broken(dialect, message(dialect, good, optional(dialect, **properties)))
    assert rule in {each for each, _ in found}
    assert all(place.startswith("optionalFields[1]") for _, place in found)


FIRST_ROWS: list[tuple[Json, str, str]] = [
    ({"tag": 1}, "tag-text", "tag"),
    ({"tag": "1"}, "tag-text", "tag"),
    ({"tag": "0x"}, "tag-text", "tag"),
    ({"tag": "-0x0001"}, "tag-text", "tag"),
    ({"tag": None}, "tag-text", ""),
    ({"tag": "0x0000"}, "tag-range", "tag"),
    ({"tag": "0x8000"}, "tag-range", "tag"),
    ({"versions": "1+"}, "no-versions", "versions"),
    ({"nullableVersions": "1+"}, "no-versions", "nullableVersions"),
    ({"taggedVersions": "1+"}, "no-versions", "taggedVersions"),
    ({"type": "[]Inner"}, "no-arrays-of-structs", "type"),
    ({"type": "int32", "nullable": True}, "nullable-type", "nullable"),
]


@pytest.mark.parametrize(("properties", "rule", "step"), FIRST_ROWS, ids=str)
def test_first_draft_refuses_an_optional_field(properties: Json, rule: str, step: str) -> None:
    """By a rule of its own, at the property that breaks it."""
    place = ".".join(filter(None, ("optionalFields[0]", step)))
    assert broken(FIRST, message(FIRST, optional(FIRST, **properties))) == [(f"{FIRST}.{rule}", f"{place} (Some)")]


SECOND_ROWS: list[tuple[Json, str]] = [
    ({"tag": None, "versions": "1+"}, "optional-tag"),
    ({"tag": 0}, "tag-range"),
    ({"tag": -1}, "tag-range"),
    ({"taggedVersions": "1+"}, "versions-with-tagged"),
    ({"versions": "0"}, "versions-needed"),
]


@pytest.mark.parametrize(("properties", "rule"), SECOND_ROWS, ids=str)
def test_second_draft_refuses_an_optional_field(properties: Json, rule: str) -> None:
    """By a rule of its own."""
    found = broken(SECOND, message(SECOND, optional(SECOND, **properties)))
    assert found == [(f"{SECOND}.{rule}", "optionalFields[0] (Some)")]


@pytest.mark.parametrize("tag", [2**31, "0x0001", "one"])
def test_second_draft_refuses_a_tag_that_is_no_number_of_31_bits(tag: object) -> None:
    """As the released protocol does."""
    found = broken(SECOND, message(SECOND, optional(SECOND, tag=tag)))
    assert found == [("definition.property-type", "optionalFields[0].tag (Some)")]


def test_second_draft_refuses_tagged_versions_outside_versions() -> None:
    """Those that are given must be a part of them."""
    found = broken(SECOND, message(SECOND, optional(SECOND, versions="3+", taggedVersions="2+")))
    assert found == [("definition.tagged-within-versions", "optionalFields[0] (Some)")]


def test_second_draft_refuses_tagged_versions_that_are_not_flexible() -> None:
    """There is no section in them."""
    found = broken(SECOND, message(SECOND, optional(SECOND, versions="0+", taggedVersions="0+")))
    assert found == [("definition.tagged-within-flexible", "optionalFields[0] (Some)")]


@pytest.mark.parametrize(
    ("dialect", "rule"), [(FIRST, f"{FIRST}.versions-present"), (SECOND, "definition.flexible-versions-present")]
)
def test_range_of_versions_must_be_there(dialect: str, rule: str) -> None:
    """None counts as no version, and has to be said."""
    assert broken(dialect, message(dialect, flexible=None)) == [(rule, "(Sample)")]


@both
def test_optional_field_needs_a_version(dialect: str) -> None:
    """Where no version has a section, none can be in one."""
    found = broken(dialect, message(dialect, optional(dialect), flexible="none"))
    assert found == [(f"{dialect}.versions-needed", "optionalFields[0] (Some)")]


@both
def test_tags_of_one_struct_differ(dialect: str) -> None:
    """The second field is the one that is wrong."""
    found = broken(dialect, message(dialect, optional(dialect), optional(dialect, name="B")))
    assert found == [("definition.tags-unique", "optionalFields[1] (B)")]


@both
def test_names_of_one_struct_differ_over_both_lists(dialect: str) -> None:
    """An optional field and another one of the same name."""
    found = broken(dialect, message(dialect, optional(dialect), fields=[positional(name="Some")]))
    assert found == [("definition.field-names-unique", "fields[0] (Some)")]


@pytest.mark.parametrize(
    ("name", "value"), [("tag", 1), ("taggedVersions", "1+"), ("flexibleVersions", "1+"), ("nullable", True)]
)
def test_first_draft_has_tags_in_optional_fields_alone(name: str, value: object) -> None:
    """A field in `fields` has neither a tag nor what belongs to it."""
    found = broken(FIRST, message(FIRST, fields=[positional(**{name: value})]))
    assert found == [("definition.known-properties", f"fields[0].{name} (Other)")]


@pytest.mark.parametrize("name", ["flexibleVersions", "optionalField"])
def test_first_draft_does_not_know_the_properties_of_its_successors(name: str) -> None:
    """A message says versionsWithOptional instead."""
    assert broken(FIRST, message(FIRST, **{name: "1+"})) == [("definition.known-properties", f"{name} (Sample)")]


def test_released_dialect_does_not_know_optional_fields() -> None:
    """Nor the first draft's versions."""
    from reference.definitions.parse import broken_rules  # noqa: PLC0415  # what everything else here is compared with

    found = [str(each.problem.place) for each in broken_rules(message(SECOND, optional(SECOND)), "Sample.json")]
    assert found == ["optionalFields (Sample)"]


@both
def test_place_in_a_nested_list_is_told(dialect: str) -> None:
    """The step through each list, whichever it is, and the line of the text."""
    inner = [optional(dialect), optional(dialect, name="Twin")]
    text = message(
        dialect, fields=[positional(), positional(name="Deep", type="Deep", fields=[], optionalFields=inner)]
    )
    with pytest.raises(BrokenDefinition) as caught:
        PROPOSALS[dialect].loader.parse(text, "Sample.json")
    assert str(caught.value.problem.place) == "fields[1].optionalFields[1] (Twin)"
    assert caught.value.position is not None
    assert text.splitlines()[caught.value.position.line].strip().startswith('"name": "Twin"')


def test_every_mistake_is_told_and_not_the_first_alone() -> None:
    """With what to do about each."""
    text = message(FIRST, optional(FIRST, tag=1), optional(FIRST, name="B", tag="0x0000", versions="1+"))
    found = PROPOSALS[FIRST].loader.broken_rules(text, "Sample.json")
    rules = [each.problem.rule.removeprefix(f"{FIRST}.") for each in found]
    assert sorted(rules) == ["no-versions", "tag-range", "tag-text"]
    assert all(each.problem.advice for each in found)
