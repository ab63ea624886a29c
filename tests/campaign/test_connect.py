"""Work over Spark Connect has the results of a classic session, and of one process."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from conformance.campaign.folder import manifest_of
from conformance.campaign.spark.corpus import build
from conformance.campaign.spark.storage import Storage
from tests.campaign.conftest import HONEST, campaign_of, run_all
from tests.helpers import requirements
from tests.helpers.corpus import TINY, in_order
from tests.helpers.over_connect import ANSWERS, PROPOSAL
from tests.helpers.runs import command, kafka_conformance

pytestmark = pytest.mark.spark

DEADLINE = 300


class Connected(NamedTuple):
    """A finished process of work over Spark Connect.

    Attributes:
        folder: the folder with its results.
        text: its output.
        answers: its replies.
    """

    folder: Path
    text: str
    answers: dict[str, Any]


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Connected:
    requirements.spark_connect()
    folder = tmp_path_factory.mktemp("connected")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_REMOTE", "local[2]")
        patch.setenv("SPARK_TESTING", "yes")
        text = command("-m", "tests.helpers.over_connect", str(folder), timeout=DEADLINE).ended(0)
    return Connected(folder, text, json.loads(folder.joinpath(ANSWERS).read_text(encoding="utf-8")))


def hashes(folder: Path) -> dict[str, str]:
    """Every file's SHA-256, by path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_session_is_one_of_connect(connected: Connected) -> None:
    assert connected.answers["is connect"] is True


def test_corpus_over_connect_has_the_rows_of_one_process(connected: Connected, tmp_path: Path) -> None:
    assert connected.answers["corpus"] == build(TINY, Storage(str(tmp_path)), in_order)["sha256"]


def test_a_campaign_has_the_outcomes_of_one_process(connected: Connected, tmp_path: Path) -> None:
    manifest = manifest_of(Storage(str(connected.folder / "campaign")))
    assert manifest["rows"] > 0
    assert manifest["sha256"] == run_all(campaign_of(HONEST, cases=300), tmp_path)["sha256"]


def test_vectors_are_those_of_one_process(connected: Connected, tmp_path: Path) -> None:
    kafka_conformance("vectors", "build", "--release", PROPOSAL, "--output", str(tmp_path), "--in-process").ended(0)
    assert hashes(connected.folder / "vectors") == hashes(tmp_path)


def test_the_session_works_afterwards(connected: Connected) -> None:
    assert connected.answers["rows afterwards"] == 3


def test_no_setting_of_the_server_is_warned_of(connected: Connected) -> None:
    assert "UserWarning" not in connected.text
