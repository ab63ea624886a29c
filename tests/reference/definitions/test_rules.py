import json

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.catalogue import catalogue
from conformance.generate.definitions.damaged import DAMAGES
from conformance.report.explain.explained_rules import errors
from reference.definitions.errors import BrokenDefinition
from reference.definitions.parse import broken_rules, parse_definition
from tests.helpers.definitions import Properties, field, message, struct, tagged, without

INNER = field(type="Inner", fields=[field(name="In")])

PLACES: list[tuple[str, str, Properties]] = [
    ("name-present", "commonStructs[0]", message(commonStructs=[without("name", struct(field()))])),
    ("name-present", "fields[0]", message(without("name", field()))),
    ("known-properties", "about (Sample)", message(about="what it is for")),
    ("known-properties", "commonStructs[0].about (Shared)", message(commonStructs=[struct(about="shared")])),
    ("versions-present", "commonStructs[0] (Shared)", message(commonStructs=[without("versions", struct())])),
    ("tags-contiguous", "fields[0] (Some)", message(field(type="[]Inner", fields=[tagged(name="In", tag=1)]))),
    ("inline-struct-once", "fields[1] (Again)", message(INNER, field(name="Again", type="Inner"))),
    (
        "struct-within-parent",
        "fields[0].fields[0] (Some)",
        message(field(name="Outer", type="Outer", versions="1+", fields=[INNER | {"versions": "0"}])),
    ),
    ("property-type", "fields[0]", message("field")),  # type: ignore[arg-type]  # that is what is wrong
    ("flexible-override-subset", "fields[0] (Some)", message(field(type="string", flexibleVersions="0+"))),
    ("tagged-within-flexible", "fields[0] (Some)", message(tagged(versions="0+", taggedVersions="0+"))),
]
"""Rules with several places to break them; one place of every rule is in its example (tests/definitions)."""


@pytest.mark.parametrize(("rule", "place", "definition"), PLACES)
def test_broken_definition_names_rule_and_place(rule: str, place: str, definition: Properties) -> None:
    problems = [error.problem for error in broken_rules(json.dumps(definition), "Sample.json")]
    assert [(problem.rule, str(problem.place)) for problem in problems] == [(f"definition.{rule}", place)]


def test_broken_definition_is_never_returned() -> None:
    with pytest.raises(BrokenDefinition):
        parse_definition(json.dumps(message(field(since="4.0"))), "Sample.json")


SOUND: list[tuple[str, Properties]] = [
    ("6.1 a sign before a version", message(field(versions="+1+"))),
    ("6.1 a number as versions", message(field(versions=1))),
    ("6.4 an inverted range is empty", message(field(versions="2-1"))),
    ("6.9 a message that has no versions", {"type": "request", "name": "Gone", "validVersions": "none"}),
    ("6.10 empty flexibleVersions", message(flexibleVersions="")),
    ("6.11 flexibleVersions above all valid ones", message(flexibleVersions="9+")),
    ("6.11 an open range written out", message(flexibleVersions="0-32767")),
    ("6.12 no listeners on a response", message(type="response", listeners=[])),
    ("6.14 deprecatedVersions outside validVersions", message(deprecatedVersions="7-9")),
    ("6.19 no fields", without("fields", message())),
    ("6.21 names that differ in the first letter's case", message(field(name="some"), field(name="Some"))),
    ("6.24 tags out of order", message(tagged(tag=1), tagged(name="Other", tag=0))),
    ("6.28 a blank after the brackets", message(field(type=" [] int32 "))),
    ("6.29 a capitalised primitive is a struct", message(field(type="Int32"))),
    ("6.31 nullableVersions outside versions", message(field(type="string", versions="2+", nullableVersions="0-1"))),
    ("6.32 the entity type of an array's elements", message(field(type="[]int32", entityType="brokerId"))),
    ("6.33 fields on an array of a primitive", message(field(type="[]int8", fields=[field(name="In")]))),
    ("6.34 a closed range as override", message(field(type="bytes", flexibleVersions="1-2"))),
    ("6.45 versions outside validVersions", message(field(versions="7+"))),
    ("6.45 no versions", message(field(versions="none"))),
    ("6.52 a common struct in another", message(commonStructs=[struct(field(type="Two")), struct(name="Two")])),
    ("6.52a a struct without fields", message(field(type="Empty"))),
    ("4.1.9 the default of records is never looked at", message(field(type="records", default="abc"))),
]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case[0])
def test_definition_accepted_upstream_is_accepted(case: tuple[str, Properties]) -> None:
    assert broken_rules(json.dumps(case[1]), "Sample.json") == []


