"""Answers to ApiVersions in another version have one reading in explanations, verdicts and captures."""

from __future__ import annotations

import pytest

from conformance.campaign.proof.proven_answers import ANSWERS, DrawnAnswer, drawn_answers
from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.conversation import SeenFrame, explanation_of, seen_in
from conformance.live.capture.frame_verdict import judge_response
from reference.definitions.header_versions import API_VERSIONS
from reference.explained.explanation import Explanation
from reference.explained.frames import explain_response, read_as
from tests.live.capture.broker import RELEASE, SIZE, request

DEFINITIONS = Definitions.beginning_with(RELEASE)
FACTS = {
    "an error in version 0": (4, "002300000001001200000003", 0, ()),
    "an error in the version itself": (3, "0023010000000000", 3, ()),
    "an error in version 0, without keys": (3, "002300000000", 0, ()),
    "no error in version 0": (1, "000000000000", 0, ("connection.version-too-new",)),
}
"""Each with the version that was asked for, the body, the version that is read, and the rules that are broken."""


def captured(answer: DrawnAnswer) -> SeenFrame:
    """Return the answer as a capture shows it, after its request."""
    asked = request(API_VERSIONS, answer.asked, 0)[SIZE:]
    frames = (
        CapturedFrame(1, "client", 0.0, asked, number=1),
        CapturedFrame(1, "server", 0.0, answer.payload, number=2),
    )
    return list(seen_in(DEFINITIONS, frames))[1]


def reading(explanation: Explanation) -> tuple[str, bool]:
    """Return the message of an explanation, and whether Apache Kafka reads it."""
    return explanation.title.partition(",")[0], explanation.verdict.readers["Apache Kafka"] == "accepts"


def check_one_reading(answer: DrawnAnswer) -> tuple[str, bool]:
    """Assert that explanation, verdict and capture have one reading, and return it."""
    explained = explain_response(RELEASE, API_VERSIONS, answer.asked, answer.payload, sized=False)
    judged = judge_response(DEFINITIONS, API_VERSIONS, answer.asked, answer.payload)
    seen = captured(answer)
    found = reading(explained)
    assert (f"{judged.message} v{judged.version}", judged.value is not None) == found
    assert f"{seen.name} v{seen.version}" == found[0]
    assert explanation_of(seen) == explained
    return found


@pytest.mark.parametrize(("asked", "digits", "read", "rules"), FACTS.values(), ids=FACTS)
def test_an_answer_has_one_reading(asked: int, digits: str, read: int, rules: tuple[str, ...]) -> None:
    answer = DrawnAnswer(asked, bytes.fromhex(digits))
    assert check_one_reading(answer) == (f"ApiVersionsResponse v{read}", True)
    assert tuple(departure.rule for departure in captured(answer).departures) == rules


@pytest.mark.parametrize(("asked", "digits", "read", "_"), FACTS.values(), ids=FACTS)
def test_the_reading_of_another_version_is_named(asked: int, digits: str, read: int, _: object) -> None:
    explained = explain_response(RELEASE, API_VERSIONS, asked, bytes(4) + bytes.fromhex(digits), sized=False)
    assert explained.verdict.detail == ("" if read == asked else read_as(0))


def test_truncated_frame_is_explained_in_the_requested_version() -> None:
    cut = bytes.fromhex("00000014 00000007 0023 00000000")
    explained = explain_response(RELEASE, API_VERSIONS, 4, cut)
    assert (explained.title, explained.verdict.result) == ("ApiVersionsResponse v4, a whole frame", "invalid")


def test_drawn_answers_have_one_reading() -> None:
    assert {check_one_reading(answer)[1] for answer in drawn_answers(RELEASE, 60)} == {True, False}


@pytest.mark.nightly
def test_all_answers_compared_with_apache_kafka_have_one_reading() -> None:
    """The harness of Apache Kafka reads the same answers in `conformance.campaign.proof.proven_answers`."""
    for answer in drawn_answers(RELEASE, ANSWERS):
        check_one_reading(answer)
