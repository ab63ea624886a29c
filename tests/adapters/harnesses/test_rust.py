"""The harness of Rust libraries hands values and bytes unchanged to and from three of them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.adapters.harnesses.libraries import ForeignLibrary
from conformance.adapters.harnesses.toolchains import tool
from tests.adapters.harnesses.libraries import Library, check_harness
from tests.helpers import requirements
from tests.helpers.rust_lint import copy_template

LIBRARIES = ("kafka-protocol", "kafka-wire-protocol", "kafrust-protocol")

pytestmark = pytest.mark.rust


@pytest.fixture(scope="module")
def kafka_protocol() -> Iterator[Library]:
    requirements.cargo()
    library = Library.of("rust", "kafka-protocol")
    yield library
    library.close()


@pytest.fixture(scope="module")
def wire_protocol() -> Iterator[Library]:
    requirements.cargo()
    library = Library.of("rust", "kafka-wire-protocol")
    yield library
    library.close()


@pytest.fixture(scope="module")
def kafrust() -> Iterator[Library]:
    requirements.cargo()
    library = Library.of("rust", "kafrust-protocol", "4.4.0")
    yield library
    library.close()


@pytest.mark.parametrize("library", LIBRARIES)
def test_it_is_sound_by_bridge_check(library: str) -> None:
    requirements.cargo()
    check_harness(*ForeignLibrary("rust", library).harness_command())


def test_kafka_protocol_is_driven_whole(kafka_protocol: Library) -> None:
    """No version of any message is left out, and none differs."""
    assert kafka_protocol.hello["notes"] == []
    assert sum(map(len, kafka_protocol.hello["supports"]["decode"].values())) == 597


def test_message_different_in_the_release_is_left_out_with_a_note() -> None:
    """Kafka 3.9 has no leader epoch there, and the crate, of 4.1, does."""
    requirements.cargo()
    library = Library.of("rust", "kafka-protocol", "3.9.1")
    library.close()
    message = "ReadShareGroupStateSummaryResponse"
    assert message not in library.hello["supports"]["decode"]
    [note] = [note["note"] for note in library.hello["notes"] if note["message"] == message]
    assert note.startswith("left out, version 0: ")


def test_message_missing_in_a_crate_is_left_out_with_a_note(wire_protocol: Library) -> None:
    left_out = {note["message"] for note in wire_protocol.hello["notes"] if note["note"].startswith("left out")}
    assert left_out == {"ReadShareGroupStateSummaryResponse"}


def test_a_crate_of_one_direction_offers_no_other(kafrust: Library) -> None:
    """A client writes requests and reads responses."""
    supports = kafrust.hello["supports"]
    assert {name.endswith("Request") for name in supports["encode"]} == {True}
    assert {name.endswith("Response") for name in supports["decode"]} == {True}
    assert kafrust.decode("HeartbeatRequest", 2, "")["text"].endswith(" reads no HeartbeatRequest")
    assert kafrust.encode("HeartbeatResponse", 2, {})["text"].endswith(" writes no HeartbeatResponse")


def test_kafrust_supports_a_hundred_pairs_to_encode_and_ninety_to_decode(kafrust: Library) -> None:
    """The README names the left-out pairs."""
    supports = kafrust.hello["supports"]
    assert [sum(map(len, supports[way].values())) for way in ("encode", "decode")] == [100, 90]


def test_header_written_by_a_request_is_cut_off(kafrust: Library) -> None:
    """The body alone is compared."""
    value = {"GroupId": "g", "GenerationId": 7, "MemberId": "m", "GroupInstanceId": None}
    assert kafrust.encode("HeartbeatRequest", 3, value)["wire"] == "000167" + "00000007" + "00016d" + "ffff"


def test_a_tagged_field_at_its_default_is_none_where_the_crate_may_leave_it_out(kafrust: Library) -> None:
    """The type is `Option` and the field may not be null, so null itself is not handed over."""
    directory, high_watermark = "00000000-0000-0000-0000-000000000000", "9223372036854775807"
    partition = {"Partition": 0, "CurrentLeaderEpoch": -1, "FetchOffset": "0", "LastFetchedEpoch": -1}
    partition |= {"LogStartOffset": "-1", "PartitionMaxBytes": 0, "ReplicaDirectoryId": directory}
    topic = {"TopicId": directory, "Partitions": [partition | {"HighWatermark": high_watermark}]}
    value = {"ReplicaState": {"ReplicaId": -1, "ReplicaEpoch": "-1"}, "Topics": [topic], "SessionEpoch": -1}
    assert kafrust.encode("FetchRequest", 18, value)["wire"].endswith("00" * 4 + "00" + "00" + "01" + "01" + "00")
    assert kafrust.encode("FetchRequest", 18, {"ReplicaState": None})["outcome"] == "unrepresentable"


def test_absent_tagged_field_has_the_default_of_its_definition(kafrust: Library) -> None:
    """The crate gives `None`."""
    wire = (
        "02" + "01" + "02" + "00000000" + "0000" + "00" * 8 + "ff" * 16 + "01" + "00" + "00" + "00" + "00000000" + "00"
    )
    [response] = kafrust.decode("ProduceResponse", 11, wire)["value"]["Responses"]
    assert response["PartitionResponses"][0]["CurrentLeader"] == {"LeaderId": -1, "LeaderEpoch": -1}


def test_it_writes_by_names_of_the_definitions(kafka_protocol: Library) -> None:
    value = {"GroupId": "g", "GenerationId": 7, "MemberId": "m", "GroupInstanceId": None}
    assert kafka_protocol.encode("HeartbeatRequest", 3, value)["wire"] == "000167" + "00000007" + "00016d" + "ffff"


@pytest.mark.parametrize("library", ["kafka_protocol", "wire_protocol"])
def test_it_keeps_unknown_tags(library: str, request: pytest.FixtureRequest) -> None:
    reply = request.getfixturevalue(library).decode("ApiVersionsRequest", 3, "03676f0231010502cafe")
    assert (reply["value"]["_tags"], reply["consumed"]) == ([[5, "cafe"]], 10)


def test_left_out_fields_take_their_defaults(kafka_protocol: Library) -> None:
    """The rebalance timeout of a JoinGroup has the default -1."""
    wire = "0000" + "00000000" + "ffffffff" + "0000" * 2 + "00000000"
    assert kafka_protocol.encode("JoinGroupRequest", 2, {})["wire"] == wire


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("HeartbeatResponse", {"ErrorCode": 40_000}),
        ("ApiVersionsResponse", {"ApiKeys": None}),
        ("HeartbeatRequest", {"GroupId": {"utf16": "d800"}}),
    ],
)
def test_value_without_a_rust_form_is_unrepresentable(kafka_protocol: Library, message: str, value: Any) -> None:
    assert kafka_protocol.encode(message, 0, value)["outcome"] == "unrepresentable"


def test_a_value_in_no_form_of_its_type_is_an_error_of_the_harness(kafka_protocol: Library) -> None:
    assert kafka_protocol.encode("HeartbeatResponse", 0, {"ErrorCode": "x"})["outcome"] == "harness-error"


def test_memory_out_of_proportion_is_exhausted_and_the_harness_lives(kafka_protocol: Library) -> None:
    """The count of an array is allocated before there is anything to fill it with."""
    assert kafka_protocol.decode("MetadataResponse", 0, "7fffffff")["outcome"] == "exhausted-memory"
    assert kafka_protocol.decode("HeartbeatResponse", 0, "0007")["value"] == {"ErrorCode": 7}


def test_records_are_read_and_written(kafka_protocol: Library) -> None:
    wire = (
        "00000000000000000000003cffffffff02c8b41a250000000000000000018bcfe568000000018bcfe56800"
        "ffffffffffffffffffffffffffff0000000114000000026b0102026800"
    )
    value = kafka_protocol.ask({"op": "decode-records", "wire": wire})["value"]
    [record] = value["batches"][0]["records"]
    assert (record["key"], record["headers"]) == ("6b", [["h", ""]])


def test_it_describes_the_schema_of_the_crate(kafka_protocol: Library) -> None:
    described = kafka_protocol.ask({"op": "describe"})["value"]["HeartbeatRequest"]
    assert described["versions"] == "0-4"
    assert described["fields"][-1] == {
        "name": "GroupInstanceId", "own": "group_instance_id", "type": "string", "versions": "3-4",
    }  # fmt: skip


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A harness from the template, with a codec panicking at a group id of 99 bytes."""
    requirements.cargo()
    project = copy_template(tmp_path_factory.mktemp("copied") / "project")
    source = (project / "main.rs").read_text(encoding="utf-8")
    read = "let size = usize::try_from(size)"
    assert source.count(read) == 1
    (project / "main.rs").write_text(source.replace(read, f"assert!(size != 99); {read}"), encoding="utf-8")
    subprocess.run((tool("cargo"), "build", "--release", "--quiet"), cwd=project, check=True)  # noqa: S603  # our own
    return str(project / "target" / "release" / "my-harness")


def test_a_copy_of_the_template_is_a_sound_harness(copied: str) -> None:
    assert check_harness(copied, notes=False)["supports"]["decode"] == {"HeartbeatRequest": [0]}


def test_a_panic_is_a_crash_with_its_place(copied: str) -> None:
    harness = Library(copied)
    reply = harness.decode("HeartbeatRequest", 0, "0063")
    harness.close()
    assert reply["outcome"] == "crashed"
    assert "size != 99" in reply["text"]
    assert "main.rs line " in reply["text"]
