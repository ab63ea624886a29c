"""The cost of hangs: two runs of the suite, with and without inputs on which the codec never answers."""

import json
from pathlib import Path

import pytest

from conformance.benchmark import hanging
from conformance.benchmark.hangs import TooFewInputsError, chosen_inputs
from reference import Result, decode, encode, judge, load_release, minimal
from tests.helpers.runs import invoke

RELEASE = load_release("4.3.0")
SCHEMAS = [RELEASE.schema("HeartbeatResponse", version) for version in range(5)]


def test_each_input_is_of_another_pair_and_must_be_rejected() -> None:
    inputs = list(chosen_inputs(RELEASE, SCHEMAS, 5))
    assert [each[:2] for each in inputs] == [("HeartbeatResponse", version) for version in range(5)]
    verdicts = [judge(RELEASE.schema(name, version), bytes.fromhex(wire)) for name, version, wire in inputs]
    assert {verdict.result for verdict in verdicts} == {Result.INVALID}


def test_more_inputs_than_pairs_are_refused() -> None:
    with pytest.raises(TooFewInputsError, match="there are only 5"):
        list(chosen_inputs(RELEASE, SCHEMAS, 6))


def test_the_codec_sleeps_on_those_inputs_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sleep is ended here by an exception."""
    chosen = tmp_path / "inputs.json"
    chosen.write_text(json.dumps([["HeartbeatResponse", 0, "00"]]))
    monkeypatch.setenv(hanging.INPUTS, str(chosen))
    sleep = "conformance.benchmark.hanging.time.sleep"
    monkeypatch.setattr(sleep, lambda seconds: pytest.fail(f"asleep for {seconds}"))
    codec, wire = hanging.Hanging(), encode(SCHEMAS[0], minimal(SCHEMAS[0]))
    assert codec.decode(SCHEMAS[0], wire).value == decode(SCHEMAS[0], wire).value
    with pytest.raises(pytest.fail.Exception, match="asleep for 60"):
        codec.decode(SCHEMAS[0], b"\x00")


@pytest.mark.slow
def test_both_runs_are_timed() -> None:
    """The input is one of two checks, so that it hangs, and is counted, twice."""
    done = invoke("bench", "hangs", "--inputs=1", "--messages=HeartbeatResponse-v0", "--release=4.3.0", "-n1")
    assert done.exit_code == 0, done.output
    assert "with 1 inputs that hang: " in done.output
    assert " s; 2 timed out, 0 not run" in done.output
    assert "without them: " in done.output
    assert " s; 0 timed out, 0 not run" in done.output
    assert "apart: " in done.output
