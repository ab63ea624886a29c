"""The scripted broker answers and refuses the same requests as Apache Kafka."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.generate.edge_values import edge_cases
from conformance.live.address import Address
from conformance.live.scripted import groups
from conformance.live.scripted.scripted_broker import ScriptedBroker
from reference import (
    MessageSchema,
    completed,
    decode_frame,
    encode_frame,
    judge,
    load_release,
    newest_release,
    request_header_version,
)

RELEASE = load_release(newest_release())
DEFINITIONS = Definitions.beginning_with(RELEASE)
CREATE_PARTITIONS, METADATA = 37, 3
WAITS = ("MaxWaitMs", "TimeoutMs")


@pytest.fixture
def broker() -> ScriptedBroker:
    return made()


def made() -> ScriptedBroker:
    return ScriptedBroker(DEFINITIONS, lambda: Address("127.0.0.1", 9092))


def announced() -> Iterator[MessageSchema]:
    for entry in made().announced:
        for version in range(entry["MinVersion"], entry["MaxVersion"] + 1):
            schema = DEFINITIONS.body("request", entry["ApiKey"], version)
            assert schema is not None
            yield schema


def request(schema: MessageSchema, value: Any) -> bytes:
    """Return a request without its size."""
    given = {**value, **{name: 0 for name in WAITS if name in value}}
    assert schema.api_key is not None
    return encode_frame(RELEASE, "request", schema.api_key, schema.version, 7, "c", completed(schema, given))[4:]


def header(schema: MessageSchema) -> bytes:
    """Return a request without its body and its client."""
    assert schema.api_key is not None
    tags = b"\0" if request_header_version(schema.api_key, schema.version, RELEASE) > 1 else b""
    return schema.api_key.to_bytes(2) + schema.version.to_bytes(2) + bytes(4) + b"\xff\xff" + tags


def answer(broker: ScriptedBroker, api_key: int, version: int, **fields: Any) -> dict[str, Any]:
    """Return the body of the answer to a request."""
    schema = DEFINITIONS.body("request", api_key, version)
    assert schema is not None
    response = broker.answer(request(schema, fields))
    assert response is not None
    return decode_frame(RELEASE, "response", response, api_key=api_key, api_version=version).value


def test_an_empty_body_is_answered_where_it_is_a_request() -> None:
    """In a flexible version it is none, since the number of its tagged fields is missing."""
    schemas = list(announced())
    answered = [made().answer(header(schema)) is not None for schema in schemas]
    assert answered == [judge(schema, b"").value is not None for schema in schemas]


@pytest.mark.parametrize("part", range(2))
def test_every_field_may_have_any_value_of_its_definition(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "PATIENCE", 0)
    frames = [
        request(schema, case.value)
        for schema in list(announced())[part::2]
        for case in edge_cases(schema)
        if case.what in {"null", "minimal", "default", "zero", "empty"}
    ]
    assert [frame.hex() for frame in frames if made().answer(frame) is None] == []


IDS = {
    "an id": {"Name": "a", "TopicId": UUID(int=5)},
    "an id alone": {"Name": None, "TopicId": UUID(int=5)},
    "nothing": {"Name": None},
}


@pytest.mark.parametrize("version", [10, 11])
@pytest.mark.parametrize("topic", IDS.values(), ids=IDS)
def test_metadata_of_a_version_without_ids_refuses_them(
    broker: ScriptedBroker, version: int, topic: dict[str, Any]
) -> None:
    """Each topic has the error INVALID_REQUEST, and the answer has no broker."""
    body = answer(broker, METADATA, version, Topics=[topic])
    shown = {key: body["Topics"][0][key] for key in ("ErrorCode", "Name", "TopicId")}
    assert shown == {"ErrorCode": 42, "Name": topic["Name"] or "", "TopicId": topic.get("TopicId", UUID(int=0))}
    assert body["Brokers"] == []


def test_metadata_of_an_unknown_id_is_an_error(broker: ScriptedBroker) -> None:
    [topic] = answer(broker, METADATA, 12, Topics=[IDS["an id alone"]])["Topics"]
    assert (topic["ErrorCode"], topic["Name"]) == (100, None)


@pytest.mark.parametrize("version", [1, 9, 13])
def test_metadata_of_an_empty_name_is_an_error(broker: ScriptedBroker, version: int) -> None:
    [topic] = answer(broker, METADATA, version, Topics=[{"Name": ""}])["Topics"]
    assert (topic["ErrorCode"], topic["Name"]) == (17, "")


def test_more_partitions_than_apache_kafka_makes_are_refused(broker: ScriptedBroker) -> None:
    [result] = answer(broker, CREATE_PARTITIONS, 3, Topics=[{"Name": "a", "Count": 2**31 - 1}])["Results"]
    assert (result["ErrorCode"], broker.cluster.topics) == (44, {})


def test_further_partitions_of_one_topic_leave_the_others_alone(broker: ScriptedBroker) -> None:
    for name in ("a", "a.more"):
        answer(broker, METADATA, 9, Topics=[{"Name": name}])
    answer(broker, CREATE_PARTITIONS, 3, Topics=[{"Name": "a", "Count": 3, "Assignments": None}])
    topics = answer(broker, METADATA, 9, Topics=None)["Topics"]
    assert {each["Name"]: len(each["Partitions"]) for each in topics} == {"a": 3, "a.more": 1}
