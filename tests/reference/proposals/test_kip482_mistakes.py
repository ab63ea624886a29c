import pytest

from reference.definitions.errors import BrokenDefinition
from reference.definitions.parse import broken_rules
from reference.proposals import PROPOSALS
from tests.reference.proposals.kip482 import FIRST, SECOND, Json, broken, message, optional, positional

both = pytest.mark.parametrize("dialect", [FIRST, SECOND])


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
    place = ".".join(filter(None, ("optionalFields[0]", step)))
    assert broken(FIRST, message(FIRST, optional(FIRST, **properties))) == [(f"{FIRST}.{rule}", f"{place} (Some)")]


SECOND_ROWS: list[tuple[Json, str]] = [
    ({"tag": None}, "optional-tag"),
    ({"tag": None, "versions": "1+"}, "optional-tag"),
    ({"taggedVersions": "1+"}, "versions-with-tagged"),
    ({"versions": "0"}, "versions-needed"),
]


@pytest.mark.parametrize(("properties", "rule"), SECOND_ROWS, ids=str)
def test_second_draft_refuses_an_optional_field(properties: Json, rule: str) -> None:
    found = broken(SECOND, message(SECOND, optional(SECOND, **properties)))
    assert found == [(f"{SECOND}.{rule}", "optionalFields[0] (Some)")]


@pytest.mark.parametrize("tag", [0, -1, 2**31, 2**63, "0x0001", "one"])
def test_second_draft_refuses_a_tag_of_another_form_than_31_bits(tag: object) -> None:
    [found] = PROPOSALS[SECOND].loader.broken_rules(message(SECOND, optional(SECOND, tag=tag)), "Sample.json")
    assert (found.problem.rule, str(found.problem.place)) == (f"{SECOND}.tag-range", "optionalFields[0].tag (Some)")
    assert "between 1 and 2147483647" in found.problem.what


def test_second_draft_refuses_tagged_versions_outside_versions() -> None:
    found = broken(SECOND, message(SECOND, optional(SECOND, versions="3+", taggedVersions="2+")))
    assert found == [("definition.tagged-within-versions", "optionalFields[0] (Some)")]


def test_second_draft_refuses_inflexible_tagged_versions() -> None:
    found = broken(SECOND, message(SECOND, optional(SECOND, versions="0+", taggedVersions="0+")))
    assert found == [("definition.tagged-within-flexible", "optionalFields[0] (Some)")]


def test_missing_range_of_versions_is_refused() -> None:
    """Only the first draft demands it."""
    assert broken(FIRST, message(FIRST, flexible=None)) == [(f"{FIRST}.versions-present", "(Sample)")]


@both
@pytest.mark.parametrize("type_name", ["[]int8", "[]string"])
def test_array_of_primitives_has_no_optional_fields(dialect: str, type_name: str) -> None:
    text = message(dialect, fields=[positional(type=type_name, optionalFields=[optional(dialect)])])
    assert broken(dialect, text) == [("definition.inner-fields", "fields[0] (Other)")]


@both
def test_optional_field_needs_a_version(dialect: str) -> None:
    found = broken(dialect, message(dialect, optional(dialect), flexible="none"))
    assert found == [(f"{dialect}.versions-needed", "optionalFields[0] (Some)")]


@both
def test_tags_of_one_struct_differ(dialect: str) -> None:
    found = broken(dialect, message(dialect, optional(dialect), optional(dialect, name="B")))
    assert found == [("definition.tags-unique", "optionalFields[1] (B)")]


@both
def test_names_of_one_struct_differ_over_both_lists(dialect: str) -> None:
    found = broken(dialect, message(dialect, optional(dialect), fields=[positional(name="Some")]))
    assert found == [("definition.field-names-unique", "fields[0] (Some)")]


@pytest.mark.parametrize(
    ("name", "value"),
    [("tag", 1), ("tag", "0x0001"), ("taggedVersions", "1+"), ("flexibleVersions", "1+"), ("nullable", True)],
)
def test_first_draft_has_tags_in_optional_fields_alone(name: str, value: object) -> None:
    """A field in `fields` has neither a tag nor any other property of tagged fields."""
    found = broken(FIRST, message(FIRST, fields=[positional(**{name: value})]))
    assert found == [("definition.known-properties", f"fields[0].{name} (Other)")]


@pytest.mark.parametrize("name", ["flexibleVersions", "optionalField"])
def test_first_draft_does_not_know_the_properties_of_its_successors(name: str) -> None:
    assert broken(FIRST, message(FIRST, **{name: "1+"})) == [("definition.known-properties", f"{name} (Sample)")]


def test_second_draft_has_no_flexible_versions_of_a_single_field() -> None:
    found = broken(SECOND, message(SECOND, fields=[positional(type="string", flexibleVersions="none")]))
    assert found == [("definition.known-properties", "fields[0].flexibleVersions (Other)")]


def test_released_dialect_does_not_know_optional_fields() -> None:
    found = [str(each.problem.place) for each in broken_rules(message(SECOND, optional(SECOND)), "Sample.json")]
    assert found == ["optionalFields (Sample)"]


@both
def test_place_in_a_nested_list_is_reported(dialect: str) -> None:
    inner = [optional(dialect), optional(dialect, name="Twin")]
    text = message(
        dialect, fields=[positional(), positional(name="Deep", type="Deep", fields=[], optionalFields=inner)]
    )
    with pytest.raises(BrokenDefinition) as caught:
        PROPOSALS[dialect].loader.parse(text, "Sample.json")
    assert str(caught.value.problem.place) == "fields[1].optionalFields[1] (Twin)"
    assert caught.value.position is not None
    assert text.splitlines()[caught.value.position.line].strip().startswith('"name": "Twin"')


def test_every_mistake_is_reported_and_not_the_first_alone() -> None:
    text = message(FIRST, optional(FIRST, tag=1), optional(FIRST, name="B", tag="0x0000", versions="1+"))
    found = PROPOSALS[FIRST].loader.broken_rules(text, "Sample.json")
    rules = [each.problem.rule.removeprefix(f"{FIRST}.") for each in found]
    assert sorted(rules) == ["no-versions", "tag-range", "tag-text"]
    assert all(each.problem.advice for each in found)
