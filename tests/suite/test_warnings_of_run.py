"""Warnings of the implementation are one line of a run, from any of its processes."""

import re
from pathlib import Path

import pytest

from tests.helpers.runs import kafka_conformance
from tests.installation.environments import CODEC

NOISE = """
import sys, warnings
for number in range(9):
    with warnings.catch_warnings():  # which makes Python forget what it has shown
        warnings.warn("an old call", DeprecationWarning)
print("printed at the import", file=sys.stderr)
print("also at the import")
"""
RUN = ("run", "-p", "no:cacheprovider", "--impl=./noisy.py", "--messages=HeartbeatResponse", "-k", "edge")
ABOUT = "warnings of the implementation: 9 DeprecationWarning, 1 PrintedAtImport; the first of noisy: an old call; "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "noisy.py").write_text(NOISE + CODEC)
    return tmp_path


def about(text: str) -> list[str]:
    words = ("warning of", "warnings", "an old call", "at the import", "Warning:")
    return [line for line in text.splitlines() if any(word in line for word in words)]


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n2", marks=pytest.mark.nightly)])
def test_warnings_of_all_processes_are_one_line(folder: Path, workers: str) -> None:
    text = kafka_conformance(*RUN, workers, folder=folder).ended(0)
    assert about(text) == [f"{ABOUT}-v shows each"]


def test_each_distinct_one_is_shown_on_request(folder: Path) -> None:
    text = kafka_conformance(*RUN, "-v", folder=folder).ended(0)
    first, second = about(text)
    assert re.search("^warning .* 9 times: DeprecationWarning, ", first)
    assert "PrintedAtImport, ./noisy.py: " in second
    assert " 2 lines " in second
    assert second.endswith("at the import")


def test_a_filter_of_the_user_wins(folder: Path) -> None:
    text = kafka_conformance(*RUN, "-W", "ignore", folder=folder).ended(0)
    assert about(text) == []


def test_error_filter_of_the_user_wins(folder: Path) -> None:
    text = kafka_conformance(*RUN, "-W", "error", folder=folder).ended(4)
    assert "importing" in text
    assert "DeprecationWarning: an old" in text


def test_a_replay_has_one_line(folder: Path) -> None:
    case = ("--message", "HeartbeatResponse", "--version", "0", "--wire", "000000000000")
    text = kafka_conformance("replay", "--impl", "./noisy.py", *case, folder=folder).ended(0)
    [line] = about(text)
    assert line.startswith(f"{ABOUT}PYTHONWARNINGS=default ")
