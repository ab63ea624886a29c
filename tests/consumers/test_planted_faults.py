"""A codec in JavaScript that knows definitions and vectors alone passes, and fails with each fault that is planted."""

import subprocess

import pytest

from tests.helpers import requirements
from tests.helpers.releases import BASE
from tests.helpers.runs import ROOT

RELEASE = BASE
pytestmark = pytest.mark.node


def failed(mode: str, fault: str, place: str = "") -> list[str]:
    """Return the ids of the vectors that the codec fails with a fault, at a field or in one message."""
    requirements.node()
    program = ROOT / "tests" / "consumers" / "planted.mjs"
    folders = [ROOT / "specs" / "releases" / RELEASE, ROOT / "vectors" / RELEASE]
    command = ["node", *map(str, (program, *folders)), mode, fault, place]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own
    return run.stdout.splitlines()


def test_the_codec_without_a_fault_fails_no_vector() -> None:
    """It is written from the README of the vectors and the form of definitions."""
    assert failed("strict", "none") == []


FAULTS = pytest.mark.parametrize(
    ("fault", "place", "first"),
    [
        ("null-in-strings", "FindCoordinatorRequest.", "FindCoordinatorRequest/v0/key-null-alone"),
        ("nullable", "FindCoordinatorRequest.Key", "FindCoordinatorRequest/v0/key-null-alone"),
        ("nullable", "FetchResponse.Responses", "FetchResponse/v4/responses-null-alone"),
        ("nullable-early", "MetadataRequest.Topics.Name", "MetadataRequest/v9/topics-0-name-null-alone"),
        ("nullable-early", "MetadataResponse.Topics.Name", "MetadataResponse/v11/topics-0-name-null-alone"),
        (
            "nullable-early",
            "DeleteTopicsResponse.Responses.Name",
            "DeleteTopicsResponse/v5/responses-0-name-null-alone",
        ),
        ("nullable-early", "JoinGroupResponse.ProtocolName", "JoinGroupResponse/v6/protocol-name-null-alone"),
        ("negative-is-empty", "FetchResponse.", "FetchResponse/v4/responses-minus-two-alone"),
        ("long-text-read", "HeartbeatRequest.", "HeartbeatRequest/v4/group-id-length-32768"),
        ("long-text-written", "HeartbeatRequest.", "HeartbeatRequest/v4/unwritable-group-id-length-32768"),
        ("null-written", "FetchResponse.", "FetchResponse/v4/unwritable-responses-null"),
        ("field-dropped", "FindCoordinatorRequest.", "FindCoordinatorRequest/v0/unwritable-key-type-absent-set"),
        ("tags-dropped", "HeartbeatResponse.", "HeartbeatResponse/v0/unwritable-tags-without-section"),
    ],
)


@FAULTS
def test_first_failing_vector_is_about_the_fault(fault: str, place: str, first: str) -> None:
    """In a codec that refuses bytes behind a message."""
    assert failed("strict", fault, place)[:1] == [f"{RELEASE}/messages/{first}"]


@FAULTS
def test_first_failing_vector_fails_with_bytes_left_after_a_message_too(fault: str, place: str, first: str) -> None:
    """Others may come before it."""
    assert f"{RELEASE}/messages/{first}" in failed("stream", fault, place)
