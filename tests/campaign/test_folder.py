"""The rows of a campaign's folder are the same for every engine and every interruption."""

import shutil
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from conformance.campaign import run
from conformance.campaign.folder import FINDINGS, MANIFEST, NotThisCampaign, batches_of, manifest_of, prepare
from conformance.campaign.pipeline.corpus_plan import CorpusPlan, parts
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.pipeline.processes import ProcessEngine
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import OUTCOMES
from tests.campaign.conftest import HONEST, LIARS, RELEASE, campaign_of, rows_of, run_all
from tests.helpers.corpus import built
from tests.helpers.engines import HERE

ABORTS = f"{LIARS}:Aborts"


def test_interruptions_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batches before one are kept, findings and outcomes made anew, and the batches deleted at the end."""
    campaign = campaign_of(HONEST, ABORTS)
    whole = run_all(campaign, tmp_path / "whole", ProcessEngine(2))
    with monkeypatch.context() as patch:
        patch.setattr(run, "publish", None)
        with pytest.raises(TypeError):
            run_all(campaign, tmp_path / "it")
        patch.undo()
        patch.setattr(run, "finish", None)
        with pytest.raises(TypeError):
            run_all(campaign, tmp_path / "it")
    monkeypatch.setattr(HERE, "write", None)
    again = run_all(campaign, tmp_path / "it")
    assert (again["rows"], again["hash"]) == (whole["rows"], whole["hash"])
    assert whole["rows"] == len(rows_of(tmp_path / "it"))
    names = {path.name for path in (tmp_path / "it").iterdir()}
    assert names == {"campaign.json", "findings.json", "found", "manifest.json", "outcomes", "reports"}
    assert (tmp_path / "it" / FINDINGS).read_text() == (tmp_path / "whole" / FINDINGS).read_text()


def test_a_finished_campaign_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_of(HONEST)
    first = run_all(campaign, tmp_path)
    monkeypatch.setattr(HERE, "write", None)
    assert run_all(campaign, tmp_path)["finished"] == first["finished"]


def test_a_finished_campaign_with_other_outcomes_is_run_again(tmp_path: Path) -> None:
    campaign, warnings = campaign_of(HONEST), list[str]()
    first = run_all(campaign, tmp_path)
    [file] = (tmp_path / OUTCOMES).rglob("*.parquet")
    shutil.copy(file, file.with_name("again.parquet"))
    assert run_all(campaign, tmp_path, warnings=warnings)["hash"] == first["hash"]
    assert len(rows_of(tmp_path)) == first["rows"]
    assert f"has {2 * first['rows']:,} outcomes of honest" in warnings[0]


def test_unreadable_outcomes_of_a_finished_campaign_are_made_again(tmp_path: Path) -> None:
    campaign, heard = campaign_of(HONEST, cases=4), list[str]()
    manifest = run_all(campaign, tmp_path)
    file = next(tmp_path.rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:-1])
    assert run_all(campaign, tmp_path, warnings=heard)["hash"] == manifest["hash"]
    assert [f"{tmp_path / 'outcomes'} cannot be read: " in each for each in heard] == [True]
    assert len(rows_of(tmp_path)) == manifest["rows"]


def test_outcomes_are_a_dataset_for_pandas_and_duckdb(tmp_path: Path) -> None:
    """Readers of Parquet take the implementation from the folder."""
    campaign = campaign_of(HONEST, f"{LIARS}:RefusesUnknownTags")
    manifest = run_all(campaign, tmp_path)
    frame = pd.read_parquet(tmp_path / OUTCOMES)
    assert len(frame) == manifest["rows"]
    assert set(frame["implementation"]) == {each.label for each in campaign.parameters.subjects}
    sql = f"select count(*) from read_parquet('{tmp_path}/outcomes/**/*.parquet', hive_partitioning=true)"  # noqa: S608  # the path of a test
    assert duckdb.execute(sql).fetchall() == [(manifest["rows"],)]


def test_another_campaign_in_the_folder_is_refused(tmp_path: Path) -> None:
    run_all(campaign_of(HONEST), tmp_path)
    other = campaign_of(HONEST, seed="2")
    with pytest.raises(NotThisCampaign, match="seed '1', not '2'"):
        prepare(Storage(str(tmp_path)), other.parameters)


@pytest.mark.parametrize("damage", [None, "{}", "[]", '{"format": 1}', '{"format": 3, "parts": [1]}', "[" * 9999])
def test_without_a_sound_manifest_there_is_no_finished_campaign(tmp_path: Path, damage: str | None) -> None:
    if damage is not None:
        (tmp_path / MANIFEST).write_text(damage, encoding="utf-8")
    with pytest.raises(NotThisCampaign, match=rf"no finished campaign: .*{MANIFEST}"):
        manifest_of(Storage(str(tmp_path)))


def test_a_corpus_and_generated_cases_of_its_seed_have_the_same_outcomes(tmp_path: Path) -> None:
    """A corpus and a campaign generate the same rows from a seed."""
    plan = CorpusPlan(RELEASE, 3 * 745, "1")
    assert len(parts(plan)) == 1
    built(plan, tmp_path / "corpus")
    kept = campaign_of(HONEST, cases=0, corpus=Storage(str(tmp_path / "corpus")))
    run_all(kept, tmp_path / "kept")
    run_all(campaign_of(HONEST, cases=kept.parameters.cases), tmp_path / "made")
    facts = [
        {(row["id"], row["direction"], row["outcome"], row["bytes"]) for row in rows_of(tmp_path / name)}
        for name in ("kept", "made")
    ]
    assert facts[0] == facts[1]
    assert facts[0]


def test_a_corpus_without_some_rows_is_an_error(tmp_path: Path) -> None:
    built(CorpusPlan(RELEASE, 2 * 745, "1"), tmp_path / "corpus")
    campaign = campaign_of(HONEST, cases=0, corpus=Storage(str(tmp_path / "corpus")))
    built(CorpusPlan(RELEASE, 745, "1"), tmp_path / "smaller")
    shutil.rmtree(tmp_path / "corpus" / "parts")
    shutil.copytree(tmp_path / "smaller" / "parts", tmp_path / "corpus" / "parts")
    with pytest.raises(JobFailed, match=r"\b1 rows from 0 .*\b2 .*ApiVersionsRequest-v3"):
        run_all(campaign, tmp_path / "it")


def test_the_plan_of_a_batch_is_of_the_parameters_alone() -> None:
    place, campaign = Storage("x"), campaign_of(HONEST, fixed=True)
    one, two = (batches_of(place, campaign, name).parts for name in ("run", "another"))
    assert one == two
    assert len({part.hash for part in one}) == len(one)
