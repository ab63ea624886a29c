"""The skeleton in Go with an unusual library, of types of its own and with a failing mapping."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.adapters.harnesses.skeletons import write_skeleton
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.protocol import hello_request
from conformance.codec.bridge.transport import JsonLinesProcess, program
from reference import load_release
from tests.helpers import requirements
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)

pytestmark = pytest.mark.go

MISHAPS = """
type Uuid [16]byte

type Topic struct {
	Name    *string
	TopicId Uuid
}

type DeleteTopics struct {
	Topics    []*Topic
	TimeoutMs int32
}

type Heartbeat struct {
	GroupId, MemberId string
	GenerationId      int32
}

func codec(definition *definition.Message, version int16) *bridge.Codec {
	switch {
	case definition.Name == "DeleteTopicsRequest" && version == 6:
		return &bridge.Codec{Type: reflect.TypeFor[DeleteTopics](), Write: func(pointer reflect.Value) ([]byte, error) {
			return pointer.Interface().(*DeleteTopics).Topics[0].TopicId[:], nil
		}, Read: func(wire []byte) (reflect.Value, int, error) {
			topic := &Topic{TopicId: Uuid(wire)}
			return reflect.ValueOf(&DeleteTopics{Topics: []*Topic{topic}}), len(wire), nil
		}}
	case definition.Name == "HeartbeatRequest" && version == 0:
		return &bridge.Codec{Type: reflect.TypeFor[Heartbeat](), Write: func(pointer reflect.Value) ([]byte, error) {
			if pointer.Interface().(*Heartbeat).GroupId == "panics" {
				var converters map[string]int
				converters["GroupId"] = 1
			}
			return nil, bridge.HarnessError("no converter")
		}}
	}
	return nil
}
"""


@pytest.fixture(scope="module")
def mishaps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A harness from the skeleton, with a library of own uuids and of pointers in arrays."""
    requirements.go()
    folder = tmp_path_factory.mktemp("mishaps") / "harness"
    chosen = write_skeleton("go", folder)
    (folder / chosen.place).unlink()
    main = (folder / "main.go").read_text(encoding="utf-8").partition("// codec says")[0]
    (folder / "main.go").write_text(main + MISHAPS, encoding="utf-8")
    subprocess.run(shlex.split(chosen.build), cwd=folder, check=True)  # noqa: S603
    client = Client(lambda _: JsonLinesProcess(program((str(folder / "harness"),))), Policy.RAISE)
    client.ask(hello_request(RELEASE))
    yield client
    client.close()


TOPIC = {"Name": None, "TopicId": "00112233-4455-6677-8899-aabbccddeeff"}


def deletion(topic: Any) -> dict[str, Any]:
    value = {"Topics": [topic], "TimeoutMs": 0}
    return {"op": "encode", "message": "DeleteTopicsRequest", "version": 6, "value": value}


def test_a_uuid_may_have_a_type_of_its_own(mishaps: Client) -> None:
    wire = "00112233445566778899aabbccddeeff"
    assert mishaps.ask(deletion(TOPIC))["wire"] == wire
    reply = mishaps.ask({"op": "decode", "message": "DeleteTopicsRequest", "version": 6, "wire": wire})
    assert reply["value"]["Topics"] == [TOPIC]


def test_null_in_an_array_of_pointers_to_structs_is_unrepresentable(mishaps: Client) -> None:
    """No caller of a library passes it, since a nil dereference would be the caller's fault."""
    reply = mishaps.ask(deletion(None))
    assert reply["outcome"] == "unrepresentable"
    assert reply["text"].startswith("Topics[0]: nil ")


def heartbeat(group: str) -> dict[str, Any]:
    value = {"GroupId": group, "GenerationId": 0, "MemberId": ""}
    return {"op": "encode", "message": "HeartbeatRequest", "version": 0, "value": value}


def test_an_error_of_the_mapping_is_no_refusal(mishaps: Client) -> None:
    assert mishaps.ask(heartbeat("g")) == {"outcome": "harness-error", "text": "no converter"}


def test_a_panic_of_the_mapping_has_its_place(mishaps: Client) -> None:
    reply = mishaps.ask(heartbeat("panics"))
    assert reply["outcome"] == "harness-error"
    assert "nil map" in reply["text"]
    assert re.fullmatch(r"panic:.*main\.codec\.func\d+.*\(main\.go:\d+\)", reply["text"])
