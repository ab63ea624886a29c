import json
from pathlib import Path

import pytest

from conformance.definitions.catalogue import Rule, catalogue
from conformance.definitions.checking import Checked, check
from conformance.definitions.sources import ImportFailedError
from reference import proposals, releases
from reference.definitions.errors import BrokenDefinition
from tests.definitions.conftest import MakeJar
from tests.helpers.definitions import Properties, field, message, tagged, without

PAIRED_VERSIONS = "definition.paired-versions"
SPECS = Path(__file__).parents[2] / "specs"
REQUEST = message(type="request", name="SampleRequest", apiKey=1)
RESPONSE = message(type="response", name="SampleResponse", apiKey=1)
RECORD = message(type="metadata", name="SampleRecord", apiKey=1)
Short = tuple[str, str, int]
"""The file's name, the number of the rule, and the line."""


def write(folder: Path, *definitions: Properties) -> None:
    """Put those definitions there, each in a file of its name, with a comment in its first line."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in definitions:
        text = json.dumps(each, indent=1)
        (folder / f"{each.get('name', 'Nameless')}.json").write_text(f"// What it is for.\n{text}\n")


def short(errors: tuple[BrokenDefinition, ...]) -> list[Short]:
    return [
        (Path(error.source).name, error.problem.number, error.position.line if error.position else 0)
        for error in errors
    ]


def found(path: Path) -> list[Short]:
    return short(check(path).problems)


PLACES = (*(f"releases/{name}" for name in releases()), *(f"proposals/{name}" for name in proposals()))


@pytest.mark.parametrize("place", PLACES)
def test_committed_definitions_have_neither_problems_nor_hints(place: str) -> None:
    assert check(SPECS / place) == Checked(len(list((SPECS / place).glob("*.json"))) - 1, (), ())


def test_problems_are_in_order_of_files_and_lines(tmp_path: Path) -> None:
    write(tmp_path, message(field(default="x"), tagged(name="Two", tag="x"), name="B"), message(about="", name="A"))
    assert found(tmp_path) == [("A.json", "6.16", 7), ("B.json", "6.47", 8), ("B.json", "8.3", 19)]


def test_file_is_named_as_one_finds_it(tmp_path: Path) -> None:
    write(tmp_path / "inner", message(about=""))
    assert check(tmp_path).problems[0].source == str(tmp_path / "inner" / "Sample.json")


def test_file_in_a_jar_is_named_after_the_jar(make_jar: MakeJar) -> None:
    jar = make_jar("kafka-one-1.0.0.jar", "Sample", kind="request")
    assert check(jar).problems[0].source == "kafka-one-1.0.0.jar:common/message/Sample.json"


@pytest.mark.parametrize(
    "rule",
    [rule for rule in catalogue().values() if rule.example.release and rule.id != PAIRED_VERSIONS],
    ids=lambda rule: rule.id,
)
def test_definitions_of_a_checkout_are_held_against_one_another(rule: Rule, tmp_path: Path) -> None:
    """They are compared module by module, and the error has the file and the line of the broken definition."""
    for module, texts in rule.example.release.items():
        write(tmp_path / module / "src" / "main" / "resources" / "common" / "message", *map(json.loads, texts))
    assert {error.problem.rule for error in check(tmp_path).problems} == {rule.id}
    assert all(line > 1 for _, _, line in found(tmp_path))


def test_folder_may_mix_records_of_several_modules(tmp_path: Path) -> None:
    write(tmp_path, RECORD, RECORD | {"name": "OtherRecord"}, REQUEST)
    assert found(tmp_path) == [("SampleRequest.json", "6.54", 7)]


def test_manifest_of_a_release_names_the_module_of_each_message(tmp_path: Path) -> None:
    messages = {name: {"source": "kafka-metadata"} for name in ("SampleRecord", "OtherRecord")}
    write(tmp_path, RECORD, RECORD | {"name": "OtherRecord"}, message(about=""))
    (tmp_path / "release.json").write_text(json.dumps({"release": "1.0.0", "messages": messages}))
    assert found(tmp_path) == [
        ("OtherRecord.json", "6.56", 7),
        ("Sample.json", "6.16", 7),
        ("SampleRecord.json", "6.56", 7),
    ]


@pytest.mark.parametrize(
    "lacking", [without("validVersions", RECORD), without("validVersions", RECORD) | {"valid": "0"}]
)
def test_file_in_the_manifest_is_a_definition_despite_missing_members(tmp_path: Path, lacking: Properties) -> None:
    write(
        tmp_path, {name: value for name, value in lacking.items() if name not in {"fields", "type"}}, REQUEST, RESPONSE
    )
    (tmp_path / "release.json").write_text(json.dumps({"release": "1.0.0", "messages": {"SampleRecord": {}}}))
    assert {name for name, _, _ in found(tmp_path)} == {"SampleRecord.json"}


@pytest.mark.parametrize("lacking", ["validVersions", "flexibleVersions", "type", "name"])
def test_definition_without_fields_is_known_by_its_other_members(tmp_path: Path, lacking: str) -> None:
    write(tmp_path, without(lacking, without("fields", RECORD)))
    assert len(found(tmp_path)) == 1


@pytest.mark.parametrize("listed", [True, False])
def test_metadata_record_of_a_folder_has_an_api_key(tmp_path: Path, *, listed: bool) -> None:
    if listed:
        (tmp_path / "release.json").write_text(json.dumps({"release": "1.0.0", "messages": {"SampleRecord": {}}}))
    write(tmp_path, without("apiKey", RECORD))
    assert found(tmp_path) == [("SampleRecord.json", "6.53", 2)]


def test_definition_alone_needs_no_partner(tmp_path: Path) -> None:
    write(tmp_path, REQUEST)
    assert found(tmp_path / "SampleRequest.json") == []


@pytest.mark.parametrize(
    "broken", [RESPONSE | {"apiKey": "x"}, without("name", RESPONSE), RESPONSE | {"type": "answer"}]
)
def test_no_partner_is_missed_beside_a_broken_definition(tmp_path: Path, broken: Properties) -> None:
    write(tmp_path, REQUEST, broken)
    assert len(found(tmp_path)) == 1


def test_text_other_than_utf_8_is_a_problem_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, message(about=""))
    (tmp_path / "Other.json").write_bytes(b'{ "validVersions": "\xff" }')
    assert found(tmp_path) == [("Other.json", "8.1", 0), ("Sample.json", "6.16", 7)]


def test_place_without_definitions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match=f"no definitions in {tmp_path}"):
        check(tmp_path)


@pytest.mark.parametrize("rule", ["definition.deprecated-versions", "definition.empty-struct"])
def test_departure_accepted_by_apache_kafka_is_a_hint(tmp_path: Path, rule: str) -> None:
    example = catalogue()[rule].example
    write(tmp_path, json.loads(example.definition))
    checked = check(tmp_path)
    assert checked.problems == ()
    assert [(hint.problem.rule, str(hint.problem.place)) for hint in checked.hints] == [(rule, example.place)]


def test_different_versions_of_a_request_and_its_response_are_a_hint(tmp_path: Path) -> None:
    for texts in catalogue()[PAIRED_VERSIONS].example.release.values():
        write(tmp_path, *map(json.loads, texts))
    checked = check(tmp_path)
    assert (checked.problems, short(checked.hints)) == ((), [("SampleResponse.json", "6.57", 6)])


def test_definition_with_a_problem_has_no_hints(tmp_path: Path) -> None:
    write(tmp_path, message(about="", deprecatedVersions="9"))
    assert check(tmp_path).hints == ()


TEXT = """\
// { "name": "not this one" }
{ "type": "data", "name": "Sample", "validVersions": "0-2", /* "fields": [ */ "flexibleVersions": "1+",
  "fields": [
    { "name": "One", "type": "int32", "versions": "0+" }
  ],
  "fields": [
    // { "name": "Two", "type": "int23" },
    { "name": "Two", "type": "int32", "versions": "0+",
      "versions": "all" },
    { "name": "Three",
      "type": "int32" }
  ] }
"""


def test_line_of_a_repeated_member_belongs_to_its_last_value(tmp_path: Path) -> None:
    (tmp_path / "Sample.json").write_text(TEXT)
    assert found(tmp_path) == [("Sample.json", "6.1", 9), ("Sample.json", "6.26", 10)]
