"""The rows of a campaign's folder are the same for every division of the work, and unfinished work leaves none."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import dataset

from conformance.campaign.attempts import MANIFEST, OUTCOMES, TASKS, NotThisCampaign
from conformance.campaign.codec_hosts import Work, check, run_and_keep, run_in_processes
from conformance.campaign.folder import prepare, reopen
from conformance.campaign.plan import tasks
from conformance.campaign.side_by_side import outcomes_of
from conformance.campaign.spark.corpus import build
from conformance.campaign.spark.corpus_plan import CorpusPlan, parts
from conformance.campaign.spark.storage import Storage
from tests.campaign.conftest import HONEST, LIARS, RELEASE, campaign_of, missing, planned, rows_of, run_all
from tests.helpers.corpus import in_order


def test_processes_side_by_side_do_not_show(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign = campaign_of(HONEST, fixed=True)
    assert len(campaign.parts) > 2
    one, folder = run_all(campaign, tmp_path / "one"), tmp_path / "many"
    prepare(Storage(str(folder)), campaign.parameters)
    run_in_processes(Work(campaign.parameters, str(folder)), 3, tasks(planned(campaign), 100))
    many = run_all(campaign, folder)
    assert (one["rows"], one["sha256"]) == (many["rows"], many["sha256"])
    assert one["rows"] == len(rows_of(tmp_path / "one"))


def test_finished_parts_are_kept_and_missing_ones_run(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign = campaign_of(HONEST, fixed=True)
    whole = run_all(campaign, tmp_path)
    first, second, *others = sorted((tmp_path / TASKS).iterdir())
    first.write_text('{"file": "half of a rec')
    second.unlink()
    kept = {path: path.stat().st_mtime_ns for path in others}
    assert list(missing(campaign, Storage(str(tmp_path)))) == [0, 1]
    again = run_all(campaign, tmp_path)
    assert (again["rows"], again["sha256"]) == (whole["rows"], whole["sha256"])
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


@pytest.mark.parametrize("slots", [1, 2, 100])
def test_tasks_do_not_show(tmp_path: Path, small_parts: Callable[[int], None], slots: int) -> None:
    """Budgets are those of a part, in however many tasks the parts are run."""
    small_parts(300)
    campaign = campaign_of(HONEST, "tests.fakes.crashing_codecs:EndsWriting", fixed=True)
    hashes = [run_all(campaign, tmp_path / str(each), each)["sha256"] for each in (3, slots)]
    assert hashes[0] == hashes[1]


def test_of_two_attempts_one_counts(tmp_path: Path) -> None:
    """A worker adds nothing after it was given up, and its files are gone when the campaign is finished."""
    campaign = campaign_of(HONEST)
    whole = run_all(campaign, tmp_path)
    reopen(Storage(str(tmp_path)))
    work = Work(campaign.parameters, str(tmp_path))
    check(run_and_keep(work, task) for task in tasks(planned(campaign), 100))
    assert len(list((tmp_path / TASKS).iterdir())) == 2 * len(whole["tasks"])
    again = run_all(campaign, tmp_path)
    assert (again["rows"], again["sha256"], again["tasks"]) == (whole["rows"], whole["sha256"], whole["tasks"])
    assert len(rows_of(tmp_path)) == whole["rows"]
    assert len(list((tmp_path / TASKS).iterdir())) == len(whole["tasks"])
    assert dataset.dataset(tmp_path / OUTCOMES, partitioning="hive").count_rows() == whole["rows"]


def test_late_attempt_adds_nothing_to_a_finished_campaign(tmp_path: Path) -> None:
    """Readers of the dataset know no manifest."""
    campaign = campaign_of(HONEST)
    whole = run_all(campaign, tmp_path)
    work = Work(campaign.parameters, str(tmp_path))
    check(run_and_keep(work, task) for task in tasks(planned(campaign), 100))
    assert dataset.dataset(tmp_path / OUTCOMES, partitioning="hive").count_rows() == whole["rows"]


def test_two_different_attempts_are_reported(tmp_path: Path) -> None:
    campaign = campaign_of(HONEST)
    run_all(campaign, tmp_path)
    [record] = (tmp_path / TASKS).iterdir()
    other = (
        record.read_text()
        .replace(f'"name": "{record.stem}"', f'"name": "{record.stem}0"')
        .replace('"sha256": "', '"sha256": "00')
    )
    record.with_stem(f"{record.stem}0").write_text(other)
    with pytest.raises(NotThisCampaign, match="part 0 came out differently"):
        run_all(campaign, tmp_path)


def test_outcomes_are_a_dataset(tmp_path: Path) -> None:
    """Readers of Parquet take the implementation from the folder."""
    campaign = campaign_of(HONEST, f"{LIARS}:RefusesUnknownTags")
    manifest = run_all(campaign, tmp_path)
    table = dataset.dataset(tmp_path / OUTCOMES, partitioning="hive").to_table()
    assert table.num_rows == manifest["rows"]
    assert set(table["implementation"].to_pylist()) == {each.label for each in campaign.parameters.subjects}


def test_cut_file_is_no_part(tmp_path: Path) -> None:
    campaign = campaign_of(HONEST)
    run_all(campaign, tmp_path)
    [outcomes] = (tmp_path / OUTCOMES).rglob("*.parquet")
    outcomes.write_bytes(outcomes.read_bytes()[:-1])
    with pytest.raises(NotThisCampaign, match="not as"):
        list(outcomes_of(Storage(str(tmp_path))))
    assert list(missing(campaign, Storage(str(tmp_path)))) == [0]


def test_another_campaign_in_the_folder_is_refused(tmp_path: Path) -> None:
    run_all(campaign_of(HONEST), tmp_path)
    other = campaign_of(HONEST, seed="2")
    with pytest.raises(NotThisCampaign, match="seed '1', not '2'"):
        prepare(Storage(str(tmp_path)), other.parameters)


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("...")
    campaign = campaign_of(HONEST)
    with pytest.raises(NotThisCampaign, match="no campaign"):
        prepare(Storage(str(tmp_path)), campaign.parameters)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_without_a_manifest_there_are_no_outcomes(tmp_path: Path) -> None:
    run_all(campaign_of(HONEST), tmp_path)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(NotThisCampaign, match="no finished campaign"):
        list(outcomes_of(Storage(str(tmp_path))))


@pytest.mark.parametrize(
    "damage", ["{}", "[]", '{"format": 1}', '{"format": 1, "parts": [{"file": "../x"}]}', "[" * 9999]
)
def test_a_manifest_of_another_form_is_none(tmp_path: Path, damage: str) -> None:
    (tmp_path / MANIFEST).write_text(damage, encoding="utf-8")
    with pytest.raises(NotThisCampaign, match=r"no finished campaign: .*manifest\.json"):
        list(outcomes_of(Storage(str(tmp_path))))


def test_a_corpus_and_generated_cases_of_its_seed_have_the_same_outcomes(tmp_path: Path) -> None:
    """A corpus and a campaign generate the same rows from a seed."""
    parameters = CorpusPlan(RELEASE, 3 * 745, "1")

    assert len(parts(parameters)) == 1
    corpus = Storage(str(tmp_path / "corpus"))
    build(parameters, corpus, in_order)
    kept = campaign_of(HONEST, cases=0, corpus=corpus)
    run_all(kept, tmp_path / "kept")
    run_all(campaign_of(HONEST, cases=kept.parameters.cases), tmp_path / "made")
    facts = [
        {(row["id"], row["direction"], row["outcome"], row["bytes"]) for row in rows_of(tmp_path / name)}
        for name in ("kept", "made")
    ]
    assert facts[0] == facts[1]
    assert facts[0]
