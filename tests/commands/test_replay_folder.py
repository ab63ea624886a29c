import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.system.time_limits import TimeLimit
from tests.helpers.cases import FOUND_CASE
from tests.helpers.releases import OLDEST
from tests.helpers.runs import LIARS, invoke


def replay(liar: str, folder: Path, *options: str) -> Result:
    return invoke("replay", str(folder), "--impl", f"{LIARS}:{liar}", *options)


def put(folder: Path, name: str, **changes: Any) -> None:
    (folder / f"{name}.json").write_text(json.dumps({**FOUND_CASE, **changes}), encoding="utf-8")


def test_each_case_is_shown_as_failing_or_fixed(tmp_path: Path) -> None:
    """The status is 1 if any still fails."""
    put(tmp_path, "one")
    put(tmp_path, "palindrome", wire="0101")
    done = replay("LittleEndian", tmp_path)
    assert done.exit_code == 1, done.output
    assert "still fails  one.json: codec.round-trip (value), int.width-and-order (bytes)\n" in done.output
    assert "fixed        palindrome.json\n" in done.output
    assert "2 found cases: 1 still fails, 0 error, 1 fixed\n" in done.output


def test_the_status_is_0_if_all_are_fixed(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "cut", kind="invalid-bytes", wire="00", rule="input.truncated")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 0, done.output
    assert "2 found cases: 0 still fails, 0 error, 2 fixed\n" in done.output


@pytest.mark.parametrize(
    ("liar", "outcome"), [("Aborts", "crashed"), ("Recurses", "crashed"), ("ExitsAtOnce", "crashed")]
)
def test_a_crash_is_survived_and_still_fails(tmp_path: Path, liar: str, outcome: str) -> None:
    put(tmp_path, "a-value", wire="ffff")
    put(tmp_path, "bytes", kind="invalid-bytes", wire="ffffff", rule="input.truncated")
    put(tmp_path, "cut", kind="invalid-bytes", wire="00", rule="input.truncated")
    done = replay(liar, tmp_path)
    assert done.exit_code == 1, done.output
    assert f"still fails  a-value.json: value.accepted ({outcome})\n" in done.output
    assert f"still fails  bytes.json: codec.survival ({outcome})\n" in done.output
    assert "fixed        cut.json\n" in done.output


def test_each_hang_has_the_time_of_the_first(tmp_path: Path) -> None:
    """A run skips inputs after some hangs, and a replay would take them for fixed."""
    wires = ("ffffff", "ffffffff", "ffffffffff")
    for wire in wires:
        put(tmp_path, wire, kind="invalid-bytes", wire=wire, rule="input.trailing")
    done = replay("Hangs", tmp_path, "--time-limit", "0.2")
    assert f"3 found cases: {len(wires)} still fails, 0 error, 0 fixed\n" in done.output


def test_a_case_without_a_processor_is_not_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimeLimit, "is_for_lack_of_processors", True)
    put(tmp_path, "one", kind="invalid-bytes", wire="ffffff", rule="input.trailing")
    done = replay("Hangs", tmp_path, "--time-limit", "0.2")
    assert f"error        one.json: not tried, {TOO_BUSY}\n" in done.output
    assert done.exit_code == 1


ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown message": ({"message": "HeartbeatRespons"}, "did you mean HeartbeatResponse"),
    "unknown version": ({"version": 99}, "has no version 99"),
    "unknown release": ({"release": "0.7.0"}, "no definitions of release '0.7.0'"),
    "not offered": ({"message": "VoteResponse", "wire": "00000100"}, "honest does not offer VoteResponse-v0"),
}


@pytest.mark.parametrize(("changes", "error"), ERRORS.values(), ids=ERRORS)
def test_impossible_case_is_an_error_and_the_rest_is_tried(tmp_path: Path, changes: dict[str, Any], error: str) -> None:
    put(tmp_path, "bad", **changes)
    put(tmp_path, "good")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 1, done.output
    assert "error        bad.json: " in done.output
    assert error in done.output
    assert "2 found cases: 0 still fails, 1 error, 1 fixed\n" in done.output


def test_half_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "half.json").write_text('{"format": 1,', encoding="utf-8")
    done = replay("Honest", tmp_path)
    assert done.exit_code == 1, done.output
    assert "error        half.json: " in done.output
    assert "half.json, line 1: not JSON" in done.output


def test_a_release_may_be_named(tmp_path: Path) -> None:
    put(tmp_path, "one", release="0.7.0")
    assert replay("Honest", tmp_path, "--release", OLDEST).exit_code == 0


def test_a_folder_without_cases_is_no_success(tmp_path: Path) -> None:
    done = replay("Honest", tmp_path)
    assert done.exit_code == 1
    assert "there are no found cases in" in done.output


@pytest.mark.parametrize("options", [("--message", "HeartbeatResponse"), ("--wire", "00"), ("--header",)])
def test_folder_excludes_options_of_a_single_case(tmp_path: Path, options: tuple[str, ...]) -> None:
    done = replay("Honest", tmp_path, *options)
    assert done.exit_code == 2
    assert "FOLDER goes with --impl and --release alone" in done.output


def test_without_a_folder_a_message_is_needed() -> None:
    done = invoke("replay", "--impl", f"{LIARS}:Honest", "--wire", "00")
    assert done.exit_code == 2
    assert "give --message and --version, or a folder of found cases" in done.output
