import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from conformance.adapters.harnesses.kafka_generator import Complaint, KafkaGenerator
from conformance.campaign.proof.left_out import NAN_DEFAULT, NO_BYTES, left_out
from conformance.campaign.proof.proof import ProofResult
from conformance.campaign.proof.proven_definitions import (
    DEPARTURES,
    Agreement,
    ProvenDefinition,
    compare_definitions,
    compare_generated,
    generated_definitions,
    given_definitions,
    schemas_of,
)
from conformance.definitions.named import release_of
from conformance.generate.definitions.damaged import DAMAGES
from reference.definitions.parse import broken_rules
from reference.release import FURTHER
from tests.helpers.folders import changed
from tests.helpers.releases import BASE

pytestmark = pytest.mark.java


def definition(**properties: Any) -> str:
    sound = {"type": "data", "name": "Sample", "validVersions": "0-1", "flexibleVersions": "1+"}
    return json.dumps(sound | properties)


def refusal(generator: KafkaGenerator, text: str) -> Complaint | None:
    [complaint] = generator.refusals([text], compiled=True)
    return complaint


def test_a_known_departure_is_reported(generator: KafkaGenerator) -> None:
    agreement = Agreement()
    text = definition(name="sample")
    agreement.note(ProvenDefinition("changed", text), refusal(generator, text))
    assert [each.rule for each in agreement.departures] == ["6.18"]


def test_it_agrees_with_the_rules(generator: KafkaGenerator) -> None:
    """It agrees on sound definitions, on one with each damage, and on changed ones, and its late errors are known."""
    agreement = Agreement()
    assert sum(compare_definitions(generator, len(DAMAGES), agreement)) > 3 * len(DAMAGES)
    assert agreement.differences == []
    compiled = {each.rule for each in DEPARTURES if each.stage == "compiled"}
    assert compiled - {each.rule for each in agreement.departures} <= {"6.18"}


def test_a_difference_is_found(generator: KafkaGenerator) -> None:
    agreement = Agreement()
    sound, broken = definition(), definition(validVersions="0+")
    agreement.note(ProvenDefinition("sound", sound), refusal(generator, broken))
    agreement.note(ProvenDefinition("broken", broken), refusal(generator, sound))
    assert len(agreement.differences) == 2


def test_a_sound_definition_is_accepted(generator: KafkaGenerator) -> None:
    assert refusal(generator, definition()) is None


@pytest.mark.parametrize(
    ("stage", "properties"),
    [
        ("read", {"flexibleVersions": None}),
        ("generated", {"validVersions": "0+"}),
        ("compiled", {"fields": [{"name": "class", "type": "int8", "versions": "0+"}]}),
    ],
)
def test_refusal_names_its_stage(generator: KafkaGenerator, stage: str, properties: dict[str, Any]) -> None:
    complaint = refusal(generator, definition(**properties))
    assert complaint is not None
    assert complaint.stage == stage


def test_uncompilable_definition_does_not_keep_others_from_compiling(generator: KafkaGenerator) -> None:
    unparsable = definition(fields=[{"name": "Text", "type": "string", "versions": "0+", "default": '"'}])
    wrong = definition(fields=[{"name": "Blobs", "type": "[]bytes", "versions": "0+"}])
    complaints = generator.refusals([unparsable, definition(), wrong, definition()], compiled=True)
    assert [each and each.stage for each in complaints] == ["compiled", None, "compiled", None]


def test_a_message_without_versions_has_no_code(generator: KafkaGenerator) -> None:
    """It is accepted all the same (rules 6.9 and 15.9)."""
    assert refusal(generator, definition(validVersions="none")) is None


@pytest.mark.parametrize(("outer", "accepted"), [("Whole", True), ("Detail", False)])
def test_the_names_of_common_structs_matter(generator: KafkaGenerator, outer: str, *, accepted: bool) -> None:
    """A struct is made for the versions of its first outer struct, by the order of their names."""
    inner = {"name": "Part", "versions": "0+"}
    around = {"name": outer, "versions": "1+", "fields": [{"name": "Deep", "type": "Part", "versions": "0+"}]}
    fields = [{"name": "Some", "type": "Part", "versions": "0+"}]
    for common in ([inner, around], [around, inner]):
        text = definition(commonStructs=common, fields=fields)
        assert (refusal(generator, text) is None) is accepted
        assert (broken_rules(text, "Sample") == []) is accepted


def test_a_jar_has_the_classes_of_every_definition(generator: KafkaGenerator, tmp_path: Path) -> None:
    two = {"First": definition(name="First"), "SecondRequest": definition(name="SecondRequest", type="request")}
    generator.jar(two, tmp_path / "two.jar")
    with zipfile.ZipFile(tmp_path / "two.jar") as jar:
        names = {name.removeprefix("org/apache/kafka/common/message/") for name in jar.namelist()}
    assert names >= {"First.class", "SecondRequestData.class", "FirstJsonConverter.class"}


def test_jar_of_a_refused_definition_is_an_error(generator: KafkaGenerator, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="maximum version"):
        generator.jar({"Sample": definition(validVersions="0+")}, tmp_path / "none.jar")


def test_reference_writes_and_reads_as_the_generated_classes_do() -> None:
    comparison = ProofResult()
    definitions = generated_definitions(12)
    pairs = [str(schema) for schema in compare_generated(definitions, 3, comparison)]
    assert comparison.differences == []
    assert pairs == [str(schema) for schema in schemas_of(definitions) if left_out(schema) is None]
    assert {"written", "read", "damaged"} <= set(comparison.cases)


def test_incomparable_pairs_are_reported() -> None:
    empty = definition(fields=[{"name": "Some", "type": "[]Empty", "versions": "0+"}])
    not_a_number = definition(fields=[{"name": "Some", "type": "float64", "versions": "1+", "default": "NaN"}])
    assert [left_out(each) for each in schemas_of({"Sample": empty})] == [NO_BYTES, None]
    assert [left_out(each) for each in schemas_of({"Sample": not_a_number})] == [NAN_DEFAULT, None]


def test_definitions_of_a_folder_are_compared_under_other_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apache Kafka's jars have a HeartbeatResponse already, and a Java keyword as a name has no class."""
    monkeypatch.setenv(FURTHER, "")
    folder = changed(BASE, "HeartbeatResponse", tmp_path / "fork", type="int64")
    changed(BASE, "HeartbeatRequest", folder, name="Class")
    release = release_of(str(folder))
    schemas = [release.schema("HeartbeatResponse", 0), release.schema("HeartbeatRequest", 4)]
    given, comparison = given_definitions(release, schemas), ProofResult()
    assert [str(schema) for schema in given.schemas] == ["GivenHeartbeatResponse-v0"]
    assert [(name, refusal.stage) for name, refusal in given.refused.items()] == [("HeartbeatRequest", "compiled")]
    for _ in compare_generated(given.texts, 3, comparison, schemas=given.schemas, edges=True):
        pass
    assert (comparison.pairs, comparison.differences) == (1, [])
    assert {"written", "read", "damaged", "not readable"} <= set(comparison.cases)
