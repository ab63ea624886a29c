"""An implementation stays loaded from task to task until it has changed, and an ended process is replaced."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.campaign.codec_hosts import LOSSES, TaskFailed, Work, run_in_processes
from conformance.campaign.folder import prepare
from conformance.campaign.plan import Task, tasks
from conformance.campaign.preparation import Campaign
from conformance.campaign.spark.storage import Storage
from tests.campaign.conftest import HONEST, LIARS, campaign_of, planned, rows_of, run_all

ADAPTER = """
import pathlib
from tests.fakes.faulty_codecs import {fake}

pathlib.Path({mark!r}).open("a").write("loaded ")
adapter = {fake}()
"""


@pytest.fixture
def write_adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Campaign]:
    """A function to write an adapter of a fake, kept out of this process, returning a campaign on it."""
    monkeypatch.syspath_prepend(tmp_path)
    times = iter(range(1, 3))

    def write(fake: str) -> Campaign:
        file = tmp_path / "adapter_of_the_test.py"
        file.write_text(ADAPTER.format(fake=fake, mark=str(tmp_path / "loaded")))
        changed = next(times)
        os.utime(file, (changed, changed))
        sys.modules.pop("adapter_of_the_test", None)
        campaign = campaign_of("adapter_of_the_test:adapter", fixed=True)
        sys.modules.pop("adapter_of_the_test")
        return campaign

    return write


def test_an_implementation_is_loaded_once_for_all_tasks(
    tmp_path: Path, write_adapter: Callable[[str], Campaign], small_parts: Callable[[int], None]
) -> None:
    """Here, in the server, and in its child."""
    small_parts(300)
    campaign = write_adapter("Honest")
    assert len(run_all(campaign, tmp_path / "campaign")["tasks"]) > 2
    assert tmp_path.joinpath("loaded").read_text().split() == ["loaded"] * 3


def test_changed_adapter_is_loaded_again(tmp_path: Path, write_adapter: Callable[[str], Campaign]) -> None:
    broken = []
    for fake in ("Honest", "WrongSize"):
        run_all(write_adapter(fake), tmp_path / fake)
        broken.append({row["rule"] for row in rows_of(tmp_path / fake)} - {None})
    assert broken[0] == set()
    assert broken[1] != set()


def losing(given: Iterator[Task], times: int) -> Iterator[Task]:
    """Yield these tasks, and kill the processes of the pool before each of the first ones."""
    for number, task in enumerate(given):
        for process in multiprocessing.active_children() if number < times else ():
            process.kill()
        yield task


def test_ended_processes_are_replaced(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign, folder = campaign_of(HONEST, fixed=True), tmp_path / "campaign"
    prepare(Storage(str(folder)), campaign.parameters)
    run_in_processes(Work(campaign.parameters, str(folder)), 1, losing(tasks(planned(campaign), 100), 3))
    assert run_all(campaign, folder)["sha256"] == run_all(campaign, tmp_path / "undisturbed")["sha256"]


def test_processes_ended_again_and_again_are_an_error(tmp_path: Path, small_parts: Callable[[int], None]) -> None:
    small_parts(300)
    campaign = campaign_of(HONEST, f"{LIARS}:WrongSize", fixed=True)
    every = losing(tasks(planned(campaign), 100), 100)
    with pytest.raises(TaskFailed, match=f"ended from outside, {LOSSES + 1} times.*goes on"):
        run_in_processes(Work(campaign.parameters, str(tmp_path / "campaign")), 1, every)
