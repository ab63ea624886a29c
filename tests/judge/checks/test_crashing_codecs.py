import re
import shlex

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import WITHOUT_SEARCH, Finished, faults, invoke, replay_lines, suite

GRAVE = "tests.fakes.crashing_codecs"


def run(liar: str, isolation: str = "auto") -> Finished:
    return suite(f"--impl={GRAVE}:{liar}", f"--isolation={isolation}", *WITHOUT_SEARCH)


DEADLY = {
    "HangsOnNothing": ("timed-out", "timed-out: no answer within 12 seconds; "),
    "AbortsOnNothing": ("crashed", "crashed: ended by SIGABRT"),
    "AllocatesOnNothing": ("exhausted-memory", "exhausted-memory: MemoryError"),
    "ExitsOnNothing": ("crashed", "crashed: exit status 7: that is enough"),
}


@pytest.mark.parametrize(("liar", "outcome", "actual"), [(liar, *rest) for liar, rest in DEADLY.items()])
def test_input_ending_the_child_is_one_finding(liar: str, outcome: str, actual: str) -> None:
    """The finding has the rule of the input, and the rest of the run is unchanged."""
    done = run(liar)
    assert done.status == 1, done.text
    assert "FAILED: 1 cause (1 finding)" in done.text
    assert f"input.truncated ({outcome}), must: " in done.text
    assert f"actual    {actual}" in done.text
    assert "ended in errors" not in done.text


RESIDUE = {
    "KeepsHalfWritten": ("encode", "auto"),
    "KeepsHalfRead": ("decode", "auto"),
    "ReadsZeroAfterARefusal": ("decode", "auto"),
    "KeepsHalfRead without a child": ("decode", "never"),
}


@pytest.mark.parametrize(
    ("liar", "direction", "isolation"), [(liar.split()[0], *rest) for liar, rest in RESIDUE.items()], ids=RESIDUE
)
def test_the_state_left_by_a_failure_is_found_and_replayed(liar: str, direction: str, isolation: str) -> None:
    """The first finding is about a message that depends on the one before, and the replay shows it again."""
    done = run(liar, isolation)
    assert done.status == 1, done.text
    assert "codec.stateless (" in done.text
    assert f"\n    {direction} " in done.text
    again = invoke(*shlex.split(replay_lines(done.text)[0])[1:])
    assert again.exit_code == 1, again.output
    assert f"    {direction} " in again.output
    assert ", case after " in again.output


def test_codec_changing_its_input_is_at_fault(snapshot: SnapshotAssertion) -> None:
    done = run("OverwritesItsInput")
    assert done.status == 1, done.text
    assert faults(done.text) == snapshot
    assert " cause" not in done.text
    assert "no findings" not in done.text


def test_noise_costs_nothing_but_the_fault(snapshot: SnapshotAssertion) -> None:
    """The noise exceeds the pipes on both outputs, from Python and from below, and every answer is still right."""
    done = run("Noisy")
    assert done.status == 1, done.text
    assert faults(done.text) == snapshot
    assert " cause" not in done.text
    assert "no findings" not in done.text
    assert "ended in errors" not in done.text


@pytest.mark.parametrize("liar", ["NoisyOnStandardError", "StartsSlowly"])
def test_noise_on_standard_error_and_a_slow_start_are_allowed(liar: str) -> None:
    done = run(liar)
    assert done.status == 0, done.text
    assert "no findings" in done.text
    assert "at fault" not in done.text


@pytest.mark.parametrize("liar", ["ExitsAtTheStart", "AbortsAtTheStart"])
def test_failing_start_of_the_child_is_a_fault_of_the_adapter(liar: str, snapshot: SnapshotAssertion) -> None:
    done = run(liar)
    assert done.status == 1, done.text
    assert faults(done.text) == snapshot
    assert "ended in errors" not in done.text
    assert "Traceback" not in done.text


def test_value_for_unread_bytes_is_blamed_on_the_broken_rule() -> None:
    done = run("BelievesAnything")
    assert done.status == 1, done.text
    assert {"input.truncated", "length.within-input"} <= {*re.findall(r"(\S+) \(value\)", done.text)}


def test_a_run_of_broken_input_alone_does_not_suspect_the_adapter() -> None:
    text = suite("--impl=tests.fakes.faulty_codecs:Honest", "--isolation=never", "-k", "invalid or unencodable").ended(
        0
    )
    assert "at fault" not in text
