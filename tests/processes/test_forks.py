"""Work in forks."""

import os
import signal
import time
from typing import Any

import pytest

from conformance.processes.forks import forked

SECONDS = {"load": 60, "run": 60}


def test_a_fork_returns_its_text() -> None:
    assert forked(lambda _: f"not {os.getpid()}", SECONDS).told not in {None, f"not {os.getpid()}"}


def test_a_fork_that_is_ended_returns_nothing_but_the_signal() -> None:
    def work(_: object) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    assert forked(work, SECONDS) == (None, "load", -signal.SIGKILL)


def test_an_error_in_a_fork_is_no_end() -> None:
    assert forked(lambda _: str(1 // 0), SECONDS) == (None, "load", 1)


@pytest.mark.parametrize(("beats", "told"), [(True, ""), (False, None)])
def test_a_fork_is_ended_if_it_does_not_beat(*, beats: bool, told: str | None) -> None:
    def work(beat: Any) -> str:
        beat("run")
        for _ in range(4):
            time.sleep(0.5)
            if beats:
                beat("run")
        return ""

    done = forked(work, {"load": 60, "run": 1})
    assert (done.told, done.phase, done.is_held_up) == (told, "run", not beats)
