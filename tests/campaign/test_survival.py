"""A codec's harm to its process costs one case of a part, and no other."""

from pathlib import Path

import pytest

from conformance.campaign.pipeline.errors import JobFailed, PartLost
from conformance.codec.bridge.harness_errors import HarnessLostError
from tests.campaign.conftest import HONEST, campaign_of, rows_of, run_all
from tests.helpers.releases import NEWEST

WRITERS = "tests.fakes.crashing_codecs"


@pytest.mark.parametrize(("name", "outcome"), [("EndsWriting", "crashed"), ("HangsWriting", "timed-out")])
def test_writer_ending_or_blocking_the_process_costs_one_case(tmp_path: Path, name: str, outcome: str) -> None:
    run_all(campaign_of(f"{WRITERS}:{name}", cases=60), tmp_path)
    rows = rows_of(tmp_path)
    fatal = [(row["id"], row["direction"], row["rule"]) for row in rows if row["outcome"] == outcome]
    assert fatal == [(f"{NEWEST}/messages/HeartbeatResponse/v0/corpus-2", "encode", "value.writable")]
    assert len({row["id"] for row in rows}) == 60


@pytest.mark.parametrize(
    ("name", "printed"), [("EndsLoading", "ended"), ("HangsLoading", "does not answer within 2 s")]
)
def test_implementation_without_a_second_load_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, printed: str
) -> None:
    """The process of the part does not load it at all."""
    monkeypatch.delenv("LOADED", raising=False)
    monkeypatch.setattr("conformance.codec.bridge.fork_server.START_DEADLINE", 2.0)
    monkeypatch.setattr("conformance.codec.bridge.loading.START_DEADLINE", 2.0)
    campaign = campaign_of(f"{WRITERS}:{name}")
    with pytest.raises(JobFailed, match=f"honest: .* not start: .*{printed}"):
        run_all(campaign, tmp_path)


def test_a_process_ended_by_the_machine_accuses_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise HarnessLostError("ended by SIGKILL")

    campaign = campaign_of(HONEST)
    monkeypatch.setattr("conformance.campaign.part_rows.run_part", killed)
    with pytest.raises(PartLost, match=r"^honest: .*SIGKILL"):
        run_all(campaign, tmp_path)
