"""Work over Spark Connect has the results of one process."""

from pathlib import Path

import pytest

from conformance.campaign.folder import manifest_of
from conformance.campaign.pipeline import corpus
from conformance.campaign.pipeline.storage import Storage
from tests.campaign.conftest import HONEST, campaign_of, run_all
from tests.helpers import over_connect, requirements
from tests.helpers.corpus import TINY, built
from tests.helpers.runs import command, kafka_conformance

pytestmark = pytest.mark.spark

DEADLINE = 300


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder with the results of work over Spark Connect, and its output."""
    requirements.spark_connect()
    folder = tmp_path_factory.mktemp("connected")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_REMOTE", "local[2]")
        patch.setenv("SPARK_TESTING", "yes")
        return folder, command("-m", over_connect.__name__, str(folder), timeout=DEADLINE).ended(0)


def files(folder: Path) -> dict[str, bytes]:
    """Every file's content, by path."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_the_session_is_one_of_connect_and_works_afterwards(connected: tuple[Path, str]) -> None:
    assert "afterwards: 3; connected: True\n" in connected[1]


def test_a_corpus_has_the_rows_of_one_process(connected: tuple[Path, str], tmp_path: Path) -> None:
    assert corpus.manifest_of(Storage(str(connected[0] / "corpus"))) == built(TINY, tmp_path)
    assert "every row is " in connected[1]


def test_a_campaign_has_the_outcomes_of_one_process(connected: tuple[Path, str], tmp_path: Path) -> None:
    manifest = manifest_of(Storage(str(connected[0] / "campaign")))
    assert manifest["rows"] > 0
    assert manifest["hash"] == run_all(campaign_of(HONEST, cases=300), tmp_path)["hash"]


def test_vectors_are_those_of_one_process(connected: tuple[Path, str], tmp_path: Path) -> None:
    build = ("vectors", "build", "--release", over_connect.PROPOSAL, "--output", str(tmp_path), "--in-process")
    kafka_conformance(*build).ended(0)
    assert files(connected[0] / "vectors") == files(tmp_path)
