"""The check of a corpus reports each damage without a traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from conformance.campaign.spark.corpus import MANIFEST
from conformance.campaign.spark.corpus_parts import COLUMNS
from conformance.campaign.spark.corpus_plan import part_path
from conformance.campaign.spark.imported import SeenBody, import_bodies
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.campaign.spark.storage import Storage
from conformance.campaign.spark.verification import Share, one_by_one, problems_of
from reference import load_release
from tests.helpers.releases import NEWEST

Json = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "corpus"
    schema = load_release(NEWEST).schema("HeartbeatResponse", 0)
    import_bodies([SeenBody(NEWEST, schema, wire, "capture/1") for wire in (b"\0\0", b"\0\1")], folder)
    return folder


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    """A sound corpus of two rows in one block."""
    return Path(shutil.copytree(made, tmp_path / "corpus"))


def problems(corpus: Path) -> list[str]:
    return [str(problem) for problem in problems_of(Storage(str(corpus)))]


def change(corpus: Path, changed: Callable[[Json], object]) -> None:
    manifest = json.loads((corpus / MANIFEST).read_text(encoding="utf-8"))
    changed(manifest)
    (corpus / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def test_a_sound_corpus_has_no_problems(corpus: Path) -> None:
    assert problems(corpus) == []


LIES: dict[str, tuple[Callable[[Json], object], str]] = {
    "no blocks": (lambda manifest: manifest.update(blocks=[]), "manifest.json: rows is 2, and that of its blocks 0"),
    "rows": (lambda manifest: manifest.update(rows=10**9), "manifest.json: rows is 1000000000, and"),
    "hash": (lambda manifest: manifest.update(sha256="0" * 64), "manifest.json: sha256 is 0000"),
    "results": (lambda manifest: manifest.update(results={"valid": 1, "invalid": 1}), "manifest.json: results is"),
    "results of a block": (lambda manifest: manifest["blocks"][0].update(results={"invalid": 2}), "rows 0 to 1: not"),
    "first row": (lambda manifest: manifest["blocks"][0].update(first=1), "rows 1 to 2: not as the manifest says"),
    "message": (lambda manifest: manifest["blocks"][0].update(message="FetchRequest"), "FetchRequest-v0, rows 0 to 1"),
    "rows of a block": (lambda manifest: manifest["blocks"][0].update(rows=1), "1 rows more than the manifest says"),
    "block twice": (lambda manifest: manifest.update(blocks=manifest["blocks"] * 2), "rows 0 to 1: not as"),
    "parameters": (
        lambda manifest: manifest.update(parameters={"release": "1", "rows": 1, "seed": "", "suite_version": ""}),
        "parameters.json: missing",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lie", "problem"), LIES.values(), ids=LIES)
def test_a_false_statement_is_reported(corpus: Path, lie: Callable[[Json], object], problem: str) -> None:
    change(corpus, lie)
    assert any(problem in each for each in problems(corpus)), problems(corpus)


def test_files_unseen_by_a_worker_are_missing(tmp_path: Path) -> None:
    """A folder of the driver, not shared with the worker, is no sound corpus there."""
    found = one_by_one(Storage(str(tmp_path)), [Share("part-000000.parquet", [])], NEWEST)
    assert list(found) == [("parts/part-000000.parquet", "missing"), ("_records/part-000000.json", "missing")]


def test_duplicate_rows_are_reported(corpus: Path) -> None:
    path = part_path(corpus, 0)
    rows = parquet.read_table(path).to_pylist()
    parquet.write_table(COLUMNS.empty_table().from_pylist(rows * 2, schema=COLUMNS), path)
    assert problems(corpus) == ["part-000000.parquet: 2 rows more than the manifest says"]


@pytest.mark.parametrize(
    "name",
    ["parts/part-000001.parquet", "parts/note.txt", "parts/part-000000.json", "parameters.json"],
)
def test_a_file_too_many_is_reported(corpus: Path, name: str) -> None:
    (corpus / name).write_text("{}", encoding="utf-8")
    assert problems(corpus) == [f"{name}: not a file of this corpus; remove it"]


@pytest.mark.parametrize(
    "change_columns", [lambda table: table.drop(["reason"]), lambda table: table.append_column("more", table["id"])]
)
def test_other_columns_are_reported(corpus: Path, change_columns: Callable[[Any], Any]) -> None:
    path = part_path(corpus, 0)
    parquet.write_table(change_columns(parquet.read_table(path)), path)
    assert problems(corpus) == ["part-000000.parquet: its columns are not those of a corpus"]


BROKEN: dict[str, bytes | Callable[[Json], object]] = {
    "array": b"[]",
    "empty": b"{}",
    "deep": b"[" * 100_000,
    "UTF-16": "{}".encode("utf-16"),
    "text for a block": lambda manifest: manifest.update(blocks=["x"]),
    "empty block": lambda manifest: manifest.update(blocks=[{}]),
    "negative": lambda manifest: manifest["blocks"][0].update(rows=-1),
    "huge": lambda manifest: manifest["blocks"][0].update(rows=10**30),
    "text for a number": lambda manifest: manifest["blocks"][0].update(rows="x"),
    "no first row": lambda manifest: manifest["blocks"][0].pop("first"),
    "part elsewhere": lambda manifest: manifest["blocks"][0].update(part="../../etc/passwd"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_invalid_manifest_is_an_error(corpus: Path, broken: bytes | Callable[[Json], object]) -> None:
    if isinstance(broken, bytes):
        (corpus / MANIFEST).write_bytes(broken)
    else:
        change(corpus, broken)
    with pytest.raises(NotThisCorpus, match=r"no finished corpus: .*manifest\.json"):
        problems(corpus)
