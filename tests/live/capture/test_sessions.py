"""Recorded sessions of real clients with Apache Kafka, each with its faults and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.judge.findings.lines import RuleTried
from conformance.live.capture.capture import read_capture
from conformance.live.capture.capture_judgement import CaptureJudge, CaptureSubject
from reference import load_release
from tests.helpers.releases import NEWEST

SESSIONS = Path(__file__).parent / "sessions"
RELEASE = NEWEST

WRONG = {
    # writes version 1 without OwnedPartitions: segmentio/kafka-go#1156
    "kafka-go": {("ConsumerProtocolSubscription", "input.truncated")},
    "platformatic": {("ConsumerProtocolSubscription", "input.truncated")},
    # three bytes behind the body of a request of the admin client
    "confluent-kafka": {("MetadataRequest", "message.nothing-else")},
}
FEWEST = 100
"""Request frames of the shortest session."""


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    """Return the definitions of all releases, the server's first."""
    return Definitions.beginning_with(load_release(RELEASE))


def judged(path: Path, definitions: Definitions) -> CaptureJudge:
    """Return the judgement on a session."""
    judgement = CaptureJudge(CaptureSubject("", definitions))
    for _ in judgement.take_all(read_capture(path).frames):
        pass
    judgement.close()
    return judgement


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_session_has_its_known_departures(path: Path, definitions: Definitions) -> None:
    judgement = judged(path, definitions)
    found = {(violation.message, violation.rule) for violation, _, _ in judgement.results.violations}
    assert found == WRONG.get(path.stem, set())
    assert judgement.results.tally.cases["request frames"] >= FEWEST


def test_sessions_are_of_nine_clients() -> None:
    assert len(list(SESSIONS.glob("*.jsonl"))) == 9


def test_session_counts_the_message_versions_of_a_tried_rule(definitions: Definitions) -> None:
    events = judged(SESSIONS / "sarama.jsonl", definitions).results.coverage.events()
    tried = {event.rule: event.pairs for event in events if isinstance(event, RuleTried)}
    assert tried["header.request-version"] > 10
    assert "null.not-allowed" not in tried
