"""Output, state and refusals of the command of nights, in processes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.night import STATE
from conformance.system.folders import alone
from tests.helpers.runs import LIARS, ROOT, Finished, command, kafka_conformance

BUDGET = ("--minutes", "5", "--rounds", "1", "--workers", "1")
LINES = ("new", "gone", "known", "cases", "deaths")


def night(impl: str, state: Path, *options: str) -> Finished:
    return kafka_conformance("nightly", "--impl", impl, "--state", str(state), *BUDGET, *options)


def summary(state: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((state / "summary.json").read_text(encoding="utf-8"))
    return kept


def test_a_night_without_findings_ends_with_0(tmp_path: Path) -> None:
    done = night(f"{LIARS}:Honest", tmp_path)
    assert done.status == 0, done.text
    assert [line.partition(":")[0] for line in done.text.splitlines()] == [*LINES]
    assert (summary(tmp_path)["new"], summary(tmp_path)["interrupted"]) == ([], False)
    assert json.loads((tmp_path / STATE).read_text(encoding="utf-8"))["is_reported"]


def test_findings_of_a_night_replay(tmp_path: Path) -> None:
    """The exit status is 1, even for a codec ending the process of its writer."""
    impl = f"{LIARS}:AbortsWriting"
    done = night(impl, tmp_path)
    assert done.status == 1, done.text
    rule = "value.writable"
    assert f"{rule} (crashed), must: " in done.text
    assert str(tmp_path / "found") in done.text
    replayed = kafka_conformance("replay", str(tmp_path / "found"), "--impl", impl)
    assert re.findall("[0-9]+", replayed.text.splitlines()[-1]) == ["1", "1", "0", "0"]


def begin(state: Path) -> "subprocess.Popen[bytes]":
    """Start a night, and wait until its first results are kept."""
    words = ["--impl", f"{LIARS}:Honest", "--minutes", "5", "--state", str(state), "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-c", OFTEN, "nightly", *words], cwd=ROOT, stderr=subprocess.DEVNULL)  # noqa: S603
    while not list(state.glob("campaigns/*/parts/*.json")) and process.poll() is None:
        time.sleep(0.05)
    return process


OFTEN = """
from conformance.campaign import night_parts
from conformance.commands.main import main

night_parts.SECONDS = 0
main()
"""
"""The command, with a file for each part of a night."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_night_ended_early_keeps_its_parts(tmp_path: Path, number: int) -> None:
    process = begin(tmp_path)
    os.kill(process.pid, number)
    assert process.wait(timeout=60) == 130
    assert summary(tmp_path)["interrupted"] is True
    assert summary(tmp_path)["parts"] >= 1


def test_killed_night_goes_on(tmp_path: Path) -> None:
    """After kill -9 the state is free, and its parts are kept."""
    process = begin(tmp_path)
    process.kill()
    process.wait()
    [*kept] = tmp_path.glob("campaigns/000001/parts/*.json")
    assert night(f"{LIARS}:Honest", tmp_path).status == 0
    assert summary(tmp_path)["parts"] >= len(kept) >= 1
    assert [path.name for path in (tmp_path / "campaigns").iterdir()] == ["000001"]


def test_two_nights_on_one_state_are_refused(tmp_path: Path) -> None:
    """The second one ends at once, and changes nothing."""
    with alone(tmp_path, "night"):
        done = night(f"{LIARS}:Honest", tmp_path)
    assert f"another night, process {os.getpid()}" in done.ended(1)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_night_in_processes_needs_no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its workers neither."""
    for name in ("pyarrow", "duckdb", "pandas", "pyspark"):
        (tmp_path / f"{name}.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    words = ("--impl", f"{LIARS}:WrongSize", "--state", str(tmp_path / "state"), *BUDGET)
    assert "new: 1" in command("-m", "conformance", "nightly", *words).ended(1)


def test_a_night_runs_on_the_spark_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks for Spark's own needs, missing here."""
    monkeypatch.setattr(
        "conformance.campaign.pipeline.requirements.find_spec", lambda name: None if name == "pandas" else name
    )
    monkeypatch.setenv("SPARK_REMOTE", "sc://host")
    assert "not installed: pandas" in night(f"{LIARS}:Honest", tmp_path).ended(1)


REFUSED = {
    "unknown adapter": (("--impl", "no_such_module"), "there is no module 'no_such_module'"),
    "no time": (("--impl", f"{LIARS}:Honest", "--minutes", "0"), "--minutes"),
    "unknown message": (("--impl", f"{LIARS}:Honest", "--messages", "Nope"), "'Nope' matches nothing"),
    "broken known failures": (
        ("--impl", f"{LIARS}:Honest", "--known-failures", "README.md"),
        "README.md, line 3: not TOML",
    ),
}


@pytest.mark.parametrize(("words", "error"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_option_is_reported_at_once(tmp_path: Path, words: tuple[str, ...], error: str) -> None:
    done = kafka_conformance("nightly", "--minutes", "5", "--state", str(tmp_path), *words)
    assert done.status in {1, 2}, done.text
    assert error in done.text
    assert "Traceback" not in done.text
