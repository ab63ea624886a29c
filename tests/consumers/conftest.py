import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
CONSUMERS = VECTORS / "consumers"
RELEASE = "4.3.0"
MESSAGE = f"{RELEASE}/messages/EndTxnRequest.json"
FILES = (
    f"{RELEASE}/frames/ApiVersionsRequest.json",
    f"{RELEASE}/headers/RequestHeader.json",
    f"{RELEASE}/headers/versions.json",
    f"{RELEASE}/messages/DeleteGroupsRequest.json",
    f"{RELEASE}/messages/GroupMetadataKey.json",
    f"{RELEASE}/messages/LeaderChangeMessage.json",
    f"{RELEASE}/messages/StreamsGroupHeartbeatRequest.json",
    MESSAGE,
)
RESET_COLOURS = "\x1b[0m"
"""Maven writes it on any output, a pipe included."""


class Run(NamedTuple):
    """What a consumer printed, and its exit status."""

    status: int
    output: str
    errors: str

    def section(self, heading: str) -> str:
        """The lines below a heading, up to the next one; empty if there is no such heading."""
        return next((part for part in self.output.split("\n\n") if part.startswith(heading)), "")


def run_consumer(language: str, command: list[str]) -> Run:
    """Run a consumer in its folder; a language whose tool is missing is skipped, but not in CI."""
    tool = shutil.which(command[0])
    if tool is None and os.environ.get("CI"):
        pytest.fail(f"CI needs {command[0]} on the PATH")
    if tool is None:
        pytest.skip(f"not on the PATH: {command[0]}")
    done = subprocess.run(  # noqa: S603 - our own command
        [tool, *command[1:]], cwd=CONSUMERS / language, capture_output=True, text=True, check=False
    )
    return Run(done.returncode, *(text.replace(RESET_COLOURS, "") for text in (done.stdout, done.stderr)))


def copy_files(folder: Path, files: tuple[str, ...]) -> None:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(VECTORS / file, folder / file)


@pytest.fixture(scope="session")
def sound_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vectors")
    copy_files(folder, FILES)
    return folder


@pytest.fixture(scope="session")
def vectors(sound_tree: Path) -> list[dict[str, Any]]:
    documents = [json.loads((sound_tree / file).read_text(encoding="utf-8")) for file in FILES]
    groups = [each for document in documents for each in document.get("groups", ())]
    return [vector for each in groups for vector in each["vectors"]]


@pytest.fixture(scope="session")
def tampered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A tree in which each kind of expectation is wrong once, and the heading under which each id is to appear."""
    folder = tmp_path_factory.mktemp("tampered")
    copy_files(folder, (MESSAGE,))
    document = json.loads((folder / MESSAGE).read_text(encoding="utf-8"))
    newest = document["groups"][-1]
    expected = tamper_with(newest["vectors"])
    (folder / MESSAGE).write_text(json.dumps(document), encoding="utf-8")
    prefix = MESSAGE.removesuffix(".json")
    return folder, {f"{prefix}/v{newest['version']}/{id_}": heading for id_, heading in expected.items()}


def tamper_with(vectors: list[dict[str, Any]]) -> dict[str, str]:
    """Make each kind of expectation wrong in one vector, and say what a consumer has to find there."""
    valid = iter([vector for vector in vectors if vector["result"] == "valid"])
    other_bool, other_text, left_over, accepted = (next(valid) for _ in range(4))
    refused = next(vector for vector in vectors if vector["result"] == "invalid")
    overlong = next(vector for vector in vectors if "OverlongVarint" in vector["flags"])
    other_bool["value"]["Committed"] = not other_bool["value"]["Committed"]
    other_text["value"]["TransactionalId"] += "x"
    left_over["wire"] += "00"
    accepted["result"] = "invalid"
    refused |= {"result": "valid", "value": left_over["value"]}
    overlong |= {"result": "valid", "value": overlong["observed"][f"apache-kafka-{RELEASE}"]["value"]}
    return {
        other_bool["id"]: "FAIL: valid, another value",
        other_text["id"]: "FAIL: valid, another value",
        left_over["id"]: "FAIL: valid, bytes left over",
        accepted["id"]: "FAIL: invalid, accepted",
        refused["id"]: "FAIL: valid, rejected",
        overlong["id"]: "FAIL: valid, written otherwise",
    }
