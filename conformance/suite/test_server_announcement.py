"""What a server announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.announcement import check_announcement

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_server_announcement(kafka_run: Run, server: str) -> None:
    """Each API is announced once with a sound range, and a version that is too new gets version 0 with error 35."""
    kafka_run.judge_server(lambda black_box: check_announcement(black_box, kafka_run.tally), server)
