"""Fault models tried on wrong bytes are those reached by the value."""

from typing import Any

import pytest

from conformance.judge.blame import reduction, wrong_codecs
from conformance.judge.blame.body_rules import blame_bytes
from conformance.judge.blame.fault_models import FaultModel, fault_models
from conformance.judge.standing import Blame
from reference import encode, load_release, minimal
from tests.helpers.releases import BASE

SCHEMA = load_release(BASE).schema("MetadataResponse", 1)
EMPTY = minimal(SCHEMA)
PARTITION = {"ErrorCode": 0, "PartitionIndex": 0, "LeaderId": 7, "ReplicaNodes": [], "IsrNodes": []}
TOPIC = {"ErrorCode": 0, "Name": "a", "IsInternal": False, "Partitions": []}


def tried(monkeypatch: pytest.MonkeyPatch, value: dict[str, Any]) -> set[str]:
    """Return the paths of the fault models tried on a value, where none explains its bytes."""
    paths: set[str] = set()

    class Watched:
        def __init__(self, mistake: FaultModel) -> None:
            self.path = mistake.path
            self.schema = mistake.schema
            self.wire_type = self

        def write(self, _value: dict[str, Any]) -> bytes:
            paths.add(self.path)
            return b""

    monkeypatch.setattr(reduction, "fault_models", lambda _: [Watched(each) for each in fault_models(SCHEMA)])
    wire = encode(SCHEMA, value)
    blame_bytes(SCHEMA, value, wire, b"\xff" + wire)
    return paths


def test_a_mistake_in_an_array_is_not_tried_where_it_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {path for path in tried(monkeypatch, EMPTY) if "." in path}


def test_a_mistake_in_an_array_is_tried_where_it_has_an_element(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = tried(monkeypatch, {**EMPTY, "Topics": [TOPIC]})
    assert "Topics[].Name" in paths
    assert "Topics[].Partitions[].LeaderId" not in paths


def test_mistake_in_a_nested_array_is_tried_if_one_has_an_element() -> None:
    value = {**EMPTY, "Topics": [TOPIC, {**TOPIC, "Partitions": [PARTITION]}]}
    mistake = next(each for each in fault_models(SCHEMA) if each.path == "Topics[].Partitions[].LeaderId")
    wrong = mistake.wire_type.write(wrong_codecs.converted(mistake.schema, value))
    assert blame_bytes(SCHEMA, value, encode(SCHEMA, value), wrong) == Blame(mistake.rule, mistake.path)
