import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.pipeline.corpus import MANIFEST
from conformance.campaign.pipeline.corpus_plan import CorpusPlan
from tests.helpers.corpus import built
from tests.helpers.releases import BASE
from tests.helpers.runs import error_of, invoke


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A finished corpus of 739 rows, one for each pair."""
    built(CorpusPlan(BASE, 739, "1"), tmp_path)
    return tmp_path


def test_a_sound_corpus_passes_the_check(corpus: Path, snapshot: SnapshotAssertion) -> None:
    done = invoke("corpus", "check", "--in-process", str(corpus))
    assert done.exit_code == 0
    assert done.stdout == snapshot


def test_a_spoiled_corpus_fails_the_check(corpus: Path) -> None:
    min((corpus / "parts").iterdir()).write_bytes(b"PAR1")
    (corpus / "note.txt").write_text("...")
    done = invoke("corpus", "check", "--in-process", str(corpus))
    assert done.exit_code == 1
    assert [line.partition(": ")[0] for line in done.output.splitlines()[1:]] == ["note.txt", "parts", "Error"]
    assert "problems: 2, " in done.output


@pytest.mark.parametrize("count", [["--total", "739"], ["--per-pair", "1"]])
def test_a_finished_corpus_is_reported_again(corpus: Path, count: list[str]) -> None:
    done = invoke("corpus", "build", "--output", str(corpus), "--in-process", "--release", BASE, *count)
    assert done.exit_code == 0
    assert f"739 rows in {corpus}: " in done.output
    assert json.loads((corpus / MANIFEST).read_text(encoding="utf-8"))["hash"] in done.output


@pytest.mark.parametrize("counts", [[], ["--total", "1", "--per-pair", "1"]])
def test_a_corpus_needs_one_count(counts: list[str], snapshot: SnapshotAssertion) -> None:
    done = invoke("corpus", "build", "--output", "x", *counts)
    assert error_of(done, 2) == snapshot


@pytest.mark.parametrize(
    "words",
    [
        "corpus build --total 1 --output",
        "corpus check",
        "campaign run --impl x --generate 1 --output",
        "nightly --impl x --minutes 1 --state",
    ],
)
def test_a_file_in_the_place_of_a_folder_is_reported(tmp_path: Path, words: str, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "file"
    file.write_text("...")
    done = invoke(*words.split(), str(file))
    assert error_of(done, 2).replace(str(tmp_path), "…") == snapshot
