from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conformance.codec.bridge.hangs import SURE
from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.codec.bridge.isolation import ChildCodec, DecodeLimits
from conformance.targets import DECODE, Ask, Body
from conformance.targets.outcome import Kind, Outcome
from reference import load_release, newest_release
from tests.fakes.lies import TRIGGER

RELEASE = newest_release()
SCHEMA = load_release(RELEASE).schema("HeartbeatResponse", 0)
VALID = b"\x00\x07"
CUT = b"\x00"
DEADLINE = 1.0


@contextmanager
def decoder(codec: str, *, deadline: float = 20.0) -> Iterator[ChildCodec]:
    with ChildCodec(f"tests.fakes.faulty_codecs:{codec}", RELEASE, deadline=deadline, memory=2_048) as isolated:
        yield isolated


def outcomes_of(isolated: ChildCodec, *wires: bytes) -> list[Outcome]:
    return isolated.perform_together([Ask(DECODE, Body(SCHEMA), wire) for wire in wires])


def test_outcomes_are_in_the_order_of_the_inputs() -> None:
    with decoder("Honest") as isolated:
        outcomes = outcomes_of(isolated, VALID, CUT, VALID, b"")
    assert [outcome.kind for outcome in outcomes] == [Kind.VALUE, Kind.REJECTED, Kind.VALUE, Kind.REJECTED]
    assert outcomes[0].value == {"ErrorCode": 7}
    assert outcomes[1].text.startswith("Malformed: truncated")


def test_no_input_needs_no_child() -> None:
    with ChildCodec("no.such.adapter", RELEASE) as isolated:
        assert isolated.perform_together([]) == []


FAULTS = {
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


@pytest.mark.parametrize(("codec", "kind", "text", "restarts"), [(codec, *rest) for codec, rest in FAULTS.items()])
def test_a_failure_costs_one_outcome_of_a_hundred(codec: str, kind: Kind, text: str, restarts: int) -> None:
    wires = [VALID] * 60 + [TRIGGER] + [CUT] * 39
    with decoder(codec) as isolated:
        outcomes = outcomes_of(isolated, *wires)
    assert [outcome.kind for outcome in outcomes] == [Kind.VALUE] * 60 + [kind] + [Kind.REJECTED] * 39
    assert outcomes[60].text.startswith(text)
    assert isolated.restarts == restarts


def test_failure_names_its_limit_of_memory() -> None:
    """A codec may live through the same input where it has more."""
    with ChildCodec("tests.fakes.faulty_codecs:Allocates", RELEASE, memory=500) as isolated:
        assert isolated.perform(Ask(DECODE, Body(SCHEMA), TRIGGER)).text == "MemoryError (limit 500 MiB)"
    with decoder("Aborts") as isolated:
        assert outcomes_of(isolated, TRIGGER)[0].text.endswith("SIGABRT (limit 2048 MiB)")
    with decoder("Recurses") as isolated:
        assert "limit" not in outcomes_of(isolated, TRIGGER)[0].text


def test_failure_under_a_lowered_limit_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.codec.bridge.isolation.affordable", lambda _: 500)
    with ChildCodec("tests.fakes.faulty_codecs:Allocates", RELEASE) as isolated:
        assert isolated.perform(Ask(DECODE, Body(SCHEMA), TRIGGER)).kind is Kind.NOT_RUN


def test_limits_are_the_options_of_their_command() -> None:
    """A replay command names the limits other than the defaults."""
    assert DecodeLimits().options == []
    assert DecodeLimits(memory=500, deadline=0.5).options == ["--memory-limit", "500", "--time-limit", "0.5"]


def test_a_hang_costs_one_outcome() -> None:
    with decoder("Hangs", deadline=DEADLINE) as isolated:
        outcomes = outcomes_of(isolated, VALID, TRIGGER, CUT)
    assert [outcome.kind for outcome in outcomes] == [Kind.VALUE, Kind.TIMED_OUT, Kind.REJECTED]
    assert outcomes[1].text.startswith(f"no answer within {SURE * DEADLINE:g} seconds; ")


def test_inputs_of_a_kind_are_skipped_after_it_ended_the_child() -> None:
    with decoder("Aborts") as isolated:
        inputs = zip((TRIGGER, VALID, TRIGGER, VALID, TRIGGER), "abaab", strict=True)
        asks = [Ask(DECODE, Body(SCHEMA), wire, hang_group=group) for wire, group in inputs]
        outcomes = isolated.perform_together(asks)
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == [Kind.CRASHED, Kind.VALUE, Kind.NOT_RUN, Kind.NOT_RUN, Kind.CRASHED]


@pytest.mark.parametrize(
    ("impl", "release", "name"),
    [
        ("tests.suite.no_such_module", RELEASE, "'tests.suite.no_such_module'"),
        ("tests.fakes.faulty_codecs:Nobody", RELEASE, "'Nobody'"),
        ("tests.fakes.faulty_codecs:Honest", "0.7.0", "'0.7.0'"),
    ],
    ids=["module", "attribute", "release"],
)
def test_failed_start_of_a_child_says_why(impl: str, release: str, name: str) -> None:
    with ChildCodec(impl, release) as isolated, pytest.raises(HarnessStartError) as unavailable:
        outcomes_of(isolated, VALID)
    assert "does not start" in str(unavailable.value)
    assert name in str(unavailable.value)
    assert "Traceback" not in str(unavailable.value)


def test_child_is_not_tried_again_after_its_failed_start(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChildCodec("tests.suite.no_such_module", RELEASE) as isolated:
        with pytest.raises(HarnessStartError):
            outcomes_of(isolated, VALID)
        monkeypatch.setattr("conformance.codec.bridge.isolation.ForkServer", None)
        with pytest.raises(HarnessStartError):
            outcomes_of(isolated, VALID)
