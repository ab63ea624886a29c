"""After `kill -9`, or on a full disk, nothing half is taken for whole, and a continued work has the same result.

The works are a run with a report, a matrix, a tree of vectors, a corpus and a campaign, each of them small.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from conformance.campaign.folder import NotThisCampaign, outcomes_of
from conformance.campaign.folder import manifest_of as campaign_of_folder
from conformance.campaign.pipeline.corpus import manifest_of, problems_of
from conformance.campaign.pipeline.corpus_plan import CorpusPlan
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.preparation import Campaign
from conformance.report.report_reading import read_report
from conformance.suite.matrix_runs import ReportFolder, content_key, run_all
from conformance.system.folders import sha256_of
from conformance.system.whole_files import NotWritten, is_unfinished
from conformance.vectors.enumeration.enumerate import Built
from conformance.vectors.tree import documents
from conformance.vectors.tree import vector_paths as paths
from conformance.vectors.tree.vector_files import read_file, write_tree
from tests.campaign.conftest import HONEST, campaign_of
from tests.campaign.conftest import run_all as run_parts
from tests.helpers.corpus import built as built_corpus
from tests.helpers.endings import AT_EVERY_CHANGE, NIGHTLY, count_of, killed, moments, on_a_full_disk
from tests.helpers.engines import HERE
from tests.helpers.releases import BASE
from tests.helpers.runs import LIARS, ROOT, forked
from tests.suite.test_matrix_runs import WHOLE, WRITES, scripted
from tests.vectors.conftest import built, only_some_files

FAILED = 3
"""The exit status of what could not be written, and was named."""


class Work(NamedTuple):
    """Work on the content of a folder.

    Attributes:
        begin: starts it, or goes on with it.
        result: returns a form of the folder's content, the same after every run; None if nothing is whole.
    """

    begin: Callable[[Path], object]
    result: Callable[[Path], Any]


def run_with_report(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    words = ("-p", "no:cacheprovider", f"--impl={LIARS}:LittleEndian", "--isolation=never", "-k", "edge_values")
    pytest.main([str(ROOT / "conformance"), *words, f"--report={folder / 'report.jsonl'}"])


def report_in(folder: Path) -> Any:
    path = folder / "report.jsonl"
    return (read_report(path).findings, sha256_of(path)) if path.exists() else None


RUNS = [scripted(name, WRITES.format(status=0)) for name in ("one", "two")]


def run_matrix(folder: Path) -> None:
    for _ in run_all(RUNS, ReportFolder(folder), 1):
        pass


def reports_in(folder: Path) -> Any:
    """Return the reports, if the next call would take all of them as they are."""
    if not (folder / "matrix.json").is_file():
        return None
    kept = ReportFolder(folder)
    found = [kept.report(run) for run in RUNS if kept.has(run, content_key(run))]
    assert {path.read_text(encoding="utf-8") for path in found} <= {WHOLE}
    return [path.name for path in found] if len(found) == len(RUNS) else None


def build_vectors(groups: list[Built], folder: Path) -> None:
    write_tree(folder, groups)


def vectors_in(folder: Path) -> Any:
    try:
        hashes: dict[str, str] = read_file(folder / "index.json")["files"]
    except OSError:
        return None
    assert {path: sha256_of(folder / path) for path in hashes} == hashes
    return hashes


SMALLEST = CorpusPlan(BASE, 40, "ends")


def build_corpus(folder: Path) -> None:
    built_corpus(SMALLEST, folder)


def corpus_in(folder: Path) -> Any:
    place = Storage(str(folder))
    try:
        manifest = manifest_of(place)
    except NotThisCorpus:
        return None
    assert {problem.partition(":")[0] for problem in problems_of(HERE, place)} <= {"batches"}  # deleted last
    return manifest


def run_campaign(campaign: Campaign, folder: Path) -> None:
    run_parts(campaign, folder)


def campaign_in(folder: Path) -> Any:
    try:
        manifest = campaign_of_folder(Storage(str(folder)))
    except NotThisCampaign:
        return None
    sql = "select count(*) as rows from {outcomes}"
    assert HERE.query(sql, outcomes=outcomes_of(Storage(str(folder)))) == [{"rows": manifest["rows"]}]
    return manifest["hash"], manifest["rows"]


@pytest.fixture(params=["run", "matrix", "vectors", "corpus", "campaign"])
def work(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Work:
    if request.param == "vectors":
        only_some_files(monkeypatch)
        for module in (documents, paths):
            monkeypatch.setattr(module, "record_files", list)
        groups = built()
        documents.documents_of(
            groups, documents.IdHistory()
        )  # what is made in this process need not be made in its forks
        return Work(partial(build_vectors, groups), vectors_in)
    monkeypatch.setattr("conformance.campaign.pipeline.batches.MOST", 1)
    monkeypatch.setattr("conformance.campaign.pipeline.corpus_plan.PART_COST", 300)
    if request.param == "campaign":
        monkeypatch.setattr("conformance.campaign.plan.PART_COST", 30)
        return Work(partial(run_campaign, campaign_of(HONEST, cases=2)), campaign_in)
    return {
        "run": Work(run_with_report, report_in),
        "matrix": Work(run_matrix, reports_in),
        "corpus": Work(build_corpus, corpus_in),
    }[request.param]


def unfinished(folder: Path) -> list[Path]:
    return [path for path in folder.rglob(".*") if is_unfinished(path.name)]


def begin(work: Work, folder: Path) -> None:
    """Do work, or go on with it, in a process of its own."""
    forked(lambda _: work.begin(folder)).ended(0)


def check_killed(work: Work, tmp_path: Path, numbers: range) -> None:
    total = count_of(partial(work.begin, tmp_path / "whole"), tmp_path / "whole")
    whole = work.result(tmp_path / "whole")
    assert whole is not None
    for number, moment in enumerate(moments(total, numbers)):
        folder = tmp_path / f"killed-{number}"
        killed(partial(work.begin, folder), folder, moment)
        assert not folder.exists() or work.result(folder) in (None, whole)  # results need no hash
        begin(work, folder)
        assert work.result(folder) == whole


def test_killed_work_is_not_taken_for_whole_and_goes_on(work: Work, tmp_path: Path) -> None:
    check_killed(work, tmp_path, range(AT_EVERY_CHANGE))


@pytest.mark.nightly
def test_work_killed_at_more_moments_goes_on(work: Work, tmp_path: Path) -> None:
    check_killed(work, tmp_path, range(AT_EVERY_CHANGE, AT_EVERY_CHANGE + NIGHTLY))


def on_full(work: Work, folder: Path) -> int:
    """Do work, and return the exit status of an unwritten result or of success."""
    try:
        work.begin(folder)
    except (NotWritten, JobFailed):
        return FAILED
    return 0


@pytest.mark.parametrize("size", [3000, pytest.param(0, marks=pytest.mark.nightly)])
def test_work_on_a_full_disk_is_not_taken_for_whole_and_goes_on(work: Work, tmp_path: Path, size: int) -> None:
    """Nothing unfinished is left there, and the suite's error is no traceback."""
    folder = tmp_path / "folder"
    done = on_a_full_disk(lambda: on_full(work, folder), size)
    assert "Traceback" not in done.text
    assert unfinished(tmp_path) == []
    if folder.exists() and done.status:
        assert work.result(folder) is None
    begin(work, folder)
    assert work.result(folder) is not None


@pytest.mark.nightly
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_report_on_a_full_disk_is_refused_before_the_run(tmp_path: Path) -> None:
    mount = ("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(tmp_path))
    if subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: S603  # the words are those of this test
        pytest.skip("nothing can be mounted here")
    try:
        with suppress(OSError):
            (tmp_path / "filler").write_bytes(bytes(8192))
        words = ("-m", "conformance", "run", f"--impl={HONEST}", f"--report={tmp_path / 'report.jsonl'}")
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 4
        assert "make room there" in done.stderr
    finally:
        subprocess.run(("umount", str(tmp_path)), check=True)  # noqa: S603, S607  # likewise
