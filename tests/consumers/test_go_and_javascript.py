import json
import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.golden.tree.files import read_file
from tests.consumers.conftest import CONSUMERS, RELEASE, VECTORS, Run, run_consumer

GO, JAVASCRIPT = "go", "javascript"
COMMANDS = {GO: ["go", "run", "."], JAVASCRIPT: ["node", "consume.mjs"]}
LANGUAGES = [
    pytest.param(GO, marks=pytest.mark.go),
    pytest.param(JAVASCRIPT, marks=pytest.mark.node),
]
MESSAGES = ("EndTxnResponse", "NoOpRecord", "SaslAuthenticateRequest")
TAMPERED = "EndTxnResponse"


@cache
def install_packages() -> None:
    """Let npm fetch the codec; Go does so when it builds."""
    done = run_consumer(JAVASCRIPT, ["npm", "install", "--silent", "--ignore-scripts"])
    assert done.status == 0, done.errors


def run(language: str, *arguments: str) -> Run:
    if language == JAVASCRIPT:
        install_packages()
    return run_consumer(language, [*COMMANDS[language], *arguments])


def failed(found: Run) -> set[str]:
    sections = [part for part in found.output.split("\n\n") if part.startswith("FAIL")]
    return {name for part in sections for name in re.findall(r"^    (\S+)", part, flags=re.MULTILINE)}


def document_of(message: str) -> dict[str, Any]:
    return read_file(VECTORS / RELEASE / "messages" / f"{message}.json")


