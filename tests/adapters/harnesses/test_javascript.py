"""The harness of JavaScript libraries hands values and bytes unchanged to and from @platformatic/kafka and KafkaJS."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from conformance.adapters.harnesses.libraries import ForeignLibrary
from conformance.codec.bridge.protocol import hello_request
from conformance.codec.bridge.transport import JsonLinesProcess, program
from reference import load_release, releases
from tests.adapters.harnesses.libraries import Library, check_harness
from tests.helpers import requirements

FOLDER = resources.files("conformance.adapters.harnesses") / "javascript"

pytestmark = pytest.mark.node


def described(library: Library, message: str) -> dict[str, Any]:
    """Return the fields of a message by the library's names."""
    fields = library.ask({"op": "describe"})["value"][message]["fields"]
    return {field.get("name", ""): field for field in fields}


@pytest.fixture(scope="module")
def platformatic() -> Iterator[Library]:
    requirements.node()
    library = Library.of("javascript", "platformatic")
    yield library
    library.close()


@pytest.fixture(scope="module")
def kafkajs() -> Iterator[Library]:
    requirements.node()
    library = Library.of("javascript", "kafkajs")
    yield library
    library.close()


def test_kafkajs_is_sound_by_bridge_check() -> None:
    requirements.node()
    check_harness(*ForeignLibrary("javascript", "kafkajs").harness_command())


def test_a_copy_of_the_template_is_sound_by_bridge_check(tmp_path: Path) -> None:
    """A newcomer starts with it, the bridge part and one message by hand."""
    requirements.node()
    with resources.as_file(FOLDER) as sources:
        shutil.copytree(sources / "template", tmp_path / "mine")
        shutil.copytree(sources / "bridge", tmp_path / "mine" / "bridge")
    check_harness(shutil.which("node") or "", str(tmp_path / "mine" / "main.mjs"), notes=False)


@pytest.mark.parametrize(("library", "encoded", "decoded"), [("platformatic", 106, 111), ("kafkajs", 90, 95)])
def test_every_version_is_driven_but_requests_with_records(library: str, encoded: int, decoded: int) -> None:
    requirements.node()
    with closing(Library.of("javascript", library)) as running:
        hello = running.hello
    counts = [sum(map(len, hello["supports"][direction].values())) for direction in ("encode", "decode")]
    assert counts == [encoded, decoded]
    assert {note["message"] for note in hello["notes"]} == {"ProduceRequest"}


@pytest.mark.parametrize("release", releases())
def test_the_definitions_of_every_release_are_understood(release: str) -> None:
    """ListClientMetricsResourcesRequest of 3.9.1 has no list of fields."""
    requirements.node()
    with closing(JsonLinesProcess(program(ForeignLibrary("javascript", "platformatic").harness_command()))) as process:
        [hello] = process.exchange([hello_request(load_release(release))])
    assert (hello["outcome"], hello.get("text")) == ("hello", None)


def test_arguments_are_found_by_name_and_order(platformatic: Library) -> None:
    """The parameter for ReplicaId is `replica`, and PartitionIndex is `partitionIndex` within `partitions`."""
    value = {"ReplicaId": -1, "IsolationLevel": 1, "Topics": [{"Name": "t", "Partitions": []}]}
    assert (
        platformatic.encode("ListOffsetsRequest", 5, value)["wire"] == "ffffffff" + "01" + "00000001000174" + "00000000"
    )


def test_an_argument_may_hold_several_fields(platformatic: Library) -> None:
    """The parameter of DescribeAcls is one object, with names of its own."""
    names = {"ResourceTypeFilter": 2, "ResourceNameFilter": "t", "PatternTypeFilter": 3, "PrincipalFilter": None}
    value = {**names, "HostFilter": None, "Operation": 4, "PermissionType": 5}
    assert platformatic.encode("DescribeAclsRequest", 2, value)["wire"] == "02" + "0274" + "03" + "0000" + "0405" + "00"


def test_a_field_with_a_fixed_value_takes_no_other(platformatic: Library) -> None:
    value = {"Topics": [{"TopicId": "00000000-0000-0000-0000-000000000001", "Name": None}]}
    flags = {"AllowAutoTopicCreation": True, "IncludeTopicAuthorizedOperations": False}
    assert platformatic.encode("MetadataRequest", 12, {**value, **flags})["outcome"] == "unrepresentable"


def test_a_response_with_an_error_code_is_read(platformatic: Library) -> None:
    """The library throws it, together with all fields read."""
    reply = platformatic.decode("HeartbeatResponse", 4, "00000001" + "001b" + "00")
    assert reply["value"] == {"ThrottleTimeMs": 1, "ErrorCode": 27}


def test_unshown_fields_are_hidden(platformatic: Library) -> None:
    assert "Topics.TopicConfigErrorCode:7-7" in platformatic.hello["hidden"]["CreateTopicsResponse"]


def test_a_field_of_another_type_is_described(platformatic: Library) -> None:
    assert described(platformatic, "MetadataResponse")["ClusterAuthorizedOperations"]["type"] == "bool"


def test_a_struct_after_a_flag_is_found(platformatic: Library) -> None:
    """The library reads it only if the byte before it is 1, so a trace has to try 1."""
    cursor = described(platformatic, "DescribeTopicPartitionsResponse")["NextCursor"]
    assert [field["own"] for field in cursor["fields"]] == ["topicName", "partitionIndex"]


