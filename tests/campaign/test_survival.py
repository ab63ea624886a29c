"""A codec's harm to its process costs one case of a part, and no other."""

import signal
from pathlib import Path

import pytest

from conformance.adapter import AdapterError
from conformance.campaign.codec_hosts import TaskFailed, TaskLost
from conformance.campaign.kernel import LOAD, RUN, STORE
from conformance.system import forks
from tests.campaign.conftest import HONEST, campaign_of, rows_of, run_all
from tests.helpers.releases import NEWEST

WRITERS = "tests.fakes.crashing_codecs"


@pytest.mark.parametrize(("name", "outcome"), [("EndsWriting", "crashed"), ("HangsWriting", "timed-out")])
def test_writer_ending_or_blocking_the_process_costs_one_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, outcome: str
) -> None:
    """The part is run again, with every call in a child."""
    monkeypatch.setattr("conformance.campaign.codec_hosts._patience", lambda _: {LOAD: 60, RUN: 3, STORE: 60})
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
    with pytest.raises(TaskFailed, match=f"honest: .* does not start: .*{printed}"):
        run_all(campaign, tmp_path)


def test_implementation_hanging_at_its_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOADED", "1")
    monkeypatch.setattr("conformance.codec.bridge.loading.START_DEADLINE", 1.0)
    with pytest.raises(AdapterError, match="HangsLoading: loading it takes longer than 1 seconds"):
        campaign_of(f"{WRITERS}:HangsLoading")


def killed(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let the machine kill the process of a task, so many times."""
    marks = iter(range(times))
    ask = forks.Fork.ask

    def killed_or_asked(fork: forks.Fork, request: bytes) -> forks.ForkReply:
        return forks.ForkReply(None, RUN, -signal.SIGKILL) if next(marks, None) is not None else ask(fork, request)

    monkeypatch.setattr(forks.Fork, "ask", killed_or_asked)


def test_task_of_a_process_killed_by_the_machine_accuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is lost, so Spark runs it elsewhere."""
    killed(monkeypatch, 1)
    with pytest.raises(TaskLost, match="part 0 of honest: its process was ended by SIGKILL, in the phase 'run'"):
        run_all(campaign_of(HONEST), tmp_path)
    assert list((tmp_path / "outcomes").rglob("*")) == []


@pytest.mark.parametrize(
    ("phase", "error"), [(LOAD, "loading the implementation takes longer than 60 seconds"), (STORE, "")]
)
def test_silent_task_names_its_phase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str, error: str) -> None:
    monkeypatch.setattr(forks.Fork, "ask", lambda *_: forks.ForkReply(None, phase, -signal.SIGALRM))
    with pytest.raises(TaskFailed if error else TaskLost, match=error or f"{tmp_path} does not answer within"):
        run_all(campaign_of(HONEST), tmp_path)
