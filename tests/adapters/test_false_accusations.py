"""The adapters accuse no library of their own conduct, and each case here was once a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.codec.bridge.loading import load_codec
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.checks.special_values import unencodable_cases
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import violations
from reference import load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.kinds import CodecCase
    from reference import MessageSchema

    Cases = Callable[[Session, MessageSchema], Iterator[CodecCase | Event]]

RELEASE = load_release(BASE)


def accused(adapter: str, cases: Cases, message: str, version: int) -> set[tuple[str, str]]:
    """Return the broken rules and their fields in one message."""
    pytest.importorskip(f"conformance.adapters.{adapter}", reason=f"{adapter} is in the extra `adapters`")
    session = session_of(load_codec(f"conformance.adapters.{adapter}", RELEASE), RELEASE)
    found = violations(session, cases(session, RELEASE.schema(message, version)))
    return {(violation.rule, violation.path) for violation in found}


@pytest.mark.parametrize(
    ("adapter", "message", "version", "path"),
    [
        ("kio", "RemoveRaftVoterRequest", 0, "VoterDirectoryId"),
        ("kio", "ProduceResponse", 3, "Responses[0].PartitionResponses[0].LogAppendTimeMs"),
        ("kafka_python", "FetchRequest", 15, "ReplicaState"),
        ("kafka_python", "FetchResponse", 12, "Responses[0].Partitions[0].DivergingEpoch"),
        ("kafka_python", "MetadataRequest", 0, "Topics"),
        ("aiokafka", "CreatePartitionsRequest", 0, "Topics[0].Assignments[0]"),
    ],
)
def test_null_for_a_value_is_no_written_null(adapter: str, message: str, version: int, path: str) -> None:
    """None is the library's own form of a value there, or the adapter has no form for null."""
    assert ("null.not-written", path) not in accused(adapter, unencodable_cases, message, version)


def test_null_written_for_an_array_is_still_found() -> None:
    """The representation of arrays covers only null written as an empty array."""
    found = accused("kafka_python", unencodable_cases, "DeleteGroupsRequest", 0)
    assert ("null.not-written", "GroupsNames") in found


@pytest.mark.parametrize(("message", "version"), [("FetchRequest", 15), ("FetchResponse", 12), ("ProduceResponse", 10)])
def test_none_for_an_absent_struct_is_its_default(message: str, version: int) -> None:
    """The field may not be null, so None says only its absence."""
    assert "default.restored" not in {rule for rule, _ in accused("kafka_python", value_cases, message, version)}


@pytest.mark.parametrize("message", ["HeartbeatRequest", "HeartbeatResponse"])
def test_frames_are_cut_as_a_connection_cuts_them(message: str) -> None:
    """A too large size is waited for, and a negative one refused."""
    assert accused("kafka_python", frame_checks, message, 4) == set()


def test_the_loss_of_unknown_tags_is_found() -> None:
    """kafka-python keeps them when it reads, and writes none."""
    assert ("tag.unknown-kept", "_tags") in accused("kafka_python", value_cases, "HeartbeatResponse", 4)


@pytest.mark.parametrize("direction", ["request", "response"])
def test_the_header_of_describe_acls_2_is_found(direction: str) -> None:
    """Its class puts the header of a non-flexible version before it."""
    found = accused("aiokafka", frame_checks, f"DescribeAcls{direction.title()}", 2)
    assert found == {(f"header.{direction}-version", "")}
