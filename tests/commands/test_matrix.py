import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.system.folders import alone
from tests.helpers.releases import NEWEST, OLDEST
from tests.helpers.runs import ROOT, Finished, kafka_conformance

REFERENCE = "conformance.adapters.reference"
LIAR = "tests.fakes.faulty_codecs:LittleEndian"
SELECTED = ("--", "--messages=HeartbeatResponse-v0", "--isolation=never")


def matrix(folder: Path, *words: str) -> Finished:
    places = (f"--output={folder / 'site'}", f"--state={folder / 'state'}")
    return kafka_conformance("matrix", *places, *words)


def error_in(text: str, folder: Path) -> str:
    """Return the error of a command, without the usage above it and the folder of a test."""
    _, mark, error = text.partition("Error: ")
    assert mark, text
    return error.replace(str(folder), "…")


def test_every_implementation_and_release_is_on_the_site(tmp_path: Path) -> None:
    """An impossible run is named, and the others are shown with their findings."""
    names = (f"--impl={REFERENCE}", f"--impl={LIAR}", "--impl=tests.nowhere")
    done = matrix(tmp_path, *names, f"--release={OLDEST}", f"--release={NEWEST}", *SELECTED)
    text = done.ended(1)
    assert f"{REFERENCE} against {OLDEST}: no findings, " in text
    assert f"{LIAR} against {NEWEST}: 1 cause (2 findings), " in text
    assert f"tests.nowhere against {NEWEST}: failed after" in text
    assert "module 'tests.nowhere'" in text
    runs = json.loads((tmp_path / "site" / "site.json").read_text(encoding="utf-8"))["runs"]
    assert sorted((run["title"], run["release"]) for run in runs) == [
        ("honest 1", OLDEST),
        ("honest 1", NEWEST),
        ("reference 0.1.0", OLDEST),
        ("reference 0.1.0", NEWEST),
    ]


def test_known_failures_of_an_implementation_without_a_run_are_refused(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    known = tmp_path / "known.toml"
    known.write_text("")
    text = matrix(tmp_path, f"--impl={REFERENCE}", f"--known-failures=other={known}").ended(2)
    assert error_in(text, tmp_path) == snapshot


def test_run_stopped_at_its_first_finding_has_no_report(tmp_path: Path) -> None:
    """Its incomplete report does not count, despite its exit status of new findings."""
    text = matrix(tmp_path, f"--impl={LIAR}", *SELECTED, "-x").ended(1)
    assert "exit status 1; its" in text
    assert "report is stopped" in text
    assert not (tmp_path / "site").exists()


def test_two_calls_at_once_on_one_state_are_refused(tmp_path: Path) -> None:
    """The second one would delete the files of the first one."""
    with alone(tmp_path / "state", "matrix"):
        text = matrix(tmp_path, f"--impl={REFERENCE}", *SELECTED).ended(1)
    assert f"another matrix, process {os.getpid()}" in text


def test_unwritable_state_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("mine")
    text = matrix(tmp_path, f"--impl={REFERENCE}", *SELECTED).ended(2)
    assert "'--state': " in error_in(text, tmp_path)


def test_output_folder_without_a_site_is_refused_before_anything_runs(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("kept")
    text = matrix(tmp_path, f"--impl={REFERENCE}", *SELECTED).ended(1)
    assert error_in(text, tmp_path) == snapshot
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_call_leaves_nothing_half_written(tmp_path: Path, number: signal.Signals) -> None:
    """Its children end with it, there is no site, and the next call goes on."""
    places = [f"--output={tmp_path / 'site'}", f"--state={tmp_path / 'state'}"]
    words = [f"--impl={REFERENCE}", *places, "--", "--messages=Metadata*"]
    call = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-m", "conformance", "matrix", *words],
        cwd=ROOT,
        env={**os.environ, "CI": ""},
        stdout=subprocess.PIPE,
        text=True,
    )
    output = tmp_path / "state" / f"reference-{NEWEST}.txt"
    end = time.monotonic() + 60
    while not (output.is_file() and "collected" in output.read_text(encoding="utf-8")):
        assert time.monotonic() < end, "the run does not begin"
        time.sleep(0.1)
    call.send_signal(number)
    printed, _ = call.communicate(timeout=60)
    assert call.returncode == 130
    assert "interrupted: 0 of 1 runs" in printed
    assert sorted(file.name for file in (tmp_path / "state").glob("*.key")) == []
    assert not (tmp_path / "site").exists()
