from pathlib import Path

from tests.campaign.conftest import HONEST, campaign_of, rows_of, run_all


def test_unreadable_outcomes_of_a_finished_campaign_are_made_again(tmp_path: Path) -> None:
    campaign, heard = campaign_of(HONEST, cases=4), list[str]()
    manifest = run_all(campaign, tmp_path)
    file = next(tmp_path.rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:-1])
    assert run_all(campaign, tmp_path, warnings=heard)["hash"] == manifest["hash"]
    assert [f"{tmp_path / 'outcomes'} cannot be read: " in each for each in heard] == [True]
    assert len(rows_of(tmp_path)) == manifest["rows"]
