import re
import shlex
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import events, faults, invoke, replay_lines, suite_on


@pytest.mark.parametrize("isolation", ["never", "auto"])
def test_reasons_are_counted_and_never_a_finding(tmp_path: Path, isolation: str, snapshot: SnapshotAssertion) -> None:
    report = tmp_path / "report.jsonl"
    text = suite_on("TellsReasons", f"--report={report}", "-v", isolation=isolation).ended(0)
    [counts] = re.findall("^rejection reasons: .*", text, re.MULTILINE)
    assert re.sub(r"\d+", "some", counts) == snapshot
    reported = {(each["reference"], each["given"]) for each in events(report) if each["event"] == "reason"}
    assert ("length-exceeds-input", "truncated") in reported
    assert ("truncated", "truncated") in reported


@pytest.mark.parametrize("liar", ["TellsOwnReasons", "CannotTellReasons"])
@pytest.mark.parametrize("isolation", ["never", "auto"])
def test_odd_reason_is_a_fault_of_the_adapter(liar: str, isolation: str, snapshot: SnapshotAssertion) -> None:
    done = suite_on(liar, isolation=isolation)
    assert done.status == 1, done.text
    assert faults(done.text) == snapshot
    assert " cause" not in done.text
    assert "no findings" not in done.text


def test_missing_fields_have_their_defaults() -> None:
    text = suite_on("FillsIn", "-v").ended(0)
    assert re.search(r"tested: .*[1-9]\d* partial values", text)


def test_a_zero_in_place_of_a_default_is_found_and_replayed() -> None:
    """ReplicaEpoch has the default -1."""
    text = suite_on("FillsInZero").ended(1)
    assert "default.value (bytes)" in text
    assert "=left-out" in text
    again = invoke(*shlex.split(replay_lines(text)[0])[1:])
    assert again.exit_code == 1, again.output
    assert "expected" in again.output


def test_whoever_does_not_declare_it_gets_whole_values_only() -> None:
    done = suite_on("Honest", "-v")
    assert "(capability partial-values " in done.text
