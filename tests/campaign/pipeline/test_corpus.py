import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyarrow import dataset, parquet

from conformance.campaign.spark.corpus import MANIFEST, build
from conformance.campaign.spark.corpus_parts import COLUMNS, build_part
from conformance.campaign.spark.corpus_plan import FOLDER, RECORDS, CorpusPlan, part_path, parts, record_name
from conformance.campaign.spark.corpus_rows import CorpusRow
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.campaign.spark.storage import Storage
from conformance.campaign.spark.verification import problems_of
from conformance.system.whole_files import PendingFile
from tests.helpers.corpus import SMALL, TINY, in_order
from tests.helpers.releases import BASE, OLDEST


def backwards(parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]) -> None:
    in_order(parameters, folder, numbers[::-1])


def nothing(parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]) -> None:
    raise AssertionError(f"parts {numbers} of {parameters} in {folder} were to be built")


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_after_one(parameters: CorpusPlan, folder: Storage, numbers: Sequence[int]) -> None:
    build_part(parameters, folder, numbers[0])
    half = part_path(Path(folder.uri), numbers[1])
    PendingFile(half).temporary.write_bytes(b"PAR1")
    raise Killed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return build(SMALL, Storage(str(tmp_path_factory.mktemp("undisturbed"))), in_order)


def test_the_order_of_parts_does_not_show(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    assert build(SMALL, Storage(str(tmp_path)), backwards) == undisturbed


def test_the_manifest_counts_rows_and_results(undisturbed: dict[str, Any]) -> None:
    assert undisturbed["rows"] == sum(undisturbed["results"].values()) == 30_000
    assert set(undisturbed["results"]) == {"valid", "invalid", "unspecified"}


def test_finished_parts_are_kept(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    with pytest.raises(Killed):
        build(SMALL, Storage(str(tmp_path)), killed_after_one)
    before = part_path(tmp_path, 0).stat()
    assert build(SMALL, Storage(str(tmp_path)), in_order) == undisturbed
    assert part_path(tmp_path, 0).stat().st_mtime_ns == before.st_mtime_ns
    assert not list(tmp_path.rglob(".*"))


def test_a_finished_corpus_is_not_built_again(tmp_path: Path) -> None:
    manifest = build(TINY, Storage(str(tmp_path)), in_order)
    assert build(TINY, Storage(str(tmp_path)), nothing) == manifest


def test_cut_part_is_built_again(tmp_path: Path) -> None:
    manifest = build(TINY, Storage(str(tmp_path)), in_order)
    part = part_path(tmp_path, 0)
    part.write_bytes(part.read_bytes()[:-1])
    assert build(TINY, Storage(str(tmp_path)), in_order) == manifest
    assert not list(problems_of(Storage(str(tmp_path))))


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (CorpusPlan(OLDEST, 300, "1"), f"release '{BASE}', not '{OLDEST}'"),
        (CorpusPlan(BASE, 301, "1"), "rows 300, not 301"),
        (CorpusPlan(BASE, 300, "2"), "seed '1', not '2'"),
        (CorpusPlan(BASE, 300, "1", "0.0.0"), "suite_version .*, not '0.0.0'"),
    ],
)
def test_other_parameters_are_refused(tmp_path: Path, other: CorpusPlan, named: str) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    with pytest.raises(NotThisCorpus, match=named):
        build(other, Storage(str(tmp_path)), nothing)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("...")
    with pytest.raises(NotThisCorpus, match="no corpus"):
        build(TINY, Storage(str(tmp_path)), nothing)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("record", ["", "[]", "{}", '{"bytes": 1, "blocks": []}', '{"bytes": 1, "blocks": [{}]}'])
def test_a_part_with_a_damaged_record_is_built_again(tmp_path: Path, record: str) -> None:
    manifest = build(TINY, Storage(str(tmp_path)), in_order)
    (tmp_path / record_name(0)).write_text(record)
    assert build(TINY, Storage(str(tmp_path)), in_order) == manifest


def test_part_not_built_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotThisCorpus, match=r"part-000000.parquet .*Build again"):
        build(TINY, Storage(str(tmp_path)), lambda *_: None)
    assert not (tmp_path / MANIFEST).exists()


