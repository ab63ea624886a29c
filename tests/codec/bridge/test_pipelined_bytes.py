"""Hostile bytes in flight to a harness have the outcomes of bytes one by one."""

import sys

import pytest

from conformance.codec.bridge.isolation import ChildCodec
from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.smaller_bytes import cut_hang
from conformance.judge.engine import violations
from conformance.system.time_limits import TimeLimit
from conformance.targets import DECODE, Ask, Body
from conformance.targets.outcome import Outcome
from reference import load_release, newest_release
from tests.fakes import unruly_codec
from tests.fakes.unruly_codec import DIES, FLOODS, HANGS, NOISE, TAKES_MEMORY, WRONG_ID

TARGET = Body(load_release(newest_release()).schema("HeartbeatResponse", 0))
IMPL = f"stdio:{sys.executable} {unruly_codec.__file__}"
GOOD = [bytes([0, number]) for number in range(40)]


def decoder(impl: str = IMPL) -> ChildCodec:
    return ChildCodec(impl, newest_release(), deadline=0.8, memory=500)


def kinds(outcomes: list[Outcome]) -> list[str]:
    return [str(outcome.kind) for outcome in outcomes]


@pytest.mark.parametrize(
    ("misbehaviour", "outcome"),
    [
        (DIES, "crashed"),
        (HANGS, "timed-out"),
        (FLOODS, "protocol-error"),
        (NOISE, "protocol-error"),
        (WRONG_ID, "protocol-error"),
        (TAKES_MEMORY, "crashed"),
    ],
)
def test_a_failure_is_blamed_on_its_input(misbehaviour: int, outcome: str) -> None:
    """Held back and lost replies to inputs before it are asked for again."""
    wires = [*GOOD[:30], bytes([misbehaviour]), *GOOD[30:]]
    with decoder() as running:
        together = kinds(running.perform_together([Ask(DECODE, TARGET, wire) for wire in wires]))
    assert together == ["value"] * 30 + [outcome] + ["value"] * 10


def test_bytes_in_flight_have_the_outcomes_of_bytes_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeLimit, "__str__", lambda limit: f"{limit.seconds:g} seconds")
    wires = [*GOOD[:3], bytes([DIES]), GOOD[4], bytes([NOISE]), bytes([HANGS]), GOOD[5], bytes([DIES, 2]), GOOD[6]]
    asks = [Ask(DECODE, TARGET, wire) for wire in wires]
    with decoder() as running:
        together = running.perform_together(asks)
    with decoder() as running:
        alone = list(map(running.perform, asks))
    assert together == alone


def test_harness_in_lock_step_is_not_asked_again_for_inputs_before_a_death() -> None:
    """A harness with held back replies would be started twice, for the batch and for the bytes one by one."""
    wires = [*GOOD[:30], bytes([DIES]), *GOOD[30:]]
    with decoder(f"{IMPL} lock-step") as running:
        together = kinds(running.perform_together([Ask(DECODE, TARGET, wire) for wire in wires]))
        assert running.restarts == 1
    assert together == ["value"] * 30 + ["crashed"] + ["value"] * 10


LAUNCHERS = {
    "alone": IMPL,
    "a shell": f"stdio:/bin/sh -c '\"$@\"; exit $?' sh {IMPL.removeprefix('stdio:')}",
    "a shell in a shell": f"stdio:/bin/sh -c 'sh -c \"$*; exit 1\"; exit 1' sh {IMPL.removeprefix('stdio:')}",
}
"""Commands by what the process that decodes is behind."""


@pytest.mark.parametrize("impl", LAUNCHERS.values(), ids=LAUNCHERS)
def test_death_names_the_limit_of_memory_of_the_decoding_process(impl: str) -> None:
    with decoder(impl) as running:
        outcome = running.perform(Ask(DECODE, TARGET, bytes([TAKES_MEMORY])))
    assert "(limit 500 MiB)" in outcome.text


def test_a_hang_of_random_search_is_cut_by_bisection() -> None:
    """The shortest hanging beginning is the first byte alone."""
    codec = load_codec("conformance.adapters.reference")
    case = hostile_case(TARGET.schema, "generated", bytes([HANGS, *range(40)]), deterministic=False)
    with decoder() as running:
        session = Session(codec, load_release(newest_release()), running)
        [violation] = violations(session, [case])
        cut = cut_hang(session, violation)
    assert (cut.outcome, cut.case.wire) == ("timed-out", bytes([HANGS]))
