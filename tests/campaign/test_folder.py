"""What is kept: the same rows however the work is divided among workers, and nothing of what came to no end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.campaign.comparison import outcomes_of
from conformance.campaign.folder import MANIFEST, NotThisCampaign, prepare
from conformance.campaign.work import Work, run_in_processes
from conformance.pipeline.corpus import build
from conformance.pipeline.plan import FOLDER, Parameters, parts
from conformance.pipeline.storage import Storage
from tests.campaign.conftest import HONEST, RELEASE, campaign_of, missing, rows_of, run_all
from tests.helpers.corpus import in_order


def test_processes_side_by_side_do_not_show(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign = campaign_of(HONEST, fixed=True)
    assert len(campaign.parts) > 2
    one, folder = run_all(campaign, tmp_path / "one"), tmp_path / "many"
    run_in_processes(Work(campaign.parameters, str(folder)), 3, enumerate(campaign.parts))
    many = run_all(campaign, folder)
    assert (one["rows"], one["sha256"]) == (many["rows"], many["sha256"])
    assert one["rows"] == len(rows_of(tmp_path / "one"))


def test_finished_parts_are_kept_and_missing_ones_run(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign = campaign_of(HONEST, fixed=True)
    whole = run_all(campaign, tmp_path)
    folder = tmp_path / FOLDER
    (folder / "part-000001.json").unlink()
    (folder / "part-000000.json").write_text('{"file": "half of a rec')
    kept = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*.json")}
    storage = Storage(str(tmp_path))
    assert list(missing(campaign, storage)) == [0, 1]
    again = run_all(campaign, tmp_path)
    assert (again["rows"], again["sha256"]) == (whole["rows"], whole["sha256"])
    assert kept["part-000002.json"] == (folder / "part-000002.json").stat().st_mtime_ns


def test_a_file_that_was_cut_is_no_part(tmp_path: Path) -> None:
    campaign = campaign_of(HONEST)
    run_all(campaign, tmp_path)
    [outcomes] = (tmp_path / FOLDER).glob("*.parquet")
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
    """The rows of a corpus are those that a campaign generates, and so are their outcomes."""
    parameters = Parameters(RELEASE, 3 * 745, "1")

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