ELSEWHERE = {
    "6.2": "no or blank versions count as none given, or as a missing property: 6.7 and 6.26",
    "6.18": "the name of a message is looked at when its file gets it: see test_importer",
    "6.23": "which name an error calls a struct by",
    "6.58": "checks of the generator that nothing reaches",
}
"""The statements of section 6 without a definition here, and why."""


def test_every_statement_has_a_definition() -> None:
    examples = [rule.example for rule in catalogue().values() if rule.id.startswith("definition.")]
    broken = {error.problem.number for example in examples for error in errors(example)}
    broken |= {damage.number for damage in DAMAGES}
    sound = {name.partition(" ")[0] for name, _ in SOUND}
    numbers = {f"6.{number}" for number in range(1, 60)} | {"6.52a"}
    assert numbers - broken - sound == set(ELSEWHERE)


def test_all_problems_are_found_together() -> None:
    found = broken_rules(json.dumps(message(field(mapKey=True), tagged(name="Other", tag=1))), "Sample.json")
    assert [error.problem.number for error in found] == ["6.17", "6.24"]


BESIDE: list[tuple[str, Properties, list[str]]] = [
    (
        "versions of a field, tags of another struct",
        message(field(versions="all"), field(name="Two", type="T", fields=[tagged(tag=1)])),
        ["6.1", "6.24"],
    ),
    (
        "versions of a field, and a duplicate tag",
        message(field(versions="all"), tagged(name="Two"), tagged(name="Three")),
        ["6.1", "6.22"],
    ),
    (
        "a tag that is no number, and the name of another field",
        message(tagged(tag="one"), field(name="two!")),
        ["8.3", "6.25"],
    ),
    ("an unknown property, and what is wrong with the same field", message(field(since=1, tag=0)), ["6.16", "6.38"]),
    ("an unknown property, and the message's own versions", message(about="", validVersions="0+"), ["6.16", "6.8"]),
    ("no validVersions, and names", without("validVersions", message(field(), field())), ["6.7", "6.20"]),
    ("no flexibleVersions, and defaults", without("flexibleVersions", message(field(default="x"))), ["6.10", "6.47"]),
    ("no type, and names", without("type", message(field(), field())), ["6.5", "6.20"]),
    (
        "versions of a struct, and a default in it",
        message(field(type="T", versions="all", fields=[field(name="In", default="x")])),
        ["6.1", "6.47"],
    ),
]


@pytest.mark.parametrize("case", BESIDE, ids=lambda case: case[0])
def test_unreadable_part_hides_no_other_problem(case: tuple[str, Properties, list[str]]) -> None:
    found = broken_rules(json.dumps(case[1]), "Sample.json")
    assert [error.problem.number for error in found] == case[2]


FOLLOWING: list[tuple[str, Properties, str]] = [
    ("a tag that is no number", message(tagged(tag="one")), "8.3"),
    ("a tag that is no number, before others", message(tagged(tag="x"), tagged(name="Two", tag=1)), "8.3"),
    ("tagged versions", message(tagged(taggedVersions="all")), "6.1"),
    ("no flexible versions", without("flexibleVersions", message(tagged())), "6.10"),
    ("flexible versions", message(tagged(), flexibleVersions="all"), "6.1"),
    ("no validVersions", without("validVersions", message(tagged())), "6.7"),
    ("no name of a common struct", message(field(type="A"), field(name="B", type="A"), commonStructs=[{}]), "6.5"),
    ("common structs", message(field(type="A"), field(name="B", type="A"), commonStructs=["A"]), "8.3"),
    ("versions of a struct", message(field(type="T", versions="x", fields=[field(type="U", name="In")])), "6.1"),
    ("a coordinator's apiKey", message(type="coordinator-value", apiKey="x"), "6.15"),
    ("a coordinator's versions", message(type="coordinator-key", apiKey=1, validVersions="x"), "6.1"),
]


@pytest.mark.parametrize("case", FOLLOWING, ids=lambda case: case[0])
def test_problems_caused_by_an_unreadable_value_are_not_reported(case: tuple[str, Properties, str]) -> None:
    found = broken_rules(json.dumps(case[1]), "Sample.json")
    assert {error.problem.number for error in found} - {"6.26"} == {case[2]}


def test_message_without_versions_is_held_to_no_rule_about_generated_code() -> None:
    assert broken_rules(json.dumps(message(field(default="many"), validVersions="none")), "Sample.json") == []


def test_error_has_file_line_place_rule_and_advice(snapshot: SnapshotAssertion) -> None:
    text = '{ "type": "data", "name": "Sample",\n  "validVersions": "0+", "flexibleVersions": "none" }'
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(text, "Sample.json")
    assert str(caught.value) == snapshot
