"""Work in forks."""

import os
import signal
import time

import pytest

from conformance.processes.forks import forked


def test_a_fork_returns_its_text() -> None:
    assert forked(lambda _: f"not {os.getpid()}", 60) not in {None, f"not {os.getpid()}"}


def test_a_fork_that_is_ended_returns_nothing() -> None:
    def work(_: object) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    assert forked(work, 60) is None


def test_an_error_in_a_fork_is_no_end() -> None:
    assert forked(lambda _: str(1 // 0), 60) is None


@pytest.mark.parametrize(("beats", "told"), [(True, ""), (False, None)])
def test_a_fork_is_ended_if_it_does_not_beat(*, beats: bool, told: str | None) -> None:
    def work(beat: object) -> str:
        for _ in range(4):
            time.sleep(0.5)
            if beats and callable(beat):
                beat()
        return ""

    assert forked(work, 1) == told
