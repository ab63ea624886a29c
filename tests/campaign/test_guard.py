"""What a codec does to the process of a part costs that case, and no other."""

from pathlib import Path

import pytest

from conformance.campaign.guard import PartFailed
from tests.campaign.conftest import campaign_of, rows_of, run_all

WRITERS = "tests.fakes.crashing_codecs"


@pytest.mark.parametrize(("name", "outcome"), [("EndsWriting", "crashed"), ("HangsWriting", "timed-out")])
def test_a_writer_that_ends_or_holds_up_the_process_costs_one_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, outcome: str
) -> None:
    monkeypatch.setattr("conformance.campaign.guard.LONGEST_WRITING", 2.0)
    monkeypatch.setattr("conformance.campaign.guard.PATIENCE", 0)
    run_all(campaign_of(f"{WRITERS}:{name}", cases=60), tmp_path)
    rows = rows_of(tmp_path)
    fatal = [(row["id"], row["direction"], row["rule"]) for row in rows if row["outcome"] == outcome]
    assert fatal == [("4.4.0/messages/HeartbeatResponse/v0/corpus-2", "encode", "codec.survival")]
    assert len({row["id"] for row in rows}) == 60


def test_an_implementation_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOADED", raising=False)
    campaign = campaign_of(f"{WRITERS}:EndsLoading")
    with pytest.raises(PartFailed, match="honest ended before its first case"):
        run_all(campaign, tmp_path)
