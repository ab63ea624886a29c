"""Unwritable outputs of a run, as an error of usage before the first test, or kept elsewhere at its end."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from tests.helpers.releases import NEWEST
from tests.helpers.runs import Finished, events, invoke, kafka_conformance, suite_on

FULL = Path("/dev/full")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
GONE = "tests.fakes.bad_adapters:RemovesItsFolder"


@pytest.mark.parametrize(
    "options",
    [
        ("--report=/proc/report.jsonl",),
        ("--found=/proc/found",),
        ("--known-failures=/proc/known.toml", "--update-known-failures"),
        ("--report=file/report.jsonl",),
    ],
    ids=" ".join,
)
def test_unwritable_place_is_refused_before_the_first_test(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "file").touch()
    words = [word.replace("=file", f"={tmp_path}/file") for word in options]
    text = suite_on("Honest", *words).ended(4)
    assert "Traceback" not in text
    assert "collected" not in text


def kept_by(text: str) -> Path:
    """Return the folder named by the last lines of a run."""
    found = re.search(r"^NOT WRITTEN: .* cannot be written: .* What belongs there is kept in (.+)$", text, re.MULTILINE)
    assert found, text
    return Path(found[1])


def run_on_a_folder_that_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Finished:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setenv("REMOVED_FOLDER", str(folder))
    words = [option.replace("=", f"={folder}/") for option in options]
    return kafka_conformance("run", f"--impl={GONE}", "--isolation=never", "--messages=HeartbeatResponse", *words)


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n2", marks=pytest.mark.nightly)])
def test_report_with_a_vanished_place_is_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """The exit status is not that of the new findings."""
    text = run_on_a_folder_that_goes_away(tmp_path, monkeypatch, "--report=report.jsonl", workers).ended(4)
    assert "Traceback" not in text
    assert events(kept_by(text) / "report.jsonl")[-1]["findings"] > 0


def test_found_cases_with_a_vanished_place_are_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = run_on_a_folder_that_goes_away(tmp_path, monkeypatch, "--found=a").ended(4)
    assert [path.suffix for path in kept_by(text).iterdir()] != []


@NEEDS_FULL
def test_report_on_a_full_disk_is_kept_elsewhere_and_the_device_stays() -> None:
    text = suite_on("Honest", "--report=/dev/full").ended(4)
    assert events(kept_by(text) / "full")[-1]["event"] == "summary"
    assert stat.S_ISCHR(FULL.stat().st_mode)


def test_report_to_the_null_device_leaves_the_device() -> None:
    """Root could replace it."""
    suite_on("Honest", f"--report={os.devnull}").ended(0)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.parametrize(
    "words",
    [
        ("report", "README.md", "--format=markdown", "--output=/proc/report.md"),
        ("report", "README.md", "--format=badge", "--output=/proc/badges"),
        ("report", "README.md", "--output=/proc/site"),
        ("judge", "README.md", "--report=/proc/report.jsonl"),
        ("redact", "README.md", "--output=/proc/redacted.jsonl"),
        ("client", "--capture=/proc/capture.jsonl", "--", "true"),
        ("vectors", "build", "--in-process", "--output=/proc/vectors"),
        ("vectors", "archive", "--output=/proc/vectors"),
        ("specs", "import", f"--release={NEWEST}", "--output=/proc/releases"),
        ("corpus", "build", "--total=1", "--output=/proc/corpus"),
        ("campaign", "run", "--impl=x", "--fixed", "--output=/proc/campaign"),
        ("nightly", "--impl=x", "--minutes=1", "--state=/proc/state"),
        ("matrix", "--impl=x", "--state=/proc/state", "--output=/proc/site"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_command_refuses_an_unwritable_place(words: tuple[str, ...]) -> None:
    """It does so before anything else."""
    done = invoke(*words)
    assert done.exit_code == 2, done.output
    assert "cannot be written: " in done.output


@NEEDS_FULL
def test_command_keeps_elsewhere_its_output_for_a_full_disk(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    suite_on("Honest", f"--report={report}")
    done = invoke("report", str(report), "--format=markdown", "--output=/dev/full")
    assert done.exit_code == 4
    assert re.search(rf"/dev/full .*: {os.strerror(errno.ENOSPC)}; make room", done.output)
    assert "kept in " in done.output
