"""Requests before the first answer, and in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.pipelining import check_pipelining

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_server_pipelining(kafka_run: Run, server: str) -> None:
    """Answers come in the order of the requests, however their bytes were cut."""
    kafka_run.judge_server(lambda black_box: check_pipelining(black_box, kafka_run.tally), server)
