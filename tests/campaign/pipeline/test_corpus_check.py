"""The check of a corpus reports each damage without a traceback, in corpora of both formats."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from conformance.campaign.pipeline.corpus import MANIFEST, import_bodies, problems_of
from conformance.campaign.pipeline.errors import NotThisCorpus
from conformance.campaign.pipeline.storage import Storage
from conformance.live.capture.conversation import BodySample
from reference import load_release
from tests.campaign.conftest import rows_of, run_all
from tests.campaign.pipeline.conftest import BEFORE, campaign_of_before
from tests.helpers.engines import HERE
from tests.helpers.releases import NEWEST

FALSE = "0" * 64
PARAMETERS = {"release": "1", "rows": 2, "seed": "", "suite_version": ""}
NOTES = ("parts/note.txt", "parts/part-0.json", "parameters.json", "_records")
ROWS = "parts: HeartbeatResponse-v0: not as the manifest says: "
UNREADABLE = "cannot be read as rows of a corpus: "
FOREIGN = "not a file of this corpus; remove it"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two rows of one message version."""
    folder = tmp_path_factory.mktemp("made") / "corpus"
    release = load_release(NEWEST)
    schema = release.schema("HeartbeatResponse", 0)
    import_bodies([BodySample(release, schema, wire, 1) for wire in (b"\0\0", b"\0\1")], "capture", folder)
    return folder


@pytest.fixture
def corpus(request: pytest.FixtureRequest, made: Path, tmp_path: Path) -> Path:
    """A sound corpus, of the first format if the parameter of the test says so."""
    return Path(shutil.copytree(BEFORE if getattr(request, "param", "") == "before" else made, tmp_path / "corpus"))


def problems(corpus: Path) -> list[str]:
    return [*problems_of(HERE, Storage(str(corpus)))]


