"""A build makes the rows of its parameters, whatever is there of them, and leaves other folders as they are."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyarrow import parquet

from conformance.campaign.pipeline import batches
from conformance.campaign.pipeline.corpus import MANIFEST, PARAMETERS
from conformance.campaign.pipeline.corpus_plan import CorpusPlan
from conformance.campaign.pipeline.corpus_rows import CORPUS_COLUMNS
from conformance.campaign.pipeline.engines import Row, Work
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus
from conformance.campaign.pipeline.tables import schema_of
from tests.helpers.corpus import TINY, built
from tests.helpers.engines import HereEngine
from tests.helpers.releases import BASE, OLDEST


class Backwards(HereEngine):
    """Makes the last part first."""

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        return super().rows([*plan][::-1], work)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "corpus"
    built(TINY, folder)
    return folder


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    """A finished corpus of one file."""
    return Path(shutil.copytree(made, tmp_path / "corpus"))


@pytest.fixture
def _four_batches(_seven_parts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a batch have two parts."""
    monkeypatch.setattr(batches, "MOST", 2)


def manifest_in(folder: Path) -> Any:
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def file_of(corpus: Path) -> Path:
    [file] = (corpus / "parts").glob("*.parquet")
    return file


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.usefixtures("_four_batches")
def test_order_of_parts_and_size_of_batches_do_not_show(tmp_path: Path, made: Path) -> None:
    assert built(TINY, tmp_path, Backwards()) == manifest_in(made)


def interrupt(at: int, done: int) -> None:
    if done == at:
        raise KeyboardInterrupt


@pytest.mark.usefixtures("_four_batches")
def test_finished_batches_are_kept(tmp_path: Path, made: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        built(TINY, tmp_path, shown=partial(interrupt, 4))
    kept = times(tmp_path / "batches")
    with pytest.raises(KeyboardInterrupt):
        built(TINY, tmp_path, shown=partial(interrupt, 6))
    assert kept.items() < times(tmp_path / "batches").items()
    assert not (tmp_path / MANIFEST).exists()
    assert built(TINY, tmp_path) == manifest_in(made)
    assert {path.name for path in tmp_path.iterdir()} == {PARAMETERS, "parts", MANIFEST}


def test_a_finished_corpus_is_left_with_the_hidden_files_of_others(corpus: Path) -> None:
    (corpus / "parts" / ".notes").write_text("mine")
    before = times(corpus)
    built(TINY, corpus)
    assert times(corpus) == before


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(file.read_bytes()[:-1]), Path.unlink])
def test_damaged_file_is_built_again(corpus: Path, made: Path, damage: Callable[[Path], object]) -> None:
    damage(file_of(corpus))
    assert built(TINY, corpus) == manifest_in(made)
    assert parquet.read_metadata(file_of(corpus)).num_rows == TINY.rows


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"release": OLDEST}, f"release '{BASE}', not '{OLDEST}'"),
        ({"rows": 301}, "rows 300, not 301"),
        ({"seed": "2"}, "seed '1', not '2'"),
        ({"suite_version": "0.0.0"}, "suite_version .*, not '0.0.0'"),
    ],
)
def test_other_parameters_are_refused(corpus: Path, other: dict[str, Any], named: str) -> None:
    before = times(corpus)
    with pytest.raises(NotThisCorpus, match=named):
        built(replace(TINY, **other), corpus)
    assert times(corpus) == before


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("...")
    with pytest.raises(NotThisCorpus, match="no corpus"):
        built(TINY, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_folder_of_another_machine_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HereEngine, "write", lambda *_: None)
    with pytest.raises(JobFailed, match=r"batch 0 .*: all machines"):
        built(TINY, tmp_path)
    assert not (tmp_path / MANIFEST).exists()


@pytest.mark.parametrize("size", [0, 20])
def test_cut_parameters_are_written_again(corpus: Path, size: int) -> None:
    """A loss of power may cut them, and the build knows its own parameters."""
    whole = (corpus / PARAMETERS).read_text()
    (corpus / PARAMETERS).write_text(whole[:size])
    before = times(corpus / "parts")
    built(TINY, corpus)
    assert ((corpus / PARAMETERS).read_text(), times(corpus / "parts")) == (whole, before)


@pytest.mark.parametrize("content", ["[]", "7"])
def test_damaged_parameters_are_named(corpus: Path, content: str) -> None:
    (corpus / PARAMETERS).write_text(content)
    with pytest.raises(NotThisCorpus, match=rf"{PARAMETERS} has no parameters"):
        built(TINY, corpus)


def test_the_columns_of_parquet_are_those_of_rows(made: Path) -> None:
    file = parquet.ParquetFile(file_of(made))
    assert file.schema_arrow == schema_of(CORPUS_COLUMNS)
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.usefixtures("_four_batches")
def test_rows_are_one_table_by_message_version_and_index(tmp_path: Path) -> None:
    """Readers of Parquet take the folder as it is."""
    built(CorpusPlan("kip-893", 90, "1"), tmp_path)
    table = pd.read_parquet(tmp_path / "parts")
    index = table["id"].str.extract("([0-9]+)$", expand=False).astype(int)
    places = list(zip(table["message"], table["version"], index, strict=True))
    assert places == sorted(places)
    assert len(places) == 90


def test_the_manifest_has_one_line_for_each_pair(made: Path) -> None:
    lines = [line.strip().rstrip(",") for line in (made / MANIFEST).read_text(encoding="utf-8").splitlines()]
    assert [json.loads(line) for line in lines if line.startswith("{") and line != "{"] == manifest_in(made)["pairs"]
