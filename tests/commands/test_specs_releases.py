"""The command `specs releases` with a fake Maven of three releases, the last one broken."""

import json
import os
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from conformance.definitions import maven
from conformance.definitions.sources import ImportFailedError
from reference import releases
from tests.definitions.conftest import archived
from tests.helpers.folders import apart
from tests.helpers.runs import invoke

__all__ = ["apart"]
SCHEMA = json.loads((files("specs") / "releases.schema.json").read_text(encoding="utf-8"))
LISTED = ("0.8.2-beta", "2.2.2", "2.10.0", "2.9.0", "5.0.0", "5.0.0-rc1")
OFFLINE = "Maven could not fetch the list"


class Repository:
    """The releases of the fake Maven, and the requests to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []

    def versions(self) -> tuple[str, ...]:
        """Return all versions."""
        return LISTED

    def fetch(self, release: str, _cache: Path) -> dict[str, Path]:
        """Return the jar of a release.

        The jar of 5.0.0 has a request without its properties.
        """
        self.asked.append(release)
        kind = "request" if release == "5.0.0" else "data"
        return {"kafka-clients": archived(self.folder / f"kafka-clients-{release}.jar", "Sample", kind=kind)}


@pytest.fixture
def repository(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(apart)
    monkeypatch.setattr(maven, "published_versions", made.versions)
    monkeypatch.setattr(maven, "fetch", made.fetch)
    return made


@pytest.fixture
def without_network(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def fail(*_: object) -> None:
        raise ImportFailedError(OFFLINE)

    def cut() -> None:
        repository.asked.clear()
        monkeypatch.setattr(maven, "published_versions", fail)
        monkeypatch.setattr(maven, "fetch", fail)

    return cut


@pytest.mark.usefixtures("repository")
def test_every_final_release_since_the_first_with_definitions_is_a_line() -> None:
    lines = invoke("specs", "releases").stdout.splitlines()
    assert [line.split()[0] for line in lines if line[:1].isdigit()] == ["2.9.0", "2.10.0", *releases(), "5.0.0"]
    assert [line.split() for line in lines[:2]] == [
        ["release", "date", "definitions", "pairs", "imported"],
        ["2.9.0", "2019-06-19", "1", "2", "yes:", "cached"],
    ]


@pytest.mark.usefixtures("repository")
def test_failed_import_of_a_release_says_why_and_fails() -> None:
    result = invoke("specs", "releases")
    assert result.exit_code == 1
    assert re.search(r"^5\.0\.0 +no: refused, Sample", result.stdout, re.MULTILINE)
    assert "try:" in result.stdout
    assert result.stdout.splitlines()[-1].partition(": ")[2].split(", ") == [
        f"{2 + len(releases())} imported",
        "1 refused",
        "0 not here",
    ]


def test_imported_release_is_not_fetched_again(repository: Repository) -> None:
    invoke("specs", "releases")
    invoke("specs", "releases")
    assert repository.asked == ["2.9.0", "2.10.0", "5.0.0", "5.0.0"]


def test_without_a_network_the_kept_list_is_shown_with_a_note(without_network: Callable[[], None]) -> None:
    first = invoke("specs", "releases")
    without_network()
    second = invoke("specs", "releases")
    assert (first.exit_code, second.exit_code) == (1, 1)
    assert second.stderr.endswith(f": {OFFLINE}\n")
    assert second.stdout.splitlines()[:3] == first.stdout.splitlines()[:3]
    assert re.search(r"^5\.0\.0 +no: .*, not fetched", second.stdout, re.MULTILINE)


def test_offline_asks_maven_for_nothing(repository: Repository, snapshot: SnapshotAssertion) -> None:
    result = invoke("specs", "releases", "--offline")
    assert (result.exit_code, repository.asked) == (0, [])
    assert result.stderr == snapshot


@pytest.mark.usefixtures("repository")
def test_rows_for_programs_have_their_schema() -> None:
    rows = json.loads(invoke("specs", "releases", "--json").stdout)
    Draft202012Validator(SCHEMA).validate(rows)
    assert rows[0] == {
        "release": "2.9.0",
        "state": "cached",
        "date": "2019-06-19",
        "definitions": 1,
        "pairs": 2,
        "problem": "",
    }


LIST = """
for argument; do case "$argument" in -Dmaven.repo.local=*) repository=${argument#-Dmaven.repo.local=} ;; esac; done
mkdir -p "$repository/org"
echo "<metadata><version>1.0.0</version><version>2.9.0</version></metadata>" > "$repository/org/maven-metadata-x.xml"
exit 1
"""


@pytest.mark.parametrize(("script", "found"), [(LIST, ("1.0.0", "2.9.0")), ("echo '[ERROR] no metadata'; exit 1", ())])
def test_list_of_versions_is_read_from_maven_s_metadata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, found: tuple[str, ...]
) -> None:
    for name, text in (("mvn", script), ("java", "")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    if found:
        assert maven.published_versions() == found
    else:
        with pytest.raises(ImportFailedError, match=r"the list.*\n.* metadata"):
            maven.published_versions()


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("text", ["3", "null", '["5.0.0"', "[3]", '["../x"]', "\xff"])
def test_damaged_list_is_passed_over_with_a_notice(text: str, apart: Path) -> None:
    invoke("specs", "releases")
    (apart / "cache" / "kafka-wire-conformance" / "releases.json").write_text(text, encoding="latin-1")
    done = invoke("specs", "releases", "--offline")
    assert re.search(r"releases\.json .* damaged", done.stderr)
    assert "5.0.0" not in done.stdout
    assert "2.10.0" in done.stdout


@pytest.mark.usefixtures("repository")
def test_damaged_release_is_told_without_a_network(apart: Path) -> None:
    invoke("specs", "releases")
    folder = apart / "cache" / "kafka-wire-conformance" / "releases-1" / "2.10.0"
    (folder / "Sample.json").write_text("{}")
    lines = invoke("specs", "releases", "--offline").stdout.splitlines()
    [line] = [line for line in lines if "damaged: Sample.json" in line]
    assert line.startswith("2.10.0 ")