def test_versions_of_headers_come_from_the_api(platformatic: Library) -> None:
    request = {"op": "header-version", "direction": "response", "apiKey": 18, "version": 3}
    assert platformatic.ask(request)["value"] == 0


def test_kafkajs_is_awaited(kafkajs: Library) -> None:
    """Its encoders and decoders return promises."""
    assert kafkajs.encode("FindCoordinatorRequest", 0, {"Key": "g"})["wire"] == "000167"
    assert kafkajs.decode("HeartbeatResponse", 1, "000000020000")["value"] == {"ThrottleTimeMs": 2, "ErrorCode": 0}


def test_kafkajs_takes_null_for_an_empty_array(kafkajs: Library) -> None:
    assert kafkajs.encode("MetadataRequest", 1, {"Topics": None})["wire"] == "ffffffff"
    assert kafkajs.encode("MetadataRequest", 1, {"Topics": []})["outcome"] == "unrepresentable"


def test_tags_of_a_header_are_no_part_of_a_body(kafkajs: Library) -> None:
    """KafkaJS writes them before the body, in flexible versions."""
    value = {"TimeoutMs": 1, "Topics": []}
    assert kafkajs.encode("ListPartitionReassignmentsRequest", 0, value)["wire"] == "00000001" + "01" + "00"


def test_a_refusal_names_the_function(kafkajs: Library) -> None:
    reply = kafkajs.decode("HeartbeatResponse", 0, "0023")
    assert (reply["outcome"], reply["class"], "createErrorFromCode" in reply["text"]) == (
        "rejected",
        "KafkaJSProtocolError",
        True,
    )


def test_records_of_kafkajs_are_flattened(kafkajs: Library) -> None:
    wire = (
        "000000000000000700000038ffffffff02c428857f0000000000000000018bcfe568000000018bcfe56800ffffffffffffffffffffffff"
        "ffff000000010c000000010100"
    )
    record: dict[str, Any] = {"offset": "7", "timestamp": "1700000000000", "key": None, "value": None, "headers": []}
    assert kafkajs.ask({"op": "decode-records", "wire": wire})["value"] == {"records": [record]}


def test_a_count_of_bytes_is_passed_on_however_wrong(kafkajs: Library) -> None:
    """A length of -10 moves the reader back, as 4 bytes were read and 10 given back."""
    reply = kafkajs.ask({"op": "decode-primitive", "name": "nullable-bytes", "wire": "fffffff6"})
    assert (reply["outcome"], reply["consumed"]) == ("value", -6)


@pytest.mark.parametrize(
    ("name", "value", "wire"),
    [
        ("nullable-string", "a", "000161"),
        ("array-of-string", ["a"], "00000001000161"),
        ("array-of-int32", [7], "0000000100000007"),
    ],
)
def test_both_libraries_have_single_wire_types(
    platformatic: Library, kafkajs: Library, name: str, value: Any, wire: str
) -> None:
    for library in (platformatic, kafkajs):
        assert library.ask({"op": "encode-primitive", "name": name, "value": value})["wire"] == wire
        reply = library.ask({"op": "decode-primitive", "name": name, "wire": wire})
        assert (reply["value"], reply["consumed"]) == (value, len(wire) // 2)


STORED = "00000001" + "000174" + "00000001" + "00000007" + "ffffffff"
"""An assignment of one partition of one topic, without its version."""


def test_kafkajs_has_version_0_of_the_messages_between_members_of_a_group(kafkajs: Library) -> None:
    """The version is left out, as its codec writes any number there with the same fields."""
    value = {"AssignedPartitions": [{"Topic": "t", "Partitions": [7]}], "UserData": None}
    assert kafkajs.encode("ConsumerProtocolAssignment", 0, value)["wire"] == STORED
    assert kafkajs.decode("ConsumerProtocolAssignment", 0, STORED)["value"] == value
    assert kafkajs.hello["supports"]["encode"]["ConsumerProtocolSubscription"] == [0]


@pytest.mark.parametrize("topics", [["b", "1"], ["a", "a"], [None]])
def test_topics_not_in_the_order_of_an_object_s_keys_are_unrepresentable(kafkajs: Library, topics: list[Any]) -> None:
    partitions = [{"Topic": topic, "Partitions": []} for topic in topics]
    value = {"AssignedPartitions": partitions, "UserData": None}
    assert kafkajs.encode("ConsumerProtocolAssignment", 0, value)["outcome"] == "unrepresentable"


@pytest.mark.parametrize("wire", ["00000000000000ffffffff0f", "00010000010006746f706963ffffffff0f06746f706963"])
def test_loop_over_a_false_count_is_stopped(kafkajs: Library, wire: str) -> None:
    """It ends at the same step in every run, and the next request is answered as ever."""
    reply = kafkajs.decode("AlterPartitionReassignmentsResponse", 0, wire)
    steps = 1_000_000 + 1024 * (len(wire) // 2)
    assert reply["outcome"] == "timed-out"
    assert f" {steps} steps" in reply["text"]
    assert "Decoder.read" in reply["text"]
    assert kafkajs.decode("HeartbeatResponse", 0, "0000")["value"] == {"ErrorCode": 0}
