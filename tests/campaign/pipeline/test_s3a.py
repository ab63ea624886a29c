"""A campaign in an object store, by Hadoop's S3A with its usual committer and with the magic one."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.campaign.conftest import LIARS, campaign_of, run_all
from tests.helpers import requirements
from tests.helpers.object_store import BUCKET, client_of, object_store, settings_of
from tests.helpers.releases import NEWEST
from tests.helpers.runs import Finished, command
from tests.helpers.small_batches import BATCHES

pytestmark = [pytest.mark.spark, pytest.mark.nightly]

CASES = ("--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "40")
IMPLS = [f"{LIARS}:{name}" for name in ("Honest", "LittleEndian", "ReadsAnything")]
FINISHED = {"campaign.json", "manifest.json", "findings.json", "found", "outcomes", "reports"}
DEADLINE = 600


class Store(NamedTuple):
    """A folder in the store, as another client sees it."""

    address: str
    folder: str

    def names(self) -> set[str]:
        found = client_of(self.address).list_objects_v2(Bucket=BUCKET, Prefix=f"{self.folder}/").get("Contents", [])
        return {each["Key"].removeprefix(f"{self.folder}/") for each in found}

    def content(self, name: str) -> bytes:
        found = client_of(self.address).get_object(Bucket=BUCKET, Key=f"{self.folder}/{name}")
        return bytes(found["Body"].read())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    requirements.spark()
    with object_store() as found:
        yield found


@pytest.mark.parametrize("is_magic", [False, True], ids=["plain", "magic"])
def test_killed_campaign_is_finished_compared_and_reported(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_magic: bool
) -> None:
    settings = [f"--conf={key}={value}" for key, value in settings_of(address, is_magic=is_magic).items()]
    store, folder = Store(address, f"night-{is_magic}"), f"s3a://{BUCKET}/night-{is_magic}"

    def run(*words: str) -> Finished:
        return command("-m", "tests.helpers.small_batches", "campaign", *words, *settings, timeout=DEADLINE)

    begin = ("run", *(f"--impl={impl}" for impl in IMPLS), *CASES, "--output", folder)
    monkeypatch.setenv(BATCHES, "1")
    run(*begin).ended(-signal.SIGKILL)
    assert "manifest.json" not in store.names()
    success = store.content("batches/batch=0/_SUCCESS")
    assert (json.loads(success)["committer"] if is_magic else success) == ("magic" if is_magic else b"")
    monkeypatch.delenv(BATCHES)
    run(*begin).ended(0)
    expected = run_all(campaign_of(*IMPLS), tmp_path)["hash"]
    assert json.loads(store.content("manifest.json"))["hash"] == expected
    assert {name.partition("/")[0] for name in store.names()} == FINISHED
    assert expected in run(*begin).ended(0)
    report = run("report", folder, "--history", f"s3a://{BUCKET}/history-{is_magic}").ended(1)
    assert "campaign to campaign: " in report
    rule = "string.malformed-utf8"
    assert f"{rule}\n    tests.fakes" in run("compare", folder).ended(0)
