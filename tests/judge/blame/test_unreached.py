"""FaultModel models tried on wrong bytes are those reached by the value."""

from typing import Any

from conformance.judge.blame.body_rules import blame_bytes
from conformance.judge.blame.searches import Searches
from conformance.targets import Blame
from conformance.targets.faults.body_faults import body_faults
from conformance.targets.faults.fault import FaultModel
from reference import encode, load_release, minimal
from tests.helpers.releases import BASE

SCHEMA = load_release(BASE).schema("MetadataResponse", 1)
EMPTY = minimal(SCHEMA)
PARTITION = {"ErrorCode": 0, "PartitionIndex": 0, "LeaderId": 7, "ReplicaNodes": [], "IsrNodes": []}
TOPIC = {"ErrorCode": 0, "Name": "a", "IsInternal": False, "Partitions": []}


def tried(value: dict[str, Any]) -> set[str]:
    """Return the paths of the faults tried on a value, where none explains its bytes."""
    paths: set[str] = set()

    class Watched:
        def __init__(self, path: str) -> None:
            self.path = path

        def write(self, _value: dict[str, Any]) -> bytes:
            paths.add(self.path)
            return b""

    watched: Any = [FaultModel(each.rule, each.path, Watched(each.path)) for each in body_faults(SCHEMA)]
    wire = encode(SCHEMA, value)
    blame_bytes(SCHEMA, value, wire, b"\xff" + wire, Searches(watched))
    return paths


def test_a_mistake_in_an_array_is_not_tried_where_it_is_empty() -> None:
    assert not {path for path in tried(EMPTY) if "." in path}


def test_a_mistake_in_an_array_is_tried_where_it_has_an_element() -> None:
    paths = tried({**EMPTY, "Topics": [TOPIC]})
    assert "Topics[].Name" in paths
    assert "Topics[].Partitions[].LeaderId" not in paths


def test_mistake_in_a_nested_array_is_tried_if_one_has_an_element() -> None:
    value = {**EMPTY, "Topics": [TOPIC, {**TOPIC, "Partitions": [PARTITION]}]}
    mistake = next(each for each in body_faults(SCHEMA) if each.path == "Topics[].Partitions[].LeaderId")
    wrong = mistake.codec.write(value)
    assert blame_bytes(SCHEMA, value, encode(SCHEMA, value), wrong) == Blame(mistake.rule, mistake.path)
