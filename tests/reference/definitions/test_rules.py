"""One broken definition for each rule of section 6, with the place in which it is broken."""

from __future__ import annotations

import json

import pytest

from conformance.generate.definitions.broken import (
    JUDGED,
    READ,
    RELEASES,
    TEXTS,
    Broken,
    BrokenText,
    Properties,
    field,
    message,
    struct,
    tagged,
    without,
)
from reference.definitions.errors import BrokenDefinition
from reference.definitions.field_rules import FIELD_RULES
from reference.definitions.message_rules import MESSAGE_RULES, STRUCT_RULES
from reference.definitions.parse import broken_rules, parse_definition


def name_of(case: Broken | BrokenText) -> str:
    """Number and rule, to tell cases by."""
    return f"{case[0]}-{case[1]}"


@pytest.mark.parametrize("case", READ + JUDGED, ids=name_of)
def test_broken_definition_names_rule_and_place(case: Broken) -> None:
    """Each broken definition is refused for its one problem, by the rule's id and number, in the right place."""
    number, rule, place, definition = case
    found = [error.problem for error in broken_rules(json.dumps(definition), "Sample.json")]
    assert [(each.number, each.rule, str(each.place)) for each in found] == [(number, f"definition.{rule}", place)]


@pytest.mark.parametrize("case", READ + JUDGED, ids=name_of)
def test_broken_definition_is_never_returned(case: Broken) -> None:
    """Reading a broken definition raises."""
    with pytest.raises(BrokenDefinition):
        parse_definition(json.dumps(case[3]), "Sample.json")


@pytest.mark.parametrize("case", TEXTS, ids=name_of)
def test_text_that_is_no_definition_names_the_rule(case: BrokenText) -> None:
    """What cannot be read as a definition is refused by the rule's id and number."""
    found = {(error.problem.number, error.problem.rule) for error in broken_rules(case.text, "Sample.json")}
    assert found == {(case.number, f"definition.{case.rule}")}


def test_every_rule_has_a_broken_definition() -> None:
    """No rule of the tables is without a case above."""
    rules = {each.id for each in MESSAGE_RULES} | {each.id for each in STRUCT_RULES} | {each.id for each in FIELD_RULES}
    assert rules == {f"definition.{rule}" for _, rule, _, _ in JUDGED}


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
def test_what_upstream_accepts_is_accepted(case: tuple[str, Properties]) -> None:
    """Where Apache Kafka has no rule, neither has this reader."""
    assert broken_rules(json.dumps(case[1]), "Sample.json") == []


ELSEWHERE = {
    "6.2": "no or blank versions count as none given, or as a missing property: 6.7 and 6.26",
    "6.18": "the name of a message is looked at when its file gets it: see test_importer",
    "6.23": "which name an error calls a struct by",
    "6.57": "the ranges of request and response, about which there are hints alone: see test_check",
    "6.58": "checks of the generator that nothing reaches",
}
"""The statements of section 6 that no definition here is about, and why."""


def test_every_statement_has_a_definition() -> None:
    """A broken one, or one that is sound although one might think otherwise."""
    broken = {case.number for case in (*READ, *JUDGED)} | {case.number for case in (*RELEASES, *TEXTS)}
    sound = {name.partition(" ")[0] for name, _ in SOUND}
    numbers = {f"6.{number}" for number in range(1, 60)} | {"6.52a"}
    assert numbers - broken - sound == set(ELSEWHERE)


def test_all_problems_are_found_together() -> None:
    """A definition with several problems shows each of them."""
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
def test_what_cannot_be_read_hides_nothing_else(case: tuple[str, Properties, list[str]]) -> None:
    """Problems that do not hang together are found together."""
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
def test_nothing_is_said_that_follows_from_what_cannot_be_read(case: tuple[str, Properties, str]) -> None:
    """The one problem is all there is, though more than one property of its object may have it."""
    found = broken_rules(json.dumps(case[1]), "Sample.json")
    assert {error.problem.number for error in found} - {"6.26"} == {case[2]}


def test_message_without_versions_is_held_to_no_rule_about_generated_code() -> None:
    """Nothing is generated from a message without versions, so a default in it may be wrong."""
    assert broken_rules(json.dumps(message(field(default="many"), validVersions="none")), "Sample.json") == []


def test_error_says_file_line_place_rule_and_what_to_do() -> None:
    """The text of an error is complete."""
    text = '{ "type": "data", "name": "Sample",\n  "validVersions": "0+", "flexibleVersions": "none" }'
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(text, "Sample.json")
    assert str(caught.value).splitlines() == [
        "Sample.json, line 2, column 20: the validVersions 0+ have no end",
        "  in:   validVersions",
        "  rule: definition.valid-versions-bounded (6.8)",
        "  try:  name the highest version, as 0-3",
    ]
