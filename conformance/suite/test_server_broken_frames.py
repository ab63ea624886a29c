"""Frames that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.hostile import check_broken_frames

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_server_broken_frames(kafka_run: Run, server: str) -> None:
    """A frame that is no request is refused, and the server serves the next connection."""
    kafka_run.judge_server(lambda black_box: check_broken_frames(black_box, kafka_run.tally), server)
