import json
from importlib.resources import files

import pytest

from conformance.generate.drawn_values import sample
from reference import MessageSchema, encode, load_release
from reference.definitions.canonical import canonical_json
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import KINDS
from reference.definitions.parse import parse_definition
from reference.evolution import changes
from reference.proposals.kip625 import KIP_625
from reference.resolution import resolve
from tests.helpers.releases import BASE
from tests.reference.proposals.kip625 import defined, found, mistakes, text_of


def encodings(encoding: str, type_name: str = "int64", versions: str = '"versions": "0+"') -> list[str | None]:
    """Return the encodings of a field in the versions 0 to 3."""
    field = f'{{ "name": "Some", "type": "{type_name}", {versions}, "encoding": {encoding} }}'
    return [encoding_of(defined(field, version, "0+")) for version in range(4)]


def encoding_of(schema: MessageSchema) -> str | None:
    """Return the encoding of the only field, or None if it is absent."""
    return schema.fields[0].encoding if schema.fields else None


def test_one_name_is_for_all_versions_of_the_field() -> None:
    assert encodings('"packed32"') == ["packed32"] * 4
    assert encodings('"packed32"', versions='"versions": "1-2"') == [None, "packed32", "packed32", None]


@pytest.mark.parametrize("ranges", ['"0-1": "fixed16", "2+": "packed64"', '"2+": "packed64", "0-1": "fixed16"'])
def test_an_object_has_a_name_for_each_range(ranges: str) -> None:
    assert encodings(f"{{ {ranges} }}") == ["fixed16", "fixed16", "packed64", "packed64"]


def test_a_field_may_change_its_encoding_with_every_version() -> None:
    ranges = '{ "0": "packed64", "1": "fixed16", "2": "upacked32", "3+": "fixed64" }'
    assert encodings(ranges) == ["packed64", "fixed16", "upacked32", "fixed64"]


SAME = ['"0-9": "fixed16", "10-32767": "fixed16"', '"0-32767": "fixed16"', '" 0+ ": "fixed16"']


@pytest.mark.parametrize("ranges", SAME)
def test_ranges_are_compared_as_sets_of_versions(ranges: str) -> None:
    """There are 32,768 versions."""
    assert encodings(f"{{ {ranges} }}") == ["fixed16"] * 4


def test_the_versions_of_a_field_may_be_its_tagged_ones() -> None:
    tagged = '"taggedVersions": "2+", "tag": 0'
    assert encodings('{ "2": "fixed16", "3+": "packed16" }', versions=tagged) == [None, None, "fixed16", "packed16"]


def test_null_is_no_encoding() -> None:
    assert encodings("null") == [None] * 4


def test_of_a_repeated_property_the_last_wins() -> None:
    """The same holds for every other property (rule 8.4)."""
    assert encodings('"fixed16", "encoding": "packed16"') == ["packed16"] * 4


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_message_can_have_encodings(kind: str) -> None:
    text = text_of('{ "name": "Some", "type": "int32", "versions": "0+", "encoding": "packed32" }')
    numbered = text.replace('"type": "data"', f'"type": "{kind}"' + (', "apiKey": 1' if kind in NUMBERED else ""))
    if kind.startswith("coordinator"):
        numbered = numbered.replace('"0-9"', '"0"')
    assert encoding_of(resolve(KIP_625.loader.parse(numbered, "Some.json"), 0)) == "packed32"


NUMBERED = ("request", "response", "metadata", "coordinator-key", "coordinator-value")


def test_a_default_is_held_against_the_type_alone() -> None:
    typed = '"type": "int32", "versions": "0+", "default": "{}"'
    assert mistakes('"packed16"', typed.format("70000")) == []
    assert [rule for rule, *_ in found(mistakes('"packed16"', typed.format(2**31)))] == ["definition.default"]


def test_an_entity_type_is_held_against_the_type_alone() -> None:
    """A field grown to int64 can no longer be a brokerId."""
    broker = '"type": "{}", "versions": "0+", "entityType": "brokerId"'
    assert mistakes('"fixed16"', broker.format("int32")) == []
    assert [rule for rule, *_ in found(mistakes('"fixed32"', broker.format("int64")))] == ["definition.entity-type"]


def test_the_released_dialect_has_no_such_property() -> None:
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(text_of('{ "name": "Some", "type": "int16", "versions": "0+", "encoding": "fixed16" }'), "A")
    assert caught.value.problem.rule == "definition.known-properties"


@pytest.mark.parametrize("type_name", ["varint32", "packed32", "fixed32"])
def test_an_encoding_is_no_type(type_name: str) -> None:
    errors = KIP_625.loader.broken_rules(text_of(f'{{ "name": "Some", "type": "{type_name}", "versions": "0+" }}'), "A")
    assert [each.problem.rule for each in errors] == ["definition.type"]


def test_the_text_of_the_document_is_no_json() -> None:
    """It has a stray "2+" in the object."""
    [error] = mistakes('{ "0-1": "fixed32", "2+", "2+": "fixed64" }', '"type": "int64", "versions": "0+"')
    assert error.problem.rule == "definition.json"
    assert str(error.position).startswith("line 4")


@pytest.mark.parametrize("message", load_release("kip-625").messages)
def test_the_canonical_form_keeps_the_encodings(message: str) -> None:
    definition = load_release("kip-625").definition(message)
    assert KIP_625.loader.parse(canonical_json(definition), f"{message}.json") == definition


def test_every_committed_definition_is_listed() -> None:
    folder = files("specs") / "proposals" / "kip-625"
    manifest = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    committed = {each.name.removesuffix(".json") for each in folder.iterdir() if each.name.endswith(".json")}
    assert committed == {"release", *manifest["messages"]}


@pytest.mark.parametrize("message", ["MetadataResponse", "ApiVersionsResponse", "FetchRequest"])
def test_a_released_definition_means_the_same(message: str) -> None:
    released = load_release(BASE).definition(message)
    proposed = KIP_625.loader.parse(canonical_json(released), f"{message}.json")
    for version in released.valid_versions:
        value = sample(resolve(released, version), "some")
        assert encode(resolve(proposed, version), value) == encode(resolve(released, version), value)


def test_two_fields_cannot_share_a_name_even_in_disjoint_versions() -> None:
    fields = """{ "name": "Some", "type": "int32", "versions": "0-1" },
                { "name": "Some", "type": "int64", "versions": "2+" }"""
    [error] = KIP_625.loader.broken_rules(text_of(fields), "Some.json")
    assert error.problem.rule == "definition.field-names-unique"


LEADER_ID = load_release("kip-625").definition("LeaderIdData")
CHANGES = [
    ("another encoding in a released version", ("fixed32", "packed32"), "10", [("incompatible", "10")]),
    ("the same encodings and one more version", ("fixed32", "upacked32"), "11", []),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[0])
def test_an_encoding_stays_in_released_versions(change: tuple[str, tuple[str, str], str, list[object]]) -> None:
    _, names, last, expected = change
    ranges = json.dumps({"0-9": names[0], "10+": names[1]})
    text = text_of(f'{{ "name": "LeaderId", "type": "int32", "versions": "0+", "encoding": {ranges} }}')
    renamed = text.replace('"Sample"', '"LeaderIdData"').replace('"0-9",', f'"0-{last}",', 1)
    found = changes(LEADER_ID, KIP_625.loader.parse(renamed, "LeaderIdData.json"))
    assert [(each.effect.value, str(each.versions)) for each in found if each.rule == "evolution.encoding"] == expected
