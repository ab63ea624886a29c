import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.files.locks import alone
from tests.helpers.cases import FOUND_CASE
from tests.helpers.runs import LIARS, ROOT, Finished, kafka_conformance


def night(liar: str, state: Path, *options: str) -> Finished:
    budget = ("--minutes", "5", "--rounds", "1", "--workers", "1")
    words = ("--impl", f"{LIARS}:{liar}", "--state", str(state), *budget, *options)
    return kafka_conformance("nightly", *words)


def summary(state: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((state / "summary.json").read_text(encoding="utf-8"))
    return kept


def test_a_night_without_findings_ends_with_0(tmp_path: Path) -> None:
    done = night("Honest", tmp_path)
    assert done.status == 0, done.text
    facts = summary(tmp_path)
    assert facts["pairs"] == {"offered": 2, "searched": 2}
    assert facts["cases"]["generated values"] >= 1000
    assert facts["findings"] == facts["errors"] == facts["deaths"] == facts["found"] == []
    assert json.loads((tmp_path / "cursor.json").read_text(encoding="utf-8"))["turn"] >= 1
    assert "searched 2 of 2 pairs in " in done.text


def test_what_a_night_finds_is_kept_and_tried_first_by_the_next(tmp_path: Path) -> None:
    """With an exit status of 1, found cases that replay, and examples that Hypothesis keeps."""
    done = night("LittleEndianByChance", tmp_path)
    assert done.status == 1, done.text
    assert "new: int.width-and-order (must), outcome bytes: " in done.text
    found = summary(tmp_path)["found"]
    assert any(name.startswith("int.width-and-order-HeartbeatResponse-v0-") for name in found)
    assert any((tmp_path / "examples").iterdir())
    replayed = kafka_conformance("replay", str(tmp_path / "found"), "--impl", f"{LIARS}:LittleEndianByChance")
    assert f"{len(found)} found cases: {len(found)} still fails, 0 error, 0 fixed" in replayed.text


def test_found_cases_of_earlier_nights_are_tried(tmp_path: Path) -> None:
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "one.json").write_text(json.dumps(FOUND_CASE))
    done = night("Honest", tmp_path)
    assert done.status == 0, done.text
    assert summary(tmp_path)["cases"]["found cases"] == 1


def test_a_codec_that_ends_the_process_is_survived_and_named(tmp_path: Path) -> None:
    done = night("AbortsWriting", tmp_path)
    assert done.status == 1, done.text
    facts = summary(tmp_path)
    assert {death["pair"] for death in facts["deaths"]} == {"HeartbeatResponse-v0"}
    assert facts["deaths"][0]["status"] == -signal.SIGABRT
    assert facts["pairs"]["searched"] == 2
    assert "the search in HeartbeatResponse-v0 ended the process, status -6" in done.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_night_that_is_ended_early_keeps_what_it_has(tmp_path: Path, number: int) -> None:
    words = ["--impl", f"{LIARS}:Honest", "--minutes", "5", "--state", str(tmp_path), "--workers", "1"]
    command = [sys.executable, "-m", "conformance", "nightly", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    while not (tmp_path / "cursor.json").exists() and process.poll() is None:
        time.sleep(0.1)
    os.kill(process.pid, number)
    assert process.wait(timeout=60) == 130
    facts = summary(tmp_path)
    assert facts["interrupted"] is True
    assert facts["cases"]["generated values"] >= 1000


def test_a_night_that_was_killed_is_gone_on_with(tmp_path: Path) -> None:
    """After kill -9 the state is free, and says whose turn it is."""
    words = ["--impl", f"{LIARS}:Honest", "--minutes", "5", "--state", str(tmp_path), "--workers", "1"]
    command = [sys.executable, "-m", "conformance", "nightly", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    while not (tmp_path / "cursor.json").exists() and process.poll() is None:
        time.sleep(0.1)
    process.kill()
    process.wait()
    before = json.loads((tmp_path / "cursor.json").read_text(encoding="utf-8"))["turn"]
    assert night("Honest", tmp_path).status == 0
    assert json.loads((tmp_path / "cursor.json").read_text(encoding="utf-8"))["turn"] > before


def test_two_nights_on_one_state_are_refused(tmp_path: Path) -> None:
    """The second one ends at once, and changes nothing."""
    with alone(tmp_path, "night"):
        done = night("Honest", tmp_path)
    assert done.status == 1
    assert f"in use by another night, process {os.getpid()}" in done.text
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_the_time_budget_ends_a_night(tmp_path: Path) -> None:
    words = ("--impl", "conformance.adapters.reference", "--minutes", "0.1", "--state", str(tmp_path))
    kafka_conformance("nightly", *words, "--workers", "1").ended(0)
    facts = summary(tmp_path)
    assert facts["pairs"]["searched"] < facts["pairs"]["offered"]


REFUSED = {
    "unknown adapter": (("--impl", "no_such_module"), "there is no module 'no_such_module'"),
    "no time": (("--impl", f"{LIARS}:Honest", "--minutes", "0"), "--minutes"),
    "unknown message": (("--impl", f"{LIARS}:Honest", "--messages", "Nope"), "'Nope' matches nothing"),
    "unknown release": (("--impl", f"{LIARS}:Honest", "--release", "0.7.0"), "no definitions of release '0.7.0'"),
    "broken known failures": (
        ("--impl", f"{LIARS}:Honest", "--known-failures", "README.md"),
        "README.md, line 3: not TOML",
    ),
}


@pytest.mark.parametrize(("words", "error"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_option_is_told_at_once(tmp_path: Path, words: tuple[str, ...], error: str) -> None:
    done = kafka_conformance("nightly", "--minutes", "5", "--state", str(tmp_path), *words)
    assert done.status in {1, 2}, done.text
    assert error in done.text
    assert "Traceback" not in done.text
