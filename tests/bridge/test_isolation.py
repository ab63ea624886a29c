"""Decoding in a child process: one outcome for each input, whatever the adapter does."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from conformance.bridge.errors import HarnessStartError
from conformance.bridge.failures import CRASH_BUDGET, TIMEOUT_BUDGET
from conformance.bridge.isolation import IsolatedDecoder
from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.targets import Body
from reference import load_release, newest_release
from tests.fakes.faulty_codecs import TRIGGER

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = newest_release()
SCHEMA = load_release(RELEASE).schema("HeartbeatResponse", 0)
SOUND = b"\x00\x07"
CUT = b"\x00"
DEADLINE = 1.0


@contextmanager
def decoder(liar: str, *, deadline: float = 20.0) -> Iterator[IsolatedDecoder]:
    """A decoder for one of the liars."""
    with IsolatedDecoder(f"tests.fakes.faulty_codecs:{liar}", RELEASE, deadline=deadline, memory=2_048) as isolated:
        yield isolated


def outcomes_of(isolated: IsolatedDecoder, *wires: bytes) -> list[Outcome]:
    """What comes of each of these."""
    return isolated.decode_many([(Body(SCHEMA), wire) for wire in wires])


def test_values_and_refusals_come_in_order() -> None:
    """A value where the input is sound, a rejection where it is not."""
    with decoder("Honest") as isolated:
        found = outcomes_of(isolated, SOUND, CUT, SOUND, b"")
    assert [each.kind for each in found] == [Kind.VALUE, Kind.REJECTED, Kind.VALUE, Kind.REJECTED]
    assert found[0].value == {"ErrorCode": 7}
    assert found[1].text.startswith("Malformed: truncated")


def test_no_input_needs_no_child() -> None:
    """A child is started when it is first needed."""
    with IsolatedDecoder("no.such.adapter", RELEASE) as isolated:
        assert isolated.decode_many([]) == []


ONE_LIE = {
    "Aborts": (Kind.CRASHED, "ended by SIGABRT", 1),
    "Exits": (Kind.CRASHED, "SystemExit: 3", 0),
    "ExitsAtOnce": (Kind.CRASHED, "exit status 7: that is enough", 1),
    "Allocates": (Kind.EXHAUSTED_MEMORY, "MemoryError", 0),
    "FillsMemory": (Kind.EXHAUSTED_MEMORY, "resident memory grew by 10", 0),
    "StartsThreads": (Kind.CRASHED, "ended by SIGABRT", 1),
    "Recurses": (Kind.CRASHED, "RecursionError: maximum recursion depth exceeded", 0),
    "ReturnsNone": (Kind.PROTOCOL_ERROR, "decode returned NoneType, not a dict of fields", 0),
    "ReturnsList": (Kind.PROTOCOL_ERROR, "decode returned list, not a dict of fields", 0),
}


@pytest.mark.parametrize(("liar", "kind", "text", "restarts"), [(liar, *rest) for liar, rest in ONE_LIE.items()])
def test_a_lie_costs_one_outcome_and_the_other_99_keep_theirs(liar: str, kind: Kind, text: str, restarts: int) -> None:
    """The culprit is named, though many inputs were under way at once."""
    wires = [SOUND] * 60 + [TRIGGER] + [CUT] * 39
    with decoder(liar) as isolated:
        found = outcomes_of(isolated, *wires)
    assert [each.kind for each in found] == [Kind.VALUE] * 60 + [kind] + [Kind.REJECTED] * 39
    assert found[60].text.startswith(text)
    assert isolated.restarts == restarts


def test_a_hang_costs_one_outcome_and_little_more_than_the_deadline() -> None:
    """Once to notice it, once to be sure who it was."""
    began = time.monotonic()
    with decoder("Hangs", deadline=DEADLINE) as isolated:
        found = outcomes_of(isolated, SOUND, TRIGGER, CUT)
    assert [each.kind for each in found] == [Kind.VALUE, Kind.TIMED_OUT, Kind.REJECTED]
    assert found[1].text == "no answer within 1 seconds"
    assert time.monotonic() - began < 30


def test_several_deaths_in_one_batch_each_cost_one_outcome() -> None:
    """The child is started again as often as need be."""
    with decoder("Aborts") as isolated:
        found = outcomes_of(isolated, TRIGGER, SOUND, TRIGGER, SOUND)
    assert [each.kind for each in found] == [Kind.CRASHED, Kind.VALUE, Kind.CRASHED, Kind.VALUE]


def test_what_is_of_a_deadly_sort_is_not_tried_again() -> None:
    """The rest is."""
    with decoder("Aborts") as isolated:
        inputs = [(Body(SCHEMA), wire) for wire in (TRIGGER, SOUND, TRIGGER, SOUND, TRIGGER)]
        found = isolated.decode_many(inputs, ["a", "b", "a", "a", "b"])
    assert [each.kind for each in found] == [Kind.CRASHED, Kind.VALUE, Kind.NOT_RUN, Kind.NOT_RUN, Kind.CRASHED]


def test_deaths_have_a_budget() -> None:
    """What comes after it has not run, and is said not to have."""
    with decoder("Aborts") as isolated:
        found = outcomes_of(isolated, *[TRIGGER] * (CRASH_BUDGET + 5))
    assert [each.kind for each in found] == [Kind.CRASHED] * CRASH_BUDGET + [Kind.NOT_RUN] * 5


def test_silences_have_a_smaller_budget() -> None:
    """Each costs seconds."""
    with decoder("Hangs", deadline=0.2) as isolated:
        found = outcomes_of(isolated, *[TRIGGER] * (TIMEOUT_BUDGET + 2))
    assert [each.kind for each in found] == [Kind.TIMED_OUT] * TIMEOUT_BUDGET + [Kind.NOT_RUN] * 2


def test_the_budget_is_that_of_one_call() -> None:
    """What was asked before does not change what comes out now."""
    with decoder("Aborts") as isolated:
        outcomes_of(isolated, *[TRIGGER] * (CRASH_BUDGET + 1))
        assert [each.kind for each in outcomes_of(isolated, TRIGGER, SOUND)] == [Kind.CRASHED, Kind.VALUE]


def test_a_decoder_goes_on_after_a_death() -> None:
    """A later batch does not suffer from an earlier one."""
    with decoder("Aborts") as isolated:
        outcomes_of(isolated, TRIGGER)
        assert [each.kind for each in outcomes_of(isolated, SOUND)] == [Kind.VALUE]


def test_what_an_adapter_prints_does_no_harm() -> None:
    """Standard output belongs to the replies, even if the print looks like one."""
    with decoder("Prints") as isolated:
        assert [each.value for each in outcomes_of(isolated, SOUND, SOUND)] == [{"ErrorCode": 7}] * 2


@pytest.mark.parametrize(
    ("impl", "release", "text"),
    [
        ("tests.suite.no_such_module", RELEASE, "there is no module 'tests.suite.no_such_module'"),
        ("tests.fakes.faulty_codecs:Nobody", RELEASE, "'tests.fakes.faulty_codecs' has no attribute 'Nobody'"),
        ("tests.fakes.faulty_codecs:Honest", "0.7.0", "no definitions of release '0.7.0'"),
    ],
    ids=["module", "attribute", "release"],
)
def test_a_child_that_cannot_start_says_why(impl: str, release: str, text: str) -> None:
    """In one line, without a traceback."""
    with IsolatedDecoder(impl, release) as isolated, pytest.raises(HarnessStartError) as unavailable:
        outcomes_of(isolated, SOUND)
    assert str(unavailable.value).startswith("the child process for hostile bytes does not start")
    assert text in str(unavailable.value)
    assert "Traceback" not in str(unavailable.value)


def test_a_child_that_did_not_start_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be thousands of inputs yet."""
    with IsolatedDecoder("tests.suite.no_such_module", RELEASE) as isolated:
        with pytest.raises(HarnessStartError):
            outcomes_of(isolated, SOUND)
        monkeypatch.setattr("conformance.bridge.isolation.ForkServer", None)
        with pytest.raises(HarnessStartError):
            outcomes_of(isolated, SOUND)
