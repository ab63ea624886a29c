"""Runs without some plugins of pytest, and with closed streams."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.runs import error_of, invoke, kafka_conformance

SMALL = (
    *("--impl=conformance.adapters.reference", "--messages=HeartbeatRequest-v0", "--isolation=never"),
    *("-k", "edge", "-p", "no:xdist"),
)


def test_a_run_without_the_cache_of_pytest_works(tmp_path: Path) -> None:
    done = kafka_conformance("run", *SMALL, "-p", "no:cacheprovider", folder=tmp_path)
    assert "no findings" in done.ended(0)
    assert not (tmp_path / ".pytest_cache").exists()


def test_a_run_without_the_terminal_of_pytest_writes_its_report(tmp_path: Path) -> None:
    done = kafka_conformance("run", *SMALL, "-p", "no:terminal", "--report=report.jsonl", folder=tmp_path)
    assert done == (0, "")
    assert '"event": "summary"' in (tmp_path / "report.jsonl").read_text(encoding="utf-8")


def test_a_run_with_closed_streams_writes_its_report(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-m", "conformance", "run", *SMALL, "--report=report.jsonl"])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(["sh", "-c", f"exec {command} <&- >&- 2>&-"], cwd=tmp_path, env=kept, check=False)  # noqa: S603, S607
    assert done.returncode == 0
    assert '"event": "summary"' in (tmp_path / "report.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [("replay", "--impl=x"), ("campaign", "run", "--impl=x", "--output=x")])
def test_time_limit_other_than_a_number_is_a_usage_error(command: tuple[str, ...]) -> None:
    done = invoke(*command, "--time-limit=nan")
    assert "'--time-limit': 'nan'" in error_of(done, 2)
