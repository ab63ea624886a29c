"""A campaign in an object store with lost requests has the outcomes of a campaign in a local folder."""

import os
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from conformance.campaign.attempts import TASKS, attempt, outcomes_folder
from conformance.campaign.codec_hosts import TaskLost, Work, check, run_and_keep
from conformance.campaign.folder import prepare
from conformance.campaign.kernel import PartResult
from conformance.campaign.plan import tasks
from conformance.campaign.preparation import Campaign
from conformance.campaign.side_by_side import outcomes_of
from conformance.campaign.spark.storage import Storage, StorageFailed
from tests.campaign.conftest import CATEGORIES, LIARS, RELEASE, campaign_of, missing, planned, run_all
from tests.helpers import requirements
from tests.helpers.lossy_proxy import LOOPBACK, LossyProxy
from tests.helpers.object_store import ACCESS, proxy, store, uri
from tests.helpers.runs import command

__all__ = ["proxy", "store"]


def test_lost_requests_do_not_show(tmp_path: Path, proxy: LossyProxy) -> None:
    """Rows and their hash equal those of a local folder, with some requests lost in their middle and others delayed."""
    campaign = campaign_of(*(f"{LIARS}:{name}" for name in CATEGORIES[:4]))
    here = run_all(campaign, tmp_path)
    there = run_all(campaign, uri(proxy.port, "lossy"))
    assert (there["rows"], there["sha256"]) == (here["rows"], here["sha256"])
    assert sum(table.num_rows for table in outcomes_of(Storage(uri(proxy.port, "lossy")))) == here["rows"]
    assert proxy.lost > 2
    assert proxy.delayed > 2


def run_while_off(proxy: LossyProxy, campaign: Campaign, place: str, seconds: float | None) -> None:
    """Run a campaign on a store away for so many seconds, or from the second task on."""
    storage = Storage(uri(proxy.port, place))
    prepare(storage, campaign.parameters)
    for number, task in enumerate(tasks(planned(campaign), 100)):
        if number == 1:
            proxy.is_off = True
            if seconds is not None:
                threading.Timer(seconds, setattr, (proxy, "is_off", False)).start()
        check([run_and_keep(Work(campaign.parameters, storage.uri), task)])


@pytest.mark.slow
def test_store_away_for_ten_seconds_does_not_change_the_outcomes(tmp_path: Path, proxy: LossyProxy) -> None:
    campaign = campaign_of(*(f"{LIARS}:{name}" for name in CATEGORIES[:3]))
    here = run_all(campaign, tmp_path)
    began = time.monotonic()
    run_while_off(proxy, campaign, "away", 10)
    assert time.monotonic() - began > 10
    there = run_all(campaign, uri(proxy.port, "away"))
    assert (there["rows"], there["sha256"]) == (here["rows"], here["sha256"])


@pytest.mark.slow
def test_store_away_for_good_is_named(proxy: LossyProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task is lost, so it may be tried elsewhere, and no finding comes of it."""
    monkeypatch.setattr("conformance.campaign.spark.storage.PAUSES", (0.1,))
    with pytest.raises(TaskLost, match=r"part 1 of .*: s3://campaigns/gone.* cannot be"):
        run_while_off(proxy, campaign_of(*(f"{LIARS}:{name}" for name in CATEGORIES[:3])), "gone", None)


def test_an_end_between_two_files_leaves_no_part(store: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes without a record are no part, so the part is run again, and no row is there twice."""
    campaign = campaign_of(f"{LIARS}:Honest")
    folder = Storage(uri(store, "ended"))
    write = Storage.write

    def ends(self: Storage, name: str, content: bytes) -> None:
        if name.endswith(".json") and name.startswith(TASKS):
            raise StorageFailed("the process ended")
        write(self, name, content)

    prepare(folder, campaign.parameters)
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "write", ends)
        with pytest.raises(StorageFailed, match="ended"):
            attempt("honest", ((0, campaign.parts[0]),), [PartResult()], has_rows=True).write(folder)
    assert len(folder.sizes(outcomes_folder("honest"))) == 1
    assert list(missing(campaign, folder)) == [0]
    manifest = run_all(campaign, folder.uri)
    assert sum(table.num_rows for table in outcomes_of(folder)) == manifest["rows"]


def test_unreachable_store_is_named(store: int) -> None:
    """The text names the place and the failed operation."""
    with pytest.raises(StorageFailed, match="s3://campaigns/"):
        Storage(f"s3://campaigns/x?endpoint_override={quote(f'http://{LOOPBACK}:1', safe='')}").write("a", b"b")
    with pytest.raises(StorageFailed, match="cannot be opened"):
        Storage("nowhere://x").write("a", b"b")
    assert os.environ["AWS_ACCESS_KEY_ID"] == ACCESS["AWS_ACCESS_KEY_ID"]
    assert store


@pytest.mark.nightly
@pytest.mark.spark
def test_nights_have_their_state_in_an_object_store(store: int) -> None:
    """The second night knows the findings of the first one."""
    requirements.spark()
    words = (
        "nightly",
        "--impl",
        f"{LIARS}:RefusesUnknownTags",
        "--messages",
        "ApiVersionsRequest-v3",
        "--minutes",
        "0.05",
    )
    night = (*words, "--release", RELEASE, "--master", "local[1]", "--state", uri(store, "nights"))
    command("-m", "conformance", *night, timeout=400).ended(1)
    printed = command("-m", "conformance", *night, timeout=400).ended(0)
    assert "new: 0" in printed
    assert "known: 1, the oldest since" in printed
    assert Storage(uri(store, "nights")).read("claim.json") is None
