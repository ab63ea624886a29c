import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyarrow import parquet

from conformance.campaign.pipeline.corpus import MANIFEST, build
from conformance.campaign.pipeline.corpus_plan import CorpusPlan
from conformance.campaign.pipeline.corpus_rows import CORPUS_COLUMNS
from conformance.campaign.pipeline.engines import Dataset, Row, Work
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.pipeline.tables import schema_of
from tests.helpers.corpus import TINY, built
from tests.helpers.engines import HereEngine
from tests.helpers.releases import BASE, OLDEST


class Backwards(HereEngine):
    """Makes the last part first."""

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        return super().rows([*plan][::-1], work)


class Killed(BaseException):
    """Stands for the end of the process."""


class Mortal(HereEngine):
    """Ends the process after some batches."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self.written, self._batches = list[str](), batches

    def write(self, plan: Any, work: Work, target: Dataset, given: Any = None) -> None:
        if len(self.written) == self._batches:
            raise Killed
        super().write(plan, work, target, given)
        self.written.append(target.place.uri.rpartition("/")[2])


class Elsewhere(HereEngine):
    """Writes to a disk of its own."""

    def write(self, *_: Any, **__: Any) -> None:
        pass


def on(engine: HereEngine, folder: Path, plan: CorpusPlan = TINY) -> dict[str, Any]:
    return build(engine, plan, Storage(str(folder)), lambda _: None)


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
    monkeypatch.setattr("conformance.campaign.pipeline.batches.MOST", 2)


def manifest_in(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))


def file_of(corpus: Path) -> Path:
    [file] = (corpus / "parts").glob("*.parquet")
    return file


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_the_manifest_counts_rows_and_results(made: Path) -> None:
    manifest = manifest_in(made)
    assert manifest["rows"] == sum(manifest["results"].values()) == TINY.rows


@pytest.mark.usefixtures("_four_batches")
def test_order_of_parts_and_size_of_batches_do_not_show(tmp_path: Path, made: Path) -> None:
    assert on(Backwards(), tmp_path) == manifest_in(made)


@pytest.mark.usefixtures("_four_batches")
def test_finished_batches_are_kept(tmp_path: Path, made: Path) -> None:
    with pytest.raises(Killed):
        on(Mortal(2), tmp_path)
    assert not (tmp_path / MANIFEST).exists()
    second = Mortal(9)
    assert on(second, tmp_path) == manifest_in(made)
    assert second.written == ["batch=2", "batch=3"]
    assert {path.name for path in tmp_path.iterdir()} == {"parameters.json", "parts", MANIFEST}


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "deleted": Path.unlink,
}


@pytest.mark.usefixtures("_four_batches")
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("kind", ["row", "part"])
def test_damaged_batch_is_written_again(
    tmp_path: Path, made: Path, damage: Callable[[Path], object], kind: str
) -> None:
    with pytest.raises(Killed):
        on(Mortal(2), tmp_path)
    damage(next((tmp_path / "batches" / "batch=0").glob(f"kind={kind}/*.parquet")))
    second = Mortal(9)
    assert on(second, tmp_path) == manifest_in(made)
    assert second.written == ["batch=0", "batch=2", "batch=3"]


def test_a_finished_corpus_is_not_built_again(corpus: Path) -> None:
    before = times(corpus)
    on(Mortal(0), corpus)
    assert times(corpus) == before


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_file_is_built_again(corpus: Path, made: Path, damage: Callable[[Path], object]) -> None:
    damage(file_of(corpus))
    assert built(TINY, corpus) == manifest_in(made)
    assert parquet.read_metadata(file_of(corpus)).num_rows == TINY.rows


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (CorpusPlan(OLDEST, 300, "1"), f"release '{BASE}', not '{OLDEST}'"),
        (CorpusPlan(BASE, 301, "1"), "rows 300, not 301"),
        (CorpusPlan(BASE, 300, "2"), "seed '1', not '2'"),
        (CorpusPlan(BASE, 300, "1", "0.0.0"), "suite_version .*, not '0.0.0'"),
    ],
)
def test_other_parameters_are_refused(corpus: Path, other: CorpusPlan, named: str) -> None:
    before = times(corpus)
    with pytest.raises(NotThisCorpus, match=named):
        on(Mortal(0), corpus, other)
    assert times(corpus) == before


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("...")
    with pytest.raises(NotThisCorpus, match="no corpus"):
        on(Mortal(0), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_folder_of_another_machine_is_named(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match=r"batch 0 is not there: all machines must share its folder"):
        on(Elsewhere(), tmp_path)
    assert not (tmp_path / MANIFEST).exists()


@pytest.mark.parametrize("size", [0, 20])
def test_cut_parameters_are_written_again(corpus: Path, size: int) -> None:
    """A loss of power may cut them, and the build knows its own parameters."""
    whole = (corpus / "parameters.json").read_text()
    (corpus / "parameters.json").write_text(whole[:size])
    on(Mortal(0), corpus)
    assert (corpus / "parameters.json").read_text() == whole


@pytest.mark.parametrize("content", ["[]", "7"])
def test_damaged_parameters_are_named(corpus: Path, content: str) -> None:
    (corpus / "parameters.json").write_text(content)
    with pytest.raises(NotThisCorpus, match=r"parameters.json has no parameters of a corpus"):
        on(Mortal(0), corpus)


def test_hidden_file_of_others_beside_the_rows_is_kept(corpus: Path) -> None:
    hidden = corpus / "parts" / ".notes"
    hidden.write_text("mine")
    on(Mortal(0), corpus)
    assert hidden.read_text() == "mine"


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
    text = (made / MANIFEST).read_text(encoding="utf-8")
    lines = [line.strip().rstrip(",") for line in text.splitlines()]
    assert [json.loads(line) for line in lines if line.startswith("{") and line != "{"] == manifest_in(made)["pairs"]
