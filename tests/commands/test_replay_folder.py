import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.system.time_limits import TimeLimit
from tests.helpers.cases import FOUND_CASE
from tests.helpers.releases import OLDEST
from tests.helpers.runs import LIARS, error_of, invoke


def replay(liar: str, folder: Path, *options: str) -> Result:
    return invoke("replay", str(folder), "--impl", f"{LIARS}:{liar}", *options)


def put(folder: Path, name: str, **changes: Any) -> None:
    (folder / f"{name}.json").write_text(json.dumps({**FOUND_CASE, **changes}), encoding="utf-8")


def outcomes(done: Result) -> dict[str, tuple[str, str]]:
    """Return of each case its state and what follows its name."""
    lines = re.findall(r"^(\S.*?)  +(\S+\.json)(?:: (.*))?$", done.output, re.MULTILINE)
    return {name: (state, rest) for state, name, rest in lines}


def counts(done: Result) -> list[str]:
    return done.output.splitlines()[-1].rpartition(": ")[2].split(", ")


def test_each_case_is_shown_as_failing_or_fixed(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """The status is 1 if any still fails."""
    put(tmp_path, "one")
    put(tmp_path, "palindrome", wire="0101")
    done = replay("LittleEndian", tmp_path)
    assert done.exit_code == 1, done.output
    assert done.output == snapshot


def test_the_status_is_0_if_all_are_fixed(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "cut", kind="invalid-bytes", wire="00", rule="input.truncated")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 0, done.output
    assert counts(done) == ["0 still fails", "0 error", "2 fixed"]


@pytest.mark.parametrize(
    ("liar", "outcome"), [("Aborts", "crashed"), ("Recurses", "crashed"), ("ExitsAtOnce", "crashed")]
)
def test_a_crash_is_survived_and_still_fails(tmp_path: Path, liar: str, outcome: str) -> None:
    put(tmp_path, "a-value", wire="ffff")
    put(tmp_path, "bytes", kind="invalid-bytes", wire="ffffff", rule="input.truncated")
    put(tmp_path, "cut", kind="invalid-bytes", wire="00", rule="input.truncated")
    done = replay(liar, tmp_path)
    assert done.exit_code == 1, done.output
    assert outcomes(done) == {
        "a-value.json": ("still fails", f"value.accepted ({outcome})"),
        "bytes.json": ("still fails", f"codec.survival ({outcome})"),
        "cut.json": ("fixed", ""),
    }


def test_each_hang_has_the_time_of_the_first(tmp_path: Path) -> None:
    """A run skips inputs after some hangs, and a replay would take them for fixed."""
    wires = ("ffffff", "ffffffff", "ffffffffff")
    for wire in wires:
        put(tmp_path, wire, kind="invalid-bytes", wire=wire, rule="input.trailing")
    done = replay("Hangs", tmp_path, "--time-limit", "0.2")
    assert counts(done) == [f"{len(wires)} still fails", "0 error", "0 fixed"]


def test_a_case_without_a_processor_is_not_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeLimit, "is_for_lack_of_processors", True)
    put(tmp_path, "one", kind="invalid-bytes", wire="ffffff", rule="input.trailing")
    done = replay("Hangs", tmp_path, "--time-limit", "0.2")
    assert outcomes(done) == {"one.json": ("error", f"not tried, {TOO_BUSY}")}
    assert done.exit_code == 1


ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown message": ({"message": "HeartbeatRespons"}, "HeartbeatResponse"),
    "unknown version": ({"version": 99}, "no version 99"),
    "unknown release": ({"release": "0.7.0"}, "of release '0.7.0'"),
    "not offered": ({"message": "VoteResponse", "wire": "00000100"}, "not offer VoteResponse-v0"),
}


@pytest.mark.parametrize(("changes", "error"), ERRORS.values(), ids=ERRORS)
def test_impossible_case_is_an_error_and_the_rest_is_tried(tmp_path: Path, changes: dict[str, Any], error: str) -> None:
    put(tmp_path, "bad", **changes)
    put(tmp_path, "good")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 1, done.output
    state, rest = outcomes(done)["bad.json"]
    assert (state, error in rest) == ("error", True), done.output
    assert counts(done) == ["0 still fails", "1 error", "1 fixed"]


def test_half_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "half.json").write_text('{"format": 1,', encoding="utf-8")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 1, done.output
    state, rest = outcomes(done)["half.json"]
    assert (state, "half.json, line 1" in rest, "not JSON" in rest) == ("error", True, True), done.output


def test_a_release_may_be_named(tmp_path: Path) -> None:
    put(tmp_path, "one", release="0.7.0")
    assert replay("Honest", tmp_path, "--release", OLDEST).exit_code == 0


def test_a_folder_without_cases_is_no_success(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert error_of(replay("Honest", tmp_path), 1).replace(str(tmp_path), "…") == snapshot


@pytest.mark.parametrize("options", [("--message", "HeartbeatResponse"), ("--wire", "00"), ("--header",)])
def test_folder_excludes_options_of_a_single_case(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert error_of(replay("Honest", tmp_path, *options), 2).startswith("FOLDER goes with ")


def test_without_a_folder_a_message_is_needed(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("replay", "--impl", f"{LIARS}:Honest", "--wire", "00"), 2) == snapshot
