import pytest

from conformance.judge.events import (
    ACCEPTANCE,
    SOME_BYTES,
    Another,
    Answered,
    Counted,
    Differs,
    Expectation,
    Expected,
    Held,
    Noted,
    Observation,
    Shown,
    number,
    these_bytes,
    value_at,
    wrote,
)
from conformance.judge.findings.wording import actual_text, expected_text, worded
from reference import Difference
from tests.helpers.cases import violation

NUMBERS = (4, 3, 35)


def whole(what: Expected) -> Expectation:
    """Return an expectation with every part of any kind."""
    return Expectation(what, Held.of("0001"), "Name", Shown.of("a"), NUMBERS, "FetchResponse-v4")


@pytest.mark.parametrize("what", Expected)
def test_every_kind_of_expectation_has_a_text(what: Expected) -> None:
    assert expected_text(whole(what))


def test_no_two_expectations_have_the_same_text() -> None:
    assert len({expected_text(whole(what)) for what in Expected}) == len(Expected)


EXPECTED = {
    "bytes": (these_bytes(b"\0\1"), "0001"),
    "any bytes": (SOME_BYTES, "bytes"),
    "a value": (value_at("Topics[0].Name", None), "Topics[0].Name: None"),
    "a value that is the whole": (value_at("", 7), "7"),
    "a number": (number(Expected.CONSUMPTION, 9), "9 bytes consumed"),
    "several numbers": (number(Expected.RESPONSE_OR_ERROR, 4, 0, 35), "version 4, or version 0 with error code 35"),
    "as many numbers as there are": (number(Expected.CORRELATION_IDS, 1, 2), "correlation ids [1, 2]"),
    "a range": (number(Expected.ANNOUNCED_VERSION, 0, 4), "versions 0 to 4"),
    "no range": (number(Expected.ANNOUNCED_VERSION), "an API that is announced"),
    "a row": (Expectation(Expected.ALLOWED_VALUE, name="at least 1"), "a value that the version allows: at least 1"),
    "a name": (Expectation(Expected.ERROR_RESPONSE, numbers=(35,), name="A-v0"), "A-v0 with error code 35"),
    "a long value": (value_at("Name", "a" * 3_000), f"Name: '{'a' * 1_999}... (3002 characters)"),
}


@pytest.mark.parametrize(("expectation", "text"), EXPECTED.values(), ids=EXPECTED)
def test_the_text_of_an_expectation_has_its_data(expectation: Expectation, text: str) -> None:
    assert expected_text(expectation) == text


ACTUAL: dict[str, tuple[Observation, str]] = {
    "bytes": (wrote(b"\1\0"), "0100"),
    "no bytes": (wrote(b""), "no bytes"),
    "long bytes": (wrote(bytes(1_001)), f"{'00' * 1_000}... (2002 characters)"),
    "a value": (Answered("value", value=Shown.of({"A": 1})), "{'A': 1}"),
    "null": (Answered("value", value=Shown.of(None)), "None"),
    "what it says": (Answered("rejected", explanation="ValueError: no"), "rejected: ValueError: no"),
    "nothing said": (Answered("crashed"), "crashed"),
    "a difference": (Differs.of(Difference("Name", None, "", "null")), "Name: '' (null differs)"),
    "another value": (Another(), "another one"),
    "consumed bytes": (Counted("consumed", 3), "3 bytes consumed"),
    "a size": (Counted("size", 3), "3 announced"),
    "a header version": (Counted("header-version", 2), "2"),
    "what was seen": (Noted("bytes", "correlation id 7"), "correlation id 7"),
}


@pytest.mark.parametrize(("observation", "text"), ACTUAL.values(), ids=ACTUAL)
def test_the_text_of_an_observation_has_its_data(observation: Observation, text: str) -> None:
    assert actual_text(observation) == text


def test_an_event_in_a_file_has_both_in_words() -> None:
    refused = Answered("rejected", explanation="ValueError: no")
    event = worded(violation("null.not-written", "A", expectation=ACCEPTANCE, observation=refused).event())
    assert (event.expected, event.actual) == ("accepted", "rejected: ValueError: no")
