"""Batches count if they have the rows of their parts. Every engine makes, reads and checks the same ones."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from pyspark.sql import SparkSession
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.pipeline import batches as module
from conformance.campaign.pipeline.batches import FURTHER, Batches, PlannedPart, part_row, signed
from conformance.campaign.pipeline.engines import PART, Dataset, Engine, Row, Work
from conformance.campaign.pipeline.errors import JobFailed, PartLost
from conformance.campaign.pipeline.processes import ProcessEngine
from conformance.campaign.pipeline.spark import SparkEngine
from conformance.campaign.pipeline.storage import Storage
from tests.helpers.engines import HERE

COLUMNS = {**FURTHER, "name": "string", "text": "string"}
PARTS = 7
LABELS = ["a b", "a=b", "100%", "%41", "a:b/c", "Bücher", "it's", 'say "x"', "a+b", "..", "a{b}[c]", "12x", "007"]


def made(rows: int, blocks: Iterable[Row]) -> Iterator[Row]:
    for number, group in groupby(blocks, key=itemgetter(PART)):
        [block] = own = list(group)
        texts = [f"{number}/{index}" for index in range(rows)]
        hashes = [signed(sha256(text.encode()).digest()) for text in texts]
        for text, each in zip(texts, hashes, strict=True):
            yield {"kind": "row", "hash": each, "name": block["name"], "text": text}
        yield {"kind": "finding", "name": block["name"], "text": "without a hash"}
        problem = "x: no codec" if block["name"] == "x" else None
        yield {**part_row(own, hashes, others=1), "name": block["name"], "problem": problem}


def lost(marks: str, times: int, blocks: Iterable[Row]) -> Iterator[Row]:
    """Lose each part so many times."""
    for block in blocks:
        mark = Path(marks, f"{block[PART]}")
        before = mark.stat().st_size if mark.exists() else 0
        mark.write_bytes(bytes(before + 1))
        if before < times:
            raise PartLost("ended by SIGKILL")
        yield from made(1, [block])


def plan_of(folder: Path, rows: int = 5, names: str = "ab", seed: int = 0) -> Batches:
    planned = [
        PlannedPart(signed(bytes([seed, number, *b"123456"])), ({"block": 0, "name": names[number % len(names)]},))
        for number in range(PARTS)
    ]
    work = Work(partial(made, rows), COLUMNS, "test")
    return Batches(Storage(str(folder)), planned, work, ("kind", "name"), ("name",))


def texts(engine: Engine, plan: Batches) -> list[str]:
    sql = "select text from {batches} where kind = 'row' order by text"
    return [row["text"] for row in engine.query(sql, batches=plan.dataset)]


@pytest.fixture(params=["processes", pytest.param("Spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine:
    return HERE if request.param == "processes" else SparkEngine(request.getfixturevalue("spark"))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)


def ignore(_: int) -> None:
    """Show no progress."""


def test_engine_makes_the_rows_of_a_plan(engine: Engine, tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    written = plan.write_missing(engine, ignore)
    assert written.wrong == []
    assert texts(engine, plan) == sorted(f"{number}/{index}" for number in range(PARTS) for index in range(5))
    assert sum(row["number"] for row in written.sums if row["kind"] == "row") == 5 * PARTS
    assert {path.name for path in (tmp_path / "batches").iterdir()} == {"batch=0", "batch=1", "batch=2"}


@pytest.mark.spark
def test_either_engine_goes_on_with_the_batches_of_the_other(spark: SparkSession, tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    plan._replace(parts=plan.parts[:3]).write_missing(HERE, ignore)
    assert plan.write_missing(SparkEngine(spark), ignore).wrong == []
    assert plan.write_missing(ProcessEngine(2), ignore).wrong == []
    assert len(texts(HERE, plan)) == 35


def test_progress_is_that_of_finished_batches(tmp_path: Path) -> None:
    shown: list[int] = []
    plan_of(tmp_path).write_missing(HERE, shown.append)
    assert shown == [0, 3, 6]


def losing(folder: Path, times: int) -> Batches:
    plan = plan_of(folder)
    return plan._replace(parts=plan.parts[:1], work=plan.work._replace(kernel=partial(lost, str(folder), times)))


def test_lost_parts_are_made_again(tmp_path: Path) -> None:
    plan = losing(tmp_path, 2)
    plan.write_missing(ProcessEngine(1), ignore)
    assert texts(HERE, plan) == ["0/0"]


def test_parts_lost_again_and_again_are_an_error(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(JobFailed) as caught:
        losing(tmp_path, 9).write_missing(ProcessEngine(1), ignore)
    assert str(caught.value) == snapshot


def test_a_problem_of_a_part_is_an_error_and_its_batch_does_not_count(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, names="abx")
    for _ in range(2):
        with pytest.raises(JobFailed, match="batch 0 x: no codec"):
            plan.write_missing(HERE, ignore)


def remove(batch: Path, kind: str = "row") -> None:
    next(batch.rglob(f"kind={kind}/*/*.parquet")).unlink()


def double(kind: str, batch: Path) -> None:
    for file in [*batch.rglob(f"kind={kind}/*/*.parquet")]:
        shutil.copy(file, file.with_name("again.parquet"))


def exchange(name: str, batch: Path) -> None:
    """Put rows of another batch, with as many, in the place of those of one."""
    shutil.rmtree(batch / name)
    shutil.copytree(batch.with_name("batch=0") / name, batch / name)


def cut(batch: Path, kind: str = "part") -> None:
    file = next(batch.rglob(f"kind={kind}/*/*.parquet"))
    file.write_bytes(file.read_bytes()[:-9])


OTHER_ROWS, OTHER_PLAN = "batch 1 has other rows than its parts had", "batch 1 is not of this plan"


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (remove, [OTHER_ROWS]),
        (partial(double, "row"), [OTHER_ROWS]),
        (partial(double, "*"), [OTHER_PLAN]),
        (partial(exchange, "kind=row"), [OTHER_ROWS]),
        (partial(exchange, ""), [OTHER_PLAN]),
        (partial(remove, kind="part"), [OTHER_PLAN]),
        (partial(remove, kind="finding"), [OTHER_ROWS]),
        (partial(double, "finding"), [OTHER_ROWS]),
        (cut, ["batch 1 cannot be read"]),
        (partial(cut, kind="row"), ["batch 1 cannot be read"]),
        (shutil.rmtree, []),
    ],
)
def test_a_damaged_batch_is_named_and_written_anew(
    engine: Engine, tmp_path: Path, damage: Callable[[Path], object], named: list[str]
) -> None:
    plan = plan_of(tmp_path)
    plan.write_missing(engine, ignore)
    before, whole = times(tmp_path), texts(engine, plan)
    damage(tmp_path / "batches" / "batch=1")
    assert plan.write_missing(engine, ignore).wrong == named
    after = times(tmp_path)
    assert {name for name in after if after[name] != before[name]} == {"batch=1"}
    assert texts(engine, plan) == whole


def times(folder: Path) -> dict[str, set[int]]:
    return {
        batch.name: {path.stat().st_mtime_ns for path in batch.rglob("*.parquet")}
        for batch in (folder / "batches").iterdir()
    }


def test_batches_of_another_plan_are_written_anew(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    plan_of(tmp_path, seed=1).write_missing(HERE, ignore)
    wrong = plan_of(tmp_path).write_missing(HERE, ignore).wrong
    assert wrong == snapshot


def test_batches_beyond_the_plan_are_ignored(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    plan.write_missing(HERE, ignore)
    shutil.copytree(tmp_path / "batches" / "batch=0", tmp_path / "batches" / "batch=9")
    written = plan.write_missing(HERE, ignore)
    assert sum(row["number"] for row in written.sums if row["kind"] == "row") == 5 * PARTS


def labels_in(folder: Path) -> Dataset:
    return Dataset(Storage(str(folder)), {"name": "string", "text": "string"}, ("name",))


def test_every_reader_finds_every_label(engine: Engine, tmp_path: Path) -> None:
    rows = " union all ".join(f"select {number} as number" for number in range(len(LABELS)))
    quoted = [label.replace("'", "''") for label in LABELS]
    names = " ".join(f"when {number} then '{label}'" for number, label in enumerate(quoted))
    out = labels_in(tmp_path / "out")
    engine.publish(f"select case number {names} end as name, cast(number as varchar(3)) as text from ({rows}) r", out)  # noqa: S608  # own names
    expected = {(label, str(number)) for number, label in enumerate(LABELS)}
    for reader in (HERE, engine):
        assert {(row["name"], row["text"]) for row in reader.query("select * from {rows}", rows=out)} == expected
    frame = pd.read_parquet(tmp_path / "out")
    assert set(zip(frame["name"].astype(str), frame["text"], strict=True)) == expected
    sql = f"select name, text from read_parquet('{tmp_path}/out/**/*.parquet', hive_partitioning=true)"  # noqa: S608  # likewise
    assert set(duckdb.execute(sql).fetchall()) == expected


@pytest.mark.parametrize("label", ["12", "2024-01-01"])
def test_a_label_like_a_number_is_a_text(tmp_path: Path, label: str) -> None:
    out = labels_in(tmp_path / "out")
    HERE.publish(f"select '{label}' as name, 'x' as text", out)  # own names
    [row] = HERE.query("select name from {rows}", rows=out)
    assert row == {"name": label}


def test_files_have_no_more_rows_than_asked_for(tmp_path: Path) -> None:
    out = Dataset(Storage(str(tmp_path / "out")), {"number": "bigint"}, most=4)
    HERE.publish("select unnest(range(10)) as number", out)
    assert sorted(len(pd.read_parquet(path)) for path in (tmp_path / "out").iterdir()) == [2, 4, 4]


def test_a_query_of_no_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match="No files found"):
        HERE.query("select * from {rows}", rows=labels_in(tmp_path / "none"))
