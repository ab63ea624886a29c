"""Folders of documents on this machine, and by Hadoop's file systems."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.storage import Storage, StorageFailed
from conformance.system.folders import NotOurs
from tests.campaign.conftest import HONEST, run_all
from tests.campaign.pipeline.conftest import BEFORE, campaign_of_before
from tests.helpers.releases import BASE
from tests.helpers.runs import invoke


@pytest.fixture(params=["path", pytest.param("uri", marks=pytest.mark.spark)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "path":
        return Storage(str(tmp_path / "folder"))
    request.getfixturevalue("spark")
    return Storage((tmp_path / "folder").as_uri())


def test_written_files_are_read(place: Storage) -> None:
    place.write("one/a.json", b"old")
    place.write("one/a.json", b"\xff\x00")
    assert place.read("one/a.json") == b"\xff\x00"
    assert place.within("one").names() == {"a.json"}
    assert [*place.within("one").files(".json")] == [("a.json", b"\xff\x00")]


def test_missing_file_and_folder_are_empty(place: Storage) -> None:
    assert (place.read("a.json"), place.names()) == (None, set())
    place.remove("a.json")


def test_folder_is_removed_with_everything_in_it(place: Storage) -> None:
    for name in ("one/two/a", "one/b", "c"):
        place.write(name, b"")
    place.remove("one")
    assert place.names() == {"c"}


def test_name_out_of_the_folder_is_refused(place: Storage) -> None:
    with pytest.raises(NotOurs):
        place.read("../a.json")


@pytest.mark.spark
def test_unknown_file_system_is_named(spark: SparkSession) -> None:  # noqa: ARG001  # it is active
    with pytest.raises(StorageFailed, match=r"^nowhere://bucket/a .*read: "):
        Storage("nowhere://bucket").read("a")


def test_uri_without_a_session_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.campaign.pipeline.storage.active_session", lambda: None)
    with pytest.raises(SparkUnavailable, match=r"^s3a://bucket/a .* Spark session"):
        Storage("s3a://bucket").read("a")


@pytest.mark.spark
def test_commands_take_uris(spark: SparkSession, tmp_path: Path) -> None:  # noqa: ARG001  # it is active
    corpus, campaign, history = BEFORE.as_uri(), (tmp_path / "there").as_uri(), (tmp_path / "history").as_uri()
    begin = ("--impl", HONEST, "--corpus", corpus, "--release", BASE, "--output", campaign)
    done = invoke("campaign", "run", *begin)
    assert run_all(campaign_of_before(), tmp_path / "here")["hash"] in done.output
    assert invoke("campaign", "report", campaign, "--history", history).output.endswith("campaign to campaign: 0\n")
    assert invoke("campaign", "compare", campaign).exit_code == 0
    assert [path.suffix for path in (tmp_path / "history").glob("[!.]*")] == [".json"]
