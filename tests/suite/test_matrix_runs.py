import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.suite.matrix_plan import PlannedRun
from conformance.suite.matrix_runs import ReportFolder, RunResult, run_all
from conformance.suite.options import RunOptions
from conformance.system.folders import NotOurs
from tests.helpers.releases import NEWEST

WHOLE = '{"event": "run"}\n{"event": "extent", "state": "complete", "why": ""}\n'
WRITES = (
    f"import pathlib, sys; pathlib.Path(sys.argv[1]).write_text({WHOLE!r}); ".replace("{", "{{").replace("}", "}}")
    + "print('done'); sys.exit({status})"
)
DIES = "import os; print('about to die', flush=True); os.abort()"
WAITS = "import time; print('waits', flush=True); time.sleep(60)"


@dataclass(frozen=True)
class Scripted(PlannedRun):
    """A run of a Python script with the place of its report."""

    script: str = ""

    def command(self, report: Path) -> list[str]:
        return [sys.executable, "-c", self.script, str(report)]


def scripted(name: str, script: str) -> Scripted:
    return Scripted(RunOptions(impl=name, release=NEWEST), script=script)


def results(runs: list[PlannedRun], folder: Path, jobs: int = 2, *, again: bool = False) -> dict[str, RunResult]:
    found = [result for result in run_all(runs, ReportFolder(folder), jobs, again=again) if result]
    return {result.run.options.impl: result for result in found}


@pytest.mark.parametrize("status", [0, 1])
def test_run_with_a_report_is_kept(tmp_path: Path, status: int) -> None:
    """Findings make no difference."""
    run = scripted("one", WRITES.format(status=status))
    first, second = results([run], tmp_path)["one"], results([run], tmp_path)["one"]
    assert first.report == second.report == tmp_path / f"one-{NEWEST}.jsonl"
    assert first.seconds is not None
    assert second.seconds is None


def test_kept_run_is_run_again_on_request(tmp_path: Path) -> None:
    run = scripted("one", WRITES.format(status=0))
    results([run], tmp_path)
    assert results([run], tmp_path, again=True)["one"].seconds is not None


def test_kept_run_is_run_again_after_a_change_of_its_files(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text("")
    run = Scripted(RunOptions(impl="one", release=NEWEST, known_failures=known), script=WRITES.format(status=0))
    results([run], tmp_path / "kept")
    known.write_text("# changed")
    assert results([run], tmp_path / "kept")["one"].seconds is not None


def test_dead_run_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    found = results([scripted("dies", DIES), scripted("one", WRITES.format(status=0))], tmp_path, jobs=1)
    assert found["dies"].report is None
    assert "SIGABRT" in found["dies"].problem
    assert "about to die" in found["dies"].problem
    assert found["one"].report is not None


@pytest.mark.parametrize("status", [2, 3, 4, 5])
def test_run_with_the_status_of_an_unfinished_one_has_no_report(tmp_path: Path, status: int) -> None:
    """The file does not count after an interrupt, an error of the suite, wrong options, or nothing to test."""
    run = scripted("one", WRITES.format(status=status))
    assert results([run], tmp_path)["one"].report is None
    assert results([run], tmp_path)["one"].seconds is not None


def test_a_failed_run_does_not_pass_off_the_report_of_an_earlier_one(tmp_path: Path) -> None:
    results([scripted("one", WRITES.format(status=0))], tmp_path)
    assert results([scripted("one", DIES)], tmp_path, again=True)["one"].report is None
    assert results([scripted("one", WRITES.format(status=0))], tmp_path)["one"].seconds is not None


def test_matrix_stopped_early_ends_its_children_and_runs_them_again(tmp_path: Path) -> None:
    """The finished run is kept, and the stopped one has no report."""
    done, waits = scripted("done", WRITES.format(status=0)), scripted("waits", WAITS)
    iteration = run_all([done, waits], ReportFolder(tmp_path), 2)
    assert next(result for result in iteration if result).run is done
    iteration.close()
    found = results([done, scripted("waits", WRITES.format(status=0))], tmp_path)
    assert found["done"].seconds is None
    assert found["waits"].seconds is not None


def test_files_left_over_by_a_killed_process_do_not_change_a_report(tmp_path: Path) -> None:
    """Its run goes on, but writes into a folder of its own, unread by the next process."""
    notes = "import pathlib, sys; pathlib.Path({place!r}).write_text(sys.argv[1]); "
    place = tmp_path / "place"
    orphan = scripted("one", notes.format(place=str(place)) + WAITS)
    iteration = run_all([orphan], ReportFolder(tmp_path / "kept"), 1)
    while not place.is_file() or not place.read_text():
        next(iteration)
    found = results([scripted("one", WRITES.format(status=0))], tmp_path / "kept")
    with pytest.raises(FileNotFoundError):
        Path(place.read_text()).write_text("an older report")
    iteration.close()
    assert found["one"].report is not None
    assert found["one"].report.read_text() == WHOLE


def test_nothing_but_reports_keys_and_outputs_is_left(tmp_path: Path) -> None:
    results([scripted("one", WRITES.format(status=0)), scripted("dies", DIES)], tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"dies-{NEWEST}.txt",
        "matrix.json",
        f"one-{NEWEST}.jsonl",
        f"one-{NEWEST}.key",
        f"one-{NEWEST}.txt",
    ]


def test_no_more_runs_than_jobs_go_on_at_the_same_time(tmp_path: Path) -> None:
    """Each of them fails if it meets another one."""
    alone = (
        "import os, pathlib, sys, time; lock = pathlib.Path(sys.argv[1]).parents[1] / 'lock'; "
        "lock.mkdir(); time.sleep(0.2); lock.rmdir(); " + WRITES.format(status=0)
    )
    found = results([scripted(f"run{number}", alone) for number in range(3)], tmp_path, jobs=1)
    assert all(result.report for result in found.values())


@pytest.mark.parametrize("state", ["stopped", "interrupted", "collected"])
def test_report_of_an_unfinished_run_is_not_kept(tmp_path: Path, state: str) -> None:
    """The exit status may be that of new findings, as with -x."""
    writes = WRITES.format(status=1).replace("complete", state)
    result = results([scripted("one", writes)], tmp_path)["one"]
    assert result.report is None
    assert re.search(f"exit status 1; .*{state}", result.problem)
    assert not list(tmp_path.glob("*.jsonl"))


@pytest.mark.parametrize("text", ["", WHOLE[:40]], ids=["empty", "cut"])
@pytest.mark.parametrize("name", [f"one-{NEWEST}.jsonl", f"one-{NEWEST}.key", "matrix.json"])
def test_an_empty_or_cut_file_is_made_again(tmp_path: Path, name: str, text: str) -> None:
    """A loss of power may leave them so."""
    run = scripted("one", WRITES.format(status=0))
    results([run], tmp_path)
    before = (tmp_path / name).read_text()
    (tmp_path / name).write_text(before[: len(text)])
    report = results([run], tmp_path)["one"].report
    assert report is not None
    assert report.read_text() == WHOLE
    assert (tmp_path / name).read_text() == before
    assert results([run], tmp_path)["one"].seconds is None


def test_folder_of_other_files_is_refused_and_left(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """It may have a report of the same name."""
    mine = tmp_path / f"one-{NEWEST}.jsonl"
    mine.write_text("mine")
    with pytest.raises(NotOurs) as caught:
        results([scripted("one", WRITES.format(status=0))], tmp_path)
    assert str(caught.value).replace(str(tmp_path), "…") == snapshot
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]
