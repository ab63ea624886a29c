"""Options of pytest that take a part of it away, and streams that are closed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.runs import invoke

SMALL = ("--impl=conformance.adapters.reference", "--messages=HeartbeatRequest-v0", "-k", "edge", "-p", "no:xdist")


def started(folder: Path, words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a shell, which closes its streams."""
    command = f"{sys.executable} -m conformance run {' '.join(SMALL)} {words}"
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603, S607


def test_a_run_without_the_cache_of_pytest_works(tmp_path: Path) -> None:
    done = started(tmp_path, "-p no:cacheprovider")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no new findings" in done.stdout
    assert not (tmp_path / ".pytest_cache").exists()


def test_a_run_without_the_terminal_of_pytest_writes_its_report(tmp_path: Path) -> None:
    done = started(tmp_path, "-p no:terminal --report report.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert '"event": "summary"' in (tmp_path / "report.jsonl").read_text(encoding="utf-8")


def test_a_run_with_closed_streams_writes_its_report(tmp_path: Path) -> None:
    done = started(tmp_path, "--report report.jsonl <&- >&- 2>&-")
    assert done.returncode == 0
    assert '"event": "summary"' in (tmp_path / "report.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "1e300", "9" * 5000])
@pytest.mark.parametrize("command", [("replay", "--impl=x"), ("campaign", "run", "--impl=x", "--output=x")])
def test_a_time_that_is_no_number_is_a_usage_error(command: tuple[str, ...], seconds: str) -> None:
    done = invoke(*command, f"--time-limit={seconds}")
    assert done.exit_code == 2, done.output
    assert "Invalid value for '--time-limit'" in done.output
