"""What a codec does to its process costs a case of a part, and no other."""

from pathlib import Path

import pytest

from conformance.campaign.work import PartFailed
from tests.campaign.conftest import campaign_of, rows_of, run_all

WRITERS = "tests.fakes.crashing_codecs"


@pytest.mark.parametrize(("name", "outcome"), [("EndsWriting", "crashed"), ("HangsWriting", "timed-out")])
def test_a_writer_that_ends_or_holds_up_the_process_costs_one_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, outcome: str
) -> None:
    """The part is run again, and everything is asked of a child."""
    monkeypatch.setattr("conformance.campaign.work.PATIENCE", 3)
    run_all(campaign_of(f"{WRITERS}:{name}", cases=60), tmp_path)
    rows = rows_of(tmp_path)
    fatal = [(row["id"], row["direction"], row["rule"]) for row in rows if row["outcome"] == outcome]
    assert fatal == [("4.4.0/messages/HeartbeatResponse/v0/corpus-2", "encode", "value.writable")]
    assert len({row["id"] for row in rows}) == 60


@pytest.mark.parametrize(("name", "said"), [("EndsLoading", "ended"), ("HangsLoading", "does not answer within 2 s")])
def test_an_implementation_that_cannot_be_loaded_any_more_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    """The process that runs the part does not load it at all."""
    monkeypatch.delenv("LOADED", raising=False)
    monkeypatch.setattr("conformance.bridge.fork_server.START_DEADLINE", 2.0)
    monkeypatch.setattr("conformance.bridge.loading.START_DEADLINE", 2.0)
    campaign = campaign_of(f"{WRITERS}:{name}")
    with pytest.raises(PartFailed, match=f"honest: .* does not start: .*{said}"):
        run_all(campaign, tmp_path)
