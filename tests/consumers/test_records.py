"""The consumers that have a codec of record batches, on vectors of record batches."""

import json
from pathlib import Path

import pytest

from conformance.golden.tree.files import read_file
from tests.consumers import test_go_and_javascript, test_rust_and_java
from tests.consumers.conftest import VECTORS, Run, copy_files

FILE = "records/batches.json"
LANGUAGES = [
    pytest.param("java", marks=pytest.mark.java),
    pytest.param("javascript", marks=pytest.mark.node),
    pytest.param("rust", marks=pytest.mark.rust),
]
FAILS = {
    "java": set(),
    "javascript": set(),
    "rust": {"headers-repeated", "log-append-time", "tail-of-11", "tail-of-16", "tail-of-60"},
}
"""What each codec fails: kafka-protocol 0.18.0 has a map of headers, and knows neither append time nor partial tail."""


def run(language: str, folder: Path) -> Run:
    if language == "javascript":
        return test_go_and_javascript.run(language, "--all", str(folder))
    return test_rust_and_java.run(language, folder, "--all")


def failed(found: Run) -> set[str]:
    assert found.status == 0, found.errors
    sections = [part for part in found.output.split("\n\n") if part.startswith("FAIL")]
    ids = [line.strip().split("/v0/")[1] for part in sections for line in part.splitlines() if "/v0/" in line]
    return {name.split(":")[0].split(" ")[0] for name in ids}


@pytest.mark.parametrize("language", LANGUAGES)
def test_record_batches_are_read(language: str, tmp_path: Path) -> None:
    copy_files(tmp_path, (FILE,))
    assert failed(run(language, tmp_path)) == FAILS[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_value_of_a_record_is_noticed(language: str, tmp_path: Path) -> None:
    document = read_file(VECTORS / FILE)
    changed = next(vector for vector in document["groups"][0]["vectors"] if vector["id"] == "key-and-value")
    changed["value"]["batches"][0]["records"][0]["value"] = "ffff"
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(json.dumps(document), encoding="utf-8")
    assert failed(run(language, tmp_path)) == FAILS[language] | {"key-and-value"}
