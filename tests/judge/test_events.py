"""Events of broken rules stay distinct on their way through a file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.judge.events import (
    ACCEPTANCE,
    MAXIMUM_TEXT,
    Answered,
    Differs,
    Expectation,
    Held,
    Observation,
    Shown,
    expected_bytes,
    these_bytes,
    value_at,
    written_bytes,
    wrote,
)
from reference import Difference
from tests.helpers.cases import read_violation, sent, violation

LONG = MAXIMUM_TEXT + 1
DID: dict[str, tuple[Expectation, Observation]] = {
    "bytes": (these_bytes(bytes(LONG)), wrote(b"\1" * LONG)),
    "a value": (value_at("Name", "a" * LONG), Answered("value", value=Shown.of("b" * LONG))),
    "a difference": (
        value_at("Name", "a" * LONG),
        Differs.of(Difference("Name", "a" * LONG, "b" * LONG, "value")),
    ),
    "what it says": (ACCEPTANCE, Answered("rejected", explanation="ValueError: " + "no room for 7 bytes " * LONG)),
}


@pytest.mark.parametrize(("expectation", "observation"), DID.values(), ids=DID)
def test_a_long_event_keeps_its_key(expectation: Expectation, observation: Observation) -> None:
    met = violation("null.not-written", "FetchRequest", expectation=expectation, observation=observation)
    event = sent(met.event())
    assert event == met.event()
    assert event.key == read_violation(event).key == met.key


@pytest.mark.parametrize(("expectation", "observation"), DID.values(), ids=DID)
def test_a_long_event_keeps_its_weight(expectation: Expectation, observation: Observation) -> None:
    """Every process shows the same case for it."""
    met = violation("null.not-written", "FetchRequest", expectation=expectation, observation=observation)
    assert read_violation(sent(met.event())).weight == met.weight


def test_values_with_the_same_beginning_are_unequal() -> None:
    one, other = (Shown.of("a" * LONG + last) for last in "bc")
    assert one.text.start == other.text.start
    assert one != other


def test_bytes_with_the_same_beginning_are_unequal() -> None:
    one, other = (bytes(LONG) + last for last in (b"\0", b"\1"))
    assert wrote(one) != wrote(other)
    assert these_bytes(one) != these_bytes(other)


def test_events_with_the_same_beginning_are_unequal_in_another_process() -> None:
    met = violation("null.not-written", "FetchRequest", observation=wrote(bytes(LONG) + b"\0"))
    other = replace(met, observation=wrote(bytes(LONG) + b"\1"))
    assert sent(met.event()).observation != sent(other.event()).observation


@pytest.mark.parametrize("size", [MAXIMUM_TEXT, LONG])
def test_only_a_too_long_text_is_held_by_its_beginning(size: int) -> None:
    held = Held.of("a" * size)
    assert (len(held.start), held.length, held.is_whole) == (MAXIMUM_TEXT, size, size == MAXIMUM_TEXT)


def test_lone_surrogate_is_held() -> None:
    """Texts of implementations may contain anything."""
    assert Held.of("\ud800" * LONG).sha256


@pytest.mark.parametrize("wire", [b"", b"\1", bytes(MAXIMUM_TEXT // 2)])
def test_bytes_held_whole_come_back(wire: bytes) -> None:
    assert written_bytes(wrote(wire)) == expected_bytes(these_bytes(wire)) == wire


def test_bytes_held_by_their_beginning_do_not_come_back() -> None:
    assert written_bytes(wrote(bytes(LONG))) is None
    assert expected_bytes(these_bytes(bytes(LONG))) is None


@pytest.mark.parametrize("value", ["a", "a" * LONG, b"\0" * LONG, ["a" * LONG], {"Name": "a" * LONG}])
@pytest.mark.parametrize("is_written", [True, False], ids=["null read as a value", "a value read as null"])
def test_null_read_as_a_value_keeps_its_cluster(value: object, *, is_written: bool) -> None:
    expected, actual = (None, value) if is_written else (value, None)
    found = Differs.of(Difference("Name", expected, actual, "null"))
    event = violation("null.not-written", "FetchRequest", direction="decode", observation=found).event()
    cluster = "null read as a value" if is_written else "a value read as null"
    assert event.cluster == cluster
    assert read_violation(sent(event)).cluster == cluster


@pytest.mark.parametrize("empty", ["", b"", []])
def test_null_read_as_empty_keeps_its_cluster(empty: object) -> None:
    found = Differs.of(Difference("Name", None, empty, "null"))
    shown = violation("null.not-written", "FetchRequest", direction="decode", observation=found)
    assert shown.cluster
    assert read_violation(sent(shown.event())).cluster == shown.cluster
