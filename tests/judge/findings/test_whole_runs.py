from pathlib import Path

import pytest

from conformance.judge.findings.known_failures import load_known_failures
from tests.helpers.runs import Finished, suite_on

STALE = '# mine\n\n[[failure]]\nrule = "null.not-written"\nmessages = "*"\noutcome = "bytes"\nreason = "gone"\n'


def update(liar: str, path: Path, *options: str) -> Finished:
    return suite_on(liar, f"--known-failures={path}", "--update-known-failures", "-q", *options)


def test_next_run_with_the_updated_file_is_green(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(STALE, encoding="utf-8")
    done = update("LittleEndian", path)
    assert done.status == 0, done.text
    once = path.read_text(encoding="utf-8")
    assert {entry.rule for entry in load_known_failures(path)} == {"int.width-and-order", "codec.round-trip"}
    assert once.startswith("# mine\n")
    assert done.text.rstrip().splitlines()[-1].startswith("UPDATED: ")
    assert "added 2, changed 0, removed 1, kept 0" in done.text
    again = update("LittleEndian", path, "-n1")
    assert again.status == 0, again.text
    assert any(str(path) in line and "up to date" in line for line in again.text.splitlines())
    assert "2 known failures " in again.text
    assert path.read_text(encoding="utf-8") == once


def test_last_line_names_wrong_entries_of_known_failures(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(STALE, encoding="utf-8")
    done = suite_on("Honest", f"--known-failures={path}")
    assert done.status == 1, done.text
    assert "stale known failure" in done.text
    assert done.text.rstrip().splitlines()[-1].startswith("FAILED: 1 fault")


REFUSED = {
    "some messages": (("--messages=HeartbeatResponse",), "only some messages were selected"),
    "smoke": (("--smoke",), "only some messages were selected"),
    "some tests": (("-k", "unencodable"), "did not run on everything"),
    "stopped at the first": (("-x",), "did not "),
}


@pytest.mark.parametrize(("options", "why"), REFUSED.values(), ids=REFUSED)
def test_partial_run_leaves_the_file_unchanged(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(STALE, encoding="utf-8")
    done = update("LittleEndian", path, *options)
    assert done.status == 1, done.text
    assert f"{path} is unchanged: " in done.text
    assert why in done.text
    assert path.read_text(encoding="utf-8") == STALE


def test_dead_worker_leaves_the_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    done = update("AbortsOnNothing", path, "-n1", "--max-worker-restart=1")
    assert done.status != 0, done.text
    assert f"{path} is unchanged: " in done.text
    assert not path.exists()


def test_search_finding_is_written_after_its_found_case(tmp_path: Path) -> None:
    path, found = tmp_path / "known.toml", f"--found={tmp_path / 'found'}"
    first = update("LittleEndianByChance", path, found)
    assert first.status == 1, first.text
    lines = first.text.splitlines()
    assert any("int.width-and-order" in line and "random search only" in line for line in lines)
    second = update("LittleEndianByChance", path, found)
    assert second.status == 0, second.text
    assert any(entry.rule == "int.width-and-order" for entry in load_known_failures(path))
    without = suite_on("LittleEndianByChance", f"--known-failures={path}", "-q")
    assert without.status == 1, without.text
    lines = without.text.splitlines()
    assert any("int.width-and-order" in line and "deterministic case" in line for line in lines)
    with_case = suite_on("LittleEndianByChance", f"--known-failures={path}", found, "-q", "-n1")
    assert with_case.status == 0, with_case.text
