import re
import shlex
from pathlib import Path

import pytest

from tests.helpers.runs import events, invoke, replay_lines, suite_on


@pytest.mark.parametrize("isolation", ["never", "auto"])
def test_reasons_are_counted_and_never_a_finding(tmp_path: Path, isolation: str) -> None:
    report = tmp_path / "report.jsonl"
    text = suite_on("TellsReasons", f"--report={report}", "-v", isolation=isolation).ended(0)
    assert re.search(
        r"^rejection reasons: \d+ agree with the reference, \d+ differ \(truncated for length-exceeds-input \d+\)$",
        text,
        re.MULTILINE,
    )
    reported = {(each["reference"], each["given"]) for each in events(report) if each["event"] == "reason"}
    assert ("length-exceeds-input", "truncated") in reported
    assert ("truncated", "truncated") in reported


ODD = {
    "TellsOwnReasons": "classify returned 'bad-Malformed' for Malformed: ",
    "CannotTellReasons": "classify failed on Malformed: ",
}


@pytest.mark.parametrize(("liar", "text"), ODD.items(), ids=ODD)
@pytest.mark.parametrize("isolation", ["never", "auto"])
def test_odd_reason_is_a_fault_of_the_adapter(liar: str, text: str, isolation: str) -> None:
    done = suite_on(liar, isolation=isolation)
    assert done.status == 1, done.text
    assert "the adapter itself seems to be at fault" in done.text
    assert text in done.text
    assert " cause" not in done.text
    assert "no findings" not in done.text


def test_missing_fields_have_their_defaults() -> None:
    text = suite_on("FillsIn", "-v").ended(0)
    assert re.search(r"tested: .*[1-9]\d* partial values", text)


def test_a_zero_in_place_of_a_default_is_found_and_replayed() -> None:
    """ReplicaEpoch has the default -1."""
    text = suite_on("FillsInZero").ended(1)
    assert "default.value (bytes), must: " in text
    assert "=left-out" in text
    again = invoke(*shlex.split(replay_lines(text)[0])[1:])
    assert again.exit_code == 1, again.output
    assert "expected" in again.output


def test_whoever_does_not_declare_it_gets_whole_values_only() -> None:
    done = suite_on("Honest", "-v")
    assert "partial values (capability partial-values not declared)" in done.text
