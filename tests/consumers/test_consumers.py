"""The example consumers of vectors find what is wrong in a file of vectors, and nothing else."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import HEAD, text_of
from tests.helpers import requirements
from tests.helpers.releases import BASE, NEWEST
from tests.helpers.runs import ROOT

FILE = f"{BASE}/messages/EndTxnResponse.json"
LANGUAGES = [
    pytest.param("go", requirements.go, marks=pytest.mark.go, id="go"),
    pytest.param("rust", requirements.cargo, marks=pytest.mark.rust, id="rust"),
    pytest.param("java", requirements.java_and_maven, marks=pytest.mark.java, id="java"),
    pytest.param("javascript", requirements.node, marks=pytest.mark.node, id="javascript"),
]


def consume(language: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a consumer by the command of CI, on a folder of vectors."""
    command = [sys.executable, "-m", "tests.ci", "consumers", f"--name={language}", f"--vectors={path} {NEWEST}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own


def plant(folder: Path) -> set[str]:
    """Write vectors of which three are wrong, each in a way of its own, and return the ids of those.

    The release takes version 4 only; all of version 3 is wrong.
    """
    document = read_file(ROOT / "vectors" / FILE)
    older, newest = (group for group in document["groups"] if group["version"] in {3, 4})
    vectors = {vector["id"]: vector for vector in newest["vectors"]}
    accepted, other = vectors["default"], vectors["throttle-time-ms-305419896"]
    refused = next(vector for vector in newest["vectors"] if "InputEndsEarly" in vector["flags"])
    other["canonical"] = accepted["wire"]
    accepted["result"] = "invalid"
    refused["result"] = "valid"
    for vector in older["vectors"]:
        vector["result"] = "valid" if vector["result"] == "invalid" else "invalid"
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(text_of(document), encoding="utf-8")
    take(folder, {FILE: [4]})
    return {f"{FILE.removesuffix('.json')}/v4/{vector['id']}" for vector in (accepted, other, refused)}


def take(folder: Path, files: dict[str, list[int]]) -> None:
    (folder / "releases.json").write_text(text_of({**HEAD, "taken": {NEWEST: files}}), encoding="utf-8")


@pytest.mark.parametrize(("language", "require"), LANGUAGES)
def test_consumer_names_the_wrong_vectors(language: str, require: Callable[[], None], tmp_path: Path) -> None:
    require()
    planted = plant(tmp_path)
    run = consume(language, tmp_path)
    assert set(re.findall(r"^(4\.3\.0/\S+): ", run.stdout, flags=re.MULTILINE)) == planted, run.stderr
    assert run.returncode != 0


@pytest.mark.parametrize(("language", "require"), LANGUAGES)
def test_no_vectors_at_all_are_an_error(language: str, require: Callable[[], None], tmp_path: Path) -> None:
    require()
    take(tmp_path, {})
    run = consume(language, tmp_path)
    assert run.returncode != 0
    assert "no vectors" in run.stdout + run.stderr
