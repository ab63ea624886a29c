"""Deadly frames are sent to this machine alone, and every run prints its frames first."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.tally import Tally
from conformance.live.server.hostile_requests import check_broken_frames
from conformance.live.server.sound_requests import AFTER_HANGS
from conformance.live.server.survival import until_lost
from tests.fakes import lying_server
from tests.fakes.lying_server import Fake
from tests.helpers.events import found
from tests.helpers.runs import kafka_conformance
from tests.live.server.test_lies import restartable

if TYPE_CHECKING:
    from collections.abc import Sequence

ELSEWHERE = "192.0.2.1:9092"
"""An address for documentation: nobody is there."""

DEADLINE = 60
"""Seconds: an answer comes at once, if the machine is not busy."""

FRAMES_AFTER = 50
"""Fewer than the requests of versions that are too new, one for each API."""


def broker(address: str, *options: str) -> tuple[int, str]:
    """Run the command, and return its status and output."""
    return kafka_conformance("broker", address, f"--deadline={DEADLINE}", *options)


@pytest.mark.parametrize("option", ["--throw-away", "--memory"])
def test_deadly_frames_stay_on_this_machine(option: str) -> None:
    status, text = broker(ELSEWHERE, option)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "add --not-loopback" in text


@pytest.mark.parametrize("options", [(), ("--throw-away", "--memory")], ids=["read-only", "throw-away"])
def test_plan_of_frames_is_printed_first(options: Sequence[str], snapshot: SnapshotAssertion) -> None:
    with Fake() as fake:
        status, text = broker(str(fake.address), "-k", "announcement", *options)
    head, starts, _ = text.partition(" test session starts ")
    [plan] = (line for line in head.splitlines() if line.startswith("tier "))
    assert status == pytest.ExitCode.OK
    assert starts
    assert re.sub(r"[\d,]+(?= sound| hostile| broken)", "some", plan) == snapshot
    assert re.search(r"^\d+ of its APIs", head, re.MULTILINE)


def test_frames_after_a_deadly_one_are_sent_to_a_fresh_server() -> None:
    tally = Tally()
    with closing(restartable(lying_server.DiesOfShortFrames)) as black_box:
        shown = found(until_lost(black_box, check_broken_frames(black_box)), tally)
    assert {violation.rule for violation in shown} == {"connection.survival"}
    assert shown[0].case.wire == bytes(4)
    assert {violation.case.name.split()[0] for violation in shown} == {"size", "header"}
    assert tally.cases["hostile requests"] > FRAMES_AFTER
    assert AFTER_HANGS in str(tally.events())
