"""What the tutorials show is so: golden vectors, and a finding with its repair."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from reference import decode, encode, from_json, load_release, to_json
from tests.helpers.releases import BASE, NEWEST
from tests.helpers.runs import ROOT

VECTORS = (ROOT / "docs/tutorials/vectors.md").read_text(encoding="utf-8")
FINDING = (ROOT / "docs/tutorials/real-finding.md").read_text(encoding="utf-8")
MESSAGE = ("--message", "FetchResponse", "--version", "16")


def test_vectors_of_the_tutorial_are_in_the_tree() -> None:
    lines = re.findall(r'^\{"id".*\}$', VECTORS, re.MULTILINE)
    file = (ROOT / "vectors" / BASE / "messages/MetadataRequest.json").read_text(encoding="utf-8")
    version_12 = next(group for group in json.loads(file)["groups"] if group["version"] == 12)
    assert len(lines) == 4
    assert all(json.loads(line) in version_12["vectors"] for line in lines)


def test_flags_of_the_tutorial_are_flags() -> None:
    flags = json.loads((ROOT / "vectors/flags.json").read_text(encoding="utf-8"))["flags"]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| .* \| .* \|$", VECTORS.partition("## Which flag")[2], re.MULTILINE)
    assert rows
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} <= flags.keys()


def test_check_of_the_tutorial_finds_a_bug_and_nothing_else() -> None:
    """The codec is the reference; its bug is a compact null read as the empty text."""
    code = re.search(r"```python\n(.*?)```", VECTORS, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)  # noqa: S102  # the text is to be what Python takes it for
    schema = load_release(NEWEST).schema("HeartbeatRequest", 4)

    def read(wire: bytes) -> Any:
        return names["without_tags"](to_json(schema, decode(schema, wire).value))

    def misread(wire: bytes) -> Any:
        return {name: item or "" if name == "GroupInstanceId" else item for name, item in read(wire).items()}

    def failing(reader: Any) -> list[str]:
        write = lambda value: encode(schema, from_json(schema, value))  # noqa: E731
        return list(names["failures"](ROOT / "vectors", "HeartbeatRequest", 4, reader, write))

    assert failing(read) == []
    assert failing(misread)
    assert all("AssertionError" in failure for failure in failing(misread))


def replayed(path: str = "") -> str:
    """Return the output of the replay of the tutorial, with a folder before those of installed packages."""
    wire = re.search(r"--wire ([0-9a-f]+)", FINDING)
    assert wire is not None
    command = (
        "-m",
        "conformance",
        "replay",
        "--impl",
        "conformance.adapters.kafka_python",
        *MESSAGE,
        "--wire",
        wire[1],
    )
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return run.stdout


@pytest.fixture
def repaired(tmp_path: Path) -> str:
    """A folder with a copy of the installed kafka-python, changed by the diff of the tutorial."""
    found = find_spec("kafka")
    assert found is not None
    assert found.origin is not None
    shutil.copytree(Path(found.origin).parent, tmp_path / "kafka")
    diff = re.search(r"```diff\n(.*?)```", FINDING, re.DOTALL)
    assert diff is not None
    (tmp_path / "repair.diff").write_text(diff[1], encoding="utf-8")
    subprocess.run(["git", "apply", "-p0", "repair.diff"], cwd=tmp_path, check=True)  # noqa: S607  # as a reader would
    return str(tmp_path)


def test_finding_names_the_installed_release() -> None:
    assert f"kafka-python {version('kafka-python')} " in FINDING
    assert re.search(r" decodes +rejected: AssertionError", replayed())


def test_finding_is_gone_with_the_diff(repaired: str) -> None:
    output = replayed(repaired)
    assert "verdict: valid" in output
    assert "tag.unknown-accepted" not in output
    assert "AssertionError" not in output