@pytest.mark.parametrize("size", [0, 20])
def test_cut_parameters_are_written_again(tmp_path: Path, size: int) -> None:
    """A loss of power may cut them, and the build knows its own parameters."""
    build(TINY, Storage(str(tmp_path)), in_order)
    whole = (tmp_path / "parameters.json").read_text()
    (tmp_path / "parameters.json").write_text(whole[:size])
    build(TINY, Storage(str(tmp_path)), nothing)
    assert (tmp_path / "parameters.json").read_text() == whole


def test_hidden_file_of_others_beside_the_parts_is_kept(tmp_path: Path) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    hidden = part_path(tmp_path, 0).with_name(".notes")
    hidden.write_text("mine")
    build(TINY, Storage(str(tmp_path)), nothing)
    assert hidden.read_text() == "mine"


@pytest.mark.parametrize("content", ["[]", "7"])
def test_damaged_parameters_are_named(tmp_path: Path, content: str) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    (tmp_path / "parameters.json").write_text(content)
    with pytest.raises(NotThisCorpus, match=r"parameters.json has no parameters of a corpus"):
        build(TINY, Storage(str(tmp_path)), nothing)


def test_the_columns_of_parquet_are_those_of_rows(tmp_path: Path) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    file = parquet.ParquetFile(part_path(tmp_path, 0))
    assert file.schema_arrow.names == COLUMNS.names == list(CorpusRow._fields)
    assert file.schema_arrow.types == COLUMNS.types
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_parts_are_one_table_for_readers_of_parquet(tmp_path: Path) -> None:
    """They read the folder as it is, since it has nothing but Parquet."""
    manifest = build(TINY, Storage(str(tmp_path)), in_order)
    assert len(pd.read_parquet(tmp_path / FOLDER)) == manifest["rows"]
    assert dataset.dataset(tmp_path / FOLDER).count_rows() == manifest["rows"]


def test_check_finds_a_changed_row(tmp_path: Path) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    path = part_path(tmp_path, 0)
    rows = parquet.read_table(path, schema=COLUMNS).to_pylist()
    rows[5]["wire"] += b"\0"
    parquet.write_table(COLUMNS.empty_table().from_pylist(rows, schema=COLUMNS), path)
    place = f"part-000000.parquet: {rows[5]['message']}-v"
    assert [str(each).startswith(place) for each in problems_of(Storage(str(tmp_path)))] == [False, True]


def test_the_check_lists_each_folder_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many parts there are."""
    monkeypatch.setattr("conformance.campaign.spark.corpus_plan.PART_COST", 1_000)
    many = CorpusPlan(BASE, 300, "many")
    assert len(parts(many)) > 2
    build(many, Storage(str(tmp_path)), in_order)
    sizes, listed = Storage.sizes, list[str]()

    def noted(self: Storage, folder: str = "") -> dict[str, int]:
        listed.append(folder)
        return sizes(self, folder)

    monkeypatch.setattr(Storage, "sizes", noted)
    assert not list(problems_of(Storage(str(tmp_path))))
    assert sorted(listed) == ["", RECORDS, FOLDER]


def test_check_finds_a_missing_part(tmp_path: Path) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    part_path(tmp_path, 0).unlink()
    assert list(problems_of(Storage(str(tmp_path)))) == [
        ("parts/part-000000.parquet", "missing"),
        ("_records/part-000000.json", "not what manifest.json says of part-000000.parquet"),
    ]


@pytest.mark.parametrize("content", [None, "half of"])
def test_the_check_needs_a_manifest(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(NotThisCorpus, match="no finished corpus"):
        list(problems_of(Storage(str(tmp_path))))


def test_the_manifest_has_one_line_for_each_block(tmp_path: Path) -> None:
    build(TINY, Storage(str(tmp_path)), in_order)
    text = (tmp_path / MANIFEST).read_text(encoding="utf-8")
    blocks = json.loads(text)["blocks"]
    lines = [line.strip().rstrip(",") for line in text.splitlines()]
    assert [json.loads(line) for line in lines if line.startswith("{") and line != "{"] == blocks