def lie(corpus: Path, place: str, value: object) -> None:
    """Change a value in the manifest, such as `pairs.0.rows`."""
    manifest = json.loads((corpus / MANIFEST).read_text(encoding="utf-8"))
    inside: Any = manifest
    *steps, last = (int(step) if step.isdigit() else step for step in place.split("."))
    for step in steps:
        inside = inside[step]
    inside[last] = value
    (corpus / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


@pytest.mark.parametrize("corpus", ["made", "before"], indirect=True)
def test_a_sound_corpus_has_no_problems(corpus: Path) -> None:
    assert problems(corpus) == []


@pytest.mark.parametrize(
    ("corpus", "place", "value", "problem"),
    [
        ("made", "pairs", [], "manifest.json: rows is 2, and that of its entries 0"),
        ("made", "rows", 10**9, "manifest.json: rows is 1000000000, and that of its entries 2"),
        ("made", "hash", FALSE[:16], "manifest.json: hash is 0000"),
        ("made", "results", {"valid": 1, "invalid": 1}, "manifest.json: results is"),
        ("made", "pairs.0.results", {"invalid": 2}, ROWS),
        ("made", "pairs.0.message", "FetchRequest", "parts: FetchRequest-v0: not as the manifest says: 0 rows, and 2"),
        ("made", "pairs.0.rows", 1, f"{ROWS}2 rows, and 1"),
        ("made", "parameters", PARAMETERS, "parameters.json: missing"),
        ("before", "blocks", [], "manifest.json: rows is 20, and that of its entries 0"),
        ("before", "rows", 21, "manifest.json: rows is 21, and that of its entries 20"),
        ("before", "sha256", FALSE, "manifest.json: sha256 is 0000"),
        ("before", "blocks.3.sha256", FALSE, "part-000001.parquet: HeartbeatResponse-v0, from row 6 on: not as"),
        ("before", "blocks.3.rows", 5, "part-000001.parquet: HeartbeatResponse-v0, from row 6 on: not as"),
        ("before", "blocks.3.rows", 1, "part-000001.parquet: 3 rows more than the manifest says"),
        ("before", "blocks.0.results", {"valid": 6}, "part-000000.parquet: ApiVersionsRequest-v3, from row 0 on: not"),
        ("before", "parameters.rows", 7, "manifest.json: its parameters ask for 7 rows; the entries have 20"),
        ("before", "parameters.seed", "2", "parameters.json: not the parameters that manifest.json has"),
    ],
    indirect=["corpus"],
)
def test_a_false_statement_is_reported(corpus: Path, place: str, value: object, problem: str) -> None:
    lie(corpus, place, value)
    assert [each for each in problems(corpus) if each.startswith(problem)]


def column(name: str, *values: Any) -> Callable[[Any], Any]:
    """Return a function to replace a column of a table."""
    return lambda table: table.set_column(table.column_names.index(name), name, [values])


@pytest.mark.parametrize(
    ("corpus", "change", "problem"),
    [
        ("made", column("seed", "1", "2"), ROWS),
        ("made", lambda table: table.take([0, 1, 0, 1]), f"{ROWS}4 rows, and 2 of the manifest"),
        ("made", lambda table: table.slice(1), f"{ROWS}1 rows, and 2 of the manifest"),
        ("made", lambda table: table.drop(["reason"]), f"parts: {UNREADABLE}"),
        ("made", column("wire", "a", "b"), ROWS),
        ("made", column("wire", None, b""), ROWS),
        ("made", column("message", None, "HeartbeatResponse"), f"{ROWS}1 rows, and 2 of the manifest"),
        ("before", column("seed", *"1111111111"), "part-000000.parquet: ApiVersionsRequest-v3, from row 0 on: not as"),
        ("before", lambda table: table.take([*range(10), 9]), "part-000000.parquet: 1 rows more than the manifest"),
        ("before", lambda table: table.drop(["reason"]), f"part-000000.parquet: {UNREADABLE}"),
        ("before", column("wire", *[None] * 10), f"part-000000.parquet: {UNREADABLE}"),
    ],
    indirect=["corpus"],
)
def test_other_rows_are_reported(corpus: Path, change: Callable[[Any], Any], problem: str) -> None:
    path = min((corpus / "parts").glob("*.parquet"))
    parquet.write_table(change(parquet.read_table(path)), path)
    assert problems(corpus)[0].startswith(problem)


@pytest.mark.parametrize(
    ("corpus", "name", "content", "problem"),
    [
        ("made", "parts/part-000000.parquet", b"PAR1", f"parts: {UNREADABLE}"),
        ("made", "parts/part-000000.parquet", None, f"{ROWS}0 rows, and 2 of the manifest"),
        ("before", "parts/part-000000.parquet", b"PAR1", f"part-000000.parquet: {UNREADABLE}"),
        ("before", "parts/part-000000.parquet", None, "parts/part-000000.parquet: missing"),
        ("before", "parts/part-000002.parquet", b"", f"parts/part-000002.parquet: {FOREIGN}"),
        *(("made", name, b"{}", f"{name}: {FOREIGN}") for name in NOTES),
        ("made", "batches", b"", "batches: its build is not finished; build again"),
    ],
    indirect=["corpus"],
)
def test_another_file_is_reported(corpus: Path, name: str, content: bytes | None, problem: str) -> None:
    (corpus / name).unlink() if content is None else (corpus / name).write_bytes(content)
    assert [each[: len(problem)] for each in problems(corpus)] == [problem]


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"format": 2', b"[" * 100_000, "{}".encode("utf-16"), None])
def test_damaged_manifest_is_an_error(corpus: Path, content: bytes | None) -> None:
    (corpus / MANIFEST).unlink() if content is None else (corpus / MANIFEST).write_bytes(content)
    with pytest.raises(NotThisCorpus, match=rf"no finished corpus: .*{MANIFEST}"):
        problems(corpus)


@pytest.mark.parametrize(
    ("corpus", "place", "value"),
    [
        ("made", "pairs", ["x"]),
        ("made", "pairs", [{}]),
        *(("made", "pairs.0.rows", rows) for rows in (-1, 10**30, "x")),
        ("made", "pairs.0.hash", None),
        ("made", "format", 1),
        ("before", "blocks.0.part", "../../etc/passwd"),
    ],
    indirect=["corpus"],
)
def test_manifest_of_another_form_is_an_error(corpus: Path, place: str, value: object) -> None:
    lie(corpus, place, value)
    with pytest.raises(NotThisCorpus, match=rf"no finished corpus: .*{MANIFEST}"):
        problems(corpus)


def test_campaign_reads_a_corpus_of_the_first_format(tmp_path: Path) -> None:
    rows = parquet.read_table(BEFORE / "parts").to_pylist()
    run_all(campaign_of_before(), tmp_path)
    assert {row["id"] for row in rows_of(tmp_path) if row["direction"] == "decode"} == {row["id"] for row in rows}