def vectors_in(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [vector for each in document["groups"] for vector in each["vectors"]]


def write_tree(folder: Path, documents: list[dict[str, Any]]) -> str:
    target = folder / RELEASE / "messages"
    target.mkdir(parents=True)
    for document in documents:
        (target / f"{document['message']}.json").write_text(json.dumps(document), encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="session")
def documents() -> list[dict[str, Any]]:
    return [document_of(message) for message in MESSAGES]


@pytest.fixture(scope="session", params=LANGUAGES)
def on_sound_vectors(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, documents: list[dict[str, Any]]
) -> tuple[str, Run]:
    folder = write_tree(tmp_path_factory.mktemp("vectors"), documents)
    return request.param, run(request.param, "--all", folder)


def test_every_vector_is_counted(on_sound_vectors: tuple[str, Run], documents: list[dict[str, Any]]) -> None:
    _, found = on_sound_vectors
    assert found.status == 0, found.errors
    lines = re.findall(r"^  (valid|invalid|unspecified):(.*)$", found.output, flags=re.MULTILINE)
    counted = {result: sum(map(int, re.findall(r" (\d+) ", counts))) for result, counts in lines}
    assert counted == Counter(vector["result"] for each in documents for vector in vectors_in(each))


def test_what_the_codec_does_not_have_is_named(on_sound_vectors: tuple[str, Run]) -> None:
    _, found = on_sound_vectors
    assert "4.3.0/messages/NoOpRecord/v0/default" in found.section("unsupported")


def test_failures_are_named_by_id_below_their_flag(on_sound_vectors: tuple[str, Run]) -> None:
    """Kmsg 1.15.0 reads null bytes where there may be none; @platformatic/kafka 1.35.0 knows no error code 4660."""
    language, found = on_sound_vectors
    heading, flag, name = {
        GO: ("FAIL: invalid, accepted", "NullNotAllowed", "4.3.0/messages/SaslAuthenticateRequest/v2/"),
        JAVASCRIPT: ("FAIL: valid, rejected", "NumberEdge", "4.3.0/messages/EndTxnResponse/v4/error-code-4660"),
    }[language]
    lines = re.search(rf"^  {flag}: \d+\n((?:    .*\n?)+)", found.section(heading), flags=re.MULTILINE)
    assert lines is not None
    assert name in lines[1]


@pytest.mark.go
def test_a_codec_that_hangs_fails_one_vector_and_the_others_are_run(tmp_path: Path) -> None:
    """Kmsg 1.15.0 counts down from the number of tagged fields announced, however few bytes are left."""
    document = document_of("AddOffsetsToTxnRequest")
    newest = document["groups"][-1]
    names = {"default", "minimal-tag-section-varint-wraps", "populated"}
    newest["vectors"] = [vector for vector in newest["vectors"] if vector["id"] in names]
    document["groups"] = [newest]
    found = run(GO, "--all", write_tree(tmp_path, [document]))
    hanging = "4.3.0/messages/AddOffsetsToTxnRequest/v4/minimal-tag-section-varint-wraps"
    assert f"{hanging}  no answer" in found.section("FAIL: crash, hang or much memory")
    assert failed(found) == {hanging}
    assert re.search(r"^  valid: 2 passed;$", found.output, flags=re.MULTILINE)


def tamper_with(vectors: list[dict[str, Any]]) -> set[str]:
    """Make each kind of expectation wrong in one vector that both codecs pass, and return their ids."""
    by_id = {vector["id"]: vector for vector in vectors}
    other_value, accepted = by_id["default"], by_id["throttle-time-ms-305419896"]
    other_value["value"]["ThrottleTimeMs"] += 1
    accepted["result"] = "invalid"
    refused = next(vector for vector in vectors if "InputEndsEarly" in vector["flags"])
    refused |= {"result": "valid", "value": {"ThrottleTimeMs": 0, "ErrorCode": 0}}
    return {other_value["id"], accepted["id"], refused["id"]}


def test_what_is_wrong_is_noticed(on_sound_vectors: tuple[str, Run], tmp_path: Path) -> None:
    language, on_sound = on_sound_vectors
    document = document_of(TAMPERED)
    wrong = tamper_with(next(each["vectors"] for each in document["groups"] if each["version"] == 4))
    found = run(language, "--all", "--strict", write_tree(tmp_path, [document]))
    assert found.status == 1, found.errors
    assert failed(found) - failed(on_sound) == {f"{RELEASE}/messages/{TAMPERED}/v4/{name}" for name in wrong}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_vectors_at_all_are_an_error(language: str, tmp_path: Path) -> None:
    """A wrong folder is not a success of nothing; `go run` makes status 1 of every other one."""
    found = run(language, str(tmp_path))
    assert found.status == {GO: 1, JAVASCRIPT: 2}[language]
    assert f"no vectors in {tmp_path}" in found.errors
    assert found.output == ""


IMPORTS = {
    GO: 'package main\nimport ("encoding/hex"; "encoding/json"; "fmt"; "os"; "github.com/twmb/franz-go/pkg/kmsg")\n',
    JAVASCRIPT: "import { readFileSync } from 'node:fs'\n"
    "const protocol = './node_modules/@platformatic/kafka/dist/protocol/'\n"
    "const { Reader } = await import(protocol + 'reader.js')\n"
    "const { Writer } = await import(protocol + 'writer.js')\n",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_the_tutorial_find_what_the_consumers_find(language: str, tmp_path: Path) -> None:
    block = {GO: "go", JAVASCRIPT: "js"}[language]
    found = re.search(rf"```{block}\n(.*?)```", (VECTORS / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None
    if language == GO:
        for name in ("go.mod", "go.sum"):
            shutil.copy(CONSUMERS / GO / name, tmp_path)
        code = f'{IMPORTS[GO]}func main() {{\nos.Chdir("{VECTORS}")\n{found[1]}}}\n'
        (tmp_path / "main.go").write_text(code, encoding="utf-8")
        done = run_consumer(GO, ["go", "run", "-C", str(tmp_path), "."])
        assert "v0/auth-bytes-bytes-length-length-null is invalid" in done.output, done.errors
    else:
        install_packages()
        code = f"{IMPORTS[JAVASCRIPT]}process.chdir('../..')\n{found[1]}"
        done = run_consumer(JAVASCRIPT, ["node", "--input-type=module", "--eval", code])
        assert "value-string-compact-length-varint-zero: not refused" in done.output, done.errors
