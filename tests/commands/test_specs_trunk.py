import errno
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from reference import load_release, newest_release
from tests.commands.test_specs_diff import NO_CHANGES, counts
from tests.helpers.definitions import field, message
from tests.helpers.folders import APACHE
from tests.helpers.runs import error_of, invoke
from tests.helpers.trunk import RESOURCES, checkout, with_headers

NEWEST = load_release(newest_release())


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All definitions of the newest release, with headerVersions."""
    return checkout(tmp_path_factory.mktemp("trunk"))


def few(folder: Path, **broken: str) -> Path:
    """Write a checkout of two definitions, the first with other properties."""
    place = folder / "clients" / RESOURCES
    place.mkdir(parents=True)
    for name, more in (("FetchRequest", broken), ("FetchResponse", {})):
        (place / f"{name}.json").write_text(json.dumps(with_headers(NEWEST, name) | more, indent=2))
    return folder


def test_a_checkout_with_header_versions_is_sound_and_no_change(trunk: Path) -> None:
    result = invoke("specs", "trunk", str(trunk))
    assert result.exit_code == 0, result.output
    assert f"definitions: {len(NEWEST.messages)}, problems: 0, hints: 0" in result.output
    assert f"{NEWEST.name} -> {trunk}: " in result.output
    assert counts(result.output) == NO_CHANGES


def test_refused_definition_becomes_the_text_of_an_issue(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    folder, issue = few(tmp_path / "kafka", apiStability="new"), tmp_path / "issue.md"
    result = invoke("specs", "trunk", str(folder), "--issue", str(issue))
    assert result.exit_code == 1
    text = issue.read_text(encoding="utf-8").replace(str(tmp_path), "…")
    assert re.sub(r"line \d+", "line …", text) == snapshot


def test_an_issue_takes_the_place_of_the_last_one_and_of_no_other_file(tmp_path: Path) -> None:
    folder, issue = few(tmp_path / "kafka", apiStability="new"), tmp_path / "issue.md"
    statuses = [invoke("specs", "trunk", str(folder), "--issue", str(issue)).exit_code for _ in range(2)]
    issue.write_text("# Notes\n")
    assert [*statuses, invoke("specs", "trunk", str(folder), "--issue", str(issue)).exit_code] == [1, 1, 2]
    assert issue.read_text() == "# Notes\n"


def test_folder_closed_to_a_search_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    def unreadable(folder: Path, _: str) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(folder / "net"))

    monkeypatch.setattr(Path, "rglob", unreadable)
    assert error_of(invoke("specs", "trunk", str(tmp_path)), 2).replace(str(tmp_path), "…") == snapshot


def test_texts_of_definitions_stay_printable_code_in_an_issue(tmp_path: Path) -> None:
    folder, issue = few(tmp_path / "kafka", **{"\x1b]0;title\x07```": "new"}), tmp_path / "issue.md"
    assert invoke("specs", "trunk", str(folder), "--issue", str(issue)).exit_code == 1
    lines = issue.read_text(encoding="utf-8").splitlines()
    assert all(line.isprintable() for line in lines)
    assert (lines.count("````text"), lines[-1]) == (1, "````")


def test_sound_definitions_leave_no_issue(tmp_path: Path) -> None:
    assert invoke("specs", "trunk", str(few(tmp_path / "kafka")), "--issue", str(tmp_path / "issue.md")).exit_code == 0
    assert not (tmp_path / "issue.md").exists()


def test_the_commit_is_printed(tmp_path: Path) -> None:
    folder = few(tmp_path / "kafka")
    assert "commit: unknown\n" in invoke("specs", "trunk", str(folder)).output
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "Define")):
        subprocess.run(["git", *words], cwd=folder, check=True)  # noqa: S603, S607  # git of the machine
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)  # noqa: S607
    assert f"commit: {done.stdout}" in invoke("specs", "trunk", str(folder)).output


def test_a_folder_without_definitions_is_an_error_of_usage_and_an_issue(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """They may have moved."""
    (tmp_path / "Some.txt").write_text(APACHE.format(json.dumps(message(field()))))
    result = invoke("specs", "trunk", str(tmp_path), "--issue", str(tmp_path / "issue.md"))
    error = error_of(result, 2)
    assert error.replace(str(tmp_path), "…") == snapshot
    assert error.partition(": ")[2] in (tmp_path / "issue.md").read_text(encoding="utf-8")
