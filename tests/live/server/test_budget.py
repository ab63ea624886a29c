"""Rate and time of frames to a server are bounded."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from conformance.judge.tally import Tally
from conformance.live.server.black_box import BlackBox
from conformance.live.server.connection import Budget, TimeIsUp
from conformance.live.server.server import Server
from conformance.live.server.sound_requests import check_sound_requests
from conformance.live.server.survival import until_lost
from conformance.live.server.tiers import Permission
from tests.fakes.lying_server import DEFINITIONS, METADATA, Fake
from tests.helpers.events import found
from tests.live.server.test_safety import broker


def test_frames_are_sent_no_faster_than_the_rate() -> None:
    """Ten frames at 100 in a second take nine pauses."""
    budget = Budget(rate=100)
    begin = time.monotonic()
    for _ in range(10):
        budget.pace()
    assert time.monotonic() - begin >= 9 / 100


def test_time_begins_with_the_first_frame() -> None:
    """A run without a frame sent has all its time."""
    budget = Budget(seconds=0.01)
    budget.check()
    time.sleep(0.02)
    budget.check()
    budget.pace()
    time.sleep(0.02)
    with pytest.raises(TimeIsUp, match=r"0\.01 s"):
        budget.check()


def test_every_frame_counts() -> None:
    """Requests and probes of a living server share one budget."""
    rate = 50
    with Fake() as fake:
        server = Server(fake.address, DEFINITIONS, deadline=20.0, budget=Budget(rate=rate))
        with closing(BlackBox(server, Permission())) as black_box:
            begin, tally = time.monotonic(), Tally()
            assert found(until_lost(black_box, check_sound_requests(black_box, METADATA, 13)), tally) == []
    assert time.monotonic() - begin >= tally.cases["sound requests"] / rate


def test_run_ends_when_its_time_is_up_and_names_the_skipped_items() -> None:
    """The status is that of the tried items, and known failures are not stale."""
    with Fake() as fake:
        status, text = broker(str(fake.address), "--minutes", "0.005", "--rate", "20")
    assert status == pytest.ExitCode.OK
    assert "0.005 minutes" in text
    assert "20 frames a second" in text
    assert "0.3 s, was up" in " ".join(text.split())


@pytest.mark.parametrize("option", ["--rate", "--minutes"])
def test_bound_below_zero_is_refused(option: str) -> None:
    with Fake() as fake:
        status, text = broker(str(fake.address), f"{option}=-1")
    assert status == pytest.ExitCode.USAGE_ERROR
    assert f"'{option}': '-1'" in text
