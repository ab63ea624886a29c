"""The traits of values."""

import pytest

from conformance.generate.traits import reported_traits, traits_of
from reference import TAGS, load_release, minimal, newest_release

RELEASE = load_release(newest_release())
SCHEMA = RELEASE.schema("CreateTopicsRequest", 7)


def of_configuration(value: object) -> frozenset[str]:
    topic = {"Name": "t", "NumPartitions": 1, "ReplicationFactor": 1, "Assignments": [], "Configs": []}
    topic["Configs"] = [{"Name": "n", "Value": value}]
    return traits_of(SCHEMA, {**minimal(SCHEMA), "Topics": [topic]})


LONG = "a length of 128 or more"


@pytest.mark.parametrize(
    ("value", "trait"),
    [
        (None, "a null"),
        ("", "an empty value"),
        ("a" * 128, LONG),
        ("é" * 64, LONG),
        ("a" * 0x8000, "a length of 32,768 or more"),
        ("é", "text that is not ASCII"),
    ],
)
def test_a_value_has_a_trait_alone_and_with_its_field(value: object, trait: str) -> None:
    in_field = f"{trait} in Topics[].Configs[].Value"
    assert {trait, in_field} <= of_configuration(value)


def test_a_length_of_127_is_no_long_one() -> None:
    assert LONG not in of_configuration("a" * 127)


def test_an_unknown_tag_is_a_trait() -> None:
    trait = "an unknown tagged field"
    assert trait in traits_of(SCHEMA, {**minimal(SCHEMA), TAGS: [(3, b"")]})


def test_a_tagged_field_is_a_trait_unless_it_is_at_its_default() -> None:
    schema = RELEASE.schema("FetchRequest", 12)
    plain = minimal(schema)
    trait = "a tagged field that is not at its default in ClusterId"
    assert (trait in traits_of(schema, plain), trait in traits_of(schema, {**plain, "ClusterId": "c"})) == (False, True)


def test_a_trait_of_any_field_is_reported_before_those_of_one() -> None:
    traits = frozenset(("a null", "a null in A", "an empty value in B"))
    assert reported_traits(traits) == ["a null"]


def test_traits_of_single_fields_are_reported_if_there_are_no_others() -> None:
    assert reported_traits(frozenset(("a null in A",))) == ["a null in A"]
